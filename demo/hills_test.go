package demo_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// hills makes the hills and runs them, calling each after every step.
func hills(t testing.TB, seconds float64, before func(h *demo.Hills), each func(h *demo.Hills, at float64)) *demo.Hills {
	t.Helper()
	s, err := scene.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	h, err := demo.BuildHills(s)
	if err != nil {
		t.Fatal(err)
	}
	if before != nil {
		before(h)
	}
	for at := 0.0; at < seconds; at += dt {
		for _, step := range []func(float32) error{s.RunScripts, s.StepPhysics, s.Animate} {
			if err := step(dt); err != nil {
				t.Fatalf("at %.2f s: %v", at, err)
			}
		}
		if each != nil {
			each(h, at)
		}
	}
	return h
}

// soles are the sole vertices of an entity in the world, by foot.
func soles(e *scene.Entity) [][]mgl32.Vec3 {
	var out [][]mgl32.Vec3
	for _, s := range e.Stance.Soles() {
		var foot []mgl32.Vec3
		for v := range s.Len() {
			foot = append(foot, mgl32.TransformCoordinate(s.At(v, e.Animator.Model()), e.World()))
		}
		out = append(out, foot)
	}
	return out
}

// deepest is how deep the deepest of all of an entity's vertices lies in the ground, by
// the reference evaluation, and how high its lowest does, metres.
func deepest(t testing.TB, h *demo.Hills, e *scene.Entity) float32 {
	t.Helper()
	worst := float32(math.Inf(-1))
	err := e.Mesh.Model.Evaluate(e.Animator.Pose(), func(_, _, _ int, ps []mgl32.Vec3) {
		for _, p := range ps {
			p = mgl32.TransformCoordinate(p, e.World())
			y, _, _ := h.Ground.Under(p)
			worst = max(worst, y-p[1])
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return worst
}

// The path is what it is said to be: as steep as 20° and no steeper, with convex tops.
func TestTheHillsAreHilly(t *testing.T) {
	h := hills(t, 0, nil, nil)
	steepest, sharpest := 0.0, 0.0
	height := func(p mgl32.Vec3) float64 { y, _, _ := h.Ground.Under(p); return float64(y) }
	for i := range 3600 {
		a := float32(i) / 3600 * 2 * math.Pi
		p, q := demo.Trail(a), demo.Trail(a+0.03)
		d := q.Sub(p)
		steepest = max(steepest, math.Abs(height(q)-height(p))/float64(d.Len()))
		// What a body of 1.24 m from foot to foot has between its feet.
		r := demo.Trail(a + 0.15)
		mid := p.Add(r).Mul(0.5)
		sharpest = max(sharpest, height(mid)-(height(p)+height(r))/2)
	}
	degrees := math.Atan(steepest) * 180 / math.Pi
	t.Logf("up to %.1f° steep, tops rise %.0f cm between feet", degrees, 100*sharpest)
	if degrees > 20.5 || degrees < 17 {
		t.Errorf("the path is up to %.1f° steep, want about 20°", degrees)
	}
	if sharpest < 0.08 {
		t.Errorf("tops rise %.1f cm between the carrier's feet: none is convex", 100*sharpest)
	}
}

// Round the whole path no sole sinks in, and those that stand are on the ground.
func TestFeetStayOnTheHills(t *testing.T) {
	const seconds = 54 // once round, and a little more
	type figures struct{ deep, own, high float32 }
	worst := map[string]*figures{}
	var turned float64
	last := 0.0
	i := 0
	hills(t, seconds, nil, func(h *demo.Hills, at float64) {
		p := h.Carrier.Entity.WorldPosition()
		a := math.Atan2(float64(p[0]), float64(p[2]))
		if at > 0 {
			turned += math.Remainder(a-last, 2*math.Pi)
		}
		last = a
		for _, w := range h.Walkers() {
			e := w.Entity
			f := worst[e.Name]
			if f == nil {
				f = &figures{}
				worst[e.Name] = f
			}
			if at < 0.5 {
				continue
			}
			lowest := float32(9)
			for _, foot := range soles(e) {
				for _, p := range foot {
					y, _, _ := h.Ground.Under(p)
					f.deep = max(f.deep, y-p[1])
					lowest = min(lowest, p[1]-y)
				}
			}
			f.high = max(f.high, lowest)
			if i%20 == 0 {
				f.own = max(f.own, deepest(t, h, e))
			}
		}
		i++
	})
	if turned < 2*math.Pi {
		t.Errorf("the carrier went %.0f° of the path, want all of it", turned*180/math.Pi)
	}
	for name, f := range worst {
		most := float32(0.01)
		if name == "carrier" {
			most = 0.06
		}
		t.Logf("%s: soles at most %.1f mm deep, any vertex %.1f mm; the lowest at most %.1f mm high", name, 1000*f.deep, 1000*f.own, 1000*f.high)
		if f.deep > most || f.own > most {
			t.Errorf("%s: a sole is %.1f cm deep, any vertex %.1f cm, at most %.0f", name, 100*f.deep, 100*f.own, 100*most)
		}
		if f.high > 0.02 {
			t.Errorf("%s floats %.1f cm high", name, 100*f.high)
		}
	}
}

// Laying the carrier along two points alone, the ends of its body, sinks its feet in
// at the tops. A stance of five points and its soles does not, stiff-legged.
func TestTwoPointsSinkTheCarrier(t *testing.T) {
	h := hills(t, 0, nil, nil)
	e := h.Carrier.Entity
	a := animation.NewAnimator(e.Animator.Skeleton(), e.Animator.Skins(), nil) // at rest
	stance, err := ground.NewStance(h.Ground, e.Stance.Soles())
	if err != nil {
		t.Fatal(err)
	}
	const half = 1.045 // m from the middle of the body to its nose and tail
	stance.Mode, stance.Front, stance.Back = ground.Planted, half, half
	depth := func(model []mgl32.Mat4, world mgl32.Mat4) float32 {
		c := ground.Contact{Soles: stance.Soles(), Model: model, World: world, Ground: h.Ground}
		if err := c.Run(); err != nil {
			t.Fatal(err)
		}
		return -c.Clearance
	}
	var two, five float32
	for i := range 1200 {
		angle := float32(i) / 1200 * 2 * math.Pi
		at := demo.Trail(angle)
		ahead := demo.Trail(angle + 0.01).Sub(at).Normalize()
		turn := mgl32.QuatRotate(float32(math.Atan2(float64(ahead[0]), float64(ahead[2]))), mgl32.Vec3{0, 1, 0})
		front, _, _ := h.Ground.Under(at.Add(ahead.Mul(half)))
		back, _, _ := h.Ground.Under(at.Sub(ahead.Mul(half)))
		at[1] = (front + back) / 2
		pitch := float32(math.Atan2(float64(front-back), 2*half))
		a.Modify(nil)
		if err := a.Update(0); err != nil {
			t.Fatal(err)
		}
		one := mgl32.Vec3{1, 1, 1}
		two = max(two, depth(a.Model(), mgl32.Compose(at, turn.Mul(mgl32.QuatRotate(-pitch, mgl32.Vec3{1, 0, 0})), one)))
		a.Modify(stance)
		a.World = mgl32.Compose(at, turn, one)
		stance.Reset()
		if err := a.Update(dt); err != nil {
			t.Fatal(err)
		}
		a.World[13] += stance.Rise
		five = max(five, depth(a.Model(), a.World))
	}
	t.Logf("two points: %.1f cm deep; the stance: %.1f cm", 100*two, 100*five)
	if two < 0.10 {
		t.Errorf("two points: %.1f cm deep: the hills show nothing", 100*two)
	}
	if five > 0.06 {
		t.Errorf("the stance: %.1f cm deep, at most 6", 100*five)
	}
}

// However long the legs are made, feet stay down.
func TestStretchedLegsStayDown(t *testing.T) {
	for _, legs := range []float32{demo.MinLegs, 0.85, 1.2, demo.MaxLegs} {
		deep, high := map[string]float32{}, map[string]float32{}
		hills(t, 14, func(h *demo.Hills) {
			for _, w := range h.Walkers() {
				w.Legs = legs
			}
		}, func(h *demo.Hills, at float64) {
			if at < 1 {
				return
			}
			for _, w := range h.Walkers() {
				lowest := float32(9)
				for _, foot := range soles(w.Entity) {
					for _, p := range foot {
						y, _, _ := h.Ground.Under(p)
						lowest = min(lowest, p[1]-y)
					}
				}
				deep[w.Entity.Name] = max(deep[w.Entity.Name], -lowest)
				high[w.Entity.Name] = max(high[w.Entity.Name], lowest)
			}
		})
		for name, d := range deep {
			t.Logf("legs × %.2f: %s at most %.1f mm deep, %.1f mm high", legs, name, 1000*d, 1000*high[name])
			if most := map[bool]float32{true: 0.06, false: 0.01}[name == "carrier"]; d > most || high[name] > 0.03 {
				t.Errorf("legs × %.2f: %s sinks %.1f cm in or floats %.1f cm high", legs, name, 100*d, 100*high[name])
			}
		}
	}
}

// Stretched legs are drawn without gaps: what hangs on a bone reaches the joint at
// its end, and feet keep their size.
func TestStretchedLegsHaveNoGaps(t *testing.T) {
	h := hills(t, 1, func(h *demo.Hills) {
		for _, w := range h.Walkers() {
			w.Legs = demo.MaxLegs
		}
	}, nil)
	for _, c := range []struct {
		e    *scene.Entity
		ends []string
	}{
		{h.Carrier.Entity, []string{"front_calf_l", "front_foot_l", "hind_calf_r", "hind_foot_r"}},
		{h.Person.Entity, []string{"calf_l", "foot_r"}},
		{h.Porter.Entity, []string{"CC_Base_L_Calf", "CC_Base_R_Foot"}},
	} {
		sk, model := c.e.Animator.Skeleton(), c.e.Animator.Model()
		for _, name := range c.ends {
			j := sk.Joint(name)
			end := mgl32.TransformCoordinate(sk.Rest[j].Translation, model[sk.Parents[j]])
			if gap := end.Sub(model[j].Col(3).Vec3()).Len(); gap > 0.002 {
				t.Errorf("%s: the bone ends %.1f cm from %s", c.e.Name, 100*gap, name)
			}
			for axis := range 3 {
				if l := model[j].Col(axis).Vec3().Len(); strings.Contains(strings.ToLower(name), "foot") && math.Abs(float64(l)-1) > 1e-3 {
					t.Errorf("%s: %s is scaled by %v", c.e.Name, name, l)
				}
			}
		}
	}
}

// Soles that stand on the hills do not slide over them, as they would where a body on
// a slope only went on level.
func TestStandingSolesDoNotSlide(t *testing.T) {
	type contact struct {
		down  bool
		first mgl32.Vec3
	}
	seen := map[string][][]contact{}
	worst := map[string][]float64{}
	hills(t, 12, nil, func(h *demo.Hills, at float64) {
		if at < 1 {
			return
		}
		for _, w := range h.Walkers() {
			name := w.Entity.Name
			feet := soles(w.Entity)
			if seen[name] == nil {
				for _, f := range feet {
					seen[name] = append(seen[name], make([]contact, len(f)))
				}
			}
			for f, foot := range feet {
				for v, p := range foot {
					c := &seen[name][f][v]
					y, _, _ := h.Ground.Under(p)
					if p[1]-y > 0.002 {
						if c.down {
							d := p.Sub(c.first)
							worst[name] = append(worst[name], math.Hypot(float64(d[0]), float64(d[2])))
						}
						c.down = false
						continue
					}
					if !c.down {
						c.down, c.first = true, p
					}
				}
			}
		}
	})
	for name, list := range worst {
		slices.Sort(list)
		n := len(list)
		t.Logf("%s: %d contacts of vertices slide %.1f mm in the middle, %.1f mm at 95 %%, %.1f mm at most", name, n, 1000*list[n/2], 1000*list[n*95/100], 1000*list[n-1])
		if n < 100 || list[n/2] > 0.01 || list[n*95/100] > 0.04 {
			t.Errorf("%s: standing vertices slide %.1f mm in the middle, %.1f mm at 95 %%", name, 1000*list[n/2], 1000*list[n*95/100])
		}
	}
}
