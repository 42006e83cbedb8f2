package render

import (
	"encoding/binary"
	"slices"
	"testing"
	"unsafe"

	"github.com/bindpose/bindpose/shaders"
)

// structs are the byte offsets of each structure's members in a shader, as its
// SPIR-V is decorated (SPIR-V 1.6 §3.42.8: OpMemberDecorate, decoration Offset),
// and the array strides it names.
func structs(t *testing.T, shader string) (offsets [][]int, strides []int) {
	t.Helper()
	code := shaders.Code(shader)
	words := make([]uint32, len(code)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(code[4*i:])
	}
	const opDecorate, opMemberDecorate, arrayStride, offset = 71, 72, 6, 35
	of := map[uint32]map[uint32]int{}
	for i := 5; i < len(words); {
		op, n := words[i]&0xffff, int(words[i]>>16)
		switch {
		case n == 0:
			t.Fatal("not SPIR-V")
		case op == opDecorate && words[i+2] == arrayStride:
			strides = append(strides, int(words[i+3]))
		case op == opMemberDecorate && words[i+3] == offset:
			if of[words[i+1]] == nil {
				of[words[i+1]] = map[uint32]int{}
			}
			of[words[i+1]][words[i+2]] = int(words[i+4])
		}
		i += n
	}
	for _, members := range of {
		list := make([]int, len(members))
		for i, at := range members {
			list[i] = at
		}
		offsets = append(offsets, list)
	}
	return offsets, strides
}

func hasStruct(offsets [][]int, want []int) bool {
	return slices.ContainsFunc(offsets, func(o []int) bool { return slices.Equal(o, want) })
}

// What Go writes lies where the compiled shaders read it.
func TestRecordsLieWhereShadersReadThem(t *testing.T) {
	var g Globals
	globals := []int{
		int(unsafe.Offsetof(g.View)), int(unsafe.Offsetof(g.Projection)), int(unsafe.Offsetof(g.ViewProjection)),
		int(unsafe.Offsetof(g.InverseViewProjection)), int(unsafe.Offsetof(g.Shadow)), int(unsafe.Offsetof(g.Eye)),
		int(unsafe.Offsetof(g.SunDirection)), int(unsafe.Offsetof(g.SunColor)), int(unsafe.Offsetof(g.SkyZenith)),
		int(unsafe.Offsetof(g.SkyHorizon)), int(unsafe.Offsetof(g.SkyGround)), int(unsafe.Offsetof(g.Exposure)),
		int(unsafe.Offsetof(g.Viewport)), int(unsafe.Offsetof(g.Counts)),
	}
	var n instance
	instances := []int{0, 16, 32, int(unsafe.Offsetof(n.palette)), int(unsafe.Offsetof(n.morph)), int(unsafe.Offsetof(n.entity)), int(unsafe.Offsetof(n.flags))}
	var l lightRecord
	lights := []int{int(unsafe.Offsetof(l.Position)), int(unsafe.Offsetof(l.Direction)), int(unsafe.Offsetof(l.Color)), int(unsafe.Offsetof(l.Cone))}
	var x lampRecord
	lamps := []int{
		int(unsafe.Offsetof(x.Light)), int(unsafe.Offsetof(x.Map)), int(unsafe.Offsetof(x.Depth)), int(unsafe.Offsetof(x.Tile)),
		int(unsafe.Offsetof(x.Far)), int(unsafe.Offsetof(x.Outline)),
	}
	material := []int{0, 16, 32, 48, 64, 80} // as packMaterial writes
	for _, c := range []struct {
		shader string
		name   string
		want   []int
		stride int // of an array of it, or in it; 0: none
	}{
		{"lighting.vert", "Globals", globals, 0},
		{"geometry_skinned8.vert", "Globals", globals, 0},
		{"geometry_skinned8.vert", "instance", instances, int(unsafe.Sizeof(n))},
		{"geometry_skinned8.vert", "instance", instances, 16}, // rows of bones
		{"lighting.frag", "lightRecord", lights, int(unsafe.Sizeof(l))},
		{"lamp.vert", "lampRecord", lamps, 16},
		{"geometry.frag", "Material", material, 32},
		{"transparent.frag", "Material", material, 32},
	} {
		offsets, strides := structs(t, c.shader)
		if !hasStruct(offsets, c.want) {
			t.Errorf("%s: no structure has the members of %s at %v; there are %v", c.shader, c.name, c.want, offsets)
		}
		if c.stride != 0 && !slices.Contains(strides, c.stride) {
			t.Errorf("%s: no array of %s has the stride %d; there are %v", c.shader, c.name, c.stride, strides)
		}
	}
	if size := 80 + 8*32; size != materialSize {
		t.Errorf("a material takes %d bytes, the shader reads %d", materialSize, size)
	}
	if n := len(x.Outline); n != 8 {
		t.Errorf("an outline has %d corners, the shader reads 16", 2*n)
	}
	if s := unsafe.Sizeof(bone{}); s != 48 {
		t.Errorf("a bone takes %d bytes, the shader reads 48", s)
	}
}
