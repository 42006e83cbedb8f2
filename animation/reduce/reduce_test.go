package reduce_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/reduce"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// arm is a chain of six joints half a metre apart, and a clip of 120 keys: some
// joints swing smoothly, one holds still, one trembles.
func arm() (*animation.Skeleton, *animation.Clip) {
	s := &animation.Skeleton{}
	c := &animation.Clip{Name: "arm", Duration: 2}
	r := rand.New(rand.NewPCG(1, 1))
	var times []float32
	for k := range 120 {
		times = append(times, 2*float32(k)/119)
	}
	for j := range 6 {
		x := animation.Identity()
		if j > 0 {
			x.Translation = mgl32.Vec3{0, 0.5, 0}
		}
		s.Names, s.Parents, s.Rest = append(s.Names, string(rune('a'+j))), append(s.Parents, int32(j)-1), append(s.Rest, x)
		tr := animation.Track{Joint: int32(j), Path: animation.Rotation, Width: 4, Times: times}
		for _, t := range times {
			angle := 0.3 * math.Sin(float64(t)*math.Pi*float64(j%3))
			if j == 5 {
				angle += 0.02 * r.Float64()
			}
			q := mgl32.QuatRotate(float32(angle), mgl32.Vec3{0, 0, 1}).XYZW()
			tr.Values = append(tr.Values, q[:]...)
		}
		c.Tracks = append(c.Tracks, tr)
	}
	return s, c
}

// measured is the greatest distance of any joint and of the points about it over
// the clip, at times of its own, by plain matrices.
func measured(t *testing.T, s *animation.Skeleton, a, b *animation.Clip) float32 {
	t.Helper()
	if err := b.Validate(s); err != nil {
		t.Fatal(err)
	}
	a, b = a.With(a.Tracks), b.With(b.Tracks)
	a.Root, b.Root = nil, nil
	var worst float32
	for i := range 400 {
		at := a.Duration * float32(i) / 399
		var models [2][]mgl32.Mat4
		for k, c := range []*animation.Clip{a, b} {
			pose, err := animation.ReferenceOf(c, s, at)
			if err != nil {
				t.Fatal(err)
			}
			models[k] = make([]mgl32.Mat4, s.Len())
			pose.ToModel(s, models[k])
		}
		for j := range models[0] {
			worst = max(worst, models[0][j].Col(3).Vec3().Sub(models[1][j].Col(3).Vec3()).Len())
		}
	}
	return worst
}

func TestErrorStaysWithinTolerance(t *testing.T) {
	s, clip := arm()
	last := math.MaxInt
	for _, tolerance := range []float32{0, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1} {
		for _, quantise := range []bool{false, true} {
			job := reduce.Job{Clip: clip, Skeleton: s, Tolerance: tolerance, Quantise: quantise}
			small, report, err := job.Run()
			if err != nil {
				t.Fatal(err)
			}
			if report.Error > tolerance {
				t.Errorf("tolerance %v: %v", tolerance, report)
			}
			if got := measured(t, s, clip, small.Expand()); got > tolerance*1.2+1e-6 {
				t.Errorf("tolerance %v: measured %v, reported %v", tolerance, got, report)
			}
			if !quantise {
				if report.KeysAfter > last {
					t.Errorf("tolerance %v keeps %d keys, more than a smaller one: %d", tolerance, report.KeysAfter, last)
				}
				last = report.KeysAfter
			} else if tolerance >= 1e-3 && report.Ratio() < 4 {
				t.Errorf("tolerance %v: %v", tolerance, report)
			}
			t.Log(tolerance, quantise, report)
		}
	}
}

// The same tolerance leaves more keys near the root than at the tip of the chain,
// where the same turn moves less.
func TestErrorIsHierarchical(t *testing.T) {
	s, clip := arm()
	for j := range clip.Tracks {
		clip.Tracks[j].Values = clip.Tracks[1].Values
	}
	job := reduce.Job{Clip: clip, Skeleton: s, Tolerance: 0.01}
	small, _, err := job.Run()
	if err != nil {
		t.Fatal(err)
	}
	out := small.Expand().Tracks
	if root, tip := len(out[0].Times), len(out[5].Times); root < tip*3/2 {
		t.Errorf("%d keys at the root, %d at the tip", root, tip)
	}
}

