package gltf_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets/gltf"
)

// Each pointer moves what it names, and that alone; those that name nothing here
// are warnings, also where the extension is required.
func TestPointers(t *testing.T) {
	const rest = `,"extensionsUsed":["KHR_animation_pointer","KHR_lights_punctual","KHR_materials_emissive_strength"],"extensionsRequired":["KHR_animation_pointer"],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point"},{"type":"spot","spot":{}}]}},
"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":0.1}},{"type":"orthographic","orthographic":{"xmag":1,"ymag":1,"znear":0,"zfar":9}}],
"textures":[{}],"materials":[{"normalTexture":{"index":0,"scale":2},"emissiveFactor":[0.5,0.25,0],"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":3}}},{}]`
	for _, c := range []struct {
		pointer string
		width   int // 0: nothing is moved
		rest    float32
	}{
		{"/materials/0/normalTexture/scale", 1, 2},
		{"/materials/0/normalTexture/extensions/KHR_texture_transform/rotation", 1, 0},
		{"/materials/0/normalTexture/extensions/KHR_texture_transform/scale", 2, 1},
		{"/materials/0/emissiveFactor", 3, 0.5},
		{"/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength", 1, 3},
		{"/materials/1/pbrMetallicRoughness/roughnessFactor", 1, 1},
		{"/materials/1/normalTexture/scale", 0, 0},
		{"/materials/1/extensions/KHR_materials_clearcoat/clearcoatFactor", 0, 0},
		{"/materials/2/alphaCutoff", 0, 0},
		{"/materials/-1/alphaCutoff", 0, 0},
		{"/materials/0/doubleSided", 0, 0},
		{"/extensions/KHR_lights_punctual/lights/0/intensity", 1, 1},
		{"/extensions/KHR_lights_punctual/lights/0/spot/innerConeAngle", 0, 0},
		{"/extensions/KHR_lights_punctual/lights/1/spot/innerConeAngle", 1, 0},
		{"/cameras/0/perspective/znear", 1, 0.1},
		{"/cameras/0/orthographic/znear", 0, 0},
		{"/cameras/1/orthographic/xmag", 1, 1},
		{"/cameras/1/perspective/yfov", 0, 0},
		{"/nodes/0/weights/1", 0, 0},
		{"materials/0/emissiveFactor", 0, 0},
		{"", 0, 0},
		{"/", 0, 0},
		{"/materials/0/normalTexture/extensions/KHR_texture_transform/texCoord", 0, 0},
	} {
		var f made
		in := f.floats("SCALAR", 2, 0, 1)
		kind := map[int]string{0: "SCALAR", 1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}[c.width]
		out := f.floats(kind, 2, make([]float32, 2*max(c.width, 1))...)
		f.rest = fmt.Sprintf(`%s,"nodes":[{}],"animations":[{"samplers":[{"input":%d,"output":%d}],"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":%q}}}}]}]`,
			rest, in, out, c.pointer)
		m := f.load(t)
		moved := m.Clips[0].Properties
		if c.width == 0 {
			if len(moved) != 0 || len(m.Warnings) == 0 || !strings.Contains(m.Warnings[len(m.Warnings)-1].Message, c.pointer) {
				t.Errorf("%s: moves %+v, warnings %v", c.pointer, moved, m.Warnings)
			}
			continue
		}
		if len(moved) != 1 || moved[0].Width != c.width || m.Skeleton.MorphWeights[moved[0].At] != c.rest {
			t.Errorf("%s: moves %+v of %v, warnings %v", c.pointer, moved, m.Skeleton.MorphWeights, m.Warnings)
			continue
		}
		if path := gltf.PropertyPath(m, &moved[0]); path != c.pointer {
			t.Errorf("%s is called %s", c.pointer, path)
		}
		if m.Materials[0].Emissive[0] != 1.5 {
			t.Errorf("%s: the material at rest has the emission %v", c.pointer, m.Materials[0].Emissive)
		}
		var glb bytes.Buffer
		if err := gltf.Write(m, &glb); err != nil {
			t.Fatal(err)
		}
		again, err := gltf.Decode("again.glb", glb.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p := again.Clips[0].Properties; len(p) != 1 || gltf.PropertyPath(again, &p[0]) != c.pointer || again.Skeleton.MorphWeights[p[0].At] != c.rest {
			t.Errorf("%s comes back as %+v", c.pointer, p)
		}
		if faults := gltf.CheckBytes("again.glb", glb.Bytes(), nil); len(faults) > 0 {
			t.Errorf("%s: what is written has faults: %v", c.pointer, faults)
		}
	}
}

// The weights of a mesh move on every node that has none of its own.
func TestMeshWeightsPointer(t *testing.T) {
	var f made
	p := f.triangle()
	in := f.floats("SCALAR", 2, 0, 1)
	out := f.floats("SCALAR", 2, 0, 1)
	f.rest = fmt.Sprintf(`,"extensionsUsed":["KHR_animation_pointer"],"meshes":[{"primitives":[{"attributes":{"POSITION":%d},"targets":[{"POSITION":%d}]}]}],
"nodes":[{"mesh":0},{"mesh":0,"weights":[0.5]},{"mesh":0}],
"animations":[{"samplers":[{"input":%d,"output":%d}],"channels":[{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/meshes/0/weights"}}}}]}]`, p, p, in, out)
	m := f.load(t)
	job := animation.SamplingJob{Clip: m.Clips[0], Skeleton: m.Skeleton, Time: 1, Cursors: make([]int32, 4), Out: animation.NewPose(m.Skeleton)}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	if w := job.Out.Weights; len(w) != 3 || w[0] != 1 || w[1] != 0.5 || w[2] != 1 {
		t.Errorf("weights %v, warnings %v", w, m.Warnings)
	}
}
