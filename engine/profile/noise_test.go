package profile_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bindpose/bindpose/engine/profile"
)

// Medians of runs of one distribution differ by more than their noise together
// hardly ever; by a change of ten times the scatter, always.
func TestNoiseBoundsTheMedian(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	run := func(n int, base float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = base * (1 + 0.05*random.NormFloat64() + 0.3*math.Max(random.NormFloat64()-2, 0))
		}
		return out
	}
	for _, n := range []int{10, 30, 100} {
		wrong := 0
		const runs = 2000
		for range runs {
			a, b := run(n, 1), run(n, 1)
			if math.Abs(median(a)-median(b)) > profile.Noise(a)+profile.Noise(b) {
				wrong++
			}
		}
		if wrong > runs/100 {
			t.Errorf("%d frames: %d of %d pairs of equal runs differ beyond their noise", n, wrong, runs)
		}
		if a, b := run(n, 1), run(n, 1.5); n >= 30 && math.Abs(median(a)-median(b)) < profile.Noise(a)+profile.Noise(b) {
			t.Errorf("%d frames: a change of half is within the noise of %v and %v", n, profile.Noise(a), profile.Noise(b))
		}
	}
}

// A machine that grows slower during the run makes its median uncertain, though
// the frames that follow one another are alike.
func TestNoiseSeesDrift(t *testing.T) {
	var values []float64
	for i := range 100 {
		values = append(values, 1+float64(i/25))
	}
	if n := profile.Noise(values); n < 1.4 {
		t.Errorf("quarters of 1, 2, 3 and 4 have a noise of %v, want half their range", n)
	}
	if n := profile.Noise([]float64{1, 1}); !math.IsInf(n, 1) {
		t.Errorf("two frames have a noise of %v; nothing is known", n)
	}
}

func median(values []float64) float64 {
	t := profile.Keeping(len(values))
	for _, v := range values {
		t.Add([]profile.Sample{{Name: "x", Kind: profile.CPU, Seconds: v}})
	}
	return t.Rows()[0].Stats().P50 / 1e3
}

// What turns with and without differ by is their cost, unless the pairs disagree.
func TestDifference(t *testing.T) {
	d := profile.DifferenceOf("x", profile.GPU, profile.Turns{
		With:    []float64{10, 12, 11, 10, 30, 10, 11, 10},
		Without: []float64{4, 6, 5.1, 4, 24.1, 4, 5, math.NaN()},
	})
	if math.Abs(d.Cost-6) > 0.01 || !d.Beyond || d.Noise > 3 || d.Most != 10 {
		t.Errorf("a steady cost of 6 came out as %+v", d)
	}
	d = profile.DifferenceOf("x", profile.GPU, profile.Turns{
		With: []float64{10, 4, 11, 4, 12, 5}, Without: []float64{4, 10, 4, 11, 5, 12},
	})
	if d.Beyond {
		t.Errorf("pairs that disagree were believed: %+v", d)
	}
	if d = profile.DifferenceOf("x", profile.GPU, profile.Turns{}); d.Cost != 0 || d.Least != 0 || d.Beyond {
		t.Errorf("no pairs give %+v", d)
	}
}
