package gltf_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
)

// A model that was loaded is the one decoded from the file's bytes, and stays it
// while others are loaded: their JSON is read into the same memory.
func TestLoadIsDecode(t *testing.T) {
	type pair struct{ loaded, decoded *assets.Model }
	before := map[string]pair{}
	bytes := int64(0)
	for _, set := range []string{"gltf", "gltf-magnum", "vrm"} {
		for _, path := range modelFiles(t, set) {
			st, err := os.Stat(path)
			if err != nil || st.Size() > 2<<20 || bytes > 64<<20 {
				continue
			}
			bytes += st.Size()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			decoded, err := gltf.Decode(path, data, os.DirFS(filepath.Dir(path)))
			loaded, errLoad := gltf.Load(path)
			if (err == nil) != (errLoad == nil) {
				t.Errorf("decoded: %v; loaded: %v", err, errLoad)
			} else if err == nil {
				before[path] = pair{loaded, decoded}
			}
		}
	}
	if len(before) < 50 {
		t.Errorf("%d files were loaded", len(before))
	}
	for path, p := range before {
		if !reflect.DeepEqual(p.loaded, p.decoded) {
			t.Errorf("%s: loaded is not decoded", path)
		}
	}
}

// Whatever a GLB's chunks are, it loads as it decodes.
func TestChunks(t *testing.T) {
	json := `{"asset":{"version":"2.0"},"buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"meshes":[{"name":"box","primitives":[{"attributes":{"POSITION":0}}]}]}`
	chunk := func(kind string, body []byte) []byte {
		b := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
		return append(append(b, kind...), body...)
	}
	file := func(chunks ...[]byte) []byte {
		b := bytes.Join(chunks, nil)
		head := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(12+len(b)))
		return append(head, b...)
	}
	padded := func(n int) []byte { return append([]byte(json), bytes.Repeat([]byte(" "), n)...) }
	vertices := make([]byte, 36)
	vertices[3] = 0x40 // 2
	whole := file(chunk("JSON", padded(0)), chunk("BIN\x00", vertices))
	told := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(told[8:], uint32(len(told)-4))
	one := bytes.Clone(whole)
	one[4] = 1
	for name, data := range map[string][]byte{
		"plain":              whole,
		"long JSON":          file(chunk("JSON", padded(64<<10)), chunk("BIN\x00", vertices)),
		"JSON to the head":   file(chunk("JSON", padded(64<<10-28-len(json))), chunk("BIN\x00", vertices)),
		"JSON over the head": file(chunk("JSON", padded(64<<10-27-len(json))), chunk("BIN\x00", vertices)),
		"byte order mark":    file(chunk("JSON", append([]byte("\xEF\xBB\xBF"), json...)), chunk("BIN\x00", vertices)),
		"long BIN":           file(chunk("JSON", padded(0)), chunk("BIN\x00", append(vertices, make([]byte, 1<<20)...))),
		"no BIN":             file(chunk("JSON", padded(0))),
		"empty BIN":          file(chunk("JSON", padded(0)), chunk("BIN\x00", nil)),
		"empty JSON":         file(chunk("JSON", nil), chunk("BIN\x00", vertices)),
		"chunk between":      file(chunk("JSON", padded(0)), chunk("HUH?", vertices), chunk("BIN\x00", vertices)),
		"chunk behind":       file(chunk("JSON", padded(0)), chunk("BIN\x00", vertices), chunk("HUH?", vertices)),
		"BIN first":          file(chunk("BIN\x00", vertices), chunk("JSON", padded(0))),
		"junk behind":        append(bytes.Clone(whole), "junk"...),
		"zeros behind":       file(chunk("JSON", padded(0)), chunk("BIN\x00", vertices), make([]byte, 3)),
		"cut":                whole[:len(whole)-1],
		"cut in the JSON":    whole[:40],
		"tells of less":      told,
		"version 1":          one,
		"five megabytes":     file(chunk("JSON", padded(0)), chunk("BIN\x00", append(vertices, make([]byte, 5<<20)...)), chunk("HUH?", nil)),
		"tells of few":       append(bytes.Clone(whole), make([]byte, 5<<20)...),
	} {
		path := filepath.Join(t.TempDir(), "box.glb")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		want, err := gltf.Decode(path, data, nil)
		got, errLoad := gltf.Load(path)
		if err != nil && (errLoad == nil || errLoad.Error() != err.Error()) || err == nil && errLoad != nil {
			t.Errorf("%s: decoded: %v; loaded: %v", name, err, errLoad)
		}
		for range 3 { // other heads into the same memory
			gltf.Decode("other.glb", file(chunk("JSON", bytes.Repeat([]byte("[1,2"), 99))), nil)
			if err := os.WriteFile(path, bytes.Repeat([]byte("x"), 1<<17), 0o600); err != nil {
				t.Fatal(err)
			}
			gltf.Load(path)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: loaded is not decoded", name)
		}
	}
}

// Loads at the same time do not get into each other's memory.
func TestLoadsAtOnce(t *testing.T) {
	var paths []string
	for _, path := range modelFiles(t, "gltf") {
		if st, err := os.Stat(path); err == nil && st.Size() < 1<<20 && len(paths) < 12 {
			paths = append(paths, path)
		}
	}
	want := make([]*assets.Model, len(paths))
	for i, path := range paths {
		var err error
		if want[i], err = gltf.Load(path); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 3 * len(paths) {
				i = (i + 5*k) % len(paths)
				if got, err := gltf.Load(paths[i]); err != nil || !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%s is another when loaded beside others: %v", paths[i], err)
				}
			}
		})
	}
	all.Wait()
}
