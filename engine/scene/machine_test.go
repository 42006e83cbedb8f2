package scene

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// driven is an entity of the swinging model whose machine goes once "go" is set.
func driven(t *testing.T, s *Scene, every int) *Entity {
	t.Helper()
	m := swinging()
	rest := &animation.Clip{Name: "rest"}
	walk, err := animation.WalkRoot(&animation.Clip{Name: "walk", Duration: 1, Speed: 2}, m.Skeleton, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := machine.Load([]byte(`{
		"parameters": [{"name": "go", "type": "bool"}, {"name": "halt", "type": "trigger"}],
		"layers": [{"name": "body", "machine": {"start": "rest",
			"states": [{"name": "rest", "clip": "rest"}, {"name": "walk", "clip": "walk"}],
			"transitions": [
				{"from": "rest", "to": "walk", "when": [{"parameter": "go"}]},
				{"from": "*", "to": "rest", "when": [{"parameter": "halt"}]}]}}]}`),
		m.Skeleton, []*animation.Clip{rest, walk})
	if err != nil {
		t.Fatal(err)
	}
	e := s.SpawnModel("e", m, nil)
	e.DriveBy(d, every)
	e.RootMotion = true
	return e
}

// A script's parameter starts the walk, and root motion moves the entity the way
// that it looks, at the speed of its clip, at whatever rate its machine is asked.
func TestRootMotionMovesTheEntity(t *testing.T) {
	for _, every := range []int{1, 4} {
		s := newScene(t)
		e := driven(t, s, every)
		e.Local.Rotation = mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{0, 1, 0}) // towards +X
		e.Scripts = []any{lua(t, `
			function start() entity:set_param("go", true) end
			function update() if time() > 2 then entity:set_param("go", false) entity:fire("halt") end end`)}
		at := [3]mgl32.Vec3{}
		for i := range 180 {
			step := func(f func(float32) error) {
				if err := f(1.0 / 60); err != nil {
					t.Fatal(err)
				}
			}
			step(s.RunScripts)
			step(s.Animate)
			at[i/60] = e.WorldPosition()
		}
		if d := at[1].Sub(at[0]).Sub(mgl32.Vec3{2, 0, 0}).Len(); d > 0.01 {
			t.Errorf("every %d: from the first to the second second it went %v, want 2 m along +X", every, at[1].Sub(at[0]))
		}
		if d := at[2].Sub(at[1]).Len(); d > 0.2 {
			t.Errorf("every %d: it was halted and went %v m on", every, d)
		}
	}
}

// What is attached is where the joint is in the same frame, also turned, scaled
// and moved by root motion, and not where it was.
func TestAnAttachmentFollowsInTheSameFrame(t *testing.T) {
	s := newScene(t)
	e := s.SpawnModel("e", swinging(), nil)
	e.Local.Translation, e.Local.Scale = mgl32.Vec3{3, 1, 2}, mgl32.Vec3{2, 2, 2}
	e.Local.Rotation = mgl32.QuatRotate(1, mgl32.Vec3{0, 0, 1})
	if err := e.Animator.PlayName("go", 0); err != nil {
		t.Fatal(err)
	}
	thing := s.Spawn("thing", e)
	thing.Local.Translation = mgl32.Vec3{0, 0.5, 0}
	if err := thing.Attach("nothing"); err == nil {
		t.Error("it hangs on a joint that is not there")
	}
	if err := thing.Attach("a"); err != nil {
		t.Fatal(err)
	}
	last := mgl32.Vec3{}
	for range 5 {
		if err := s.StepPhysics(0.1); err != nil {
			t.Fatal(err)
		}
		if err := s.Animate(0.1); err != nil {
			t.Fatal(err)
		}
		hand := e.World().Mul4(e.Animator.Model()[0])
		for i, want := range hand.Mul4(thing.Local.Mat4()) {
			if math.Abs(float64(thing.World()[i]-want)) > 1e-5 {
				t.Fatalf("element %d of its matrix is %v, and of the joint's %v", i, thing.World()[i], want)
			}
		}
		if thing.WorldPosition() == last {
			t.Fatal("it does not move")
		}
		last = thing.WorldPosition()
	}
	if err := s.Spawn("lone", nil).Attach("a"); err == nil {
		t.Error("it hangs on nobody")
	}
}

// An edited machine goes on where the entity was.
func TestAdopt(t *testing.T) {
	s := newScene(t)
	e := driven(t, s, 3)
	if err := e.Machine().SetBool("go", true); err != nil {
		t.Fatal(err)
	}
	if err := s.Animate(0.1); err != nil {
		t.Fatal(err)
	}
	g := e.Machine().Definition().Graph().Clone()
	g.Layers[0].Machine.Transitions[0].Duration = 0.7
	d, err := machine.Compile(g, e.Animator.Skeleton(), []*animation.Clip{{Name: "rest"}, {Name: "walk", Duration: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Adopt(d); err != nil {
		t.Fatal(err)
	}
	if m := e.Machine(); m.Definition() != d || m.Value("go") != 1 {
		t.Errorf("it runs %p with go %v", m.Definition(), m.Value("go"))
	}
	if err := s.Spawn("plain", nil).Adopt(d); err == nil {
		t.Error("an entity without a machine adopted one")
	}
}
