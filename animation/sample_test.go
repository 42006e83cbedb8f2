package animation

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// one returns a skeleton of one joint with two morph targets, at rest at
// (1, 2, 3), unrotated, scaled by 2, weights 0.25 and 0.75.
func one() *Skeleton {
	rest := Identity()
	rest.Translation = mgl32.Vec3{1, 2, 3}
	rest.Scale = mgl32.Vec3{2, 2, 2}
	return &Skeleton{
		Names: []string{"a"}, Parents: []int32{-1}, Rest: []Transform{rest},
		MorphWeights: []float32{0.25, 0.75}, MorphOffset: []int32{0, 2},
	}
}

func clipOf(tracks ...Track) *Clip {
	c := &Clip{Name: "test", Tracks: tracks}
	for _, tr := range tracks {
		c.Duration = max(c.Duration, tr.Times[len(tr.Times)-1])
	}
	return c
}

func sampleAt(t testing.TB, s *Skeleton, c *Clip, at float32, cursors []int32) *Pose {
	t.Helper()
	if err := c.Validate(s); err != nil {
		t.Fatal(err)
	}
	out := NewPose(s)
	job := SamplingJob{Clip: c, Skeleton: s, Time: at, Cursors: cursors, Out: out}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	return out
}

func near(a, b, tol float32) bool { return math.Abs(float64(a-b)) <= float64(tol) }

func TestSampleTranslationByHand(t *testing.T) {
	times := []float32{1, 2, 4}
	plain := []float32{0, 0, 0, 10, 20, 30, 20, 0, -30}
	// In-tangent, value, out-tangent. The first interval has tangents of 0, the
	// second an out-tangent of 4 and an in-tangent of -4 along x.
	cubic := []float32{
		9, 9, 9, 0, 0, 0, 0, 0, 0,
		0, 0, 0, 10, 20, 30, 4, 0, 0,
		-4, 0, 0, 20, 0, -30, 9, 9, 9,
	}
	for _, c := range []struct {
		how    Interpolation
		values []float32
		at     float32
		want   mgl32.Vec3
	}{
		{Step, plain, -5, mgl32.Vec3{0, 0, 0}},
		{Step, plain, 1.999, mgl32.Vec3{0, 0, 0}},
		{Step, plain, 2, mgl32.Vec3{10, 20, 30}},
		{Step, plain, 3.999, mgl32.Vec3{10, 20, 30}},
		{Step, plain, 4, mgl32.Vec3{20, 0, -30}},
		{Step, plain, 99, mgl32.Vec3{20, 0, -30}},
		{Linear, plain, 0, mgl32.Vec3{0, 0, 0}},
		{Linear, plain, 1, mgl32.Vec3{0, 0, 0}},
		{Linear, plain, 1.5, mgl32.Vec3{5, 10, 15}},
		{Linear, plain, 2, mgl32.Vec3{10, 20, 30}},
		{Linear, plain, 3.5, mgl32.Vec3{17.5, 5, -15}},
		{Linear, plain, 4, mgl32.Vec3{20, 0, -30}},
		{Linear, plain, 5, mgl32.Vec3{20, 0, -30}},
		{CubicSpline, cubic, 0, mgl32.Vec3{0, 0, 0}},
		{CubicSpline, cubic, 1.5, mgl32.Vec3{5, 10, 15}},              // 3u²-2u³ at ½ is ½
		{CubicSpline, cubic, 1.25, mgl32.Vec3{1.5625, 3.125, 4.6875}}, // at ¼ it is 5/32
		{CubicSpline, cubic, 2, mgl32.Vec3{10, 20, 30}},
		// At ½: ½·10 + ½·20 + 2 s·(⅛·4 - ⅛·(-4)) = 17.
		{CubicSpline, cubic, 3, mgl32.Vec3{17, 10, 0}},
		{CubicSpline, cubic, 4, mgl32.Vec3{20, 0, -30}},
		{CubicSpline, cubic, 7, mgl32.Vec3{20, 0, -30}},
	} {
		clip := clipOf(Track{Path: Translation, Interpolation: c.how, Width: 3, Times: times, Values: c.values})
		got := sampleAt(t, one(), clip, c.at, make([]int32, 1)).Local[0].Translation
		if got.Sub(c.want).Len() > 1e-5 {
			t.Errorf("interpolation %d at %v s: %v, want %v", c.how, c.at, got, c.want)
		}
	}
}

func TestSampleRotationTakesTheShorterArcAtConstantSpeed(t *testing.T) {
	z := mgl32.Vec3{0, 0, 1}
	for _, turn := range []float64{0, 1e-4, 0.01, 0.3, 1, 1.4, 1.5, 2, 3, 3.1} {
		for _, sign := range []float32{1, -1} { // q and -q are the same rotation
			b := mgl32.QuatRotate(float32(turn), z).Scale(sign)
			clip := clipOf(Track{Path: Rotation, Width: 4, Times: []float32{0, 1},
				Values: append([]float32{0, 0, 0, 1}, xyzw(b)...)})
			for _, u := range []float64{0, 0.1, 0.25, 0.5, 0.8, 1} {
				q := sampleAt(t, one(), clip, float32(u), make([]int32, 1)).Local[0].Rotation
				got := 2 * math.Atan2(float64(q.V[2]), float64(q.W))
				if q.W < 0 {
					got = 2 * math.Atan2(-float64(q.V[2]), -float64(q.W))
				}
				if math.Abs(got-u*turn) > 3e-6 {
					t.Errorf("turn %v, sign %v, at %v: %v, want %v", turn, sign, u, got, u*turn)
				}
				if l := q.Len(); !near(l, 1, 1e-6) {
					t.Errorf("turn %v at %v: length %v", turn, u, l)
				}
			}
		}
	}
}

