package spring_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/spring"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// rope is a chain of joints along +X from a root, each 10 cm from the last.
type rope struct {
	skeleton *animation.Skeleton
	pose     *animation.Pose
	job      spring.Job
}

const link = 0.1

func newRope(t testing.TB, links int, one spring.Joint, center int32, colliders ...spring.Collider) *rope {
	t.Helper()
	s := &animation.Skeleton{Parents: []int32{-1}, Names: []string{"root"}, Rest: []animation.Transform{animation.Identity()}}
	c := spring.Chain{Center: center}
	for i := range links {
		at := animation.Identity()
		at.Translation = mgl32.Vec3{link, 0, 0}
		if i == 1 {
			at.Rotation = mgl32.QuatRotate(0.3, mgl32.Vec3{0, 1, 0}) // rest need not be straight
		}
		s.Parents, s.Names, s.Rest = append(s.Parents, int32(i)), append(s.Names, "link"), append(s.Rest, at)
		one.Joint, one.Tail = int32(i+1), mgl32.Vec3{link, 0, 0}
		c.Joints = append(c.Joints, one)
	}
	for i := range colliders {
		c.Colliders = append(c.Colliders, int32(i))
	}
	state, err := spring.New(s, []spring.Chain{c}, colliders)
	if err != nil {
		t.Fatal(err)
	}
	r := &rope{skeleton: s, pose: animation.NewPose(s)}
	r.job = spring.Job{State: state, Pose: r.pose, Model: make([]mgl32.Mat4, s.Len()), World: mgl32.Ident4()}
	return r
}

// run is one frame: the clip's pose, then springs.
func (r *rope) run(t testing.TB, dt float32, root mgl32.Mat4) {
	t.Helper()
	r.pose.SetRest(r.skeleton)
	r.pose.Local[0].Translation, r.pose.Local[0].Rotation, r.pose.Local[0].Scale = root.Decompose()
	r.pose.ToModel(r.skeleton, r.job.Model)
	r.job.Dt = dt
	if err := r.job.Run(); err != nil {
		t.Fatal(err)
	}
}

// tail is where a link's end is in the world.
func (r *rope) tail(j int) mgl32.Vec3 {
	return mgl32.TransformCoordinate(mgl32.Vec3{link, 0, 0}, r.job.World.Mul4(r.job.Model[j]))
}

func (r *rope) tails() []mgl32.Vec3 {
	out := make([]mgl32.Vec3, r.skeleton.Len()-1)
	for j := range out {
		out[j] = r.tail(j + 1)
	}
	return out
}

var loose = spring.Joint{Drag: 0.1, Gravity: mgl32.Vec3{0, -1, 0}}

// sway is a root that moves to and fro and turns.
func sway(t float64) mgl32.Mat4 {
	return mgl32.Translate3D(0.3*float32(math.Sin(5*t)), 1, 0.1*float32(math.Cos(3*t))).Mul4(
		mgl32.HomogRotate3D(float32(math.Sin(2*t)), mgl32.Vec3{0, 1, 0}))
}

func farthest(a, b []mgl32.Vec3) float32 {
	var far float32
	for i := range a {
		far = max(far, a[i].Sub(b[i]).Len())
	}
	return far
}

func TestLengthsAreKeptAndItHangsInTheEnd(t *testing.T) {
	r := newRope(t, 5, loose, -1)
	lowest := float32(0)
	for range 60 * 20 {
		r.run(t, 1.0/60, mgl32.Ident4())
		for j := 1; j < r.skeleton.Len(); j++ {
			head := r.job.Model[j].Col(3).Vec3()
			if l := r.tail(j).Sub(head).Len(); math.Abs(float64(l-link)) > 1e-5 {
				t.Fatalf("link %d is %v m long", j, l)
			}
		}
		lowest = min(lowest, r.tail(5)[1])
	}
	if want := (mgl32.Vec3{link, -5 * link, 0}); r.tail(5).Sub(want).Len() > 2e-3 {
		t.Errorf("it ends at %v, want straight below at %v", r.tail(5), want)
	}
	if lowest > -0.49 {
		t.Errorf("it fell to %v only", lowest)
	}
}

