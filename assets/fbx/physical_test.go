package fbx_test

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/internal/corpus"
)

// What the programs' physical materials say, by the numbers that their test files
// were given: each property another.
func TestPhysicalMaterials(t *testing.T) {
	for _, c := range []struct {
		file  string
		check func(m *assets.Material) map[string][2]float64
	}{
		{"max_pbr_metal_rough_material_7700_ascii.fbx", func(m *assets.Material) map[string][2]float64 {
			return map[string][2]float64{"normal scale": {float64(m.NormalScale), 0.07}, "metal map": {float64(min(m.MetalRoughMap.Texture, 0)), 0},
				"occlusion map": {float64(min(m.OcclusionMap.Texture, 0)), 0}, "emission": {float64(m.Emissive[0]), 0.08}}
		}},
		{"max_gltf_material_7700_ascii.fbx", func(m *assets.Material) map[string][2]float64 {
			return map[string][2]float64{"alpha": {float64(m.Alpha), float64(assets.Mask)}, "cutoff": {float64(m.AlphaCutoff), 0.04},
				"normal scale": {float64(m.NormalScale), 0.07}, "occlusion": {float64(m.OcclusionStrength), 0.08},
				"coat": {float64(m.Clearcoat.Factor), 0.13}, "coat's roughness": {float64(m.Clearcoat.Roughness), 0.14}}
		}},
		{"max_physical_material_properties_7500_ascii.fbx", func(m *assets.Material) map[string][2]float64 {
			return map[string][2]float64{"roughness": {float64(m.Roughness), 0.06}, "metal": {float64(m.Metallic), 0.07}, "base": {float64(m.BaseColor[1]), 0.01 * 0.03},
				"alpha": {float64(m.BaseColor[3]), 0.91}, "emission": {float64(m.Emissive[0]), 0.27 * 0.28}, "coat": {float64(m.Clearcoat.Factor), 0.38}}
		}},
		{"max_physical_material_inverted_7500_ascii.fbx", func(m *assets.Material) map[string][2]float64 {
			return map[string][2]float64{"roughness": {float64(m.Roughness), 1 - 0.1}}
		}},
		{"maya_arnold_properties_7500_ascii.fbx", func(m *assets.Material) map[string][2]float64 {
			return map[string][2]float64{"roughness": {float64(m.Roughness), 0.11}, "metal": {float64(m.Metallic), 0.06},
				"emission": {float64(m.Emissive[0]), 0.51 * 0.52}, "coat": {float64(m.Clearcoat.Factor), 0.35}, "coat's roughness": {float64(m.Clearcoat.Roughness), 0.39}}
		}},
	} {
		m, err := fbx.Load(corpus.Path(t, "fbx/ufbx/"+c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		for what, got := range c.check(&m.Materials[0]) {
			if math.Abs(got[0]-got[1]) > 1e-4 {
				t.Errorf("%s: %s is %v, want %v", c.file, what, got[0], got[1])
			}
		}
	}
}

// Grey pictures of metalness and roughness become one; that of a glossiness is
// turned around.
func TestMetalRoughMaps(t *testing.T) {
	var green [2]byte
	for i, kind := range []string{"rough", "gloss"} {
		m, err := fbx.Load(corpus.Path(t, "fbx/ufbx/max_pbr_metal_"+kind+"_material_7700_ascii.fbx"))
		if err != nil {
			t.Fatal(err)
		}
		x := m.Materials[0]
		if x.MetalRoughMap.Texture < 0 || x.Metallic != 1 || x.Roughness != 1 {
			t.Fatalf("%s: material %+v, warnings %v", kind, x, m.Warnings)
		}
		img := m.Images[m.Textures[x.MetalRoughMap.Texture].Image]
		p, err := image.Decode(img.Data)
		if err != nil || !strings.HasSuffix(img.Name, "metal and roughness") {
			t.Fatal(img.Name, err)
		}
		green[i] = p.NRGBAAt(p.Rect.Dx()/4, p.Rect.Dy()/4).G
	}
	if green[0]+green[1] != 255 || green[0] == green[1] {
		t.Errorf("roughness is %d, of glossiness %d", green[0], green[1])
	}
}
