package ik

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// limb is a chain of n joints of a metre along +y under a root of its own, with a
// leaf at the side of each to see that branches follow.
func limb(n int, root animation.Transform) *Rig {
	s := &animation.Skeleton{Names: []string{"root"}, Parents: []int32{-1}, Rest: []animation.Transform{root}}
	up := int32(0)
	for i := range n {
		x := animation.Identity()
		if i > 0 {
			x.Translation = mgl32.Vec3{0, 1, 0}
		}
		s.Names = append(s.Names, fmt.Sprint("bone", i))
		s.Parents = append(s.Parents, up)
		s.Rest = append(s.Rest, x)
		up = int32(len(s.Parents) - 1)
		side := animation.Identity()
		side.Translation = mgl32.Vec3{0.1, 0, 0}
		s.Names, s.Parents, s.Rest = append(s.Names, "side"), append(s.Parents, up), append(s.Rest, side)
	}
	r := &Rig{Skeleton: s, Pose: animation.NewPose(s), Model: make([]mgl32.Mat4, s.Len())}
	r.Pose.ToModel(s, r.Model)
	return r
}

func bone(i int) int32 { return int32(1 + 2*i) }

// whole checks that the matrices are those of the pose, and that no bone changed
// its length.
func (r *Rig) whole(t *testing.T, length float32) {
	t.Helper()
	want := make([]mgl32.Mat4, len(r.Model))
	r.Pose.ToModel(r.Skeleton, want)
	for j := range want {
		for c := range want[j] {
			if d := want[j][c] - r.Model[j][c]; !(d < 1e-4 && d > -1e-4) {
				t.Fatalf("joint %d's matrix is not the pose's:\n%v, want\n%v", j, r.Model[j], want[j])
			}
		}
		if up := r.Skeleton.Parents[j]; up > 0 && r.Skeleton.Names[j] != "side" {
			if l := r.at(int32(j)).Sub(r.at(up)).Len(); math.Abs(float64(l-length)) > 1e-4 {
				t.Fatalf("joint %d is %v m from its parent", j, l)
			}
		}
	}
}

// roots are places of a chain's root that must not matter.
func roots() map[string]animation.Transform {
	odd := animation.Transform{Translation: mgl32.Vec3{1, -2, 3}, Rotation: mgl32.QuatRotate(1.1, mgl32.Vec3{1, 2, 3}.Normalize()), Scale: mgl32.Vec3{1, 1, 1}}
	small, mirrored := odd, odd
	small.Scale = mgl32.Vec3{0.01, 0.01, 0.01}
	mirrored.Scale = mgl32.Vec3{-1, 1, 1}
	return map[string]animation.Transform{"plain": animation.Identity(), "moved": odd, "small": small, "mirrored": mirrored}
}

func TestTwoBoneReaches(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for name, root := range roots() {
		size := root.Scale[1]
		for range 200 {
			r := limb(3, root)
			for i := range 3 { // from any pose
				r.turn(bone(i), mgl32.QuatRotate(2*rnd.Float32()-1, mgl32.Vec3{rnd.Float32() - 0.5, rnd.Float32() - 0.5, rnd.Float32() - 0.5}.Normalize()))
			}
			r.Pose.ToModel(r.Skeleton, r.Model)
			dir := mgl32.Vec3{rnd.Float32() - 0.5, rnd.Float32() - 0.5, rnd.Float32() - 0.5}.Normalize()
			start := r.at(bone(0))
			pole := start.Add(mgl32.Vec3{rnd.Float32() - 0.5, rnd.Float32() - 0.5, rnd.Float32() - 0.5}.Mul(size))
			job := TwoBone{Rig: *r, Start: bone(0), Mid: bone(1), End: bone(2), Weight: 1,
				Target: start.Add(dir.Mul(size * (0.05 + 1.9*rnd.Float32()))), Pole: pole, HasPole: true}
			if err := job.Run(); err != nil {
				t.Fatal(err)
			}
			if d := r.at(bone(2)).Sub(job.Target).Len(); d > 2e-3*size || !job.Reached {
				t.Fatalf("%s: ends %v m from the target, reached %v", name, d, job.Reached)
			}
			// The knee lies on the pole's side of the line to the target.
			knee, side := across(r.at(bone(1)).Sub(start), dir), across(pole.Sub(start), dir)
			if knee.Len() > 0.02*size && side.Len() > 0.02*size && knee.Normalize().Dot(side.Normalize()) < 0.999 {
				t.Fatalf("%s: the knee points to %v, the pole is at %v", name, knee, side)
			}
			r.whole(t, size)
		}
	}
}

