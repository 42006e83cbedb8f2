package gltf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// shared decodes a file whose bytes are another's.
func shared(json string, bin []byte) (*assets.Model, error) {
	return decode("own.glb", parts{[]byte(json), bin, int64(len(json) + len(bin)), false}, nil, new(document))
}

// Normals that are made unit where they lie change nothing else that lies there.
func TestNormalsInPlace(t *testing.T) {
	const n = 12
	var bin []byte
	for k := range 3 * n {
		bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(float32(k%5)/4+0.25))
	}
	const head = `{"asset":{"version":"2.0"},"buffers":[{"byteLength":144}],"bufferViews":[{"buffer":0,"byteLength":144},{"buffer":0,"byteOffset":48,"byteLength":96}],
"nodes":[{"mesh":0}],"accessors":[
{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},
{"bufferView":0,"byteOffset":48,"componentType":5126,"type":"VEC3","count":4},
{"bufferView":0,"byteOffset":24,"componentType":5126,"type":"VEC3","count":4},
{"bufferView":0,"byteOffset":48,"componentType":5126,"type":"VEC3","count":4},
{"bufferView":0,"byteOffset":48,"componentType":5126,"type":"VEC3","count":8},
{"bufferView":1,"componentType":5126,"type":"VEC2","count":4},
{"bufferView":1,"componentType":5126,"type":"VEC4","count":4},
{"bufferView":1,"componentType":5123,"type":"VEC4","count":4},
{"bufferView":1,"componentType":5126,"type":"SCALAR","count":4},
{"bufferView":0,"byteOffset":144,"componentType":5126,"type":"VEC3","count":0},
{"componentType":5126,"type":"SCALAR","count":1},
{"bufferView":1,"componentType":5126,"type":"VEC3","count":1}]`
	mesh := func(primitives string) string { return `,"meshes":[{"primitives":[` + primitives + `]}]` }
	for name, c := range map[string]struct {
		json    string
		inPlace bool
	}{
		"alone":                 {mesh(`{"attributes":{"POSITION":0,"NORMAL":1}}`), true},
		"in two primitives":     {mesh(`{"attributes":{"POSITION":0,"NORMAL":1}},{"attributes":{"POSITION":0,"NORMAL":1}}`), true},
		"position too":          {mesh(`{"attributes":{"POSITION":1,"NORMAL":1}}`), false},
		"position elsewhere":    {mesh(`{"attributes":{"POSITION":0,"NORMAL":1}},{"attributes":{"POSITION":1}}`), false},
		"half a position":       {mesh(`{"attributes":{"POSITION":2,"NORMAL":1}}`), false},
		"another accessor":      {mesh(`{"attributes":{"POSITION":0,"NORMAL":1}},{"attributes":{"POSITION":0,"NORMAL":3}}`), false},
		"two lengths":           {mesh(`{"attributes":{"POSITION":0,"NORMAL":1}},{"attributes":{"POSITION":4,"NORMAL":4}}`), false},
		"longer first":          {mesh(`{"attributes":{"POSITION":4,"NORMAL":4}},{"attributes":{"POSITION":0,"NORMAL":1}}`), false},
		"texture coordinates":   {mesh(`{"attributes":{"POSITION":0,"NORMAL":1,"TEXCOORD_0":5}}`), false},
		"tangents":              {mesh(`{"attributes":{"POSITION":0,"NORMAL":1,"TANGENT":6}}`), true}, // which are copied
		"joints":                {mesh(`{"attributes":{"POSITION":0,"NORMAL":1,"JOINTS_0":7,"WEIGHTS_0":6}}`), false},
		"a morph target":        {mesh(`{"attributes":{"POSITION":0,"NORMAL":1},"targets":[{"NORMAL":1}]}`), false},
		"a picture":             {`,"images":[{"bufferView":1}]` + mesh(`{"attributes":{"POSITION":0,"NORMAL":1}}`), false},
		"a picture in front":    {`,"images":[{"bufferView":1}]` + mesh(`{"attributes":{"POSITION":1,"NORMAL":0}}`), true},
		"a clip":                {`,"animations":[{"samplers":[{"input":10,"output":11}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]` + mesh(`{"attributes":{"POSITION":0,"NORMAL":1}}`), false},
		"an accessor of nobody": {mesh(`{"attributes":{"POSITION":0,"NORMAL":3}}`), true},
	} {
		json := head + c.json + "}"
		before := bytes.Clone(bin)
		want, err := shared(json, bin)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(bin, before) {
			t.Errorf("%s: bytes of another were changed", name)
		}
		own := bytes.Clone(bin)
		got, err := decode("own.glb", parts{[]byte(json), own, int64(len(json) + len(bin)), true}, nil, new(document))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v: the model is another:\n%+v\n%+v", name, err, got, want)
		}
		if inPlace := !bytes.Equal(own, bin); inPlace != c.inPlace && littleEndian {
			t.Errorf("%s: made unit in place is %v", name, inPlace)
		}
		for _, e := range got.Meshes[0].Primitives[0].Normals {
			if l := e.Len(); math.Abs(float64(l-1)) > 1e-6 {
				t.Errorf("%s: a normal of length %v", name, l)
			}
		}
	}
}

