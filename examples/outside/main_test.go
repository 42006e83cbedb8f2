package main

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

func open(t *testing.T) (e *engine.Engine, near, far *scene.Entity) {
	t.Helper()
	e = enginetest.Open(t, engine.Options{Width: 320, Height: 180})
	near, far = enginetest.Shapes(e)
	return e, near, far
}

func drawn(t *testing.T, e *engine.Engine) *image.NRGBA {
	t.Helper()
	enginetest.Frames(t, e, 1, 0)
	for _, p := range hazard.Check(e.Plan()) {
		t.Errorf("the plan is not safe: %v", p)
	}
	return enginetest.Picture(t, e)
}

// The first frame is as without the pass, since nothing was there before; what
// moves then is seen where it was, and fades.
func TestGoldenTrail(t *testing.T) {
	e, near, _ := open(t)
	trail, err := AddTrail(e)
	if err != nil {
		t.Fatal(err)
	}
	trail.Off = true
	plain := drawn(t, e)
	trail.Off = false
	enginetest.Same(t, drawn(t, e), plain)
	for range 4 {
		near.Local.Translation[0] -= 0.3
		drawn(t, e)
	}
	with := enginetest.Picture(t, e)
	enginetest.Golden(t, "trail", with)
	trail.Off = true
	without := drawn(t, e)
	if bytes.Equal(with.Pix, without.Pix) {
		t.Error("the box left no trail")
	}
	// Where the box was, red is left: the floor has less of it.
	if a, b := with.NRGBAAt(150, 120), without.NRGBAAt(150, 120); int(a.R)-int(a.B) < int(b.R)-int(b.B)+20 {
		t.Errorf("where the box was the picture is %v, and %v without a trail", a, b)
	}
	trail.Off = false
	enginetest.Same(t, drawn(t, e), without) // a frame without it ended the history
	for range 40 {
		drawn(t, e)
	}
	if p := enginetest.Picture(t, e); p.NRGBAAt(10, 170) != without.NRGBAAt(10, 170) {
		t.Errorf("what rests changes: %v, %v", p.NRGBAAt(10, 170), without.NRGBAAt(10, 170))
	}
}

// The picker names what the picture shows at a pixel, two frames later.
func TestThePickerNamesWhatIsSeen(t *testing.T) {
	e, near, far := open(t)
	p, err := AddPicker(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		x, y int
		want uint32
	}{{120, 120, near.ID()}, {190, 70, far.ID()}, {160, 10, 0}, {-50, -50, 0}, {120, 120, near.ID()}} {
		p.X, p.Y = c.x, c.y
		for range 3 {
			drawn(t, e)
		}
		if p.Entity != c.want {
			t.Errorf("at %d, %d is %q, want %q", c.x, c.y, nameOf(e.Scene, p.Entity), nameOf(e.Scene, c.want))
		}
	}
}

// Whatever the compiler leaves out, the pictures are the same.
func TestPicturesDoNotDependOnTheCompiler(t *testing.T) {
	var want []*image.NRGBA
	for i, o := range []framegraph.Options{{}, {}, {NoAlias: true}, {NoMerge: true}, {NoCull: true}, {NoReorder: true}, {NoAlias: true, NoMerge: true, NoCull: true, NoReorder: true}} {
		e, near, _ := open(t)
		if i == 1 { // the same, recorded by several goroutines
			e = enginetest.Open(t, engine.Options{Width: 320, Height: 180, Mode: gpu.Overlapped, Workers: 3})
			near, _ = enginetest.Shapes(e)
		}
		e.SetGraph(o)
		if _, err := AddTrail(e); err != nil {
			t.Fatal(err)
		}
		if _, err := AddPicker(e); err != nil {
			t.Fatal(err)
		}
		for frame := range 3 {
			near.Local.Translation[0] = -0.2 * float32(frame)
			p := drawn(t, e)
			for _, b := range hazard.Needless(e.Plan()) {
				t.Errorf("%+v: the checker does not miss %s", o, b)
			}
			if i == 0 {
				want = append(want, p)
				continue
			}
			enginetest.Same(t, p, want[frame])
		}
	}
}

func TestRunWritesAPicture(t *testing.T) {
	open(t) // skips where there is no device
	out := filepath.Join(t.TempDir(), "outside.png")
	if err := run(out, false); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
}