func xyzw(q mgl32.Quat) []float32 { v := q.XYZW(); return v[:] }

func TestSinRatioIsExactToFloat32(t *testing.T) {
	worst := 0.0
	for x := 1e-6; x < 0.25; x *= 1.3 {
		theta := math.Acos(1 - x)
		for u := 0.0; u <= 1; u += 1.0 / 64 {
			want := math.Sin(u*theta) / math.Sin(theta)
			worst = max(worst, math.Abs(float64(sinRatio(float32(u), float32(x)))-want))
			if x < 0.03 {
				worst = max(worst, math.Abs(float64(sinRatioNear(float32(u), float32(x)))-want))
			}
		}
	}
	if worst > 3e-7 {
		t.Errorf("the series differs by %g", worst)
	}
}

func TestUnitIsUnitLength(t *testing.T) {
	for l := float32(1e-3); l < 100; l *= 1.001 {
		q := mgl32.Quat{W: 0.1, V: mgl32.Vec3{0.5, -0.3, 0.8}}.Normalize().Scale(l)
		if got := unit(q.V[0], q.V[1], q.V[2], q.W).Len(); !near(got, 1, 3e-7) {
			t.Errorf("length %v became %v", l, got)
		}
	}
	if unit(0, 0, 0, 0) != mgl32.QuatIdent() {
		t.Error("the zero quaternion is not the identity")
	}
}

func TestSampleCubicRotationStaysUnitLength(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const keys = 12
	var times, values []float32
	for k := range keys {
		times = append(times, float32(k))
		q := mgl32.Quat{W: r.Float32() - 0.5, V: mgl32.Vec3{r.Float32(), r.Float32(), r.Float32()}}.Normalize()
		for range 4 {
			values = append(values, 6*r.Float32()-3)
		}
		values = append(values, xyzw(q)...)
		for range 4 {
			values = append(values, 6*r.Float32()-3)
		}
	}
	clip := clipOf(Track{Path: Rotation, Interpolation: CubicSpline, Width: 4, Times: times, Values: values})
	for at := float32(-1); at < keys; at += 0.037 {
		if l := sampleAt(t, one(), clip, at, make([]int32, 1)).Local[0].Rotation.Len(); !near(l, 1, 1e-6) {
			t.Fatalf("length %v at %v s", l, at)
		}
	}
}

func TestSampleWeights(t *testing.T) {
	times := []float32{0, 2}
	for _, c := range []struct {
		how    Interpolation
		values []float32
		want   []float32 // at ½ s
	}{
		{Step, []float32{0, 1, 1, 0}, []float32{0, 1}},
		{Linear, []float32{0, 1, 1, 0}, []float32{0.25, 0.75}},
		// A key is all in-tangents, all values, all out-tangents (§3.11). At u = ¼
		// of 2 s: 5/32 of the way, and 2·9/64 of the out-tangent 1 of target 0.
		{CubicSpline, []float32{0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0}, []float32{5.0/32 + 18.0/64, 27.0 / 32}},
	} {
		clip := clipOf(Track{Path: Weights, Interpolation: c.how, Width: 2, Times: times, Values: c.values})
		p := sampleAt(t, one(), clip, 0.5, make([]int32, 1))
		for i := range c.want {
			if !near(p.Weights[i], c.want[i], 1e-6) {
				t.Errorf("interpolation %d: weights %v, want %v", c.how, p.Weights, c.want)
			}
		}
		if p.Moved[0] {
			t.Error("weights alone moved the joint")
		}
		if end := sampleAt(t, one(), clip, 9, make([]int32, 1)).Weights; end[0] != 1 || end[1] != 0 {
			t.Errorf("interpolation %d: weights %v after the end", c.how, end)
		}
	}
}

func TestSampleAbsentTracksAreAtRest(t *testing.T) {
	s := one()
	clip := clipOf(Track{Path: Rotation, Width: 4, Times: []float32{3}, Values: []float32{0, 1, 0, 0}})
	for _, at := range []float32{0, 3, 5} { // one key holds always
		p := sampleAt(t, s, clip, at, make([]int32, 1))
		want := s.Rest[0]
		want.Rotation = mgl32.QuatXYZW(0, 1, 0, 0)
		if p.Local[0] != want || !slices.Equal(p.Weights, s.MorphWeights) || !p.Moved[0] {
			t.Errorf("at %v s: %v %v", at, p.Local[0], p.Weights)
		}
	}
}

