package physics

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// phases runs frames and spells each contact of a and b by its first letter,
// with a dot for a frame without one.
func phases(t *testing.T, w *World, a, b Body, frames int) string {
	t.Helper()
	var s strings.Builder
	for range frames {
		step(t, w, 1)
		found := false
		for _, c := range w.Contacts(nil) {
			if c.A == a && c.B == b {
				found = true
				s.WriteByte(c.Phase.String()[0])
			}
		}
		if !found {
			s.WriteByte('.')
		}
	}
	return s.String()
}

func TestContactPhases(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	ground := floor(t, w)
	d := NewBodyDesc(Dynamic, Box(mgl32.Vec3{0.5, 0.5, 0.5}))
	d.Position[1], d.Mass = 0.7, 2
	b := add(t, w, d)
	got := phases(t, w, ground, b, 300) // long enough to fall asleep
	if trimmed := strings.TrimLeft(got, "."); trimmed == got || trimmed != "b"+strings.Repeat("s", len(trimmed)-1) {
		t.Errorf("falling to rest gives %s", got)
	}
	c := w.Contacts(nil)[0]
	// At rest the floor bears the weight: m·g·dt a step.
	near(t, "impulse", c.Impulse, 2*9.81/60, 0.02)
	near(t, "height of the contact", c.Point[1], 0, 0.02)
	// The normal points from B, the box, to A, the floor.
	near(t, "normal", c.Normal[1], -1, 1e-3)

	if err := w.SetVelocity(b, mgl32.Vec3{0, 3, 0}, mgl32.Vec3{}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Trim(phases(t, w, ground, b, 20), "."); got != "e" && got != "se" {
		t.Errorf("leaving the floor gives %s", got)
	}
}

func TestRemovedBodyEndsItsContacts(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	ground := floor(t, w)
	d := NewBodyDesc(Dynamic, Sphere(0.5))
	d.Position[1] = 0.5
	b := add(t, w, d)
	step(t, w, 30)
	if err := w.Remove(b); err != nil {
		t.Fatal(err)
	}
	// Its slot is taken again at once; the End still names the old number.
	d.Position[1] = 50
	add(t, w, d)
	if got := phases(t, w, ground, b, 2); got != "e." {
		t.Errorf("removing gives %s", got)
	}
}

// A ball that comes and goes within one frame begins and ends in it.
func TestTouchShorterThanAFrame(t *testing.T) {
	w := newWorld(t, Config{FixedStep: 1.0 / 960, MaxSteps: 100})
	ground := floor(t, w)
	b := add(t, w, BodyDesc{Shape: Sphere(0.1), Motion: Dynamic, Mass: 1, Restitution: 1,
		Position: mgl32.Vec3{0, 0.2, 0}, Velocity: mgl32.Vec3{0, -12, 0}})
	if got := phases(t, w, ground, b, 2); got != "be." {
		t.Errorf("a quick bounce gives %s", got)
	}
}

func TestTrigger(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	d := NewBodyDesc(Static, Box(mgl32.Vec3{1, 1, 1}))
	d.Trigger = true
	zone := add(t, w, d)
	ball := BodyDesc{Shape: Sphere(0.2), Motion: Dynamic, Mass: 1, Position: mgl32.Vec3{0, 3, 0}}
	b := add(t, w, ball)
	got := strings.Trim(phases(t, w, zone, b, 120), ".")
	if !strings.HasPrefix(got, "bs") || !strings.HasSuffix(got, "se") {
		t.Errorf("falling through gives %s", got)
	}
	v, _, _ := w.Velocity(b)
	near(t, "velocity below it", v[1], -9.81*2, 0.05)

	// A kinematic character walks in and out, though it is not dynamic.
	k := NewBodyDesc(Kinematic, Capsule(0.3, 1))
	k.Position = mgl32.Vec3{-4, 0, 0}
	walker := add(t, w, k)
	var seen strings.Builder
	for i := range 100 {
		if err := w.SetKinematic([]Transform{{Body: walker, Position: mgl32.Vec3{-4 + float32(i)*0.08, 0, 0}}}); err != nil {
			t.Fatal(err)
		}
		seen.WriteString(phases(t, w, zone, walker, 1))
	}
	if got := strings.Trim(seen.String(), "."); !strings.HasPrefix(got, "bs") || !strings.HasSuffix(got, "se") {
		t.Errorf("walking through gives %s", got)
	}
	if s := where(t, w, zone).State; !s.Has(StateTrigger|StateStatic) || s.Has(StateTouching) {
		t.Errorf("the zone's state is %b", s)
	}
}

func TestRays(t *testing.T) {
	w := newWorld(t, Config{})
	turned := NewBodyDesc(Static, Box(mgl32.Vec3{1, 1, 1}))
	turned.Rotation = mgl32.QuatRotate(math.Pi/4, mgl32.Vec3{0, 1, 0})
	box := add(t, w, turned)
	ball := NewBodyDesc(Static, Sphere(0.5))
	ball.Position = mgl32.Vec3{10, 0, 0}
	sphere := add(t, w, ball)
	ground := NewBodyDesc(Static, Plane(mgl32.Vec3{0, 2, 0}))
	ground.Position = mgl32.Vec3{0, -3, 0}
	plane := add(t, w, ground)
	zone := NewBodyDesc(Static, Sphere(1))
	zone.Position, zone.Trigger = mgl32.Vec3{20, 0, 0}, true
	trigger := add(t, w, zone)

	root2 := float32(math.Sqrt2)
	up := mgl32.Vec3{0, 1, 0}
	for _, c := range []struct {
		name          string
		ray           Ray
		body          Body
		point, normal mgl32.Vec3
	}{
		{"box from above", Ray{From: mgl32.Vec3{0.1, 5, 0.2}, To: mgl32.Vec3{0.1, -5, 0.2}}, box, mgl32.Vec3{0.1, 1, 0.2}, up},
		{"box's turned side", Ray{From: mgl32.Vec3{5, 0, 5}, To: mgl32.Vec3{0, 0, 0}}, box, mgl32.Vec3{root2 / 2, 0, root2 / 2}, mgl32.Vec3{root2 / 2, 0, root2 / 2}},
		{"sphere", Ray{From: mgl32.Vec3{10, 0, 7}, To: mgl32.Vec3{10, 0, -7}}, sphere, mgl32.Vec3{10, 0, 0.5}, mgl32.Vec3{0, 0, 1}},
		{"plane", Ray{From: mgl32.Vec3{5, 3, 5}, To: mgl32.Vec3{5, -9, 5}}, plane, mgl32.Vec3{5, -3, 5}, up},
		{"plane, long and aslant", Ray{From: mgl32.Vec3{-100, 97, 50}, To: mgl32.Vec3{100, -103, 50}}, plane, mgl32.Vec3{0, -3, 50}, up},
		{"beyond the ignored box", Ray{From: mgl32.Vec3{0, 5, 0}, To: mgl32.Vec3{0, -5, 0}, Ignore: box}, plane, mgl32.Vec3{0, -3, 0}, up},
		{"trigger passed", Ray{From: mgl32.Vec3{20, 5, 0}, To: mgl32.Vec3{20, -5, 0}}, plane, mgl32.Vec3{20, -3, 0}, up},
		{"trigger asked for", Ray{From: mgl32.Vec3{20, 5, 0}, To: mgl32.Vec3{20, -5, 0}, Triggers: true}, trigger, mgl32.Vec3{20, 1, 0}, up},
		{"too short", Ray{From: mgl32.Vec3{0, 5, 0}, To: mgl32.Vec3{0, 1.1, 0}}, 0, mgl32.Vec3{}, mgl32.Vec3{}},
		{"away", Ray{From: mgl32.Vec3{0, 5, 0}, To: mgl32.Vec3{0, 50, 0}}, 0, mgl32.Vec3{}, mgl32.Vec3{}},
		{"no length", Ray{From: mgl32.Vec3{0, 5, 0}, To: mgl32.Vec3{0, 5, 0}}, 0, mgl32.Vec3{}, mgl32.Vec3{}},
	} {
		h, ok, err := w.RayCast(c.ray)
		if err != nil {
			t.Fatal(err)
		}
		if h.Body != c.body || ok != (c.body != 0) {
			t.Errorf("%s: hits body %x, want %x", c.name, h.Body, c.body)
			continue
		}
		if d := h.Point.Sub(c.point).Len(); d > 2e-3 {
			t.Errorf("%s: hits %v, want %v", c.name, h.Point, c.point)
		}
		if d := h.Normal.Sub(c.normal).Len(); d > 1e-2 {
			t.Errorf("%s: normal %v, want %v", c.name, h.Normal, c.normal)
		}
		if want := c.ray.From.Lerp(c.ray.To, h.Fraction); ok && h.Point.Sub(want).Len() > 1e-3 {
			t.Errorf("%s: fraction %v does not lead to %v", c.name, h.Fraction, h.Point)
		}
	}

	if err := w.RayCasts(make([]Ray, 2), make([]Hit, 1)); err == nil {
		t.Error("too little room for hits is not an error")
	}
	bad := []Ray{{}, {To: mgl32.Vec3{0, float32(math.Inf(1)), 0}}}
	if err := w.RayCasts(bad, make([]Hit, 2)); err == nil || !strings.Contains(err.Error(), "rays[1]") {
		t.Errorf("an infinite ray: %v", err)
	}
}
