package physics

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func TestAddNamesTheWrongField(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	half := mgl32.Vec3{1, 1, 1}
	for _, c := range []struct {
		field  string
		change func(*BodyDesc)
	}{
		{"Shape.Kind", func(d *BodyDesc) { d.Shape = Shape{} }},
		{"Shape.Kind", func(d *BodyDesc) { d.Shape.Kind = 99 }},
		{"Shape.HalfExtents[1]", func(d *BodyDesc) { d.Shape = Box(mgl32.Vec3{1, 0, 1}) }},
		{"Shape.HalfExtents[2]", func(d *BodyDesc) { d.Shape = Box(mgl32.Vec3{1, 1, -1}) }},
		{"Shape.HalfExtents[0]", func(d *BodyDesc) { d.Shape = Box(mgl32.Vec3{nan, 1, 1}) }},
		{"Shape.Radius", func(d *BodyDesc) { d.Shape = Sphere(0) }},
		{"Shape.Radius", func(d *BodyDesc) { d.Shape = Sphere(inf) }},
		{"Shape.Radius", func(d *BodyDesc) { d.Shape = Capsule(-1, 1) }},
		{"Shape.Height", func(d *BodyDesc) { d.Shape = Capsule(1, nan) }},
		{"Shape.Height", func(d *BodyDesc) { d.Shape = Capsule(1, 0) }},
		{"Shape.Normal", func(d *BodyDesc) { d.Shape, d.Motion = Plane(mgl32.Vec3{}), Static }},
		{"Shape.Normal", func(d *BodyDesc) { d.Shape, d.Motion = Plane(mgl32.Vec3{0, nan, 0}), Static }},
		{"Motion", func(d *BodyDesc) { d.Motion = 9 }},
		{"Motion", func(d *BodyDesc) { d.Shape = Plane(mgl32.Vec3{0, 1, 0}) }},
		{"Position[2]", func(d *BodyDesc) { d.Position[2] = nan }},
		{"Rotation", func(d *BodyDesc) { d.Rotation.W = inf }},
		{"Rotation", func(d *BodyDesc) { d.Rotation.V[1] = nan }},
		{"Mass", func(d *BodyDesc) { d.Mass = 0 }},
		{"Mass", func(d *BodyDesc) { d.Mass = -1 }},
		{"Mass", func(d *BodyDesc) { d.Mass = nan }},
		{"Friction", func(d *BodyDesc) { d.Friction = -0.1 }},
		{"Restitution", func(d *BodyDesc) { d.Restitution = nan }},
		{"LinearDamping", func(d *BodyDesc) { d.LinearDamping = 1.1 }},
		{"AngularDamping", func(d *BodyDesc) { d.AngularDamping = -1 }},
		{"Velocity[0]", func(d *BodyDesc) { d.Velocity[0] = inf }},
		{"AngularVelocity[1]", func(d *BodyDesc) { d.AngularVelocity[1] = nan }},
	} {
		d := NewBodyDesc(Dynamic, Box(half))
		c.change(&d)
		if _, err := w.Add(d); err == nil || !strings.Contains(err.Error(), c.field+" is") {
			t.Errorf("%s: the error is %v", c.field, err)
		}
	}
	if w.Len() != 0 {
		t.Errorf("refused bodies were added: %d", w.Len())
	}
}

func TestStaleBody(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	a := add(t, w, NewBodyDesc(Dynamic, Sphere(1)))
	if err := w.Remove(a); err != nil {
		t.Fatal(err)
	}
	b := add(t, w, NewBodyDesc(Dynamic, Sphere(1)))
	if a == b || a.Index() != b.Index() {
		t.Errorf("bodies %x and %x: want one slot, two numbers", a, b)
	}
	for _, stale := range []Body{a, 0, 12345} {
		if err := w.Remove(stale); !errors.Is(err, ErrNoBody) {
			t.Errorf("removing %x: %v", stale, err)
		}
		if err := w.SetVelocity(stale, mgl32.Vec3{}, mgl32.Vec3{}); !errors.Is(err, ErrNoBody) {
			t.Errorf("pushing %x: %v", stale, err)
		}
	}
	if w.Len() != 1 {
		t.Errorf("%d bodies", w.Len())
	}
}