func TestSampleOverwritesWhatThePoseHeld(t *testing.T) {
	s := one()
	out := NewPose(s)
	out.Local[0] = Transform{Translation: mgl32.Vec3{9, 9, 9}}
	out.Weights[0], out.Moved[0] = 9, true
	job := SamplingJob{Clip: &Clip{}, Skeleton: s, Out: out}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	if out.Local[0] != s.Rest[0] || out.Weights[0] != 0.25 || out.Moved[0] {
		t.Errorf("an empty clip left %v", out)
	}
}

func TestSampleEqualTimesJumpToTheLast(t *testing.T) {
	clip := clipOf(Track{Path: Translation, Width: 3, Times: []float32{0, 1, 1, 1, 2},
		Values: []float32{0, 0, 0, 1, 0, 0, 5, 0, 0, 10, 0, 0, 20, 0, 0}})
	for at, want := range map[float32]float32{0.5: 0.5, 1: 10, 1.5: 15, 2: 20} {
		if x := sampleAt(t, one(), clip, at, make([]int32, 1)).Local[0].Translation[0]; x != want {
			t.Errorf("at %v s: x %v, want %v", at, x, want)
		}
	}
}

// A cursor, whatever it holds, must not change a pose.
func TestSampleCursorsNeverMatter(t *testing.T) {
	s, clip := character(5, 40)
	r := rand.New(rand.NewPCG(3, 4))
	kept := make([]int32, len(clip.Tracks))
	for i := range 2000 {
		at := r.Float32()*(clip.Duration+1) - 0.5
		if i%3 > 0 {
			at = float32(i) / 500
		}
		if i%100 == 0 {
			for k := range kept {
				kept[k] = r.Int32() - r.Int32()
			}
		}
		a := sampleAt(t, s, clip, at, kept)
		b := sampleAt(t, s, clip, at, make([]int32, len(clip.Tracks)))
		if !slices.Equal(a.Local, b.Local) {
			t.Fatalf("at %v s a kept cursor gives another pose", at)
		}
	}
}

func TestSeekAgreesWithALinearSearch(t *testing.T) {
	times := []float32{-1, 0, 0, 0.5, 2, 2, 2, 3}
	for _, at := range []float32{-2, -1, -0.5, 0, 0.25, 0.5, 1, 2, 2.5, 3, 4} {
		want := -1
		for k, x := range times {
			if x <= at {
				want = k
			}
		}
		for cursor := -2; cursor < len(times)+2; cursor++ {
			if got := seek(times, at, cursor); got != want {
				t.Errorf("seek %v from %d: key %d, want %d", at, cursor, got, want)
			}
		}
	}
}

func TestSamplingJobRefuses(t *testing.T) {
	s := one()
	clip := clipOf(Track{Path: Scale, Width: 3, Times: []float32{0}, Values: []float32{1, 1, 1}})
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	other := &Skeleton{Names: []string{"a", "b"}, Parents: []int32{-1, 0}, Rest: []Transform{Identity(), Identity()}}
	for name, job := range map[string]SamplingJob{
		"nothing":       {},
		"no cursors":    {Clip: clip, Skeleton: s, Out: NewPose(s)},
		"NaN":           {Clip: clip, Skeleton: s, Out: NewPose(s), Cursors: []int32{0}, Time: nan},
		"infinite time": {Clip: clip, Skeleton: s, Out: NewPose(s), Cursors: []int32{0}, Time: inf},
		"other pose":    {Clip: clip, Skeleton: s, Out: NewPose(other), Cursors: []int32{0}},
	} {
		if err := job.Run(); !errors.Is(err, ErrJob) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClipValidateRefuses(t *testing.T) {
	s := one()
	good := Track{Path: Translation, Width: 3, Times: []float32{0, 1}, Values: make([]float32, 6)}
	if err := clipOf(good).Validate(s); err != nil {
		t.Fatal(err)
	}
	nan := float32(math.NaN())
	for name, change := range map[string]func(*Track){
		"joint":         func(tr *Track) { tr.Joint = 1 },
		"negative":      func(tr *Track) { tr.Joint = -1 },
		"path":          func(tr *Track) { tr.Path = 4 },
		"interpolation": func(tr *Track) { tr.Interpolation = 3 },
		"width":         func(tr *Track) { tr.Width = 4 },
		"no keys":       func(tr *Track) { tr.Times, tr.Values = nil, nil },
		"values":        func(tr *Track) { tr.Values = tr.Values[:5] },
		"cubic values":  func(tr *Track) { tr.Interpolation = CubicSpline },
		"falling":       func(tr *Track) { tr.Times = []float32{1, 0} },
		"NaN":           func(tr *Track) { tr.Times = []float32{0, nan} },
		"no weights":    func(tr *Track) { tr.Path, tr.Width, tr.Values = Weights, 0, nil },
	} {
		bad := good
		change(&bad)
		if err := (&Clip{Duration: 1, Tracks: []Track{bad}}).Validate(s); !errors.Is(err, ErrClip) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&Clip{Duration: nan}).Validate(s); !errors.Is(err, ErrClip) {
		t.Errorf("duration: %v", err)
	}
}
