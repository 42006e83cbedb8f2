package scene

import (
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

func newScene(t testing.TB) *Scene {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

func names(s *Scene) []string {
	var out []string
	for e := range s.All() {
		out = append(out, e.Name)
	}
	return out
}

func near(a, b mgl32.Vec3, by float32) bool { return a.Sub(b).Len() <= by }

func turn(degrees float32, axis mgl32.Vec3) mgl32.Quat {
	return mgl32.QuatRotate(mgl32.DegToRad(degrees), axis)
}

func TestChildrenMoveWithTheirParents(t *testing.T) {
	s := newScene(t)
	a := s.Spawn("a", nil)
	b := s.Spawn("b", a)
	c := s.Spawn("c", b)
	a.Local.Translation = mgl32.Vec3{1, 0, 0}
	a.Local.Rotation = turn(90, mgl32.Vec3{0, 1, 0}) // +X to -Z
	a.Local.Scale = mgl32.Vec3{2, 2, 2}
	b.Local.Translation = mgl32.Vec3{3, 0, 0}
	c.Local.Translation = mgl32.Vec3{0, 1, 0}
	s.UpdateWorld()
	if at := c.WorldPosition(); !near(at, mgl32.Vec3{1, 2, -6}, 1e-5) {
		t.Errorf("c stands at %v", at)
	}
	if a.Parent() != nil || c.Parent() != b {
		t.Error("parents are wrong")
	}
	b.Hidden = true
	s.UpdateWorld()
	if !a.Visible() || b.Visible() || c.Visible() {
		t.Error("hiding b must hide b and c alone")
	}
}

func TestEntitiesAreNumberedAndFound(t *testing.T) {
	s := newScene(t)
	a := s.Spawn("door", nil)
	b := s.Spawn("door", nil)
	if a.ID() != 1 || b.ID() != 2 || s.Find("door") != a || s.Find("window") != nil || s.Len() != 2 {
		t.Errorf("ids %d %d, found %v, %d entities", a.ID(), b.ID(), s.Find("door"), s.Len())
	}
	s.Remove(a)
	if c := s.Spawn("new", nil); c.ID() != 3 {
		t.Errorf("number %d was used twice", c.ID())
	}
	if s.Find("door") != b {
		t.Error("the second door is not found")
	}
}

func TestRemoveTakesTheSubtree(t *testing.T) {
	s := newScene(t)
	a := s.Spawn("a", nil)
	b := s.Spawn("b", a)
	s.Spawn("c", nil)
	camera := s.Spawn("camera", b)
	camera.Camera = DefaultCamera()
	s.Camera = camera
	b.Collider = NewCollider(physics.Sphere(1))
	runs := &updates{}
	b.Scripts = []any{runs}
	step(t, s, 1)
	if s.World().Len() != 1 || runs.n != 1 {
		t.Fatalf("%d bodies, %d runs", s.World().Len(), runs.n)
	}
	s.Remove(a)
	if got := names(s); !slices.Equal(got, []string{"c"}) {
		t.Errorf("left are %v", got)
	}
	if s.Camera != nil {
		t.Error("a camera that was removed is still seen through")
	}
	step(t, s, 1)
	if s.World().Len() != 0 || runs.n != 1 || b.PhysicsBody() != 0 {
		t.Errorf("%d bodies, %d runs, body %d", s.World().Len(), runs.n, b.PhysicsBody())
	}
	s.Remove(a) // twice is harmless
	if s.Len() != 1 {
		t.Errorf("%d entities", s.Len())
	}
}

func TestLookAt(t *testing.T) {
	s := newScene(t)
	parent := s.Spawn("parent", nil)
	parent.Local.Translation = mgl32.Vec3{5, 1, 2}
	parent.Local.Rotation = turn(70, mgl32.Vec3{1, 1, 0}.Normalize())
	for _, target := range []mgl32.Vec3{{0, 0, 0}, {3, 9, 3}, {3, -9, 3}, {3, 4, -20}} {
		e := s.Spawn("eye", parent)
		s.UpdateWorld()
		eye := mgl32.Vec3{3, 4, 3}
		e.LookAt(eye, target)
		s.UpdateWorld()
		if !near(e.WorldPosition(), eye, 1e-4) {
			t.Errorf("stands at %v", e.WorldPosition())
		}
		ahead := mgl32.TransformNormal(mgl32.Vec3{0, 0, -1}, e.World()).Normalize()
		if !near(ahead, target.Sub(eye).Normalize(), 1e-4) {
			t.Errorf("to %v: looks along %v", target, ahead)
		}
		// In view space the target lies straight ahead, on -Z.
		v := mgl32.TransformCoordinate(target, e.View())
		if !near(v, mgl32.Vec3{0, 0, -target.Sub(eye).Len()}, 1e-3) {
			t.Errorf("to %v: the view has it at %v", target, v)
		}
	}
}

// step runs a frame's phases n times.
func step(t testing.TB, s *Scene, n int) {
	t.Helper()
	for range n {
		if err := s.RunScripts(1.0 / 60); err != nil {
			t.Fatal(err)
		}
		if err := s.StepPhysics(1.0 / 60); err != nil {
			t.Fatal(err)
		}
		if err := s.Animate(1.0 / 60); err != nil {
			t.Fatal(err)
		}
	}
}
