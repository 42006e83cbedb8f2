package render

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

// snorm reads a SNORM component as Vulkan does (1.3 §43.1): max(c/32767, -1).
func snorm(b []byte) float32 {
	return max(float32(int16(binary.LittleEndian.Uint16(b)))/32767, -1)
}

func unorm(b []byte) float32 { return float32(binary.LittleEndian.Uint16(b)) / 65535 }

func TestVertexStreams(t *testing.T) {
	p := &assets.Primitive{
		Positions: []mgl32.Vec3{{1, -2, 3.5}, {0, 0, 1e6}},
		Normals:   []mgl32.Vec3{{0, 0, -1}, {0.6, 0.8, 0}},
		Tangents:  []mgl32.Vec4{{1, 0, 0, -1}, {0, 1, 0, 1}},
		UV:        [][]mgl32.Vec2{{{0.25, 0.5}, {-3, 7}}, {{1, 0}, {0, 1}}},
		Colors:    []mgl32.Vec4{{1, 0.5, 0, 1}, {0, 0, 2, -1}},
		Joints:    [][][4]uint16{{{1, 2, 3, 65535}, {4}}},
		Weights:   [][][4]float32{{{0.1, 0.2, 0.3, 0.4}, {1.5}}},
	}
	at := make([]byte, 2*positionStride)
	packPositions(at, p.Positions)
	attributes := make([]byte, 2*attributeStride)
	for i := range attributes {
		attributes[i] = 0xcc // the ring holds leftovers
	}
	packAttributes(attributes, p, p.Normals, p.Tangents)
	skin := make([]byte, 2*skinStride)
	packInfluences(skin, p.Joints[0], p.Weights[0], nil)
	for v := range p.Positions {
		for c := range 3 {
			if got := float(at[v*positionStride+4*c:]); got != p.Positions[v][c] {
				t.Errorf("position %d: %v", v, got)
			}
			if got := snorm(attributes[v*attributeStride+2*c:]); math.Abs(float64(got-p.Normals[v][c])) > 1.0/65534 {
				t.Errorf("normal %d: %v", v, got)
			}
		}
		for c := range 4 {
			if got := snorm(attributes[v*attributeStride+8+2*c:]); got != p.Tangents[v][c] {
				t.Errorf("tangent %d: %v", v, got)
			}
			want := min(max(p.Colors[v][c], 0), 1)
			if got := unorm(attributes[v*attributeStride+32+2*c:]); math.Abs(float64(got-want)) > 1.0/131070 {
				t.Errorf("color %d: %v, want %v", v, got, want)
			}
			if got := binary.LittleEndian.Uint16(skin[v*skinStride+2*c:]); got != p.Joints[0][v][c] {
				t.Errorf("joint %d: %v", v, got)
			}
			if got := float(skin[v*skinStride+8+4*c:]); got != p.Weights[0][v][c] {
				t.Errorf("weight %d: %v", v, got)
			}
		}
		for set := range 2 {
			for c := range 2 {
				if got := float(attributes[v*attributeStride+16+8*set+4*c:]); got != p.UV[set][v][c] {
					t.Errorf("uv %d of %d: %v", set, v, got)
				}
			}
		}
	}
	// What a file lacks is zero, or white, whatever lay there before.
	bare := &assets.Primitive{Positions: p.Positions}
	packAttributes(attributes, bare, nil, nil)
	for i, b := range attributes[:attributeStride] {
		want := byte(0)
		if i >= 32 {
			want = 0xff
		}
		if b != want {
			t.Errorf("byte %d is %#x, want %#x", i, b, want)
		}
	}
}

func TestStreamsFitThePacking(t *testing.T) {
	for influences, want := range map[int][]int{0: {12, 40}, 4: {12, 40, 24}, 8: {12, 40, 24, 24}} {
		inputs := Streams(influences, true)
		if len(inputs) != len(want) {
			t.Fatalf("%d influences: %d streams", influences, len(inputs))
		}
		locations := map[int]bool{}
		for i := range inputs {
			if inputs[i].Stride != want[i] {
				t.Errorf("stream %d has stride %d", i, inputs[i].Stride)
			}
			for _, a := range inputs[i].Attributes {
				if locations[a.Location] {
					t.Errorf("location %d is used twice", a.Location)
				}
				locations[a.Location] = true
			}
		}
		if len(locations) != 6+influences/2 {
			t.Errorf("%d influences: %d inputs", influences, len(locations))
		}
	}
	if n := len(Streams(4, false)[1].Attributes); n != 0 {
		t.Errorf("the shadow pass reads %d attributes", n)
	}
}

