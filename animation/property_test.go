package animation_test

import (
	"errors"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// coloured is a skeleton of two joints with one morph target on the first, and
// two numbers more that rest at 1 and 2.
func coloured() (*animation.Skeleton, int32) {
	s := &animation.Skeleton{
		Names: []string{"a", "b"}, Parents: []int32{-1, 0}, Rest: []animation.Transform{animation.Identity(), animation.Identity()},
		MorphWeights: []float32{0.5}, MorphOffset: []int32{0, 1, 1},
	}
	return s, s.AddProperty(1, 2)
}

func toward(at int32, x, y float32) *animation.Clip {
	return &animation.Clip{Name: "toward", Duration: 1, Properties: []animation.PropertyTrack{
		{At: at, Width: 2, Times: []float32{0, 1}, Values: []float32{1, 2, x, y}},
	}}
}

func TestPropertiesAreSampledAndMixed(t *testing.T) {
	s, at := coloured()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	clip := toward(at, 5, 10)
	numbers := func(p *animation.Pose) [2]float32 { return [2]float32(p.Weights[at:]) }
	a := animation.NewAnimator(s, nil, []*animation.Clip{clip})
	if err := a.Play(clip, 0); err != nil {
		t.Fatal(err)
	}
	check := func(what string, got, want [2]float32) {
		t.Helper()
		for c := range want {
			if d := got[c] - want[c]; d > 1e-5 || d < -1e-5 {
				t.Errorf("%s: %v, want %v", what, got, want)
				return
			}
		}
	}
	seek := func(to float32) {
		t.Helper()
		if err := errors.Join(a.Seek(to), a.Evaluate()); err != nil {
			t.Fatal(err)
		}
	}
	seek(0.5)
	check("half way", numbers(a.Pose()), [2]float32{3, 6})
	if w := a.MorphWeights(0); len(w) != 1 || w[0] != 0.5 {
		t.Errorf("morph weights %v", w)
	}
	seek(1)
	check("at the end", numbers(a.Pose()), [2]float32{5, 10})
	a.Weight = 0.5
	seek(1)
	check("half at rest", numbers(a.Pose()), [2]float32{3, 6})
	a.Weight = 1

	rest, end := animation.NewPose(s), animation.NewPose(s)
	job := animation.SamplingJob{Clip: clip, Skeleton: s, Time: 9, Out: end}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	out := animation.NewPose(s)
	blend := animation.BlendJob{Skeleton: s, Out: out, Layers: []animation.Layer{{Pose: rest, Weight: 1}, {Pose: end, Weight: 3}}}
	if err := blend.Run(); err != nil {
		t.Fatal(err)
	}
	check("blended", numbers(out), [2]float32{4, 8})
	out.SetRest(s)
	out.Overlay(s, end, 0.25, []float32{0, 0}) // a mask is by joint
	check("laid over", numbers(out), [2]float32{2, 4})

	lod, err := animation.NewLod(s, nil, []bool{false, false})
	if err != nil {
		lod, err = animation.NewLod(s, nil, []bool{true, false})
	}
	if err != nil {
		t.Fatal(err)
	}
	less := animation.NewPose(lod.Skeleton)
	lod.Take(s, end, less)
	last := len(less.Weights) - 2
	check("of a level", [2]float32(less.Weights[last:]), [2]float32{5, 10})
	small := lod.Clip(clip)
	if err := small.Validate(lod.Skeleton); err != nil || len(small.Properties) != 1 || int(small.Properties[0].At) != last {
		t.Errorf("the level's clip %+v: %v", small.Properties, err)
	}
	if allocs := testing.AllocsPerRun(50, func() {
		if err := a.Update(0.01); err != nil {
			t.Fatal(err)
		}
	}); allocs > 0 {
		t.Errorf("an update allocates %v times", allocs)
	}
}

// Properties are of their skeleton alone, and bad ones are refused.
func TestPropertiesOfOtherSkeletons(t *testing.T) {
	s, at := coloured()
	clip := toward(at, 5, 10)
	clip.Tracks = []animation.Track{{Joint: 1, Path: animation.Translation, Width: 3, Times: []float32{0}, Values: []float32{1, 2, 3}}}
	other := &animation.Skeleton{Names: []string{"b"}, Parents: []int32{-1}, Rest: []animation.Transform{{Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}}}}
	bound, _ := animation.BindByName(clip, s, other)
	if len(bound.Properties) != 0 || bound.Validate(other) != nil {
		t.Errorf("bound to another skeleton: %+v", bound)
	}
	for what, change := range map[string]func(p *animation.PropertyTrack){
		"outside":        func(p *animation.PropertyTrack) { p.At = 2 },
		"negative":       func(p *animation.PropertyTrack) { p.At = -1 },
		"no keys":        func(p *animation.PropertyTrack) { p.Times = nil },
		"too few values": func(p *animation.PropertyTrack) { p.Values = p.Values[:3] },
		"falling":        func(p *animation.PropertyTrack) { p.Times = []float32{1, 0} },
	} {
		c := toward(at, 5, 10)
		change(&c.Properties[0])
		if err := c.Validate(s); !errors.Is(err, animation.ErrClip) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