// Whatever lies over whatever, what is loaded in memory of its own is what is
// decoded from memory of another's.
func TestOverlaps(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	inPlace := 0
	for range 3000 {
		bin := make([]byte, 240)
		for k := 0; k < len(bin); k += 4 {
			binary.LittleEndian.PutUint32(bin[k:], math.Float32bits(float32(1+r.IntN(3))/2))
		}
		json := `{"asset":{"version":"2.0"},"buffers":[{"byteLength":240}],"bufferViews":[{"buffer":0,"byteLength":240}],"accessors":[`
		const accessors, vertices = 6, 3
		for range accessors {
			json += fmt.Sprintf(`{"bufferView":0,"byteOffset":%d,"componentType":5126,"type":"VEC3","count":%d},`, 4*r.IntN(51), vertices)
		}
		json = json[:len(json)-1] + `],"meshes":[{"primitives":[`
		for range 1 + r.IntN(3) {
			json += fmt.Sprintf(`{"attributes":{"POSITION":%d,"NORMAL":%d},"targets":[{"NORMAL":%d}]},`, r.IntN(accessors), r.IntN(accessors), r.IntN(accessors))
		}
		json = json[:len(json)-1] + "]}]}"
		want, err := shared(json, bin)
		if err != nil {
			t.Fatal(err)
		}
		own := bytes.Clone(bin)
		got, err := decode("own.glb", parts{[]byte(json), own, int64(len(json) + len(bin)), true}, nil, new(document))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v: %s:\n%+v\n%+v", err, json, got.Meshes, want.Meshes)
		}
		if !bytes.Equal(own, bin) {
			inPlace++
		}
	}
	if littleEndian && (inPlace < 300 || inPlace > 2700) {
		t.Errorf("%d of 3000 were made unit in place", inPlace)
	}
}

func TestNearlyUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for range 2000 {
		f := make([]float32, 3*r.IntN(5))
		for k := 0; k < len(f); k += 3 {
			e := mgl32.Vec3{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())}.Normalize()
			e = e.Mul([]float32{1, 1, 1, 1.01, 0.9, 1e-12, 1e12, 0, float32(math.NaN()), float32(math.Inf(1))}[r.IntN(6+r.IntN(5))])
			copy(f[k:], e[:])
		}
		bad, ok := nearlyUnit(f)
		want, okWant := unitThrees(make([]float32, len(f)), f)
		if ok != okWant || ok && bad != want {
			t.Fatalf("%v: %d, %v, not %d, %v", f, bad, ok, want, okWant)
		}
	}
}

// FuzzOwn: a file in memory of its own is what it is in another's, whatever its
// JSON says.
func FuzzOwn(f *testing.F) {
	bin := make([]byte, 240)
	for k := 0; k < len(bin); k += 4 {
		binary.LittleEndian.PutUint32(bin[k:], math.Float32bits(float32(1+k%3)/2))
	}
	f.Add([]byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":240}],"bufferViews":[{"buffer":0,"byteLength":240}],"accessors":[
{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},{"bufferView":0,"byteOffset":12,"componentType":5126,"type":"VEC3","count":3}],
"images":[{"bufferView":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"targets":[{"NORMAL":0}]}]}]}`))
	f.Fuzz(func(t *testing.T, json []byte) {
		before := bytes.Clone(json)
		want, errWant := shared(string(json), bin)
		own := parts{json, bytes.Clone(bin), int64(len(json) + len(bin)), true}
		got, err := decode("own.glb", own, nil, new(document))
		if !bytes.Equal(json, before) {
			t.Error("the JSON was changed")
		}
		if (err == nil) != (errWant == nil) || err != nil && err.Error() != errWant.Error() {
			t.Errorf("%v, not %v", err, errWant)
		}
		// NaN is not itself, so the texts are compared.
		if err == nil && !reflect.DeepEqual(got, want) && fmt.Sprintf("%+v", got.Meshes) != fmt.Sprintf("%+v", want.Meshes) {
			t.Errorf("%+v, not %+v", got.Meshes, want.Meshes)
		}
	})
}
