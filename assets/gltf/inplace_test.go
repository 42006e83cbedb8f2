package gltf_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"math"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Floats are read where they lie, but what is repaired is not repaired there:
// positions that are read as normals too stay what they are, and so does data.
func TestRepairsLeaveTheFileAlone(t *testing.T) {
	var raw []byte
	for _, f := range []float32{3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0, float32(math.Inf(1))} {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
	}
	json := `{"asset":{"version":"2.0"},"buffers":[{"byteLength":48,"uri":"data:;base64,` + base64.StdEncoding.EncodeToString(raw) + `"}],
"bufferViews":[{"buffer":0,"byteLength":48}],"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3},
{"bufferView":0,"byteOffset":24,"componentType":5126,"type":"VEC2","count":3}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0,"TEXCOORD_0":1}}]}]}`
	data := []byte(json)
	m, err := gltf.Decode("shared.gltf", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := m.Meshes[0].Primitives[0]
	if p.Positions[0] != (mgl32.Vec3{3, 0, 0}) || p.Positions[2] != (mgl32.Vec3{0, 0, 5}) {
		t.Errorf("positions %v", p.Positions)
	}
	if p.Normals[0] != (mgl32.Vec3{1, 0, 0}) || p.Normals[2] != (mgl32.Vec3{0, 0, 1}) {
		t.Errorf("normals %v", p.Normals)
	}
	if p.UV[0][1] != (mgl32.Vec2{5, 0}) || p.UV[0][2] != (mgl32.Vec2{0, 0}) {
		t.Errorf("UVs %v", p.UV[0])
	}
	if !bytes.Equal(data, []byte(json)) {
		t.Error("the file's bytes were changed")
	}
}