func TestImpulse(t *testing.T) {
	w := newWorld(t, Config{})
	b := add(t, w, BodyDesc{Shape: Sphere(1), Motion: Dynamic, Mass: 2})
	if err := w.ApplyImpulse(b, mgl32.Vec3{6, 0, 0}, mgl32.Vec3{0, 1, 0}); err != nil {
		t.Fatal(err)
	}
	v, a, err := w.Velocity(b)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "velocity", v[0], 3, 1e-5)
	// ω = r × J / I, and a solid sphere's I is 2/5·m·r².
	near(t, "angular velocity", a[2], -6/(0.4*2), 1e-4)

	fixed := add(t, w, NewBodyDesc(Static, Sphere(1)))
	if err := w.ApplyImpulse(fixed, mgl32.Vec3{1, 0, 0}, mgl32.Vec3{}); !errors.Is(err, ErrMotion) {
		t.Errorf("pushing a static body: %v", err)
	}
	if err := w.SetVelocity(b, mgl32.Vec3{float32(math.NaN())}, mgl32.Vec3{}); err == nil {
		t.Error("a NaN velocity is taken")
	}
}

func TestSetVelocityWakes(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	floor(t, w)
	d := NewBodyDesc(Dynamic, Box(mgl32.Vec3{0.5, 0.5, 0.5}))
	d.Position[1] = 0.5
	b := add(t, w, d)
	step(t, w, 240)
	if s := where(t, w, b).State; !s.Has(StateAsleep) {
		t.Fatalf("state is %b, want asleep", s)
	}
	if err := w.SetVelocity(b, mgl32.Vec3{0, 5, 0}, mgl32.Vec3{}); err != nil {
		t.Fatal(err)
	}
	step(t, w, 10)
	if s := where(t, w, b); s.State.Has(StateAsleep) || s.Position[1] < 0.8 {
		t.Errorf("it stays at %v, state %b", s.Position, s.State)
	}
}

// A door that swings about its hinge pushes the box in its way ahead of it.
func TestKinematicDoorPushes(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	floor(t, w)
	door := NewBodyDesc(Kinematic, Box(mgl32.Vec3{0.5, 1, 0.05}))
	pose := func(angle float32) Transform {
		q := mgl32.QuatRotate(angle, mgl32.Vec3{0, 1, 0})
		return Transform{Rotation: q, Position: q.Rotate(mgl32.Vec3{0.5, 0, 0}).Add(mgl32.Vec3{0, 1, 0})}
	}
	at := pose(0)
	door.Position, door.Rotation = at.Position, at.Rotation
	leaf := add(t, w, door)
	box := NewBodyDesc(Dynamic, Box(mgl32.Vec3{0.2, 0.2, 0.2}))
	box.Position = mgl32.Vec3{0.7, 0.2, -0.3}
	b := add(t, w, box)
	step(t, w, 180)
	if s := where(t, w, b).State; !s.Has(StateAsleep) {
		t.Fatalf("state is %b: the box should sleep beside a door that stands still", s)
	}
	for i := range 60 {
		p := pose(float32(i) / 60 * math.Pi / 2)
		p.Body = leaf
		if err := w.SetKinematic([]Transform{p}); err != nil {
			t.Fatal(err)
		}
		step(t, w, 1)
		if i == 30 {
			_, a, _ := w.Velocity(leaf)
			near(t, "the door's angular velocity", a[1], math.Pi/2, 0.01)
		}
	}
	s := where(t, w, b)
	if s.State.Has(StateAsleep) || s.Position.Sub(box.Position).Len() < 0.3 {
		t.Errorf("the box stays at %v", s.Position)
	}
	near(t, "the door's end", where(t, w, leaf).Position[2], -0.5, 0.02)
	step(t, w, 2)
	if v, a, _ := w.Velocity(leaf); v != (mgl32.Vec3{}) || a != (mgl32.Vec3{}) {
		t.Errorf("the door stands still with velocity %v, %v", v, a)
	}
}

