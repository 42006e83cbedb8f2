package gltf_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Draco's own box is a cube of 24 vertices with outward normals.
func TestDracoBox(t *testing.T) {
	m, err := gltf.Load(corpus.Path(t, "gltf/draco-testdata/Box_Draco.glb"))
	if err != nil {
		t.Fatal(err)
	}
	checkModel(t, "Box_Draco.glb", m)
	p := m.Meshes[0].Primitives[0]
	if len(p.Positions) != 24 || len(p.Indices) != 36 || len(p.Normals) != 24 {
		t.Fatalf("%d vertices, %d normals, %d indices; a box has 24, 24 and 36", len(p.Positions), len(p.Normals), len(p.Indices))
	}
	for i := 0; i < len(p.Indices); i += 3 {
		a, b, c := p.Positions[p.Indices[i]], p.Positions[p.Indices[i+1]], p.Positions[p.Indices[i+2]]
		face := b.Sub(a).Cross(c.Sub(a)).Normalize()
		if d := face.Dot(p.Normals[p.Indices[i]]); d < 0.99 {
			t.Errorf("triangle %d faces %v, its normal is %v", i/3, face, p.Normals[p.Indices[i]])
		}
	}
}

// Compressed bytes that are wrong are an error or another model, never a crash,
// and cost no more memory than any other file.
func TestWrongCompressedBytes(t *testing.T) {
	for _, name := range []string{"gltf/draco-testdata/Box_Draco.glb", "gltf-derived/Fox-meshopt.glb"} {
		good, err := os.ReadFile(corpus.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		binary := bytes.Index(good, []byte("BIN\x00"))
		r := rand.New(rand.NewPCG(1, 2))
		refused := 0
		for range 300 {
			bad := bytes.Clone(good)
			for range 1 + r.IntN(4) {
				bad[binary+4+r.IntN(len(bad)-binary-4)] = byte(r.Uint32())
			}
			m, err := gltf.Decode(name, bad, nil)
			if err != nil {
				refused++
				continue
			}
			checkModel(t, name, m)
		}
		if refused == 0 {
			t.Errorf("%s: nothing was refused", name)
		}
	}
}
