package demo_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

const dt = 1.0 / 60

// built is the demo in a scene of its own.
func built(t testing.TB) *demo.Demo {
	t.Helper()
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	d, err := demo.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// build makes the demo and runs it, calling each after every step.
func build(t *testing.T, seconds float64, each func(d *demo.Demo, at float64)) *demo.Demo {
	t.Helper()
	d := built(t)
	s := d.Scene
	for at := 0.0; at < seconds; at += dt {
		for _, step := range []func(float32) error{s.RunScripts, s.StepPhysics, s.Animate} {
			if err := step(dt); err != nil {
				t.Fatalf("at %.2f s: %v", at, err)
			}
		}
		if each != nil {
			each(d, at)
		}
	}
	return d
}

// swing is how far the door stands open, radians.
func swing(d *demo.Demo) float64 {
	x := d.Door.Local.Rotation.Rotate(mgl32.Vec3{1, 0, 0})
	return math.Atan2(-float64(x[2]), float64(x[0]))
}

// The door is open whenever somebody has stood before it for a while, and shut
// when all have been away.
func TestTheDoorOpensForVisitors(t *testing.T) {
	near, away, opened, shut := 0.0, 0.0, 0, 0
	build(t, 40, func(d *demo.Demo, at float64) {
		nearest := float32(99)
		for _, m := range d.Mannequins {
			nearest = min(nearest, m.WorldPosition().Sub(d.Door.WorldPosition()).Len())
		}
		near, away = near+dt, away+dt
		if nearest > 2.2 {
			near = 0
		}
		if nearest < 2.4 {
			away = 0
		}
		switch {
		case near > 1.3:
			opened++
			if swing(d) < 1.7 {
				t.Fatalf("at %.2f s somebody has waited %.1f s, and the door stands at %.2f rad", at, near, swing(d))
			}
		case away > 1.6:
			shut++
			if math.Abs(swing(d)) > 1e-3 {
				t.Fatalf("at %.2f s nobody has been near for %.1f s, and the door stands at %.2f rad", at, away, swing(d))
			}
		}
	})
	if opened == 0 || shut == 0 {
		t.Errorf("open in %d steps and shut in %d: both must come about", opened, shut)
	}
}

// Over minutes, mannequins stay outside the house and on the ground, crates fall
// on the ground and stay in the yard.
func TestTheDemoKeepsItsOrder(t *testing.T) {
	lowest, highest := float32(9), float32(0)
	d := build(t, 150, func(d *demo.Demo, at float64) {
		for _, m := range d.Mannequins {
			p := m.WorldPosition()
			if p[1] != 0 || math.Abs(float64(p[0])) < 2.3 && p[2] < 2.6 || p.Len() > 14 {
				t.Fatalf("at %.2f s %s stands at %v", at, m.Name, p)
			}
		}
		for _, c := range d.Crates {
			p := c.WorldPosition()
			lowest, highest = min(lowest, p[1]), max(highest, p[1])
			if at > 2 && (p[1] < 0.12 || p.Len() > 16) {
				t.Fatalf("at %.2f s a crate lies at %v", at, p)
			}
		}
	})
	if lowest > 0.3 || highest < 4 {
		t.Errorf("crates were between %.2f and %.2f m high: some must lie and some must fall", lowest, highest)
	}
	// Out of step: no two mannequins share a phase of the walk.
	for i, a := range d.Mannequins {
		for _, b := range d.Mannequins[i+1:] {
			x, y := a.Machine().Status(0), b.Machine().Status(0)
			if x.State == y.State && math.Abs(float64(x.Phase-y.Phase)) < 0.02 {
				t.Errorf("%s and %s walk in step", a.Name, b.Name)
			}
		}
	}
}

// A walking mannequin moves at the speed that its clip was made for, so that its
// feet do not slide.
func TestWalkersKeepTheirClipsSpeed(t *testing.T) {
	last := map[*scene.Entity]mgl32.Vec3{}
	steps, right := 0, 0
	var playing []machine.Playing
	build(t, 20, func(d *demo.Demo, _ float64) {
		for _, m := range d.Mannequins {
			p := m.WorldPosition()
			playing = m.Machine().Playing(0, playing[:0])
			if from, ok := last[m]; ok && m.Machine().Status(0).State == "walk" {
				steps++
				clip := playing[len(playing)-1].Clip
				if speed := p.Sub(from).Len() / dt; math.Abs(float64(speed-clip.Speed)) < 0.02 {
					right++
				}
			}
			last[m] = p
		}
	})
	// The rest are fades from and into standing, in which what walks no more than
	// in part moves as much.
	if steps < 1000 || float64(right) < 0.9*float64(steps) {
		t.Errorf("%d of %d walking steps have the clip's speed", right, steps)
	}
}
