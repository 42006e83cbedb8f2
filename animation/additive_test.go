package animation

import (
	"errors"
	"math"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func yaw(angle float64) mgl32.Quat { return mgl32.QuatRotate(float32(angle), mgl32.Vec3{0, 1, 0}) }

func quatNear(a, b mgl32.Quat, tol float32) bool {
	return near(float32(math.Abs(float64(a.Dot(b)))), 1, tol) && near(a.Len(), 1, tol)
}

// Adding the differences to the reference gives the clip back, for every
// interpolation and between keys too.
func TestAdditiveOnItsReferenceIsTheClip(t *testing.T) {
	for name, make := range map[string]func() (*Skeleton, *Clip){
		"medley":    medley,
		"character": func() (*Skeleton, *Clip) { return character(20, 9) },
	} {
		s, clip := make()
		reference, err := ReferenceOf(clip, s, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		add, err := MakeAdditive(clip, s, reference)
		if err != nil {
			t.Fatal(err)
		}
		for _, packed := range []bool{false, true} {
			if packed {
				add.Pack()
			}
			for at := float32(-0.1); at < clip.Duration+0.2; at += 0.043 {
				want := sampleAt(t, s, clip, at, makeCursors(clip))
				diff := sampleAt(t, s, add, at, makeCursors(add))
				got := NewPose(s)
				job := BlendJob{Skeleton: s, Out: got,
					Layers:   []Layer{{Pose: reference, Weight: 1}},
					Additive: []Layer{{Pose: diff, Weight: 1}}}
				if err := job.Run(); err != nil {
					t.Fatal(err)
				}
				for j := range want.Local {
					a, b := want.Local[j], got.Local[j]
					if a.Translation.Sub(b.Translation).Len() > 1e-4 || a.Scale.Sub(b.Scale).Len() > 1e-4 || !quatNear(a.Rotation.Normalize(), b.Rotation, 1e-5) {
						t.Fatalf("%s at %v: joint %d: %v, want %v", name, at, j, b, a)
					}
				}
				for i := range want.Weights {
					if !near(want.Weights[i], got.Weights[i], 1e-4) {
						t.Fatalf("%s at %v: weight %d: %v, want %v", name, at, i, got.Weights[i], want.Weights[i])
					}
				}
			}
		}
	}
}

func makeCursors(c *Clip) []int32 { return make([]int32, len(c.Tracks)) }

// The reference of a CUBICSPLINE is the key's value: tangents of 100 must not be
// taken for it.
func TestAdditiveReferenceOfCubicSplineIsItsValue(t *testing.T) {
	s := one()
	clip := clipOf(Track{Path: Translation, Interpolation: CubicSpline, Width: 3, Times: []float32{0, 1}, Values: []float32{
		100, 100, 100, 5, 6, 7, 100, 0, 0,
		0, 0, 0, 6, 6, 7, 100, 100, 100,
	}})
	reference, err := ReferenceOf(clip, s, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := reference.Local[0].Translation; got != (mgl32.Vec3{5, 6, 7}) {
		t.Errorf("reference %v", got)
	}
	add, err := MakeAdditive(clip, s, reference)
	if err != nil {
		t.Fatal(err)
	}
	v := add.Tracks[0].Values
	if v[3] != 0 || v[6] != 100 || v[12] != 1 || v[0] != 100 {
		t.Errorf("differences %v", v)
	}
	if clip.Tracks[0].Values[3] != 5 {
		t.Error("the clip itself was changed")
	}
}

func TestAdditiveWeightsByHand(t *testing.T) {
	s := one()
	s.Rest[0] = Identity()
	turn := clipOf(
		Track{Path: Translation, Width: 3, Times: []float32{0}, Values: []float32{2, 0, 0}},
		Track{Path: Rotation, Width: 4, Times: []float32{0}, Values: xyzw(yaw(math.Pi / 3))},
		Track{Path: Scale, Width: 3, Times: []float32{0}, Values: []float32{3, 1, 1}},
		Track{Path: Weights, Width: 2, Times: []float32{0}, Values: []float32{0.75, 0.75}},
	)
	add, err := MakeAdditive(turn, s, NewPose(s))
	if err != nil {
		t.Fatal(err)
	}
	diff := sampleAt(t, s, add, 0, makeCursors(add))
	for _, c := range []struct {
		w                       float32
		x, turn, scale, morph64 float64
	}{
		{0, 0, 0, 1, 0.25}, {0.5, 1, math.Pi / 6, 2, 0.5}, {1, 2, math.Pi / 3, 3, 0.75},
		{1.5, 3, math.Pi / 2, 4, 1}, {-0.25, -0.5, -math.Pi / 12, 0.5, 0.125},
	} {
		got := NewPose(s)
		job := BlendJob{Skeleton: s, Out: got, Additive: []Layer{{Pose: diff, Weight: c.w}}}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		x := got.Local[0]
		if !near(x.Translation[0], float32(c.x), 1e-6) || !near(x.Scale[0], float32(c.scale), 1e-6) ||
			!quatNear(x.Rotation, yaw(c.turn), 1e-6) || !near(got.Weights[0], float32(c.morph64), 1e-6) {
			t.Errorf("weight %v: %v, weights %v", c.w, x, got.Weights)
		}
	}
}

// Additive layers are applied in their order: a turn about x and one about y do
// not commute.
func TestAdditiveOrder(t *testing.T) {
	s := named("a")
	layer := func(q mgl32.Quat) Layer {
		p := NewPose(s)
		p.SetZero()
		p.Local[0].Rotation, p.Moved[0] = q, true
		return Layer{Pose: p, Weight: 1}
	}
	about := mgl32.QuatRotate(math.Pi/2, mgl32.Vec3{1, 0, 0})
	out := NewPose(s)
	job := BlendJob{Skeleton: s, Out: out, Additive: []Layer{layer(yaw(math.Pi / 2)), layer(about)}}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	if want := yaw(math.Pi / 2).Mul(about); !quatNear(out.Local[0].Rotation, want, 1e-6) {
		t.Errorf("%v, want %v", out.Local[0].Rotation, want)
	}
}

// A layer that is masked out completely must not turn the next additive layer
// into the base: the difference stands on the rest pose.
func TestAdditiveOverAMaskedOutLayer(t *testing.T) {
	s := one() // rests at x = 1, scale 2
	diff := NewPose(s)
	diff.SetZero()
	diff.Local[0].Translation, diff.Moved[0] = mgl32.Vec3{10, 0, 0}, true
	for name, mask := range map[string][]float32{"masked": {0}, "open": nil} {
		got := NewPose(s)
		job := BlendJob{Skeleton: s, Out: got,
			Layers:   []Layer{{Pose: at(s, 5, 1), Weight: 1, Mask: mask}},
			Additive: []Layer{{Pose: diff, Weight: 1}}}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
		want := Transform{Translation: mgl32.Vec3{11, 2, 3}, Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{2, 2, 2}}
		if mask == nil {
			want = Transform{Translation: mgl32.Vec3{15, 0, 0}, Rotation: yaw(1), Scale: mgl32.Vec3{2, 2, 2}}
		}
		x := got.Local[0]
		if x.Translation != want.Translation || x.Scale != want.Scale || !quatNear(x.Rotation, want.Rotation, 1e-6) {
			t.Errorf("%s: %v, want %v", name, x, want)
		}
	}
}

func TestAdditiveRefuses(t *testing.T) {
	s := one()
	clip := clipOf(Track{Path: Scale, Width: 3, Times: []float32{0}, Values: []float32{1, 1, 1}})
	flat := NewPose(s)
	flat.Local[0].Scale[1] = 0
	if _, err := MakeAdditive(clip, s, flat); !errors.Is(err, ErrClip) {
		t.Error(err)
	}
	add, err := MakeAdditive(clip, s, NewPose(s))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := MakeAdditive(add, s, NewPose(s)); !errors.Is(err, ErrClip) {
		t.Error(err)
	}
	p := NewPose(s)
	for name, job := range map[string]BlendJob{
		"NaN":  {Skeleton: s, Out: p, Additive: []Layer{{Pose: NewPose(s), Weight: float32(math.NaN())}}},
		"none": {Skeleton: s, Out: p, Additive: []Layer{{Weight: 1}}},
		"self": {Skeleton: s, Out: p, Additive: []Layer{{Pose: p, Weight: 1}}},
	} {
		if err := job.Run(); !errors.Is(err, ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMaskAndOverlay(t *testing.T) {
	s := named("root", "spine", "arm")
	s.Parents = []int32{-1, 0, 1}
	mask := Mask(s, 1, 0, 1, 99)
	if mask[0] != 0 || mask[1] != 1 || mask[2] != 1 {
		t.Fatalf("mask %v", mask)
	}
	p, over := at(s, 1, 0), at(s, 3, 1)
	p.Overlay(s, over, 0.5, mask)
	if p.Local[0].Translation[0] != 1 || p.Local[1].Translation[0] != 2 || !quatNear(p.Local[2].Rotation, yaw(0.5), 1e-6) {
		t.Errorf("%v", p.Local)
	}
}
