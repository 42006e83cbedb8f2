package ground_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// hills rise and fall by up to 20°, with convex tops 15 m apart.
var hills = ground.Func(func(x, z float32) float32 {
	const k = 2 * math.Pi / 15
	a := math.Tan(20*math.Pi/180) / k
	return float32(a * math.Sin(k*float64(z)) * math.Cos(0.02*float64(x)))
})

// walker is a character that walks along +Z over some ground, or where turn has +Z.
type walker struct {
	*character
	a      *animation.Animator
	stance *ground.Stance
	at     animation.Transform
	speed  float32
	before mgl32.Mat4 // whatever lies between the walker and the world
}

func newWalker(t testing.TB, c *character, clip *animation.Clip, g ground.Ground) *walker {
	t.Helper()
	w := &walker{character: c, a: animation.NewAnimator(c.model.Skeleton, c.model.Skins, c.clips), at: animation.Identity(), before: mgl32.Ident4()}
	var err error
	if w.stance, err = ground.NewStance(g, c.soles); err != nil {
		t.Fatal(err)
	}
	w.a.Modify(w.stance)
	if clip != nil {
		if err := w.a.Play(clip, 0); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// step is one frame: the clip, and the way that a scene goes then.
func (w *walker) step(t testing.TB, dt float32) {
	t.Helper()
	w.at.Translation = w.at.Translation.Add(w.at.Rotation.Rotate(mgl32.Vec3{0, 0, w.speed * dt}))
	w.a.World = w.before.Mul4(w.at.Mat4())
	w.a.Moves = true
	if err := w.a.Update(dt); err != nil {
		t.Fatal(err)
	}
	w.at = w.a.Motion().Apply(w.at)
	w.at.Translation[1] += w.stance.Rise
	w.a.World = w.before.Mul4(w.at.Mat4())
}

// depth is how deep the lowest of all vertices of the model is in the ground, by the
// reference evaluation, metres.
func (w *walker) depth(t testing.TB, g ground.Ground) float32 {
	t.Helper()
	worst := float32(math.Inf(-1))
	err := w.model.Evaluate(w.a.Pose(), func(_, _, _ int, ps []mgl32.Vec3) {
		for _, p := range ps {
			p = mgl32.TransformCoordinate(p, w.a.World)
			if h, _, ok := g.Under(p); ok {
				worst = max(worst, h-p[1])
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return worst
}

func (c *character) clip(name string) *animation.Clip {
	for _, k := range c.clips {
		if k.Name == name {
			return k
		}
	}
	return nil
}

func TestAPersonWalksOverHills(t *testing.T) {
	for _, p := range []struct {
		load func(testing.TB) *character
		clip string
	}{{demoMannequin, "walk"}, {demoMannequin, "run"}, {pab, "walk"}, {kayKit, "Rig_Medium|Walking_A"}} {
		c := p.load(t)
		t.Run(c.name+" "+p.clip, func(t *testing.T) {
			w := newWalker(t, c, c.clip(p.clip), hills)
			if w.speed = 1.4; c.name == "pab" {
				w.speed = 0 // its clips walk
			}
			var deep, high float32
			var last, jerk float32
			for i := range 60 * 15 {
				w.step(t, 1.0/60)
				y := w.at.Translation[1] + w.stance.Lift
				if i > 0 {
					jerk = max(jerk, abs(y-last))
				}
				last = y
				if i%11 == 0 {
					d := w.depth(t, hills)
					deep, high = max(deep, d), max(high, -d)
				}
			}
			t.Logf("at most %.2f mm deep, %.2f mm high, %.1f mm a frame", 1000*deep, 1000*high, 1000*jerk)
			if deep > 0.01 {
				t.Errorf("it sinks %.1f cm in", 100*deep)
			}
			if jerk > (4+w.speed)/60 { // m/s: no faster than a foot comes down
				t.Errorf("it pops by %.1f cm", 100*jerk)
			}
		})
	}
}

func abs(x float32) float32 { return max(x, -x) }

func atan(y, x float32) float32 { return float32(math.Atan2(float64(y), float64(x))) }

func sincos(a float32) (float32, float32) {
	s, c := math.Sincos(float64(a))
	return float32(s), float32(c)
}

func sin(degrees float32) float32 { s, _ := sincos(mgl32.DegToRad(degrees)); return s }