// A frame of several steps spreads the kinematic motion over them.
func TestKinematicOverSeveralSteps(t *testing.T) {
	w := newWorld(t, Config{FixedStep: 0.01})
	k := add(t, w, NewBodyDesc(Kinematic, Sphere(1)))
	if err := w.SetKinematic([]Transform{{Body: k, Position: mgl32.Vec3{0.4, 0, 0}}}); err != nil {
		t.Fatal(err)
	}
	if r, _ := w.Step(0.04); r.Steps != 4 {
		t.Fatalf("%+v", r)
	}
	v, _, _ := w.Velocity(k)
	near(t, "velocity", v[0], 10, 1e-3)
	near(t, "x", where(t, w, k).Position[0], 0.4, 1e-6)
}

func TestSetKinematicRefuses(t *testing.T) {
	w := newWorld(t, DefaultConfig())
	k := add(t, w, NewBodyDesc(Kinematic, Sphere(1)))
	d := add(t, w, NewBodyDesc(Dynamic, Sphere(1)))
	good := Transform{Body: k, Position: mgl32.Vec3{1, 0, 0}}
	for _, bad := range []Transform{
		{Body: d}, {}, {Body: k, Position: mgl32.Vec3{float32(math.NaN())}},
		{Body: k, Rotation: mgl32.Quat{W: float32(math.Inf(1))}},
	} {
		if err := w.SetKinematic([]Transform{good, bad}); err == nil || !strings.Contains(err.Error(), "poses[1]") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	step(t, w, 1)
	if x := where(t, w, k).Position[0]; x != 0 {
		t.Errorf("part of a refused batch moved the body to %v", x)
	}
}

func TestTeleport(t *testing.T) {
	w := newWorld(t, Config{})
	b := add(t, w, BodyDesc{Shape: Sphere(1), Motion: Dynamic, Mass: 1})
	step(t, w, 1)
	if err := w.Teleport(Transform{Body: b, Position: mgl32.Vec3{50, 0, 0}}); err != nil {
		t.Fatal(err)
	}
	if x := w.Transforms(nil)[0].Position[0]; x != 50 {
		t.Errorf("it is drawn at %v", x)
	}
	h, ok, err := w.RayCast(Ray{From: mgl32.Vec3{50, 9, 0}, To: mgl32.Vec3{50, -9, 0}})
	if err != nil || !ok || h.Body != b {
		t.Errorf("a ray does not find it: %v %v", h, err)
	}
	s := add(t, w, NewBodyDesc(Static, Sphere(1)))
	if err := w.Teleport(Transform{Body: s}); !errors.Is(err, ErrMotion) {
		t.Errorf("teleporting a static body: %v", err)
	}
}

// At 200 m/s a ball crosses a thin wall between two steps, unless swept.
func TestContinuous(t *testing.T) {
	for _, continuous := range []bool{false, true} {
		w := newWorld(t, Config{})
		add(t, w, NewBodyDesc(Static, Box(mgl32.Vec3{0.05, 5, 5})))
		d := BodyDesc{Shape: Sphere(0.1), Motion: Dynamic, Mass: 1, Position: mgl32.Vec3{-5, 0, 0}, Velocity: mgl32.Vec3{200, 0, 0}}
		d.Continuous = continuous
		b := add(t, w, d)
		step(t, w, 30)
		if x := where(t, w, b).Position[0]; (x < 0) != continuous {
			t.Errorf("continuous %v: it ends at x = %v", continuous, x)
		}
	}
}
