package scene

import (
	"fmt"
	"math"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

func mannequin(t testing.TB) *assets.Model {
	t.Helper()
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lowest is how high an entity's lowest vertex is over some ground.
func lowest(t testing.TB, e *Entity, over func(at mgl32.Vec3) float32) float32 {
	t.Helper()
	least := float32(math.Inf(1))
	err := e.Mesh.Model.Evaluate(e.Animator.Pose(), func(_, _, _ int, ps []mgl32.Vec3) {
		for _, p := range ps {
			at := mgl32.TransformCoordinate(p, e.World())
			least = min(least, at[1]-over(at))
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// A crowd walks by root motion over a ramp that only rays know, its feet on it.
func TestAWalkerStandsOnWhatRaysMeet(t *testing.T) {
	s := newScene(t)
	ramp := s.Spawn("ramp", nil)
	ramp.Collider = NewCollider(physics.Box(mgl32.Vec3{40, 1, 40}))
	tilt := mgl32.DegToRad(12)
	ramp.Local.Rotation = mgl32.QuatRotate(tilt, mgl32.Vec3{1, 0, 0})
	over := func(at mgl32.Vec3) float32 { // the box's top face
		sin, cos := math.Sincos(float64(tilt))
		return float32((1 - float64(at[2])*sin) / cos)
	}
	m := mannequin(t)
	walk, err := animation.WalkRoot(m.Clips[1], m.Skeleton, int32(m.Skeleton.Joint("root")))
	if err != nil {
		t.Fatal(err)
	}
	step(t, s, 1)
	var list []*Entity
	for i := range 34 { // a crowd, over all cores
		stage := s.Spawn("stage", nil)
		stage.Local.Translation = mgl32.Vec3{float32(i%6) * 2, 0.3, float32(i / 6)}
		stage.Local.Rotation = mgl32.QuatRotate(float32(i), mgl32.Vec3{0, 1, 0})
		e := s.Spawn(fmt.Sprint("walker ", i), stage)
		e.Mesh = &MeshRenderer{Model: m}
		e.Animator = animation.NewAnimator(m.Skeleton, m.Skins, []*animation.Clip{walk})
		e.RootMotion = true
		if err := e.Animator.PlayIndex(0, 0); err != nil {
			t.Fatal(err)
		}
		e.Local.Translation[1] = over(stage.Local.Translation)
		rays := s.World().Ground(0)
		rays.Above, rays.Below = 1.5, 3
		stance, err := e.Stand(rays)
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			stance.Feet = ground.NewFootIK(stance.Soles())
		}
		list = append(list, e)
	}
	for i := range 90 {
		step(t, s, 1)
		for _, e := range list[:4] {
			if h := lowest(t, e, over); i > 10 && abs(h) > 0.01 {
				t.Fatalf("frame %d: %s is %.1f mm over the ramp", i, e.Name, 1000*h)
			}
			at := e.WorldPosition()
			if i > 10 && abs(at[1]-over(at)) > 0.02 {
				t.Fatalf("frame %d: %s does not follow: %v m over the ramp", i, e.Name, at[1]-over(at))
			}
		}
	}
	if d := list[0].WorldPosition().Sub(mgl32.Vec3{0, 0.3, 0}).Len(); d < 1 {
		t.Errorf("it walked %v m only", d)
	}
}

func abs(x float32) float32 { return max(x, -x) }

func TestStandComposesWithOtherModifiers(t *testing.T) {
	s := newScene(t)
	m := mannequin(t)
	e := s.SpawnModel("one", m, nil)
	calls := 0
	e.Animator.Modify(modifier(func() { calls++ }))
	for range 3 { // again and again: one stance
		if _, err := e.Stand(ground.Flat(2)); err != nil {
			t.Fatal(err)
		}
	}
	step(t, s, 1)
	if calls != 1 || len(e.Animator.Modifier().(animation.Modifiers)) != 2 {
		t.Errorf("%d calls, modifiers %v", calls, e.Animator.Modifier())
	}
	if h := lowest(t, e, func(mgl32.Vec3) float32 { return 2 }); abs(h) > 1e-3 {
		t.Errorf("it is %v m over the ground", h)
	}
	if n := testing.AllocsPerRun(20, func() { _ = s.Animate(1.0 / 60) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	e.Animator.Modify(animation.Modifiers{e.Animator.Modifier(), modifier(func() {})})
	next, err := e.Stand(ground.Flat(3)) // and among modifiers within others
	if err != nil {
		t.Fatal(err)
	}
	outer := e.Animator.Modifier().(animation.Modifiers)
	if inner := outer[0].(animation.Modifiers); len(outer) != 2 || len(inner) != 2 || inner[1] != animation.Modifier(next) {
		t.Errorf("modifiers %v", outer)
	}
	if _, err := s.Spawn("nothing", nil).Stand(ground.Flat(0)); err == nil {
		t.Error("what has no mesh stands")
	}
	box := s.SpawnModel("joint", swinging(), nil)
	if _, err := box.Stand(ground.Flat(0)); err == nil {
		t.Error("what has no feet stands")
	}
}

type modifier func()

func (m modifier) Modify(float32, *animation.Animator) error { m(); return nil }

// Standing takes three lines.
func ExampleEntity_Stand() {
	s, err := New()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	data, _ := demoassets.Files.ReadFile("mannequin.glb")
	model, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	hero := s.SpawnModel("hero", model, nil)

	hills := ground.Func(func(x, z float32) float32 { return 1 + 0.2*x })
	stance, err := hero.Stand(hills)
	if err != nil {
		fmt.Println(err)
		return
	}
	stance.Feet = ground.NewFootIK(stance.Soles()) // and both feet meet the slope

	for range 30 {
		if err := s.Animate(1.0 / 60); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Printf("the entity is at %.2f m, its lowest sole %.0f mm over the ground\n", hero.WorldPosition()[1], abs(1000*stance.Clearance))
	// Output: the entity is at 1.00 m, its lowest sole 0 mm over the ground
}
