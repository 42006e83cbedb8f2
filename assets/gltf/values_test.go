package gltf_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// triangle is three positions, which most files here need.
func (f *made) triangle() int {
	return f.floats("VEC3", 3, 0, 0, 0, 1, 0, 0, 0, 1, 0)
}

func (f *made) primitive(attributes string) {
	f.rest += `,"meshes":[{"primitives":[{"attributes":{` + attributes + `}}]}]`
}

// Every component type, as it is and normalised (glTF 2.0 §3.6.2.2, §3.11). Of
// two texture coordinates the second attribute reads each pair.
func TestComponentTypes(t *testing.T) {
	for _, c := range []struct {
		name       string
		component  int
		normalized bool
		data       any
		want       [3]mgl32.Vec2
	}{
		{"float", 5126, false, []float32{1.5, -2, 0, 1e-20, 3, 4}, [3]mgl32.Vec2{{1.5, -2}, {0, 1e-20}, {3, 4}}},
		{"ubyte", 5121, false, []uint8{0, 1, 2, 3, 254, 255}, [3]mgl32.Vec2{{0, 1}, {2, 3}, {254, 255}}},
		{"ubyte normalised", 5121, true, []uint8{0, 51, 102, 153, 204, 255}, [3]mgl32.Vec2{{0, 0.2}, {0.4, 0.6}, {0.8, 1}}},
		{"byte", 5120, false, []int8{-128, -127, -1, 0, 1, 127}, [3]mgl32.Vec2{{-128, -127}, {-1, 0}, {1, 127}}},
		{"byte normalised", 5120, true, []int8{-128, -127, 0, 127, 127, 0}, [3]mgl32.Vec2{{-1, -1}, {0, 1}, {1, 0}}},
		{"ushort", 5123, false, []uint16{0, 1, 256, 65535, 3, 4}, [3]mgl32.Vec2{{0, 1}, {256, 65535}, {3, 4}}},
		{"ushort normalised", 5123, true, []uint16{0, 13107, 26214, 39321, 52428, 65535}, [3]mgl32.Vec2{{0, 0.2}, {0.4, 0.6}, {0.8, 1}}},
		{"short", 5122, false, []int16{-32768, -1, 0, 1, 256, 32767}, [3]mgl32.Vec2{{-32768, -1}, {0, 1}, {256, 32767}}},
		{"short normalised", 5122, true, []int16{-32768, -32767, 0, 32767, 0, 0}, [3]mgl32.Vec2{{-1, -1}, {0, 1}, {0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f made
			p := f.triangle()
			uv := f.accessor(f.data(0, c.data), c.component, 3, "VEC2", fmt.Sprintf(`,"normalized":%t`, c.normalized))
			f.primitive(fmt.Sprintf(`"POSITION":%d,"TEXCOORD_0":%d`, p, uv))
			got := f.load(t).Meshes[0].Primitives[0].UV[0]
			if !reflect.DeepEqual(got, c.want[:]) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// An interleaved buffer with a gap in each vertex, whose last vertex ends where
// the buffer does.
func TestStride(t *testing.T) {
	var f made
	view := f.data(20,
		[]float32{1, 2, 3, 0.5, 9}, []float32{4, 5, 6, 0.25, 9}, []float32{7, 8, 9, 0.75})
	positions := f.accessor(view, 5126, 3, "VEC3", "")
	scalar := f.accessor(view, 5121, 3, "VEC4", `,"byteOffset":12,"normalized":true`)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"COLOR_0":%d`, positions, scalar))
	p := f.load(t).Meshes[0].Primitives[0]
	if want := []mgl32.Vec3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}; !reflect.DeepEqual(p.Positions, want) {
		t.Errorf("positions %v, want %v", p.Positions, want)
	}
	// 0.5 is 00 00 00 3f in memory: 0, 0, 0, 63/255.
	if want := (mgl32.Vec4{0, 0, 0, 63.0 / 255}); p.Colors[0] != want {
		t.Errorf("colour %v, want %v", p.Colors[0], want)
	}
}

func TestSparse(t *testing.T) {
	for _, c := range []struct {
		name      string
		base      bool
		component int
		at        any
		want      []mgl32.Vec3
	}{
		{"over a base, u8", true, 5121, []uint8{1, 2}, []mgl32.Vec3{{0, 0, 0}, {7, 8, 9}, {-1, -2, -3}}},
		{"over a base, u16", true, 5123, []uint16{0, 2}, []mgl32.Vec3{{7, 8, 9}, {1, 0, 0}, {-1, -2, -3}}},
		{"over zeros, u32", false, 5125, []uint32{0, 2}, []mgl32.Vec3{{7, 8, 9}, {0, 0, 0}, {-1, -2, -3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f made
			base := f.data(0, []float32{0, 0, 0, 1, 0, 0, 0, 1, 0})
			if !c.base {
				base = -1
			}
			at, values := f.data(0, c.at), f.data(0, []float32{7, 8, 9, -1, -2, -3})
			p := f.accessor(base, 5126, 3, "VEC3", fmt.Sprintf(
				`,"sparse":{"count":2,"indices":{"bufferView":%d,"componentType":%d},"values":{"bufferView":%d}}`, at, c.component, values))
			f.primitive(fmt.Sprintf(`"POSITION":%d`, p))
			if got := f.load(t).Meshes[0].Primitives[0].Positions; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// Loops, strips and fans face as glTF 2.0 §3.7.2.1 says.
func TestTopology(t *testing.T) {
	for _, c := range []struct {
		mode     int
		topology assets.Topology
		want     []uint32
	}{
		{0, assets.Points, []uint32{0, 1, 2, 3, 4}},
		{1, assets.Lines, []uint32{0, 1, 2, 3}},
		{2, assets.Lines, []uint32{0, 1, 1, 2, 2, 3, 3, 4, 4, 0}},
		{3, assets.Lines, []uint32{0, 1, 1, 2, 2, 3, 3, 4}},
		{4, assets.Triangles, []uint32{0, 1, 2}},
		{5, assets.Triangles, []uint32{0, 1, 2, 1, 3, 2, 2, 3, 4}},
		{6, assets.Triangles, []uint32{1, 2, 0, 2, 3, 0, 3, 4, 0}},
	} {
		for _, indices := range []struct {
			component int
			data      any
		}{{0, nil}, {5121, []uint8{0, 1, 2, 3, 4}}, {5123, []uint16{0, 1, 2, 3, 4}}, {5125, []uint32{0, 1, 2, 3, 4}}} {
			var f made
			p := f.floats("VEC3", 5, make([]float32, 15)...)
			more := ""
			if indices.data != nil {
				more = fmt.Sprintf(`,"indices":%d`, f.accessor(f.data(0, indices.data), indices.component, 5, "SCALAR", ""))
			}
			f.rest = fmt.Sprintf(`,"meshes":[{"primitives":[{"mode":%d,"attributes":{"POSITION":%d}%s}]}]`, c.mode, p, more)
			got := f.load(t).Meshes[0].Primitives[0]
			plain := indices.data == nil && (c.mode == 0 || c.mode == 1 || c.mode == 4)
			if got.Topology != c.topology || !plain && !reflect.DeepEqual(got.Indices, c.want) || plain && got.Indices != nil {
				t.Errorf("mode %d, indices %d: %d %v, want %d %v", c.mode, indices.component, got.Topology, got.Indices, c.topology, c.want)
			}
		}
	}
}

func TestColors(t *testing.T) {
	var f made
	p := f.triangle()
	c := f.accessor(f.data(0, []uint16{0, 13107, 65535, 0, 0, 0, 65535, 65535, 65535}), 5123, 3, "VEC3", `,"normalized":true`)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"COLOR_0":%d`, p, c))
	got := f.load(t).Meshes[0].Primitives[0].Colors
	if want := []mgl32.Vec4{{0, 0.2, 1, 1}, {0, 0, 0, 1}, {1, 1, 1, 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Joints u8 and u16, weights u8, u16 and float; a joint without weight is none.
func TestInfluences(t *testing.T) {
	for _, c := range []struct {
		name                           string
		joints, weights                any
		jointComponent, weightComponet int
	}{
		{"u8 u8", []uint8{1, 0, 9, 9, 1, 1, 1, 1, 0, 9, 0, 0}, []uint8{204, 51, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0}, 5121, 5121},
		{"u16 u16", []uint16{1, 0, 9, 9, 1, 1, 1, 1, 0, 9, 0, 0}, []uint16{52428, 13107, 0, 0, 0, 0, 0, 65535, 65535, 0, 0, 0}, 5123, 5123},
		{"u16 float", []uint16{1, 0, 9, 9, 1, 1, 1, 1, 0, 9, 0, 0}, []float32{0.8, 0.2, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}, 5123, 5126},
	} {
		t.Run(c.name, func(t *testing.T) {
			var f made
			p := f.triangle()
			j := f.accessor(f.data(0, c.joints), c.jointComponent, 3, "VEC4", "")
			w := f.accessor(f.data(0, c.weights), c.weightComponet, 3, "VEC4", fmt.Sprintf(`,"normalized":%t`, c.weightComponet != 5126))
			f.primitive(fmt.Sprintf(`"POSITION":%d,"JOINTS_0":%d,"WEIGHTS_0":%d,"JOINTS_1":%d,"WEIGHTS_1":%d`, p, j, w, j, w))
			f.rest += `,"nodes":[{"mesh":0,"skin":0},{},{}],"skins":[{"joints":[2,1]}]`
			m := f.load(t)
			got := m.Meshes[0].Primitives[0]
			if want := [][4]uint16{{1, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}}; len(got.Joints) != 2 || !reflect.DeepEqual(got.Joints[1], want) {
				t.Errorf("joints %v, want twice %v", got.Joints, want)
			}
			if want := [][4]float32{{0.8, 0.2, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}}; !reflect.DeepEqual(got.Weights[0], want) {
				t.Errorf("weights %v, want %v", got.Weights[0], want)
			}
			if k := m.Skins[0]; !reflect.DeepEqual(k.Joints, []int32{2, 1}) || k.InverseBind[1] != mgl32.Ident4() {
				t.Errorf("skin %v", k)
			}
			if len(m.Warnings) != 1 { // two sets that sum to 2
				t.Errorf("warnings %v", m.Warnings)
			}
		})
	}
}

// Children may stand in front of their parents; the order is else the file's.
func TestParentsFirst(t *testing.T) {
	m := decode(t, `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[2]}],
		"nodes":[{"name":"d"},{"name":"c","children":[0]},{"name":"b","children":[1,3],"translation":[1,2,3]},{"name":"e"},{"name":"a"}]}`)
	s := m.Skeleton
	if want := []string{"b", "c", "d", "e", "a"}; !reflect.DeepEqual(s.Names, want) {
		t.Errorf("names %v, want %v", s.Names, want)
	}
	if want := []int32{-1, 0, 1, 0, -1}; !reflect.DeepEqual(s.Parents, want) {
		t.Errorf("parents %v, want %v", s.Parents, want)
	}
	for j, want := range []bool{true, true, true, true, false} {
		if m.Nodes[j].InScene != want {
			t.Errorf("%s: in scene %t", s.Names[j], !want)
		}
	}
	if m.Nodes[0].Source != 2 || m.Scenes[0].Roots[0] != 0 || s.Rest[0].Translation != (mgl32.Vec3{1, 2, 3}) {
		t.Errorf("node %+v, scene %+v, rest %+v", m.Nodes[0], m.Scenes[0], s.Rest[0])
	}
}

func TestMatrix(t *testing.T) {
	// Turned by 90° about Y, scaled by 2, 3, 4; then a shear.
	m := decode(t, `{"asset":{"version":"2.0"},"nodes":[
		{"matrix":[0,0,-2,0, 0,3,0,0, 4,0,0,0, 5,6,7,1]},
		{"matrix":[1,0,0,0, 0.5,1,0,0, 0,0,1,0, 0,0,0,1]},
		{"matrix":[0,0,0,0, 0,0,0,0, 0,0,0,0, 1,2,3,1]}]}`)
	rest := m.Skeleton.Rest[0]
	if d := rest.Scale.Sub(mgl32.Vec3{2, 3, 4}).Len(); d > 1e-6 || rest.Translation != (mgl32.Vec3{5, 6, 7}) {
		t.Errorf("rest %+v", rest)
	}
	if x := rest.Rotation.Rotate(mgl32.Vec3{0, 0, 1}); x.Sub(mgl32.Vec3{1, 0, 0}).Len() > 1e-6 {
		t.Errorf("z turned to %v", x)
	}
	if _, kept := m.Skeleton.RestMatrix[0]; kept {
		t.Error("a matrix without shear was kept")
	}
	if got := m.Skeleton.RestMatrix[1]; got[4] != 0.5 {
		t.Errorf("the sheared matrix is %v", got)
	}
}

func TestAnimation(t *testing.T) {
	var f made
	times := f.floats("SCALAR", 2, 0.5, 2)
	moves := f.floats("VEC3", 2, 1, 2, 3, 4, 5, 6)
	turns := f.accessor(f.data(0, []int16{0, 0, 0, 32767, 0, 32767, 0, 0}), 5122, 2, "VEC4", `,"normalized":true`)
	splines := f.floats("VEC3", 6, make([]float32, 18)...)
	morphs := f.accessor(f.data(0, []uint8{0, 51, 255, 102}), 5121, 4, "SCALAR", `,"normalized":true`)
	p := f.triangle()
	f.rest = fmt.Sprintf(`,"nodes":[{"name":"same"},{"name":"same","mesh":0,"weights":[0.25,0.5]}],
		"meshes":[{"weights":[1,0],"extras":{"targetNames":["smile","frown"]},
			"primitives":[{"attributes":{"POSITION":%[6]d},"targets":[{"POSITION":%[6]d},{}]}]}],
		"animations":[{"name":"walk","extras":{"speed_m_s":1.4},
			"samplers":[{"input":%[1]d,"output":%[2]d},{"input":%[1]d,"output":%[3]d,"interpolation":"STEP"},
				{"input":%[1]d,"output":%[4]d,"interpolation":"CUBICSPLINE"},{"input":%[1]d,"output":%[5]d,"interpolation":"LINEAR"}],
			"channels":[{"sampler":3,"target":{"node":1,"path":"weights"}},{"sampler":2,"target":{"node":0,"path":"scale"}},
				{"sampler":1,"target":{"node":0,"path":"rotation"}},{"sampler":0,"target":{"node":0,"path":"translation"}},
				{"sampler":0,"target":{"path":"translation"}},{"sampler":2,"target":{"node":0,"path":"scale"}}]}]`,
		times, moves, turns, splines, morphs, p)
	m := f.load(t)
	c := m.Clips[0]
	if c.Name != "walk" || c.Duration != 2 || c.Speed != 1.4 || len(c.Tracks) != 4 {
		t.Fatalf("clip %+v", c)
	}
	for i, want := range []animation.Track{
		{Joint: 0, Path: animation.Translation, Width: 3, Values: []float32{1, 2, 3, 4, 5, 6}},
		{Joint: 0, Path: animation.Rotation, Width: 4, Interpolation: animation.Step, Values: []float32{0, 0, 0, 1, 0, 1, 0, 0}},
		{Joint: 0, Path: animation.Scale, Width: 3, Interpolation: animation.CubicSpline, Values: make([]float32, 18)},
		{Joint: 1, Path: animation.Weights, Width: 2, Values: []float32{0, 0.2, 1, 0.4}},
	} {
		want.Times = []float32{0.5, 2}
		if !reflect.DeepEqual(c.Tracks[i], want) {
			t.Errorf("track %d is %+v, want %+v", i, c.Tracks[i], want)
		}
	}
	if s := m.Skeleton; !reflect.DeepEqual(s.MorphWeights, []float32{0.25, 0.5}) || !reflect.DeepEqual(s.MorphOffset, []int32{0, 0, 2}) {
		t.Errorf("morph weights %v at %v", s.MorphWeights, s.MorphOffset)
	}
	if mesh := m.Meshes[0]; mesh.Primitives[0].Targets[1].Name != "frown" || mesh.Weights[0] != 1 || mesh.Primitives[0].Targets[1].Positions != nil {
		t.Errorf("mesh %+v", mesh)
	}
}

func TestMaterial(t *testing.T) {
	m := decode(t, `{"asset":{"version":"2.0"},"extensionsUsed":["KHR_lights_punctual","VENDOR_thing"],
		"images":[{"uri":"data:image/png;base64,iVBORw0KGgo="}],"samplers":[{"magFilter":9728,"minFilter":9985,"wrapS":33071,"wrapT":33648}],
		"textures":[{"source":0,"sampler":0},{"source":0}],
		"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","color":[1,0.5,0.25],"intensity":3,"range":7,"spot":{"innerConeAngle":0.1,"outerConeAngle":0.2}}]}},
		"nodes":[{"extensions":{"KHR_lights_punctual":{"light":0}},"camera":0}],
		"cameras":[{"type":"perspective","perspective":{"yfov":0.5,"znear":0.01}}],
		"materials":[{"alphaMode":"MASK","alphaCutoff":0.25,"doubleSided":true,"emissiveFactor":[1,0.5,0],
			"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":4},"KHR_materials_unlit":{}},
			"normalTexture":{"index":1,"scale":0.5,"texCoord":1},
			"pbrMetallicRoughness":{"metallicFactor":0.1,"roughnessFactor":0.2,"baseColorFactor":[0.1,0.2,0.3,0.4],
				"baseColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"offset":[1,2],"rotation":0.5,"scale":[3,4],"texCoord":2}}}}},
			{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0.5,0.5,0.5,0.5],"specularFactor":[0.04,0.04,0.04],"glossinessFactor":0.75}}},
			{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseFactor":[0,0,0,1],"specularFactor":[1,0.8,0.3],"glossinessFactor":1}}}]}`)
	a := m.Materials[0]
	want := assets.Material{
		BaseColor: mgl32.Vec4{0.1, 0.2, 0.3, 0.4}, Metallic: 0.1, Roughness: 0.2,
		Emissive: mgl32.Vec3{4, 2, 0}, NormalScale: 0.5, OcclusionStrength: 1,
		BaseColorMap: assets.TextureRef{Texture: 0, UVSet: 2, Offset: mgl32.Vec2{1, 2}, Rotation: 0.5, Scale: mgl32.Vec2{3, 4}},
		NormalMap:    assets.TextureRef{Texture: 1, UVSet: 1, Scale: mgl32.Vec2{1, 1}},
		Alpha:        assets.Mask, AlphaCutoff: 0.25, DoubleSided: true, Unlit: true,
	}
	none := assets.DefaultMaterial().EmissiveMap
	want.MetalRoughMap, want.OcclusionMap, want.EmissiveMap = none, none, none
	if a != want {
		t.Errorf("got  %+v\nwant %+v", a, want)
	}
	// A diffuse reflectance of 0.5 under a dielectric's highlight is that colour;
	// no diffuse but a strong reflection is metal of the reflection's colour.
	if b := m.Materials[1]; math.Abs(float64(b.BaseColor[0])-0.5) > 1e-3 || b.Metallic > 1e-3 || b.Roughness != 0.25 || b.BaseColor[3] != 0.5 {
		t.Errorf("dielectric: %+v", b)
	}
	if c := m.Materials[2]; c.Metallic < 0.99 || math.Abs(float64(c.BaseColor[1])-0.8) > 0.02 || c.Roughness != 0 {
		t.Errorf("metal: %+v", c)
	}
	if x := m.Textures[0]; x.Mag != assets.NearestFilter || x.Min != assets.LinearFilter || x.MipFilter != assets.NearestFilter ||
		!x.Mipmaps || x.WrapU != assets.ClampToEdge || x.WrapV != assets.MirroredRepeat {
		t.Errorf("texture %+v", x)
	}
	if x := m.Textures[1]; x.Mag != assets.LinearFilter || !x.Mipmaps || x.WrapU != assets.Repeat {
		t.Errorf("texture %+v", x)
	}
	light := assets.Light{Kind: assets.Spot, Color: mgl32.Vec3{1, 0.5, 0.25}, Intensity: 3, Range: 7, InnerCone: 0.1, OuterCone: 0.2}
	if m.Lights[0] != light || m.Nodes[0].Light != 0 || m.Nodes[0].Camera != 0 || m.Cameras[0].YFov != 0.5 || m.Cameras[0].Far != 0 {
		t.Errorf("light %+v, node %+v, camera %+v", m.Lights[0], m.Nodes[0], m.Cameras[0])
	}
	if m.Images[0].MIME != "image/png" || len(m.Warnings) != 1 || m.Warnings[0].Where != "extensionsUsed[1]" {
		t.Errorf("image %+v, warnings %v", m.Images[0], m.Warnings)
	}
}

// A normal that is not of length 1 is made so, with a warning; quantised ones
// are without.
func TestNormals(t *testing.T) {
	var f made
	p := f.floats("VEC3", 4, make([]float32, 12)...)
	// Float32 cannot hold the square of the last one's length.
	n := f.floats("VEC3", 4, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, -3e30, 0)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"NORMAL":%d`, p, n))
	m := f.load(t)
	if want := []mgl32.Vec3{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, -1, 0}}; !reflect.DeepEqual(m.Meshes[0].Primitives[0].Normals, want) {
		t.Errorf("normals %v", m.Meshes[0].Primitives[0].Normals)
	}
	if len(m.Warnings) != 2 || m.Warnings[0].Where != "meshes[0].primitives[0].attributes.NORMAL" { // and a vertex too many
		t.Errorf("warnings %v", m.Warnings)
	}
	f = made{}
	p = f.triangle()
	n = f.accessor(f.data(4, []int8{0, 0, 127, 0, 90, 90, 0, 0, 127, 0, 0, 0}), 5120, 3, "VEC3", `,"normalized":true`)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"NORMAL":%d`, p, n))
	if m := f.load(t); len(m.Warnings) != 0 {
		t.Errorf("warnings %v", m.Warnings)
	}
}
