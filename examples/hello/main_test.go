package main

import (
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

func open(t *testing.T) *engine.Engine {
	t.Helper()
	e := enginetest.Open(t, engine.Options{Width: 320, Height: 240})
	model, err := load("")
	if err != nil {
		t.Fatal(err)
	}
	if err := show(e, model, "walk"); err != nil {
		t.Fatal(err)
	}
	return e
}

func pictureOf(t *testing.T, e *engine.Engine) *image.NRGBA {
	t.Helper()
	enginetest.Frames(t, e, 1, 0.4)
	return enginetest.Picture(t, e)
}

// The pass darkens a thin part of the picture, on the figure and nowhere near
// the corners, and brightens nothing.
func TestTheOutlineIsInkAroundTheFigure(t *testing.T) {
	plain := pictureOf(t, open(t))

	e := open(t)
	ink, err := newOutline(e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ink.release)
	if err := e.AddPass("lighting", "outline", framegraph.Graphics, ink.declare); err != nil {
		t.Fatal(err)
	}
	inked := pictureOf(t, e)

	darker, brighter := 0, 0
	where := image.Rectangle{}
	for y := range 240 {
		for x := range 320 {
			a, b := plain.NRGBAAt(x, y), inked.NRGBAAt(x, y)
			switch d := int(b.G) - int(a.G); {
			case d < -12:
				darker++
				where = where.Union(image.Rect(x, y, x+1, y+1))
			case d > 12:
				brighter++
			}
		}
	}
	// Smoothing spreads an edge over its neighbours, which may get a little
	// brighter where ink moved what counts as an edge.
	if total := 320 * 240; darker < total/300 || darker > total/20 || brighter > darker/20 {
		t.Errorf("%d pixels got darker and %d brighter, of %d", darker, brighter, total)
	}
	if middle := image.Rect(60, 10, 260, 230); where.Empty() || !where.In(middle) {
		t.Errorf("ink lies in %v, not around a figure within %v", where, middle)
	}

	text := e.Plan().Explain("outline")
	if !strings.Contains(text, "outline.go:") {
		t.Errorf("the plan does not say where the pass was declared:\n%s", text)
	}
}

// Whatever the frame graph's compiler leaves out, the picture is the same, and
// its plan is proved safe.
func TestThePictureDoesNotDependOnTheCompiler(t *testing.T) {
	e := open(t)
	ink, err := newOutline(e)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(ink.release)
	if err := e.AddPass("lighting", "outline", framegraph.Graphics, ink.declare); err != nil {
		t.Fatal(err)
	}
	want := pictureOf(t, e)
	for _, o := range []framegraph.Options{{NoAlias: true}, {NoMerge: true}, {NoCull: true}, {NoReorder: true}} {
		e.SetGraph(o)
		enginetest.Frames(t, e, 1, 0)
		for _, p := range hazard.Check(e.Plan()) {
			t.Errorf("%+v: the plan is not safe: %v", o, p)
		}
		enginetest.Same(t, enginetest.Picture(t, e), want)
	}
}

func TestRunWritesAPicture(t *testing.T) {
	open(t) // skips where there is no device
	out := filepath.Join(t.TempDir(), "hello.png")
	if err := run("", "idle", out); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c, err := png.DecodeConfig(f); err != nil || c.Width != 1280 || c.Height != 720 {
		t.Errorf("the picture is %dx%d, %v", c.Width, c.Height, err)
	}
}

func TestRunSaysWhatIsWrong(t *testing.T) {
	open(t)
	missing := filepath.Join(t.TempDir(), "nobody.glb")
	if err := run(missing, "", "x.png"); err == nil || !strings.Contains(err.Error(), "nobody.glb") {
		t.Errorf("a missing file: %v", err)
	}
	out := filepath.Join(t.TempDir(), "x.png")
	if err := run("", "moonwalk", out); err == nil || !strings.Contains(err.Error(), "moonwalk") {
		t.Errorf("a clip that is not there: %v", err)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a picture was written for a clip that is not there")
	}
}