func TestGravityGoesWhereItPoints(t *testing.T) {
	side := loose
	side.Gravity = mgl32.Vec3{0, 0, 2}
	r := newRope(t, 2, side, -1)
	r.job.World = mgl32.HomogRotate3D(1, mgl32.Vec3{1, 0, 0}) // gravity is the world's
	for range 1200 {
		r.run(t, 1.0/60, mgl32.Ident4())
	}
	head := r.job.World.Mul4(r.job.Model[1]).Col(3).Vec3()
	if want := head.Add(mgl32.Vec3{0, 0, 2 * link}); r.tail(2).Sub(want).Len() > 2e-3 {
		t.Errorf("ends at %v, want %v", r.tail(2), want)
	}
}

func TestStiffnessHoldsItsRest(t *testing.T) {
	stiff := spring.Joint{Stiffness: 4, Drag: 0.4, Gravity: mgl32.Vec3{0, -0.01, 0}}
	r := newRope(t, 3, stiff, -1)
	r.run(t, 0, mgl32.Ident4())
	rest := r.tails()
	for i := range 240 {
		root := mgl32.Ident4()
		if i < 60 {
			root = sway(float64(i) / 60)
		}
		r.run(t, 1.0/60, root)
	}
	if d := farthest(rest, r.tails()); d > 2e-3 {
		t.Errorf("it ends %v m off its rest", d)
	}
}

// The same motion at other frame rates swings the same way.
func TestFrameRates(t *testing.T) {
	soft := spring.Joint{Stiffness: 0.5, Drag: 0.2, Gravity: mgl32.Vec3{0, -0.5, 0}}
	at := func(rate int) [][]mgl32.Vec3 {
		r := newRope(t, 4, soft, -1)
		var out [][]mgl32.Vec3
		for i := range 4*rate + 1 {
			dt := float32(1) / float32(rate)
			if i == 0 {
				dt = 0
			}
			r.run(t, dt, sway(float64(i)/float64(rate)))
			if i*10%rate == 0 {
				out = append(out, r.tails())
			}
		}
		return out
	}
	want := at(60)
	moved := float32(0)
	for i := 1; i < len(want); i++ {
		moved = max(moved, farthest(want[i], want[i-1]))
	}
	for rate, tolerance := range map[int]float32{30: 0.004, 120: 1e-4, 240: 1e-4, 90: 0.02, 50: 0.02} {
		got := at(rate)
		far := float32(0)
		for i := range want {
			far = max(far, farthest(want[i], got[i]))
		}
		if far > tolerance {
			t.Errorf("at %d Hz it is up to %v m from where it is at 60 Hz", rate, far)
		}
	}
	if moved < 0.1 {
		t.Errorf("it moved %v m only: the test proves nothing", moved)
	}
}

// Between two steps it moves on too, without jerks.
func TestItIsSmoothAtHighRates(t *testing.T) {
	slow := spring.Joint{Gravity: mgl32.Vec3{0, -0.02, 0}} // for a fall of 0.3 s
	r := newRope(t, 1, slow, -1)
	r.run(t, 0, mgl32.Ident4())
	last, lastMove := r.tail(1), float32(0)
	for i := range 50 {
		r.run(t, 1.0/240, mgl32.Ident4())
		move := r.tail(1).Sub(last).Len()
		if i > 16 && (move < 0.6*lastMove || move > 1.6*lastMove) {
			t.Fatalf("frame %d moved %v m after %v", i, move, lastMove)
		}
		last, lastMove = r.tail(1), move
	}
}

