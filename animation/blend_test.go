package animation

import (
	"errors"
	"math"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

func blended(t *testing.T, s *Skeleton, threshold float32, layers ...Layer) *Pose {
	t.Helper()
	out := NewPose(s)
	job := BlendJob{Skeleton: s, Layers: layers, Threshold: threshold, Out: out}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	return out
}

func at(s *Skeleton, x float32, turn float64) *Pose {
	p := NewPose(s)
	for j := range p.Local {
		p.Local[j].Translation = mgl32.Vec3{x, 0, 0}
		p.Local[j].Rotation = mgl32.QuatRotate(float32(turn), mgl32.Vec3{0, 1, 0})
		p.Moved[j] = true
	}
	for i := range p.Weights {
		p.Weights[i] = x
	}
	return p
}

func TestBlendOfIdenticalPosesIsThatPose(t *testing.T) {
	s, clip := character(30, 9)
	p := sampleAt(t, s, clip, 0.3, make([]int32, len(clip.Tracks)))
	q := NewPose(s)
	q.Copy(p)
	for j := range q.Local { // the same rotations, written the other way
		q.Local[j].Rotation = q.Local[j].Rotation.Scale(-1)
	}
	out := NewPose(s)
	Lerp(p, q, 0.7, out)
	for name, got := range map[string]*Pose{
		"job":  blended(t, s, 0.1, Layer{Pose: p, Weight: 0.5}, Layer{Pose: q, Weight: 3}, Layer{Pose: p, Weight: 1}),
		"lerp": out,
	} {
		for j := range p.Local {
			a, b := p.Local[j], got.Local[j]
			if a.Translation.Sub(b.Translation).Len() > 1e-6 || a.Scale.Sub(b.Scale).Len() > 1e-6 ||
				!near(float32(math.Abs(float64(a.Rotation.Dot(b.Rotation)))), 1, 1e-6) || !near(b.Rotation.Len(), 1, 1e-6) {
				t.Fatalf("%s: joint %d: %v, want %v", name, j, b, a)
			}
		}
	}
}

func TestBlendByHand(t *testing.T) {
	s := one() // rests at x = 1 with weights ¼, ¾
	a, b := at(s, 4, 0), at(s, 8, math.Pi/2)
	for _, c := range []struct {
		name      string
		threshold float32
		layers    []Layer
		x         float32
		weight0   float32
		turn      float64
	}{
		{"even", 0, []Layer{{Pose: a, Weight: 1}, {Pose: b, Weight: 1}}, 6, 6, math.Pi / 4},
		{"one to three", 0, []Layer{{Pose: a, Weight: 0.1}, {Pose: b, Weight: 0.3}}, 7, 7, math.NaN()},
		{"mask", 0, []Layer{{Pose: a, Weight: 1}, {Pose: b, Weight: 1, Mask: []float32{0}}}, 4, 4, 0},
		{"no layer", 0, nil, 1, 0.25, 0},
		{"no weight", 0, []Layer{{Pose: b}}, 1, 0.25, 0},
		{"rest fills to the threshold", 0.5, []Layer{{Pose: a, Weight: 0.25}}, 2.5, 2.125, 0},
		{"above the threshold", 0.5, []Layer{{Pose: a, Weight: 0.75}}, 4, 4, 0},
	} {
		p := blended(t, s, c.threshold, c.layers...)
		got := p.Local[0]
		if !near(got.Translation[0], c.x, 1e-6) || !near(p.Weights[0], c.weight0, 1e-6) {
			t.Errorf("%s: x %v, weight %v, want %v, %v", c.name, got.Translation[0], p.Weights[0], c.x, c.weight0)
		}
		turn := 2 * math.Atan2(float64(got.Rotation.V[1]), float64(got.Rotation.W))
		if !math.IsNaN(c.turn) && math.Abs(turn-c.turn) > 1e-6 {
			t.Errorf("%s: turned by %v, want %v", c.name, turn, c.turn)
		}
	}
}

func TestLerpIsTheBlendJob(t *testing.T) {
	s, clip := character(30, 9, 1)
	_, other := character(30, 9, 2)
	a := sampleAt(t, s, clip, 0.3, make([]int32, len(clip.Tracks)))
	b := sampleAt(t, s, other, 0.6, make([]int32, len(other.Tracks)))
	for _, u := range []float32{0, 0.2, 0.5, 1} {
		want := blended(t, s, 0, Layer{Pose: a, Weight: 1 - u}, Layer{Pose: b, Weight: u})
		got := NewPose(s)
		got.Copy(a)
		Lerp(got, b, u, got) // over itself
		for j := range want.Local {
			if want.Local[j].Translation.Sub(got.Local[j].Translation).Len() > 1e-6 ||
				want.Local[j].Rotation.Add(got.Local[j].Rotation.Scale(-1)).Len() > 1e-6 {
				t.Fatalf("u %v, joint %d: %v, want %v", u, j, got.Local[j], want.Local[j])
			}
		}
	}
}

func TestBlendJobRefuses(t *testing.T) {
	s := one()
	p, nan := NewPose(s), float32(math.NaN())
	for name, job := range map[string]BlendJob{
		"nothing":   {},
		"no pose":   {Skeleton: s, Out: p, Layers: []Layer{{Weight: 1}}},
		"negative":  {Skeleton: s, Out: p, Layers: []Layer{{Pose: p, Weight: -1}}},
		"NaN":       {Skeleton: s, Out: p, Layers: []Layer{{Pose: p, Weight: nan}}},
		"mask":      {Skeleton: s, Out: p, Layers: []Layer{{Pose: p, Weight: 1, Mask: []float32{1, 1}}}},
		"threshold": {Skeleton: s, Out: p, Threshold: nan},
		"out":       {Skeleton: s, Out: &Pose{}},
	} {
		if err := job.Run(); !errors.Is(err, ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