// Real clips, at a millimetre.
func TestRealClips(t *testing.T) {
	for _, file := range []string{"gltf/Fox/glTF-Binary/Fox.glb", "gltf/KayKit/Med_MovementBasic.glb"} {
		m, err := gltf.Load(corpus.Path(t, file))
		if err != nil {
			t.Fatal(err)
		}
		// The fox is in centimetres, so to speak: 1 mm of a metre-high one.
		tolerance := float32(0.001)
		if file[5] == 'F' {
			tolerance = 0.1
		}
		for _, clip := range m.Clips[:min(3, len(m.Clips))] {
			job := reduce.Job{Clip: clip, Skeleton: m.Skeleton, Tolerance: tolerance, Quantise: true}
			small, report, err := job.Run()
			if err != nil {
				t.Fatal(err)
			}
			if got := measured(t, m.Skeleton, clip, small.Expand()); got > 1.2*tolerance || report.Error > tolerance {
				t.Errorf("%s, %s: measured %v m; %v", file, clip.Name, got, report)
			}
			if report.Ratio() < 2 {
				t.Errorf("%s, %s: %v", file, clip.Name, report)
			}
			if n := len(small.Expand().Tracks); n != len(clip.Tracks) || report.ChannelsBefore != n || report.ChannelsAfter != n {
				t.Errorf("%s, %s: %d channels of %d are left; %+v", file, clip.Name, n, len(clip.Tracks), report)
			}
			t.Log(clip.Name, report)
		}
	}
}

func TestStepCubicAndWeightsAreKept(t *testing.T) {
	s := &animation.Skeleton{Names: []string{"a"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()},
		MorphWeights: []float32{0}, MorphOffset: []int32{0, 1}}
	times := []float32{0, 1, 2, 3}
	clip := &animation.Clip{Duration: 3, Tracks: []animation.Track{
		{Path: animation.Translation, Interpolation: animation.Step, Width: 3, Times: times, Values: []float32{0, 0, 0, 0, 0, 0, 5, 0, 0, 5, 0, 0}},
		{Path: animation.Scale, Interpolation: animation.CubicSpline, Width: 3, Times: times[:2], Values: []float32{
			0, 0, 0, 1, 1, 1, 2, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0}},
		{Path: animation.Weights, Width: 1, Times: times, Values: []float32{0, 0.25, 0.5, 1}},
	}, Events: []animation.Event{{Name: "x", Time: 1}}, Speed: 2}
	for _, quantise := range []bool{false, true} {
		job := reduce.Job{Clip: clip, Skeleton: s, Tolerance: 1e-3, Quantise: quantise, WeightTolerance: 1e-3}
		small, report, err := job.Run()
		if err != nil {
			t.Fatal(err)
		}
		out := small.Expand()
		if len(out.Tracks[0].Times) != 2 || len(out.Tracks[1].Times) != 2 || len(out.Tracks[2].Times) != 3 || out.Speed != 2 || len(out.Events) != 1 {
			t.Errorf("%+v", out)
		}
		if report.WeightError > 1e-3 || report.Error > 1e-3 {
			t.Errorf("%+v", report)
		}
	}
}

func TestRotationsIn48Bits(t *testing.T) {
	s := &animation.Skeleton{Names: []string{"a"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()}}
	r := rand.New(rand.NewPCG(2, 2))
	tr := animation.Track{Path: animation.Rotation, Width: 4}
	q := mgl32.QuatIdent()
	for k := range 500 {
		axis := mgl32.Vec3{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())}.Normalize()
		q = q.Mul(mgl32.QuatRotate(0.1*r.Float32(), axis)).Normalize()
		v := q.XYZW()
		tr.Times, tr.Values = append(tr.Times, float32(k)), append(tr.Values, v[:]...)
	}
	clip := &animation.Clip{Duration: 499, Tracks: []animation.Track{tr}}
	job := reduce.Job{Clip: clip, Skeleton: s, Tolerance: 1e-3, Reach: []float32{1}, Quantise: true}
	_, report, err := job.Run()
	if err != nil {
		t.Fatal(err)
	}
	// 15 bits over √2: half a step of 4.3e-5 a component is 1.3e-4 rad at worst.
	// Times in 16 bits are off by 3.8e-3 of a key, which turns up to 0.1 rad.
	if report.KeysAfter != 500 || report.BytesAfter > 500*8+100 || report.Error == 0 || report.Error > 6e-4 {
		t.Error(report)
	}
}

func TestJobRefuses(t *testing.T) {
	s, clip := arm()
	for i, job := range []reduce.Job{
		{}, {Clip: clip, Skeleton: s, Tolerance: -1}, {Clip: clip, Skeleton: s, Reach: []float32{1}},
		{Clip: clip, Skeleton: s, Tolerance: float32(math.NaN())},
	} {
		if _, _, err := job.Run(); !errors.Is(err, animation.ErrJob) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func ExampleJob() {
	s, clip := arm()
	job := reduce.Job{Clip: clip, Skeleton: s, Tolerance: 0.01, Quantise: true}
	small, report, err := job.Run()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.KeysAfter < report.KeysBefore/4, report.Ratio() > 10, report.Error <= 0.01)
	fmt.Println(small.Expand().Name)
	// Output:
	// true true true
	// arm
}