func TestTwoBoneByHand(t *testing.T) {
	run := func(job TwoBone) (*Rig, TwoBone) {
		r := limb(3, animation.Identity())
		job.Rig, job.Start, job.Mid, job.End = *r, bone(0), bone(1), bone(2)
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		r.whole(t, 1)
		return r, job
	}
	// A straight leg bends at the hinge's side; a right angle at the knee.
	r, _ := run(TwoBone{Target: mgl32.Vec3{0, math.Sqrt2, 0}, Hinge: mgl32.Vec3{1, 0, 0}, Weight: 1})
	if knee := r.at(bone(1)); math.Abs(float64(knee[1])-math.Sqrt2/2) > 1e-4 || math.Abs(float64(knee[2])+math.Sqrt2/2) > 1e-4 {
		t.Errorf("the knee is at %v", knee)
	}
	// Out of reach it points there, straight.
	r, job := run(TwoBone{Target: mgl32.Vec3{3, 0, 0}, Weight: 1})
	if end := r.at(bone(2)); end.Sub(mgl32.Vec3{2, 0, 0}).Len() > 2e-3 || job.Reached {
		t.Errorf("the end is at %v, reached %v", end, job.Reached)
	}
	// Half of the weight, half of the turn.
	r, _ = run(TwoBone{Target: mgl32.Vec3{2, 0, 0}, Weight: 0.5})
	if end := r.at(bone(2)); end.Sub(mgl32.Vec3{math.Sqrt2, math.Sqrt2, 0}).Len() > 2e-3 {
		t.Errorf("the end is at %v", end)
	}
	// Weight 0, a target at the root, and no pole at all are quiet.
	r, _ = run(TwoBone{Target: mgl32.Vec3{2, 0, 0}})
	if r.at(bone(2)) != (mgl32.Vec3{0, 2, 0}) {
		t.Error("weight 0 moved it")
	}
	r, _ = run(TwoBone{Weight: 1})
	if end := r.at(bone(2)); end.Len() > 2e-3 {
		t.Errorf("the end is at %v", end)
	}
}

// The soft limit follows exactly up to it, then lags without a kink and never
// stretches the chain.
func TestSoftLimit(t *testing.T) {
	last, slope := float32(0), float32(1)
	for d := float32(0.01); d < 6; d += 0.01 {
		x := soften(d, 2, 0.9)
		if d < 1.8 && x != d || x > 2 || x < last {
			t.Fatalf("%v goes to %v after %v", d, x, last)
		}
		if s := (x - last) / 0.01; d > 0.02 && (s > slope+1e-3 || s < slope-0.06) {
			t.Fatalf("at %v the slope falls from %v to %v", d, slope, s)
		} else if d > 0.02 {
			slope = s
		}
		last = x
	}
	r := limb(3, animation.Identity())
	job := TwoBone{Rig: *r, Start: bone(0), Mid: bone(1), End: bone(2), Weight: 1, Soft: 0.9, Target: mgl32.Vec3{1.95, 0, 0}}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	if end := r.at(bone(2)); end[0] > 1.93 || end[0] < 1.8 {
		t.Errorf("the end is at %v", end)
	}
}

func TestAim(t *testing.T) {
	for name, root := range roots() {
		r := limb(2, root)
		target, pole := mgl32.Vec3{4, 3, -2}, mgl32.Vec3{0, 50, 0}
		job := Aim{Rig: *r, Joint: bone(1), Target: target, Forward: mgl32.Vec3{0, 0, 1}, Offset: mgl32.Vec3{0.2, 0.1, 0}, Up: mgl32.Vec3{0, 1, 0}, Pole: pole, Weight: 1}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		from := mgl32.TransformCoordinate(job.Offset, r.Model[bone(1)])
		dir := mgl32.TransformNormal(job.Forward, r.Model[bone(1)]).Normalize()
		if miss := across(target.Sub(from), dir).Len(); miss > 1e-3 || !job.Reached || dir.Dot(target.Sub(from)) < 0 {
			t.Errorf("%s: the line misses by %v m", name, miss)
		}
		axis := target.Sub(r.at(bone(1))).Normalize()
		up := across(mgl32.TransformNormal(job.Up, r.Model[bone(1)]), axis).Normalize()
		if want := across(pole.Sub(r.at(bone(1))), axis).Normalize(); up.Dot(want) < 0.9999 {
			t.Errorf("%s: up is %v, want %v", name, up, want)
		}
		r.whole(t, root.Scale[1])
	}
	r := limb(2, animation.Identity())
	job := Aim{Rig: *r, Joint: bone(1), Target: mgl32.Vec3{0, 1.05, 0}, Forward: mgl32.Vec3{0, 0, 1}, Offset: mgl32.Vec3{0.2, 0, 0}, Weight: 1}
	if err := job.Run(); err != nil || job.Reached {
		t.Errorf("a target nearer than the line: reached %v, %v", job.Reached, err)
	}
}

