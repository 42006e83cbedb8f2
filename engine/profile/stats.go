package profile

import (
	"math"
	"slices"
)

// Stats are a row's figures in milliseconds, over the frames that it was part of.
// Of them only means add up: those of the rows of every frame to the mean of the
// frame.
type Stats struct {
	Min  float64 `json:"min"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
	Mean float64 `json:"mean"`
	// Noise is how far P50 may be off: another run like this one has its P50
	// within it ninety-nine times in a hundred. See Noise.
	Noise float64 `json:"noise"`
}

// Stats computes the figures over the kept frames; percentiles are the nearest
// ranks. It allocates nothing. Noise is left 0.
func (r *Row) Stats() Stats {
	r.sorted = r.ordered(r.sorted[:0])
	slices.Sort(r.sorted)
	return statsOf(r.sorted)
}

func statsOf(sorted []float64) Stats {
	n := len(sorted)
	if n == 0 {
		return Stats{}
	}
	sum := 0.0
	for _, v := range sorted {
		sum += v
	}
	return Stats{
		Min: sorted[0] * 1e3, P50: rank(sorted, 0.5) * 1e3, P95: rank(sorted, 0.95) * 1e3, P99: rank(sorted, 0.99) * 1e3,
		Max: sorted[n-1] * 1e3, Mean: sum / float64(n) * 1e3,
	}
}

// rank is the percentile p, 0 to 1, of sorted values: the nearest rank.
func rank(sorted []float64, p float64) float64 {
	n := len(sorted)
	return sorted[min(max(int(math.Ceil(p*float64(n)))-1, 0), n-1)]
}

// Noise is how far the median of values may be off, in their unit: half of what
// lies between the order statistics that hold it with a probability of 99 %
// (n/2 ± 1.29 √n, Conover, Practical Nonparametric Statistics, 3.2), but at least
// half the range of the medians of the run's quarters, since frames that follow
// one another are alike and a machine that grows busy is not seen within one
// quarter. values are in the order of the frames; fewer than three have no
// noise that could be told, which is +Inf.
func Noise(values []float64) float64 {
	n := len(values)
	if n < 3 {
		return math.Inf(1)
	}
	sorted := slices.Sorted(slices.Values(values))
	reach := 1.29 * math.Sqrt(float64(n))
	lo := max(int(math.Floor(float64(n)/2-reach)), 0)
	hi := min(int(math.Ceil(float64(n)/2+reach)), n-1)
	noise := (sorted[hi] - sorted[lo]) / 2
	if n < 8 {
		return noise
	}
	least, most := math.Inf(1), math.Inf(-1)
	for q := range 4 {
		part := slices.Sorted(slices.Values(values[q*n/4 : (q+1)*n/4]))
		m := rank(part, 0.5)
		least, most = min(least, m), max(most, m)
	}
	return max(noise, (most-least)/2)
}

// noise of the row's median, milliseconds; 0 where it cannot be told.
func (r *Row) noise() float64 {
	n := Noise(r.ordered(nil)) * 1e3
	if math.IsInf(n, 0) {
		return 0
	}
	return n
}
