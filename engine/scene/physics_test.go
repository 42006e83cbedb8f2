package scene

import (
	"math"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

// body spawns an entity with a collider and, where it moves, a body.
func body(s *Scene, name string, parent *Entity, motion physics.Motion, shape physics.Shape, at mgl32.Vec3) *Entity {
	e := s.Spawn(name, parent)
	e.Local.Translation = at
	e.Collider = NewCollider(shape)
	if motion != physics.Static {
		e.Body = &RigidBody{Motion: motion, Mass: 1}
	}
	return e
}

// A body below a parent that is moved, turned and scaled falls straight down in
// the world and comes to rest on the ground.
func TestADynamicBodyFallsBelowATurnedParent(t *testing.T) {
	s := newScene(t)
	body(s, "ground", nil, physics.Static, physics.Plane(mgl32.Vec3{0, 1, 0}), mgl32.Vec3{})
	parent := s.Spawn("parent", nil)
	parent.Local.Translation = mgl32.Vec3{4, 3, 0}
	parent.Local.Rotation = turn(90, mgl32.Vec3{0, 0, 1})
	parent.Local.Scale = mgl32.Vec3{2, 2, 2}
	box := body(s, "box", parent, physics.Dynamic, physics.Box(mgl32.Vec3{0.5, 0.25, 0.5}), mgl32.Vec3{1, 0, 0})
	box.Local.Rotation = turn(-90, mgl32.Vec3{0, 0, 1}) // level in the world
	s.UpdateWorld()
	start := box.WorldPosition()
	if !near(start, mgl32.Vec3{4, 5, 0}, 1e-5) {
		t.Fatalf("starts at %v", start)
	}
	step(t, s, 20)
	at := box.WorldPosition()
	// Free fall over 20 steps of 1/60 s; Bullet's Euler steps go a bit further.
	fallen := start[1] - at[1]
	if math.Abs(float64(fallen)-0.5*9.81/9) > 0.06 || math.Abs(float64(at[0]-4)) > 1e-3 {
		t.Errorf("fell by %v m to %v", fallen, at)
	}
	step(t, s, 200)
	if at := box.WorldPosition(); !near(at, mgl32.Vec3{4, 0.25, 0}, 0.02) {
		t.Errorf("rests at %v", at)
	}
	if !near(box.Local.Scale, mgl32.Vec3{1, 1, 1}, 0) {
		t.Errorf("its scale became %v", box.Local.Scale)
	}
}

// Two bodies, one the other's child, each fall as if alone: the child is placed
// against where its parent is now, not where it was.
func TestABodyBelowABodyFallsAlone(t *testing.T) {
	s := newScene(t)
	up := body(s, "up", nil, physics.Dynamic, physics.Sphere(0.2), mgl32.Vec3{0, 10, 0})
	down := body(s, "down", up, physics.Dynamic, physics.Sphere(0.2), mgl32.Vec3{3, 0, 0})
	for range 30 {
		step(t, s, 1)
		if d := down.WorldPosition().Sub(up.WorldPosition()); !near(d, mgl32.Vec3{3, 0, 0}, 1e-3) {
			t.Fatalf("they are %v apart", d)
		}
	}
	if up.WorldPosition()[1] > 9.5 {
		t.Error("nothing fell")
	}
}

func TestAKinematicBodyFollowsItsEntityAndPushes(t *testing.T) {
	s := newScene(t)
	if err := s.World().SetGravity(mgl32.Vec3{}); err != nil {
		t.Fatal(err)
	}
	arm := s.Spawn("arm", nil)
	pusher := body(s, "pusher", arm, physics.Kinematic, physics.Box(mgl32.Vec3{0.5, 0.5, 0.5}), mgl32.Vec3{})
	ball := body(s, "ball", nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{2, 0, 0})
	for range 60 {
		arm.Local.Translation[0] += 0.03
		step(t, s, 1)
	}
	if !near(pusher.WorldPosition(), mgl32.Vec3{1.8, 0, 0}, 1e-4) {
		t.Errorf("the pusher is at %v", pusher.WorldPosition())
	}
	for _, c := range s.Colliders() {
		if c.State.Has(physics.StateKinematic) && !near(c.Position, pusher.WorldPosition(), 1e-3) {
			t.Errorf("its body is at %v", c.Position)
		}
	}
	if x := ball.WorldPosition()[0]; x < 2.7 {
		t.Errorf("the ball was pushed to %v", x)
	}
}

func TestAColliderStandsAtItsOffset(t *testing.T) {
	s := newScene(t)
	body(s, "ground", nil, physics.Static, physics.Plane(mgl32.Vec3{0, 1, 0}), mgl32.Vec3{})
	// A man's origin is at his feet, his capsule's at its middle.
	man := body(s, "man", nil, physics.Dynamic, physics.Capsule(0.3, 1.2), mgl32.Vec3{0, 0.5, 0})
	man.Collider.Offset = mgl32.Vec3{0, 0.9, 0}
	still := body(s, "still", nil, physics.Static, physics.Sphere(0.1), mgl32.Vec3{5, 0, 0})
	still.Collider.Offset = mgl32.Vec3{1, 0, 0}
	still.Local.Rotation = turn(90, mgl32.Vec3{0, 1, 0})
	step(t, s, 1)
	for _, c := range s.Colliders() {
		want := mgl32.Vec3{0, 0, 0}
		switch {
		case c.Shape.Kind == physics.CapsuleShape:
			want = man.WorldPosition().Add(mgl32.Vec3{0, 0.9, 0})
		case c.Shape.Kind == physics.SphereShape:
			want = mgl32.Vec3{5, 0, -1}
		}
		if !near(c.Position, want, 0.02) {
			t.Errorf("%v is at %v, want %v", c.Shape.Kind, c.Position, want)
		}
	}
	step(t, s, 90)
	if y := man.WorldPosition()[1]; math.Abs(float64(y)) > 0.02 {
		t.Errorf("his feet stand at %v m", y)
	}
}

func TestReplacedComponentsMakeANewBody(t *testing.T) {
	s := newScene(t)
	e := body(s, "e", nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{0, 5, 0})
	step(t, s, 10)
	first := e.PhysicsBody()
	step(t, s, 1)
	if e.PhysicsBody() != first {
		t.Error("nothing changed, and there is a new body")
	}
	e.Collider = NewCollider(physics.Box(mgl32.Vec3{1, 1, 1}))
	step(t, s, 1)
	if e.PhysicsBody() == first || s.World().Len() != 1 {
		t.Errorf("the old body stayed: %d bodies", s.World().Len())
	}
	if c := s.Colliders(); len(c) != 1 || c[0].Shape.Kind != physics.BoxShape {
		t.Errorf("colliders %v", c)
	}
	high := e.WorldPosition()[1]
	e.Body = nil // an obstacle from now on
	step(t, s, 10)
	if e.WorldPosition()[1] != high {
		t.Error("a static body fell")
	}
	e.Collider = nil
	step(t, s, 1)
	if s.World().Len() != 0 || e.PhysicsBody() != 0 {
		t.Error("its body stayed")
	}
}

func TestAWrongColliderIsToldOnceWithItsEntity(t *testing.T) {
	s := newScene(t)
	body(s, "flat", nil, physics.Static, physics.Sphere(-1), mgl32.Vec3{})
	good := body(s, "good", nil, physics.Dynamic, physics.Sphere(1), mgl32.Vec3{0, 9, 0})
	err := s.StepPhysics(0.1)
	if err == nil || !strings.Contains(err.Error(), "entity flat") {
		t.Errorf("%v", err)
	}
	if err := s.StepPhysics(0.1); err != nil {
		t.Errorf("told twice: %v", err)
	}
	if good.WorldPosition()[1] >= 9 {
		t.Error("the good body did not fall")
	}
}

func TestAPlaceThatIsNotFiniteIsItsEntitysAlone(t *testing.T) {
	s := newScene(t)
	lost := body(s, "lost", nil, physics.Kinematic, physics.Sphere(1), mgl32.Vec3{})
	other := body(s, "other", nil, physics.Kinematic, physics.Sphere(1), mgl32.Vec3{9, 0, 0})
	step(t, s, 1)
	lost.Local.Translation[1] = float32(math.NaN())
	other.Local.Translation[0] = 12
	if err := s.StepPhysics(0.1); err == nil || !strings.Contains(err.Error(), "entity lost") {
		t.Errorf("%v", err)
	}
	for _, c := range s.Colliders() {
		if c.Body == other.PhysicsBody() && !near(c.Position, mgl32.Vec3{12, 0, 0}, 1e-3) {
			t.Errorf("the other is at %v", c.Position)
		}
	}
	lost.Local.Translation[1] = 0
	step(t, s, 2)
}

// Whoever moves a dynamic body's entity moves the body.
func TestADynamicBodyIsPutWhereItsEntityIsSet(t *testing.T) {
	s := newScene(t)
	e := body(s, "e", nil, physics.Dynamic, physics.Sphere(0.5), mgl32.Vec3{0, 5, 0})
	step(t, s, 30)
	speed, _, err := s.World().Velocity(e.PhysicsBody())
	if err != nil {
		t.Fatal(err)
	}
	e.Local.Translation = mgl32.Vec3{7, 50, 0}
	step(t, s, 1)
	if at := e.WorldPosition(); !near(at, mgl32.Vec3{7, 50, 0}, 0.2) {
		t.Errorf("it is at %v", at)
	}
	now, _, err := s.World().Velocity(e.PhysicsBody())
	if err != nil || now[1] > speed[1] {
		t.Errorf("its speed was %v and is %v, %v", speed, now, err)
	}
}

func TestABodyOfTheProgramsOwnMovesNoEntity(t *testing.T) {
	s := newScene(t)
	if _, err := s.World().Add(physics.NewBodyDesc(physics.Dynamic, physics.Sphere(1))); err != nil {
		t.Fatal(err)
	}
	e := body(s, "e", nil, physics.Dynamic, physics.Sphere(1), mgl32.Vec3{0, 0.5, 0})
	h := &contacts{}
	e.Scripts = []any{h}
	step(t, s, 3)
	if len(h.seen) == 0 || h.seen[0].Other != nil {
		t.Errorf("contacts %v", h.seen)
	}
}
