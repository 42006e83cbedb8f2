package engine_test

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// TestOddLamps holds whatever a light says to what any light does: it takes no light
// away, its shadow takes from what it gives and no more, and the same frame twice is
// the same picture.
func TestOddLamps(t *testing.T) {
	e := night(t, engine.Options{Width: 48, Height: 32})
	put(e, mgl32.Vec3{4, 0.5, 4}, mgl32.Vec3{0, -0.5, 0})
	put(e, mgl32.Vec3{0.4, 0.4, 0.4}, mgl32.Vec3{0.7, 0.4, 0})
	sky := &e.Scene.Environment
	sky.SkyZenith = mgl32.Vec3{0.1, 0.1, 0.1}
	sky.SkyHorizon, sky.SkyGround = sky.SkyZenith, sky.SkyZenith
	camera := e.Scene.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.Local.Translation = mgl32.Vec3{0, 3, 5}
	camera.Local.Rotation = mgl32.QuatRotate(-0.5, mgl32.Vec3{1, 0, 0})
	e.Scene.Camera = camera

	x := lampAt(e, assets.Point, mgl32.Vec3{0, 1.5, 0}, 20, 0)
	l, place := x.Light, &x.Local
	l.InnerCone, l.OuterCone = 0.4, 0.7
	rest, at := *l, *place
	shot := func(what string) *image.NRGBA {
		t.Helper()
		enginetest.Frames(t, e, 1, 0)
		a := enginetest.Picture(t, e)
		enginetest.Frames(t, e, 1, 0)
		if !bytes.Equal(a.Pix, enginetest.Picture(t, e).Pix) {
			t.Errorf("%s: two frames of the same scene differ", what)
		}
		return a
	}
	darker := func(what string, a, b *image.NRGBA) {
		t.Helper()
		n := 0
		for i := range a.Pix {
			if int(a.Pix[i]) < int(b.Pix[i])-3 {
				n++
			}
		}
		if n > 0 {
			t.Errorf("%s in %d values", what, n)
		}
	}
	x.Hidden = true
	dark := shot("dark")
	check := func(name string, change func()) {
		t.Helper()
		for kind := assets.Directional; kind <= assets.Spot; kind++ {
			*l, *place = rest, at
			l.Kind = kind
			if kind == assets.Spot {
				place.Rotation = mgl32.QuatRotate(-math.Pi/2, mgl32.Vec3{1, 0, 0})
			}
			change()
			what := fmt.Sprintf("light of kind %d, %s", kind, name)
			x.Hidden, l.Shadows = false, false
			open := shot(what)
			l.Shadows = true
			shadows := shot(what)
			x.Hidden = true
			darker(what+": the light makes darker", open, dark)
			darker(what+": its shadows make darker than without it", shadows, dark)
			darker(what+": its shadows make brighter", open, shadows)
		}
	}
	for _, v := range []float32{0, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, 1e5, 1e-6, 1e-38, math.Pi / 2, math.Pi / 3, 4, -2} {
		if !(v < 0) { // such takes light away, as it says
			check(fmt.Sprint("intensity ", v), func() { l.Intensity = v })
			check(fmt.Sprint("red ", v), func() { l.Color[0] = v })
		}
		check(fmt.Sprint("range ", v), func() { l.Range = v })
		check(fmt.Sprint("outer cone ", v), func() { l.OuterCone = v })
		check(fmt.Sprint("cones ", v), func() { l.InnerCone, l.OuterCone = v, v })
		check(fmt.Sprint("height ", v), func() { place.Translation[1] = v })
		check(fmt.Sprint("scale ", v), func() { place.Scale = mgl32.Vec3{v, v, v} })
		check(fmt.Sprint("scale along ", v), func() { place.Scale[2] = v })
		check(fmt.Sprint("turn ", v), func() { place.Rotation.W = v })
	}
	check("on the floor", func() { place.Translation = mgl32.Vec3{} })
	check("in the box", func() { place.Translation = mgl32.Vec3{0.7, 0.4, 0} })
	check("at the camera", func() { place.Translation = camera.Local.Translation })
	check("behind the camera", func() { place.Translation = mgl32.Vec3{0, 4, 8} })
	check("behind the camera, short", func() { place.Translation, l.Range = mgl32.Vec3{0, 4, 8}, 1 })
}

