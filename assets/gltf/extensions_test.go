package gltf_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	stdimage "image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets/image"
)

func pngURI(pixels ...color.NRGBA) string {
	p := stdimage.NewNRGBA(stdimage.Rect(0, 0, len(pixels), 1))
	for x, c := range pixels {
		p.SetNRGBA(x, 0, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		panic(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// A specular of 4 % is a dielectric with the diffuse colour, a black diffuse
// under a bright specular a metal of that colour; roughness is what glossiness
// leaves.
func TestSpecularGlossinessByTexture(t *testing.T) {
	const low = 56 // sRGB of linear 0.04
	m := decode(t, fmt.Sprintf(`{"asset":{"version":"2.0"},"images":[{"uri":%q},{"uri":%q}],"textures":[{"source":0},{"source":1}],
		"materials":[{"extensions":{"KHR_materials_pbrSpecularGlossiness":{"diffuseTexture":{"index":0},"specularGlossinessTexture":{"index":1},"glossinessFactor":0.5}}}]}`,
		pngURI(color.NRGBA{200, 100, 50, 128}, color.NRGBA{0, 0, 0, 255}),
		pngURI(color.NRGBA{low, low, low, 255}, color.NRGBA{255, 200, 100, 0})))
	mat := m.Materials[0]
	if len(m.Warnings) > 0 || mat.Metallic != 1 || mat.Roughness != 1 {
		t.Fatalf("%+v, warnings %v", mat, m.Warnings)
	}
	read := func(texture int32) *stdimage.NRGBA {
		p, err := image.Decode(m.Images[m.Textures[texture].Image].Data)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	base, metal := read(mat.BaseColorMap.Texture), read(mat.MetalRoughMap.Texture)
	near := func(a, b color.NRGBA) bool {
		d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 2 }
		return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
	}
	for x, want := range []color.NRGBA{{200, 100, 50, 128}, {255, 200, 100, 255}} {
		if got := base.NRGBAAt(x, 0); !near(got, want) {
			t.Errorf("base colour %d is %v, want %v", x, got, want)
		}
	}
	for x, want := range []color.NRGBA{{0, 128, 0, 255}, {0, 255, 255, 255}} {
		if got := metal.NRGBAAt(x, 0); !near(got, want) {
			t.Errorf("metalness and roughness %d are %v, want %v", x, got, want)
		}
	}
}

// KHR_animation_pointer moves nodes as any channel does; what else it points to
// is left out by name.
func TestAnimationPointer(t *testing.T) {
	var f made
	in := f.floats("SCALAR", 2, 0, 1)
	out := f.floats("VEC3", 2, 0, 0, 0, 1, 2, 3)
	channel := func(pointer string) string {
		return fmt.Sprintf(`{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":%q}}}}`, pointer)
	}
	f.rest = fmt.Sprintf(`,"extensionsUsed":["KHR_animation_pointer"],"nodes":[{}],"animations":[{"samplers":[{"input":%d,"output":%d}],"channels":[%s,%s,%s]}]`,
		in, out, channel("/nodes/0/translation"), channel("/materials/0/emissiveFactor"), channel("/nodes/7/scale"))
	m := f.load(t)
	tracks := m.Clips[0].Tracks
	if len(tracks) != 1 || tracks[0].Path != animation.Translation || tracks[0].Values[5] != 3 {
		t.Errorf("tracks %+v", tracks)
	}
	if len(m.Warnings) != 2 || !strings.Contains(m.Warnings[0].Message, "/materials/0/emissiveFactor") || !strings.Contains(m.Warnings[1].Message, "/nodes/7/scale") {
		t.Errorf("warnings %v", m.Warnings)
	}
}

func TestClearcoatAndColorSets(t *testing.T) {
	var f made
	p := f.triangle()
	c := f.floats("VEC4", 3, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0.5)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"COLOR_0":%d,"COLOR_1":%d`, p, c, c))
	f.rest += `,"materials":[{"extensions":{"KHR_materials_clearcoat":{"clearcoatFactor":0.5,"clearcoatRoughnessFactor":0.25}}}]`
	m := f.load(t)
	if coat := m.Materials[0].Clearcoat; coat == nil || coat.Factor != 0.5 || coat.Roughness != 0.25 || coat.Map.Texture != -1 {
		t.Errorf("clear coat %+v", coat)
	}
	if prim := m.Meshes[0].Primitives[0]; len(prim.MoreColors) != 1 || prim.MoreColors[0][2][3] != 0.5 {
		t.Errorf("colours %v", prim.MoreColors)
	}
	if len(m.Warnings) != 0 {
		t.Errorf("warnings %v", m.Warnings)
	}
}
