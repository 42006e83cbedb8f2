package main

import (
	"image"
	"image/draw"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/internal/corpus"
	"github.com/bindpose/bindpose/internal/golden"
)

// viewed are pictures of the command's that were opened and judged by eye
// against what the models' own descriptions say.
var viewed = []struct {
	name, file string
	flags      []string
}{
	{"fox-run", "gltf/Fox/glTF-Binary/Fox.glb", []string{"--clip", "Run", "--time", "0.3"}},
	{"cesium-man", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb", []string{"--time", "0.5"}},
	{"rigged-simple", "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb", []string{"--time", "1.2", "--overlay", "skeleton"}},
	{"interpolation", "gltf/InterpolationTest/glTF/InterpolationTest.gltf", []string{"--clip", "3", "--time", "0.6", "--camera", "front"}},
	{"morph-cube", "gltf/AnimatedMorphCube/glTF-Binary/AnimatedMorphCube.glb", []string{"--time", "1.5"}},
	{"morph-stress", "gltf/MorphStressTest/glTF-Embedded/MorphStressTest.gltf", []string{"--clip", "1", "--time", "0.7"}},
	{"mannequin", "gltf/KayKit/mannequin/manny_med_mod.gltf", []string{"--camera", "front"}},
	{"box-textured", "gltf/BoxTextured/glTF-Binary/BoxTextured.glb", nil},
	{"texture-transform", "gltf/TextureTransformTest/glTF/TextureTransformTest.gltf", []string{"--camera", "front"}},
	{"normal-tangent", "gltf/NormalTangentTest/glTF-Binary/NormalTangentTest.glb", []string{"--camera", "front"}},
	{"texture-coordinates", "gltf/TextureCoordinateTest/glTF-Embedded/TextureCoordinateTest.gltf", []string{"--camera", "back"}},
	{"unlit", "gltf/UnlitTest/glTF/UnlitTest.gltf", []string{"--camera", "front"}},
}

// sheets are folders of small models, one picture each beside the others.
var sheets = []struct {
	name, folder string
	flags        []string
}{
	{"material", "asset-generator/Material", []string{"--camera", "front"}},
	{"alpha-blend", "asset-generator/Material_AlphaBlend", []string{"--camera", "front"}},
	{"alpha-mask", "asset-generator/Material_AlphaMask", []string{"--camera", "front"}},
	{"double-sided", "asset-generator/Material_DoubleSided", []string{"--camera", "front"}},
	{"metallic-roughness", "asset-generator/Material_MetallicRoughness", []string{"--camera", "front"}},
	{"negative-scale", "asset-generator/Node_NegativeScale", nil},
	{"primitive-mode", "asset-generator/Mesh_PrimitiveMode", []string{"--camera", "front"}},
	{"vertex-color", "asset-generator/Mesh_PrimitiveVertexColor", []string{"--camera", "front"}},
	{"sampler", "asset-generator/Texture_Sampler", []string{"--camera", "front"}},
}

func TestGoldenViews(t *testing.T) {
	device(t)
	for _, v := range viewed {
		t.Run(v.name, func(t *testing.T) {
			golden.Check(t, "view/"+v.name, shot(t, corpus.Path(t, v.file), "480x360", v.flags))
		})
	}
}

func TestGoldenSheets(t *testing.T) {
	device(t)
	for _, s := range sheets {
		t.Run(s.name, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(corpus.Path(t, s.folder), "*.gltf"))
			if err != nil || len(files) == 0 {
				t.Fatal(err, "no models")
			}
			const w, h, across = 160, 120, 4
			sheet := image.NewNRGBA(image.Rect(0, 0, w*min(len(files), across), h*((len(files)+across-1)/across)))
			for i, file := range files {
				at := image.Pt(w*(i%across), h*(i/across))
				draw.Draw(sheet, image.Rectangle{at, at.Add(image.Pt(w, h))}, shot(t, file, "160x120", s.flags), image.Point{}, draw.Src)
			}
			golden.Check(t, "view/"+s.name, sheet)
		})
	}
}

// shot is what bindpose view draws of a file, with validation on and without a
// warning.
func shot(t *testing.T, file, size string, flags []string) *image.NRGBA {
	t.Helper()
	out := filepath.Join(t.TempDir(), "shot.png")
	args := append([]string{"view", file, "--size", size, "--validate", "--out", out}, flags...)
	status, _, stderr := command(t, args...)
	if status != 0 {
		t.Fatalf("bindpose %q: status %d, said %s", args, status, stderr)
	}
	for line := range strings.Lines(stderr) {
		// CesiumMan's weights are as they are.
		if !strings.Contains(line, "do not sum to 1") {
			t.Errorf("bindpose %q said %s", args, line)
		}
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	picture := image.NewNRGBA(p.Bounds())
	draw.Draw(picture, picture.Rect, p, image.Point{}, draw.Src)
	return picture
}

// A time beyond a clip's end is where its loops have come to, however far.
func TestSeekFar(t *testing.T) {
	m, err := loadModel(fox(t), warnToStderr)
	if err != nil {
		t.Fatal(err)
	}
	clip := m.Clips[0]
	d := float64(clip.Duration)
	for _, c := range []struct{ at, want float64 }{{0.5, 0.5}, {d + 0.5, 0.5}, {-0.5, d - 0.5}, {1e18, -1}, {1e300, -1}, {-1e300, -1}} {
		a := animation.NewAnimator(m.Skeleton, nil, m.Clips)
		if err := a.Play(clip, 0); err != nil {
			t.Fatal(err)
		}
		if err := seek(a, c.at); err != nil {
			t.Errorf("%g s: %v", c.at, err)
			continue
		}
		got := float64(a.Time())
		if got < 0 || got > d || c.want >= 0 && math.Abs(got-c.want) > 1e-4 {
			t.Errorf("%g s of a clip of %g s: at %g, want %g", c.at, d, got, c.want)
		}
	}
}