func TestLookAt(t *testing.T) {
	for name, root := range roots() {
		r := limb(4, root)
		target := root.Translation.Add(root.Rotation.Rotate(mgl32.Vec3{1, 4, 6}.Mul(root.Scale[1])))
		chain := []Looker{{bone(1), 0.3, 1}, {bone(2), 0.4, 1}, {bone(3), 1, 2}}
		job := LookAt{Rig: *r, Chain: chain, Target: target, Forward: mgl32.Vec3{0, 0, 1}, Offset: mgl32.Vec3{0, 0.1, 0}, Weight: 1}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		if job.Left > 1e-3 {
			t.Errorf("%s: it misses by %v rad", name, job.Left)
		}
		r.whole(t, root.Scale[1])
		// Each joint has a part of the turn.
		for _, l := range chain {
			if q := r.Pose.Local[l.Joint].Rotation; math.Abs(float64(q.W)) > 0.9999 {
				t.Errorf("%s: joint %d did not turn", name, l.Joint)
			}
		}
	}
	// Limits hold, whatever the target.
	r := limb(4, animation.Identity())
	job := LookAt{Rig: *r, Chain: []Looker{{bone(1), 1, 0.2}, {bone(2), 1, 0.3}, {bone(3), 1, 0.4}},
		Target: mgl32.Vec3{0.1, 2, -9}, Forward: mgl32.Vec3{0, 0, 1}, Weight: 1}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	for _, l := range job.Chain {
		if _, a := part(r.Pose.Local[l.Joint].Rotation, 1, 9); math.Abs(float64(a-l.Limit)) > 1e-3 {
			t.Errorf("joint %d turned by %v, its limit is %v", l.Joint, a, l.Limit)
		}
	}
	if job.Left < 2 {
		t.Errorf("it says that %v rad are left", job.Left)
	}
}

func TestFabrik(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 3))
	for name, root := range roots() {
		size := root.Scale[1]
		for k := range 100 {
			r := limb(8, root)
			var chain []int32
			for i := range 8 {
				chain = append(chain, bone(i))
			}
			target := root.Translation.Add(mgl32.Vec3{rnd.Float32() - 0.5, rnd.Float32() - 0.5, rnd.Float32() - 0.5}.Normalize().Mul(size * (1 + 5.5*rnd.Float32())))
			if k == 0 { // straight ahead, where nothing gives a side to bend to
				target = root.Translation.Add(root.Rotation.Rotate(mgl32.Vec3{0, 4, 0}.Mul(size)))
			}
			job := Fabrik{Rig: *r, Chain: chain, Target: target, Points: make([]mgl32.Vec3, 8), Iterations: 60, Weight: 1}
			if err := job.Run(); err != nil {
				t.Fatal(err)
			}
			if d := r.at(bone(7)).Sub(target).Len(); d > 5e-3*size || !job.Reached {
				t.Fatalf("%s, target %d: it ends %v m off, reached %v", name, k, d/size, job.Reached)
			}
			r.whole(t, size)
		}
	}
	r := limb(3, animation.Identity())
	job := Fabrik{Rig: *r, Chain: []int32{bone(0), bone(1), bone(2)}, Target: mgl32.Vec3{9, 0, 0}, Points: make([]mgl32.Vec3, 3), Weight: 1}
	if err := job.Run(); err != nil || job.Reached {
		t.Errorf("out of reach: reached %v, %v", job.Reached, err)
	}
	if end := r.at(bone(2)); end.Sub(mgl32.Vec3{2, 0, 0}).Len() > 1e-3 {
		t.Errorf("out of reach it ends at %v", end)
	}
}