func TestEqualFramesGiveEqualBits(t *testing.T) {
	run := func() []mgl32.Mat4 {
		r := newRope(t, 4, loose, -1, spring.Collider{Joint: 0, Offset: mgl32.Vec3{0.2, -0.2, 0}, Tail: mgl32.Vec3{0.2, -0.2, 0}, Radius: 0.1})
		rng := rand.New(rand.NewPCG(1, 2))
		at := 0.0
		for range 500 {
			dt := rng.Float64() / 30
			at += dt
			r.run(t, float32(dt), sway(at))
		}
		return r.job.Model
	}
	a, b := run(), run()
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("joint %d: %v and %v", i, a[i], b[i])
		}
	}
}

func TestCollidersAreStayedOutOf(t *testing.T) {
	hard := loose
	hard.HitRadius = 0.02
	ball := mgl32.Vec3{0.16, -0.13, 0.01}
	end := mgl32.Vec3{0.16, -0.13, 0.4}
	for name, c := range map[string]spring.Collider{
		"sphere":  {Joint: 0, Offset: ball, Tail: ball, Radius: 0.08},
		"capsule": {Joint: 0, Offset: ball, Tail: end, Radius: 0.08},
	} {
		free := newRope(t, 4, hard, -1)
		r := newRope(t, 4, hard, -1, c)
		entered, deepest := false, float32(0)
		for range 600 {
			for _, x := range []*rope{free, r} {
				x.run(t, 1.0/60, mgl32.Ident4())
				for _, p := range x.tails() {
					line := c.Tail.Sub(c.Offset)
					u := float32(0)
					if l := line.LenSqr(); l > 0 {
						u = min(max(p.Sub(c.Offset).Dot(line)/l, 0), 1)
					}
					deep := 0.1 - p.Sub(c.Offset.Add(line.Mul(u))).Len()
					if x == free {
						entered = entered || deep > 0.02
					} else {
						deepest = max(deepest, deep)
					}
				}
			}
		}
		if deepest > 1e-4 {
			t.Errorf("%s: a tail was %v m inside", name, deepest)
		}
		if !entered {
			t.Errorf("%s: without a collider nothing goes there: the test proves nothing", name)
		}
	}
}

func TestCenterTakesItsMotionOut(t *testing.T) {
	soft := spring.Joint{Stiffness: 0.2, Drag: 0.1}
	swung := func(center int32) float32 {
		r := newRope(t, 3, soft, center)
		r.run(t, 0, mgl32.Ident4())
		rest, far := r.tails(), float32(0)
		for i := range 60 {
			r.run(t, 1.0/60, mgl32.Translate3D(0.1*float32(i), 0, 0.05*float32(i)))
			now := r.tails()
			for k := range now {
				now[k] = now[k].Sub(mgl32.Vec3{0.1 * float32(i), 0, 0.05 * float32(i)})
			}
			far = max(far, farthest(rest, now))
		}
		return far
	}
	if d := swung(0); d > 1e-3 {
		t.Errorf("with the root as its center it swings %v m", d)
	}
	if d := swung(-1); d < 0.05 {
		t.Errorf("in the world it swings %v m only", d)
	}
}

func TestTeleportsBeginAnew(t *testing.T) {
	r := newRope(t, 3, loose, -1)
	r.run(t, 0, mgl32.Ident4())
	rest := r.tails()
	for i := range 120 {
		r.run(t, 1.0/60, sway(float64(i)/60))
	}
	r.job.World = mgl32.Translate3D(40, 0, 0)
	r.run(t, 0, mgl32.Ident4())
	now := r.tails()
	for i := range now {
		now[i] = now[i].Sub(mgl32.Vec3{40, 0, 0})
	}
	if d := farthest(rest, now); d > 1e-4 {
		t.Errorf("after a jump it is %v m off its rest", d)
	}
	r.job.World = mgl32.Translate3D(40.2, 0, 0) // no jump
	r.run(t, 1.0/60, mgl32.Ident4())
	if d := r.tail(3).Sub(rest[2]).Sub(mgl32.Vec3{40, 0, 0}).Len(); d > 0.15 {
		t.Errorf("a step took the tail %v m along", d)
	}
}

