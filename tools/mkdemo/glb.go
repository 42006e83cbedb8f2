package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
)

// obj is a JSON object. Its keys are written sorted, so files come out the same
// every time.
type obj map[string]any

// glb gathers one binary glTF 2.0 file.
type glb struct {
	bin                              []byte
	views, accessors                 []obj
	materials, textures, images      []obj
	meshes, nodes, skins, animations []obj
	roots                            []int
	materialAt                       map[string]int
}

// glTF 2.0 §3.6.2.2, §3.6.2.4 and GL's numbers for component types and targets.
const (
	componentUbyte  = 5121
	componentUshort = 5123
	componentFloat  = 5126
	targetVertices  = 34962
	targetIndices   = 34963
)

func (g *glb) view(b []byte, target int) int {
	for len(g.bin)%4 != 0 {
		g.bin = append(g.bin, 0)
	}
	v := obj{"buffer": 0, "byteOffset": len(g.bin), "byteLength": len(b)}
	if target != 0 {
		v["target"] = target
	}
	g.bin = append(g.bin, b...)
	g.views = append(g.views, v)
	return len(g.views) - 1
}

func (g *glb) accessor(o obj) int {
	g.accessors = append(g.accessors, o)
	return len(g.accessors) - 1
}

// floats writes float32 elements of width numbers each; bounds adds min and max.
func (g *glb) floats(data []float32, typ string, width, target int, bounds bool) int {
	b := make([]byte, 0, 4*len(data))
	for _, f := range data {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	o := obj{"bufferView": g.view(b, target), "componentType": componentFloat, "count": len(data) / width, "type": typ}
	if bounds {
		lo, hi := append([]float32{}, data[:width]...), append([]float32{}, data[:width]...)
		for i, f := range data {
			lo[i%width], hi[i%width] = min(lo[i%width], f), max(hi[i%width], f)
		}
		o["min"], o["max"] = lo, hi
	}
	return g.accessor(o)
}

func (g *glb) bytes4(data [][4]uint8, normalized bool) int {
	b := make([]byte, 0, 4*len(data))
	for _, q := range data {
		b = append(b, q[:]...)
	}
	o := obj{"bufferView": g.view(b, targetVertices), "componentType": componentUbyte, "count": len(data), "type": "VEC4"}
	if normalized {
		o["normalized"] = true
	}
	return g.accessor(o)
}

func (g *glb) indices(idx []int) int {
	b := make([]byte, 0, 2*len(idx))
	for _, i := range idx {
		b = binary.LittleEndian.AppendUint16(b, uint16(i))
	}
	return g.accessor(obj{"bufferView": g.view(b, targetIndices), "componentType": componentUshort, "count": len(idx), "type": "SCALAR"})
}

func (g *glb) node(o obj, root bool) int {
	g.nodes = append(g.nodes, o)
	if root {
		g.roots = append(g.roots, len(g.nodes)-1)
	}
	return len(g.nodes) - 1
}

// encode is the whole file (glTF 2.0 §4.4: header, JSON chunk, BIN chunk).
func (g *glb) encode() ([]byte, error) {
	for len(g.bin)%4 != 0 {
		g.bin = append(g.bin, 0)
	}
	doc := obj{
		"asset":       obj{"version": "2.0", "generator": "bindpose mkdemo"},
		"scene":       0,
		"scenes":      []obj{{"nodes": g.roots}},
		"nodes":       g.nodes,
		"meshes":      g.meshes,
		"materials":   g.materials,
		"accessors":   g.accessors,
		"bufferViews": g.views,
		"buffers":     []obj{{"byteLength": len(g.bin)}},
	}
	if len(g.textures) > 0 {
		doc["textures"], doc["images"] = g.textures, g.images
		doc["samplers"] = []obj{{"magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 10497}}
	}
	if len(g.skins) > 0 {
		doc["skins"] = g.skins
	}
	if len(g.animations) > 0 {
		doc["animations"] = g.animations
	}
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	for len(text)%4 != 0 {
		text = append(text, ' ')
	}
	le := binary.LittleEndian
	out := le.AppendUint32(nil, 0x46546C67)
	out = le.AppendUint32(out, 2)
	out = le.AppendUint32(out, uint32(12+8+len(text)+8+len(g.bin)))
	out = le.AppendUint32(out, uint32(len(text)))
	out = le.AppendUint32(out, 0x4E4F534A)
	out = append(out, text...)
	out = le.AppendUint32(out, uint32(len(g.bin)))
	out = le.AppendUint32(out, 0x004E4942)
	return append(out, g.bin...), nil
}

func flat(vs []vec) []float32 {
	out := make([]float32, 0, 3*len(vs))
	for _, v := range vs {
		out = append(out, float32(v[0]), float32(v[1]), float32(v[2]))
	}
	return out
}