func TestJobsRefuse(t *testing.T) {
	r := *limb(3, animation.Identity())
	nan := float32(math.NaN())
	short := r
	short.Model = r.Model[:2]
	jobs := map[string]interface{ Run() error }{
		"nothing":     &TwoBone{},
		"order":       &TwoBone{Rig: r, Start: bone(1), Mid: bone(0), End: bone(2), Weight: 1},
		"a branch":    &TwoBone{Rig: r, Start: bone(0), Mid: 2, End: bone(2), Weight: 1},
		"no joint":    &TwoBone{Rig: r, Start: bone(0), Mid: bone(1), End: 99},
		"NaN":         &TwoBone{Rig: r, Start: bone(0), Mid: bone(1), End: bone(2), Target: mgl32.Vec3{nan, 0, 0}},
		"weight":      &TwoBone{Rig: r, Start: bone(0), Mid: bone(1), End: bone(2), Weight: 2},
		"matrices":    &Aim{Rig: short, Joint: 1},
		"aim weight":  &Aim{Rig: r, Joint: 1, Weight: nan},
		"no chain":    &LookAt{Rig: r},
		"share":       &LookAt{Rig: r, Chain: []Looker{{bone(0), 2, 1}}},
		"look order":  &LookAt{Rig: r, Chain: []Looker{{bone(1), 1, 1}, {bone(0), 1, 1}}},
		"short chain": &Fabrik{Rig: r, Chain: []int32{1}, Points: make([]mgl32.Vec3, 1)},
		"no room":     &Fabrik{Rig: r, Chain: []int32{bone(0), bone(1)}},
	}
	before := slices.Clone(r.Pose.Local)
	for name, job := range jobs {
		if err := job.Run(); !errors.Is(err, animation.ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.Equal(before, r.Pose.Local) {
		t.Error("a refused job moved the pose")
	}
}

func TestJobsAllocateNothing(t *testing.T) {
	r := *limb(6, animation.Identity())
	chain, points := []int32{bone(0), bone(1), bone(2), bone(3)}, make([]mgl32.Vec3, 4)
	lookers := []Looker{{bone(0), 0.5, 1}, {bone(1), 1, 1}}
	n := testing.AllocsPerRun(100, func() {
		two := TwoBone{Rig: r, Start: bone(0), Mid: bone(1), End: bone(2), Target: mgl32.Vec3{1, 1, 0}, Weight: 1}
		aim := Aim{Rig: r, Joint: bone(3), Target: mgl32.Vec3{4, 0, 0}, Forward: mgl32.Vec3{0, 0, 1}, Weight: 1}
		look := LookAt{Rig: r, Chain: lookers, Target: mgl32.Vec3{4, 0, 0}, Forward: mgl32.Vec3{0, 0, 1}, Weight: 1}
		tail := Fabrik{Rig: r, Chain: chain, Points: points, Target: mgl32.Vec3{1, 1, 1}, Weight: 1}
		if two.Run() != nil || aim.Run() != nil || look.Run() != nil || tail.Run() != nil {
			t.Error("refused")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// A sword in a hand moves with it in the same frame, IK included.
func TestAttachmentFollowsWithoutDelay(t *testing.T) {
	r := limb(3, animation.Identity())
	sword, ok := animation.Attach(r.Skeleton, "bone2")
	if !ok {
		t.Fatal("no hand")
	}
	sword.Offset.Translation = mgl32.Vec3{0, 0.3, 0}
	for i := range 20 {
		a := float64(i) / 3
		job := TwoBone{Rig: *r, Start: bone(0), Mid: bone(1), End: bone(2), Weight: 1,
			Target: mgl32.Vec3{float32(1.2 * math.Cos(a)), float32(1.2 * math.Sin(a)), 0.3}}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		hilt := mgl32.TransformCoordinate(mgl32.Vec3{0, -0.3, 0}, sword.Matrix(r.Model))
		if d := hilt.Sub(job.Target).Len(); d > 3e-3 {
			t.Fatalf("frame %d: the sword is %v m from the hand", i, d)
		}
	}
	if _, ok := animation.Attach(r.Skeleton, "tail"); ok {
		t.Error("attached to a joint that is not there")
	}
}

func ExampleTwoBone() {
	r := limb(3, animation.Identity()) // hip, knee, ankle, straight up
	foot := TwoBone{
		Rig: *r, Start: bone(0), Mid: bone(1), End: bone(2),
		Target: mgl32.Vec3{0, 1, 0}, Pole: mgl32.Vec3{0, 0.5, 5}, HasPole: true, Weight: 1,
	}
	if err := foot.Run(); err != nil {
		fmt.Println(err)
	}
	knee := r.Model[bone(1)].Col(3)
	fmt.Printf("knee at %.2f %.2f, reached %v\n", knee.Y(), knee.Z(), foot.Reached)
	// Output: knee at 0.50 0.87, reached true
}