func packed(m assets.Material) []byte {
	dst := make([]byte, materialSize)
	packMaterial(dst, &m)
	return dst
}

func TestMaterialRecord(t *testing.T) {
	m := assets.DefaultMaterial()
	m.BaseColor = mgl32.Vec4{0.1, 0.2, 0.3, 0.4}
	m.Emissive = mgl32.Vec3{5, 6, 7}
	m.Metallic, m.Roughness, m.NormalScale, m.OcclusionStrength = 0.5, 0.25, 2, 0.75
	m.OcclusionMap.UVSet, m.EmissiveMap.UVSet = 1, 1
	got := packed(m)
	want := []float32{0.1, 0.2, 0.3, 0.4, 5, 6, 7, -1, 0.5, 0.25, 2, 0.75}
	for i, w := range want {
		if f := float(got[4*i:]); f != w {
			t.Errorf("value %d is %v, want %v", i, f, w)
		}
	}
	if bits := binary.LittleEndian.Uint32(got[48:]); bits != 1<<3|1<<4 {
		t.Errorf("UV sets %b", bits)
	}
	m.Alpha, m.AlphaCutoff = assets.Mask, 0.3
	if f := float(packed(m)[28:]); f != 0.3 {
		t.Errorf("alpha cutoff %v", f)
	}
	m.Alpha = assets.Blend // a cutoff counts for masks alone
	if f := float(packed(m)[28:]); f != -1 {
		t.Errorf("alpha cutoff %v", f)
	}
}

// KHR_texture_transform: scaled, then turned, then moved. That a positive
// rotation takes (u, v) towards (v, -u) is what Khronos' TextureTransformTest
// marks as correct.
func TestTextureTransform(t *testing.T) {
	apply := func(r assets.TextureRef, u, v float32) (float32, float32) {
		m := assets.DefaultMaterial()
		m.NormalMap = r
		rows := packed(m)[80+2*32:]
		f := func(i int) float32 { return float(rows[4*i:]) }
		return f(0)*u + f(1)*v + f(2), f(4)*u + f(5)*v + f(6)
	}
	quarter := float32(math.Pi / 2)
	for _, c := range []struct {
		ref        assets.TextureRef
		u, v, x, y float32
	}{
		{assets.TextureRef{Scale: mgl32.Vec2{1, 1}}, 0.3, 0.7, 0.3, 0.7},
		{assets.TextureRef{Scale: mgl32.Vec2{1, 1}, Offset: mgl32.Vec2{0.5, 0.25}}, 0.3, 0.7, 0.8, 0.95},
		{assets.TextureRef{Scale: mgl32.Vec2{2, 3}}, 0.3, 0.7, 0.6, 2.1},
		{assets.TextureRef{Scale: mgl32.Vec2{1, 1}, Rotation: quarter}, 0.3, 0.7, 0.7, -0.3},
		{assets.TextureRef{Scale: mgl32.Vec2{2, 3}, Rotation: quarter, Offset: mgl32.Vec2{10, 20}}, 0.3, 0.7, 12.1, 19.4},
	} {
		if x, y := apply(c.ref, c.u, c.v); math.Abs(float64(x-c.x)) > 1e-5 || math.Abs(float64(y-c.y)) > 1e-5 {
			t.Errorf("%+v takes %v,%v to %v,%v, want %v,%v", c.ref, c.u, c.v, x, y, c.x, c.y)
		}
	}
}

func TestTheStandInForAMissingPictureIsVisible(t *testing.T) {
	magenta, black := 0, 0
	for i := 0; i < len(missing.Pix); i += 4 {
		switch [4]byte(missing.Pix[i:]) {
		case [4]byte{255, 0, 255, 255}:
			magenta++
		case [4]byte{0, 0, 0, 255}:
			black++
		}
	}
	if magenta != 128 || black != 128 {
		t.Errorf("%d magenta and %d black texels of 256", magenta, black)
	}
}
