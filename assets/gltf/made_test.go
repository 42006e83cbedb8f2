package gltf_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
)

// made is a glTF file put together by hand: each call of data appends to the one
// buffer and makes a bufferView, each call of accessor an accessor.
type made struct {
	bin              bytes.Buffer
	views, accessors []string
	rest             string // further members of the root, each with a comma in front
}

// data appends values in little-endian order and returns their bufferView.
func (f *made) data(stride int, values ...any) int {
	begin := f.bin.Len()
	for _, v := range values {
		if err := binary.Write(&f.bin, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	view := fmt.Sprintf(`{"buffer":0,"byteOffset":%d,"byteLength":%d`, begin, f.bin.Len()-begin)
	if stride > 0 {
		view += fmt.Sprintf(`,"byteStride":%d`, stride)
	}
	f.views = append(f.views, view+"}")
	return len(f.views) - 1
}

// accessor adds an accessor; more are further members of its JSON.
func (f *made) accessor(view, component, count int, typ, more string) int {
	a := fmt.Sprintf(`{"componentType":%d,"count":%d,"type":%q`, component, count, typ)
	if view >= 0 {
		a += fmt.Sprintf(`,"bufferView":%d`, view)
	}
	f.accessors = append(f.accessors, a+more+"}")
	return len(f.accessors) - 1
}

// floats adds floats as an accessor.
func (f *made) floats(typ string, count int, values ...float32) int {
	return f.accessor(f.data(0, values), 5126, count, typ, "")
}

func (f *made) json() string {
	s := `{"asset":{"version":"2.0"}`
	if f.bin.Len() > 0 {
		s += fmt.Sprintf(`,"buffers":[{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}]`,
			f.bin.Len(), base64.StdEncoding.EncodeToString(f.bin.Bytes()))
	}
	if f.views != nil {
		s += `,"bufferViews":[` + strings.Join(f.views, ",") + "]"
	}
	if f.accessors != nil {
		s += `,"accessors":[` + strings.Join(f.accessors, ",") + "]"
	}
	return s + f.rest + "}"
}

func (f *made) load(t testing.TB) *assets.Model {
	t.Helper()
	return decode(t, f.json())
}

func decode(t testing.TB, json string) *assets.Model {
	t.Helper()
	m, err := gltf.Decode("made.gltf", []byte(json), nil)
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "made.gltf", m)
	return m
}

// glb wraps a JSON text and a binary chunk.
func glb(json string, bin []byte) []byte {
	for len(json)%4 != 0 {
		json += " "
	}
	var b bytes.Buffer
	put := func(n ...uint32) { _ = binary.Write(&b, binary.LittleEndian, n) }
	size := 12 + 8 + len(json)
	if bin != nil {
		size += 8 + len(bin)
	}
	b.WriteString("glTF")
	put(2, uint32(size), uint32(len(json)), 0x4E4F534A)
	b.WriteString(json)
	if bin != nil {
		put(uint32(len(bin)), 0x004E4942)
		b.Write(bin)
	}
	return b.Bytes()
}
