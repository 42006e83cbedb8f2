package engine_test

import (
	"encoding/binary"
	"image"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
	"github.com/bindpose/bindpose/internal/golden"
	"github.com/bindpose/bindpose/passes"
)

// shapes is an engine that shows enginetest's shapes, with both effects.
func shapes(t testing.TB, o engine.Options) (*engine.Engine, *passes.SSAO, *passes.Bloom) {
	t.Helper()
	if o.Width == 0 {
		o.Width, o.Height = 320, 180
	}
	e := enginetest.Open(t, o)
	enginetest.Shapes(e)
	ssao, bloom := must(passes.NewSSAO(e.Images()))(t), must(passes.NewBloom(e.Images()))(t)
	for _, err := range []error{ssao.AddTo(e), bloom.AddTo(e)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	ssao.Off, bloom.Off = true, true
	return e, ssao, bloom
}

func drawn(t testing.TB, e *engine.Engine) *image.NRGBA {
	t.Helper()
	enginetest.Frames(t, e, 1, 0)
	for _, p := range hazard.Check(e.Plan()) {
		t.Errorf("the plan is not safe: %v", p)
	}
	return enginetest.Picture(t, e)
}

// brightness of a pixel, 0 to 765.
func brightness(p *image.NRGBA, x, y int) int {
	c := p.NRGBAAt(x, y)
	return int(c.R) + int(c.G) + int(c.B)
}

// Ambient occlusion darkens, by what stands near, and brightens nothing.
func TestGoldenSSAO(t *testing.T) {
	e, ssao, _ := shapes(t, engine.Options{})
	e.Show.NoAntialias = true // it moves brightness between neighbours
	plain := drawn(t, e)
	ssao.Off = false
	dark := drawn(t, e)
	golden.Check(t, "ssao", dark)
	darker := 0
	for y := range 180 {
		for x := range 320 {
			switch d := brightness(dark, x, y) - brightness(plain, x, y); {
			case d > 0:
				t.Fatalf("the pixel at %d, %d is %d brighter", x, y, d)
			case d < -6:
				darker++
			}
		}
	}
	if darker < 320*180/100 || darker > 320*180/3 {
		t.Errorf("%d pixels are darker", darker)
	}
	ssao.Off = true
	golden.Same(t, drawn(t, e), plain) // off, it leaves no trace
}

// Bloom brightens what is around a light, darkens nothing, and leaves a picture
// alone in which nothing shines.
func TestGoldenBloom(t *testing.T) {
	e, _, bloom := shapes(t, engine.Options{})
	e.Show.NoAntialias = true
	plain := drawn(t, e)
	bloom.Off = false
	golden.Same(t, drawn(t, e), plain)

	lamp := enginetest.Box(mgl32.Vec3{0.12, 0.12, 0.12}, mgl32.Vec4{0, 0, 0, 1})
	lamp.Materials[0].Emissive = mgl32.Vec3{12, 7, 3}
	x := e.Scene.SpawnModel("lamp", lamp, nil)
	x.Local.Translation = mgl32.Vec3{-0.5, 1.5, 0.8}
	bloom.Off = true
	dull := drawn(t, e)
	bloom.Off = false
	bright := drawn(t, e)
	golden.Check(t, "bloom", bright)
	brighter := 0
	for y := range 180 {
		for x := range 320 {
			switch d := brightness(bright, x, y) - brightness(dull, x, y); {
			case d < 0:
				t.Fatalf("the pixel at %d, %d is %d darker", x, y, -d)
			case d > 6:
				brighter++
			}
		}
	}
	if brighter < 300 || brighter > 320*180/4 {
		t.Errorf("%d pixels are brighter", brighter)
	}
}

// A steady frame allocates nothing with all of them, and the same pictures come
// out whatever the compiler leaves out.
func TestEffectsAllocateNothingAndDoNotDependOnTheCompiler(t *testing.T) {
	e, ssao, bloom := shapes(t, engine.Options{Width: 64, Height: 64})
	ids := must(passes.NewEntities(e.Images()))(t)
	if err := ids.AddTo(e); err != nil {
		t.Fatal(err)
	}
	ssao.Off, bloom.Off = false, false
	want := drawn(t, e)
	enginetest.Frames(t, e, 20, 0)
	if n := allocations(func() { enginetest.Frames(t, e, 10, 0) }); n > 0 {
		t.Errorf("10 frames allocate %d times", n)
	}
	for _, o := range []framegraph.Options{{NoAlias: true}, {NoMerge: true}, {NoCull: true}, {NoReorder: true}} {
		e.SetGraph(o)
		golden.Same(t, drawn(t, e), want)
	}
}

// The image of entities has the one that each pixel shows.
func TestEntitiesAreThoseOfThePicture(t *testing.T) {
	const w, h = 320, 180
	e := enginetest.Open(t, engine.Options{Width: w, Height: h})
	near, far := enginetest.Shapes(e)
	ids := must(passes.NewEntities(e.Images()))(t)
	if err := ids.AddTo(e); err != nil {
		t.Fatal(err)
	}
	out := must(e.Device.NewImage(gpu.ImageDesc{Name: "read", Format: framegraph.R32Uint, Width: w, Height: h, Usage: framegraph.UsageTransferDst}))(t)
	t.Cleanup(out.Release)
	var copied framegraph.Image
	err := e.AddPass("geometry", "read", framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
		b.TransferReadImage(ids.Image)
		copied = e.Graph().ImportImage("read", out.Shape(), out.Import(framegraph.Undefined, framegraph.State{}))
		copied = b.TransferWriteImage(copied)
		return func(ctx framegraph.Context) {
			c := gpu.From(ctx)
			c.CopyImage(out, c.Image(ids.Image))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p := drawn(t, e)
	raw := must(e.Device.ReadImage(out, 0, 0))(t)
	count := map[uint32]int{}
	for y := range h {
		for x := range w {
			id := binary.LittleEndian.Uint32(raw[4*(y*w+x):])
			count[id]++
			c := p.NRGBAAt(x, y)
			if red := int(c.R) > 2*int(c.B) && c.R > 60; red && id != near.ID() && !edge(raw, x, y, w, h) {
				t.Fatalf("the red pixel at %d, %d is of entity %d, not %d", x, y, id, near.ID())
			}
		}
	}
	if count[near.ID()] < 2000 || count[far.ID()] < 2000 || count[0] < 2000 {
		t.Errorf("pixels by entity: %v", count)
	}
}

// edge reports whether a pixel has a neighbour of another entity.
func edge(raw []byte, x, y, w, h int) bool {
	id := binary.LittleEndian.Uint32(raw[4*(y*w+x):])
	for _, d := range [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
		if u, v := x+d[0], y+d[1]; u >= 0 && v >= 0 && u < w && v < h && binary.LittleEndian.Uint32(raw[4*(v*w+u):]) != id {
			return true
		}
	}
	return false
}
