package physics_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

var _ ground.Ground = (*physics.Ground)(nil)

func TestGroundIsWhatRaysMeet(t *testing.T) {
	w, err := physics.NewWorld(physics.DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	add := func(shape physics.Shape, at mgl32.Vec3, turn float32) physics.Body {
		d := physics.NewBodyDesc(physics.Static, shape)
		d.Position, d.Rotation = at, mgl32.QuatRotate(turn, mgl32.Vec3{0, 0, 1})
		b, err := w.Add(d)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	const slope = 0.3
	add(physics.Box(mgl32.Vec3{5, 1, 5}), mgl32.Vec3{}, slope)
	own := add(physics.Sphere(0.4), mgl32.Vec3{0, 1.5, 0}, 0)

	g := w.Ground(own)
	top := float32(1 / math.Cos(slope))
	h, n, ok := g.Under(mgl32.Vec3{0, 1.3, 0})
	if want := mgl32.QuatRotate(slope, mgl32.Vec3{0, 0, 1}).Rotate(mgl32.Vec3{0, 1, 0}); !ok || abs(h-top) > 1e-3 || n.Sub(want).Len() > 1e-3 {
		t.Errorf("%v, %v, %v, want %v, %v", h, n, ok, top, want)
	}
	if h, _, _ := w.Ground(0).Under(mgl32.Vec3{0, 2, 0}); abs(h-1.9) > 1e-2 {
		t.Errorf("the sphere, not left out, is met at %v", h)
	}
	for _, at := range []mgl32.Vec3{{20, 1, 0}, {0, 9, 0}, {0, float32(math.NaN()), 0}} {
		if h, _, ok := g.Under(at); ok {
			t.Errorf("under %v there is ground at %v", at, h)
		}
	}
	if n := testing.AllocsPerRun(100, func() { g.Under(mgl32.Vec3{0, 1.3, 0}) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	done := make(chan bool)
	for i := range 4 { // a crowd asks at once
		go func() {
			fine := true
			for k := range 200 {
				at := mgl32.Vec3{float32(k%7) * 0.3, 1.5, float32(i)}
				h, _, ok := g.Under(at)
				fine = fine && ok && abs(h-top-at[0]*float32(math.Tan(slope))) < 1e-2
			}
			done <- fine
		}()
	}
	for range 4 {
		if !<-done {
			t.Error("rays of several goroutines go astray")
		}
	}
	w.Close()
	if _, _, ok := g.Under(mgl32.Vec3{}); ok {
		t.Error("a closed world has ground")
	}
}

func abs(x float32) float32 { return max(x, -x) }
