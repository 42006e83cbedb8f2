package engine_test

import (
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/framegraph"
)

// A frame in which nothing glows is the same to the bit before, while and after it
// pays for glowing surfaces: with one somewhere, after it went, and for a pass of
// the program that reads what glows.
func TestOnlyWhatGlowsGlows(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
	e.Show.NoAntialias = true
	e.Scene.SpawnModel("lit", quad(plain(mgl32.Vec4{0.5, 0.2, 0.1, 1})), nil)
	flat := e.Scene.SpawnModel("unlit", quad(unlit(mgl32.Vec4{0.1, 0.2, 0.5, 1})), nil)
	flat.Local.Translation = mgl32.Vec3{0.9, 0, 0.1}
	camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
	enginetest.Frames(t, e, 1, 0)
	before := enginetest.Picture(t, e)

	m := plain(mgl32.Vec4{0, 0, 0, 1})
	m.Emissive = mgl32.Vec3{0, 4, 0}
	glowing := quad(m)
	x := e.Scene.SpawnModel("glowing", glowing, nil)
	x.Local.Translation = mgl32.Vec3{0, 0, 0.2}
	x.Local.Scale = mgl32.Vec3{0.2, 0.2, 0.2}
	enginetest.Frames(t, e, 1, 0)
	with := enginetest.Picture(t, e)
	if p := at(with, 32, 32); p.G < 200 || p.R > 60 || p.B > 60 {
		t.Errorf("what glows green is %v", p)
	}
	e.Scene.Remove(x)
	e.Library.Forget(glowing)
	enginetest.Frames(t, e, 1, 0)
	if n := differing(before, enginetest.Picture(t, e)); n > 0 {
		t.Errorf("%d pixels differ once what glowed is gone", n)
	}

	err := e.AddPass("geometry", "reads", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		images := e.Images()
		b.Sample(images.Emissive, framegraph.FragmentShader)
		images.Color = b.ColorAttachment(images.Color, framegraph.Load)
		return func(framegraph.Context) {}
	})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 1, 0)
	if !e.Images().Added {
		t.Error("the program's pass is not told of")
	}
	if n := differing(before, enginetest.Picture(t, e)); n > 0 {
		t.Errorf("%d pixels differ with a pass that reads what glows", n)
	}
}