// What stands nowhere is not drawn, and the others' shadows are as without it.
func TestOddPlaces(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 48, Height: 32})
	put(e, mgl32.Vec3{4, 0.5, 4}, mgl32.Vec3{0, -0.5, 0})
	put(e, mgl32.Vec3{0.4, 0.4, 0.4}, mgl32.Vec3{0.7, 0.4, 0})
	camera := e.Scene.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.LookAt(mgl32.Vec3{0, 3, 5}, mgl32.Vec3{})
	e.Scene.Camera = camera
	lampAt(e, assets.Point, mgl32.Vec3{0, 1, 0}, 20, 5)
	x := put(e, mgl32.Vec3{0.1, 0.1, 0.1}, mgl32.Vec3{-1, 0.4, 0})
	rest := x.Local
	x.Hidden = true
	enginetest.Frames(t, e, 1, 0)
	want := enginetest.Picture(t, e)
	x.Hidden = false
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))} {
		for what, place := range map[string]*float32{"place": &x.Local.Translation[1], "turn": &x.Local.Rotation.W, "scale": &x.Local.Scale[0]} {
			x.Local = rest
			*place = v
			enginetest.Frames(t, e, 1, 0)
			if !bytes.Equal(want.Pix, enginetest.Picture(t, e).Pix) {
				t.Errorf("%s %v: the picture is not that without it", what, v)
			}
		}
	}
}

// A range that is longer than the light can be seen takes no shadow away.
func TestALongRangeCastsShadows(t *testing.T) {
	e := night(t, engine.Options{})
	put(e, mgl32.Vec3{4, 0.5, 4}, mgl32.Vec3{0, -0.5, 0})
	hides := put(e, mgl32.Vec3{0.4, 0.1, 0.4}, mgl32.Vec3{0, 1, 0})
	camera := e.Scene.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.LookAt(mgl32.Vec3{0, 1, 5}, mgl32.Vec3{})
	e.Scene.Camera = camera
	x := lampAt(e, assets.Point, mgl32.Vec3{0, 3, 0}, 60, 0)
	below := func() int { // the brightness of the floor below what hides it
		enginetest.Frames(t, e, 2, 0)
		return int(enginetest.Picture(t, e).NRGBAAt(160, 92).R)
	}
	for _, reach := range []float32{0, 20, 1000, 1e6, 1e9, float32(math.Inf(1))} {
		x.Light.Range = reach
		hides.Hidden = true
		open := below()
		hides.Hidden = false
		if hidden := below(); hidden > 10 || open < 50 {
			t.Errorf("range %v: in the shadow it is %d, in the open %d", reach, hidden, open)
		}
	}
}

// narrows is a script that changes a spot's cone.
type narrows struct {
	light *scene.Light
	to    float32 // radians
}

func (n *narrows) Update(*script.Context, float32) error {
	n.light.OuterCone = n.to
	return nil
}

// A cone that a script changes keeps its shadow, though the size of its map was
// chosen before.
func TestAConeThatChangesCastsOn(t *testing.T) {
	e := night(t, engine.Options{})
	put(e, mgl32.Vec3{4, 0.5, 4}, mgl32.Vec3{0, -0.5, 0})
	put(e, mgl32.Vec3{0.4, 0.1, 0.4}, mgl32.Vec3{0, 1, 0})
	camera := e.Scene.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.LookAt(mgl32.Vec3{0, 3, 5}, mgl32.Vec3{})
	e.Scene.Camera = camera
	x := lampAt(e, assets.Spot, mgl32.Vec3{0, 3, 0}, 60, 0)
	x.Local.Rotation = mgl32.QuatRotate(-math.Pi/2, mgl32.Vec3{1, 0, 0})
	change := &narrows{x.Light, 0.4}
	x.Scripts = []any{change}
	enginetest.Frames(t, e, 2, 1.0/60)
	size := func() int { w, _ := e.Draw.Lamps()[0].MapSize(); return w }
	small := size()
	change.to = 0.9
	enginetest.Frames(t, e, 1, 1.0/60)
	at, kept := enginetest.Picture(t, e), size()
	enginetest.Frames(t, e, 1, 1.0/60)
	then := enginetest.Picture(t, e)
	if kept != small || size() <= small {
		t.Errorf("the map has %d texels, %d where the cone changes, then %d", small, kept, size())
	}
	differ := 0
	for i := range at.Pix {
		if d := int(at.Pix[i]) - int(then.Pix[i]); d < -60 || d > 60 {
			differ++
		}
	}
	if most := len(at.Pix) / 200; differ > most { // along the shadow's edge
		t.Errorf("%d values are others in the frame where the cone changes, want at most %d", differ, most)
	}
}
