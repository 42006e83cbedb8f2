package main

import (
	"image"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/input"
)

// opened opens a scene of the demo without a window.
func opened(t *testing.T, f *demoFlags) *app {
	t.Helper()
	device(t)
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	a, err := openDemo(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(nil); err != nil {
			t.Error(err)
		}
	})
	return a
}

// pressed is the state of a frame in which a key goes down.
func pressed(k input.Key) *input.State {
	var s input.State
	s.SetKey(k, true)
	return &s
}

// differing is how many pixels two pictures have unlike.
func differing(a, b *image.NRGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if [4]uint8(a.Pix[i:i+4]) != [4]uint8(b.Pix[i:i+4]) {
			n++
		}
	}
	return n
}

// T shows the source beside the porter, and hides it again, in both scenes; the help
// lists it.
func TestTShowsTheSource(t *testing.T) {
	for _, name := range []string{houseScene, hillsScene} {
		a := opened(t, &demoFlags{drawFlags: drawFlags{size: "320x180", headless: true, time: 2.6, validate: true}, crowd: demoCrowd, scene: name})
		if len(a.keys) == 0 || a.keys[0][0] != "T" {
			t.Errorf("%s: the help lists %v", name, a.keys)
		}
		shot := func() *image.NRGBA {
			if err := a.engine.Frame(0); err != nil {
				t.Fatal(err)
			}
			p, err := a.engine.Picture()
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		before := shot()
		a.key(pressed(input.KeyT))
		if n := differing(before, shot()); n < 150 {
			t.Errorf("%s: T changes %d pixels", name, n)
		}
		a.key(pressed(input.KeyT))
		if n := differing(before, shot()); n > 0 {
			t.Errorf("%s: %d pixels are not as before T and T again", name, n)
		}
	}
}

// The sliders stand in the panel, and what they set reaches the legs.
func TestSlidersStretchLegs(t *testing.T) {
	a := opened(t, &demoFlags{drawFlags: drawFlags{size: "320x240", headless: true, overlay: []string{"panels"}}, crowd: demoCrowd, scene: hillsScene})
	drawFrames(t, a, 1)
	tall := func() float32 {
		e := a.panels.hills.Person.Entity
		j := e.Animator.Skeleton().Joint("head")
		y, _, _ := a.panels.hills.Ground.Under(e.WorldPosition())
		return e.World().Mul4(e.Animator.Model()[j])[13] - y
	}
	before := tall()
	sliders := map[string]bool{}
	for _, w := range a.panels.hills.Walkers() {
		if sliders[w.Slider] = true; w.Legs != 1 {
			t.Errorf("%s is at %v", w.Slider, w.Legs)
		}
	}
	if len(sliders) != len(a.panels.hills.Walkers()) {
		t.Errorf("sliders share a name: %v", sliders)
	}
	a.panels.hills.Person.Legs = demo.MaxLegs
	if err := advance(a.engine.Scene, 0.7); err != nil {
		t.Fatal(err)
	}
	drawFrames(t, a, 1)
	if d := tall() - before; d < 0.2 {
		t.Errorf("legs of %v raise the head by %.2f m", demo.MaxLegs, d)
	}
}

// L lights the lamps after sunset and brings the day back; --evening starts so, and is
// told of where there are no lamps.
func TestEvening(t *testing.T) {
	flags := func(evening bool) *demoFlags {
		return &demoFlags{drawFlags: drawFlags{size: "320x180", headless: true, time: 2.6, validate: true}, crowd: demoCrowd, evening: evening}
	}
	a := opened(t, flags(false))
	shot := func(a *app) *image.NRGBA {
		if err := a.engine.Frame(0); err != nil {
			t.Fatal(err)
		}
		p, err := a.engine.Picture()
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	mean := func(p *image.NRGBA, in image.Rectangle) (sum [3]int) {
		for y := in.Min.Y; y < in.Max.Y; y++ {
			for x := in.Min.X; x < in.Max.X; x++ {
				for c, v := range p.Pix[p.PixOffset(x, y):][:3] {
					sum[c] += int(v)
				}
			}
		}
		for c := range sum {
			sum[c] /= in.Dx() * in.Dy()
		}
		return sum
	}
	grass, window := image.Rect(10, 90, 40, 100), image.Rect(108, 85, 121, 103)
	day := shot(a)
	a.key(pressed(input.KeyL))
	night := shot(a)
	if d, n := mean(day, grass), mean(night, grass); 2*n[1] > d[1] {
		t.Errorf("the grass is %v by day and %v in the evening", d, n)
	}
	if d, n := mean(day, window), mean(night, window); n[0] < 2*d[0] || n[0] <= n[2] {
		t.Errorf("the window is %v by day and %v in the evening: not lit, or not warm", d, n)
	}
	if n := differing(night, shot(opened(t, flags(true)))); n > 0 {
		t.Errorf("--evening differs from L in %d pixels", n)
	}
	a.key(pressed(input.KeyL))
	if n := differing(day, shot(a)); n > 0 {
		t.Errorf("%d pixels are not as before L and L again", n)
	}
	if status, _, told := command(t, "demo", "--scene", "hills", "--evening", "--headless"); status != statusFailed || !strings.Contains(told, "no lamps in the hills") {
		t.Errorf("status %d: %s", status, told)
	}
}
