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
	"github.com/bindpose/bindpose/engine/mgl32"
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

// A file of clips alone lends them to a model with the same joints: the model is
// drawn in a pose that it has not by itself.
func TestClipsOfAnotherFile(t *testing.T) {
	manny := corpus.Path(t, "gltf/KayKit/mannequin/manny_med_mod.gltf")
	walks := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb")
	warned := ""
	models, err := loadModels([]string{walks, manny}, func(s string) { warned += s })
	if err != nil || len(models) != 1 || models[0].Path != manny {
		t.Fatal(len(models), err)
	}
	clip, err := findClip(models[0], "Rig_Medium|Walking_A")
	if err != nil || warned != "" {
		t.Fatal(err, warned)
	}
	rest, err := playedBounds(models[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	walk, err := playedBounds(models[0], clip)
	if err != nil {
		t.Fatal(err)
	}
	// At rest the arms are stretched out; walking they hang.
	if a, b := rest.Max[0]-rest.Min[0], walk.Max[0]-walk.Min[0]; b > 0.9*a {
		t.Errorf("walking it is %g m wide, at rest %g m", b, a)
	}

	if models, err = loadModels([]string{fox(t), walks}, func(s string) { warned += s }); err != nil || len(models) != 1 {
		t.Fatal(len(models), err)
	}
	if len(models[0].Clips) != 3 || !strings.Contains(warned, "Med_MovementBasic.glb") {
		t.Errorf("a fox has %d clips; warnings: %q", len(models[0].Clips), warned)
	}
}

// A file of clips that stands alone is framed by its joints, which are drawn.
func TestClipsAlone(t *testing.T) {
	device(t)
	walks := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb")
	picture := shot(t, walks, "160x120", nil)
	yellow := 0
	for i := 0; i < len(picture.Pix); i += 4 {
		if int(picture.Pix[i])-int(picture.Pix[i+2]) > 40 {
			yellow++
		}
	}
	if yellow < 50 {
		t.Errorf("%d pixels are a skeleton's", yellow)
	}
}

func TestNamesAreInTheFirstFrame(t *testing.T) {
	device(t)
	plain, named := shot(t, fox(t), "320x240", nil), shot(t, fox(t), "320x240", []string{"--overlay", "names"})
	white := 0
	for i := range plain.Pix {
		if plain.Pix[i] != named.Pix[i] {
			white++
		}
	}
	if white < 500 {
		t.Errorf("names change %d values", white)
	}
}

func TestReframing(t *testing.T) {
	v := func(x float32) mgl32.Vec3 { return mgl32.Vec3{x, x, x} }
	for _, c := range []struct {
		lo, hi, newLo, newHi float32
		want                 bool
	}{
		{0, 1, 0, 1, true},
		{0, 1, 0, 1.5, true},
		{0, 1, 0, 100, false},
		{0, 100, 0, 1, false},
		{0, 1, 5, 6, false},
		{0, 0, 0, 0, false},
	} {
		if got := alike(v(c.lo), v(c.hi), v(c.newLo), v(c.newHi)); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
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

// Files dropped onto the viewer take the place of those shown, unless they
// cannot be read: then what is shown stays, and is watched on.
func TestDroppedFiles(t *testing.T) {
	device(t)
	good, bad := write(t, "good.gltf", `{"asset":{"version":"2.0"}}`), write(t, "bad.gltf", "{")
	f := &drawFlags{size: "16x16", headless: true}
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	v, err := openViewer(f, []string{fox(t)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		v.changes.close()
		if err := v.close(nil); err != nil {
			t.Error(err)
		}
	}()
	shown := v.models[0]
	for _, files := range [][]string{{bad}, {good, bad}, {t.TempDir()}, {"/dev/zero"}} {
		if v.drop(files); v.files[0] != fox(t) || v.models[0] != shown {
			t.Errorf("after a drop of %q, %q is shown", files, v.files)
		}
	}
	if v.drop([]string{good, fox(t)}); len(v.models) != 2 || v.files[0] != good || !v.changes.files[good] {
		t.Errorf("after a good drop, %q is shown", v.files)
	}
	if err := v.engine.Frame(0); err != nil {
		t.Error(err)
	}
}