// Uneven, mirrored and flat joints do no harm: lengths stay what the parts say.
func TestScales(t *testing.T) {
	for _, s := range []mgl32.Vec3{{2, 2, 2}, {-1, 1, 1}, {1, 0.5, 3}, {0, 1, 1}, {0, 0, 0}} {
		r := newRope(t, 3, loose, -1)
		r.job.World = mgl32.Scale3D(s[0], s[1], s[2])
		for i := range 200 {
			r.run(t, 1.0/60, sway(float64(i)/60))
			for j, m := range r.job.Model {
				for _, v := range m {
					if v-v != 0 {
						t.Fatalf("scale %v: joint %d is %v", s, j, m)
					}
				}
			}
		}
		if s[0] == s[1] && s[0] > 0 {
			head := r.job.World.Mul4(r.job.Model[3]).Col(3).Vec3()
			if l := r.tail(3).Sub(head).Len(); math.Abs(float64(l-s[0]*link)) > 1e-4 {
				t.Errorf("scale %v: a link is %v m", s, l)
			}
		}
	}
}

func TestBadStepsChangeNothing(t *testing.T) {
	r := newRope(t, 3, loose, -1)
	for range 20 {
		r.run(t, 1.0/60, mgl32.Ident4())
	}
	nan := float32(math.NaN())
	before := r.tails()
	for _, dt := range []float32{nan, -1, float32(math.Inf(1))} {
		r.job.Dt = dt
		if err := r.job.Run(); !errors.Is(err, animation.ErrTimeStep) {
			t.Errorf("step %v: %v", dt, err)
		}
	}
	r.job.Dt = 0
	r.job.World[12] = nan
	if err := r.job.Run(); !errors.Is(err, animation.ErrJob) {
		t.Errorf("world of NaN: %v", err)
	}
	r.job.World = mgl32.Ident4()
	r.run(t, 0, mgl32.Ident4())
	if d := farthest(before, r.tails()); d > 1e-6 {
		t.Errorf("bad steps moved it by %v m", d)
	}
	// A pose that is no pose passes.
	r.pose.Local[0].Translation[0] = nan
	r.pose.ToModel(r.skeleton, r.job.Model)
	_ = r.job.Run()
	r.run(t, 0, mgl32.Ident4())
	r.run(t, 1.0/60, mgl32.Ident4())
	if x := r.tail(3); x != x {
		t.Errorf("a bad pose stays: %v", x)
	}
}

func TestBadChainsAreRefused(t *testing.T) {
	s := newRope(t, 2, loose, -1).skeleton
	good := spring.Joint{Joint: 1, Tail: mgl32.Vec3{1, 0, 0}}
	for name, c := range map[string]spring.Chain{
		"joint":     {Center: -1, Joints: []spring.Joint{{Joint: 9, Tail: good.Tail}}},
		"tail":      {Center: -1, Joints: []spring.Joint{{Joint: 1}}},
		"drag":      {Center: -1, Joints: []spring.Joint{{Joint: 1, Tail: good.Tail, Drag: 2}}},
		"twice":     {Center: -1, Joints: []spring.Joint{good, good}},
		"center":    {Center: 7, Joints: []spring.Joint{good}},
		"colliders": {Center: -1, Joints: []spring.Joint{good}, Colliders: []int32{0}},
	} {
		if _, err := spring.New(s, []spring.Chain{c}, nil); !errors.Is(err, animation.ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	r := newRope(t, 8, loose, 0, spring.Collider{Joint: 2, Radius: 0.05, Tail: mgl32.Vec3{0, 1, 0}})
	if n := testing.AllocsPerRun(100, func() { r.run(t, 1.0/45, mgl32.Ident4()) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRun(b *testing.B) {
	r := newRope(b, 60, loose, -1, spring.Collider{Joint: 0, Offset: mgl32.Vec3{0, -1, 0}, Tail: mgl32.Vec3{0, -2, 0}, Radius: 0.2})
	r.run(b, 0, mgl32.Ident4())
	for b.Loop() {
		r.run(b, 1.0/60, mgl32.Ident4())
	}
}
