package blendspace

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
)

// ErrSamples is wrapped by the error of samples that make no space.
var ErrSamples = errors.New("blendspace: bad samples")

// Weight is how much of one sample plays: At is its index in the order in which
// the samples were given.
type Weight struct {
	At int
	W  float32
}

// Line is a blend space of one dimension.
type Line struct {
	at    []float32 // sorted
	index []int
}

// NewLine returns the space of samples at these numbers, in any order.
func NewLine(at []float32) (*Line, error) {
	if len(at) == 0 {
		return nil, fmt.Errorf("%w: none", ErrSamples)
	}
	l := &Line{index: make([]int, len(at))}
	for i, x := range at {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, fmt.Errorf("%w: sample %d lies at %v", ErrSamples, i, x)
		}
		l.index[i] = i
	}
	sort.Slice(l.index, func(a, b int) bool { return at[l.index[a]] < at[l.index[b]] })
	for k, i := range l.index {
		if k > 0 && l.at[k-1] == at[i] {
			return nil, fmt.Errorf("%w: samples %d and %d lie at %v", ErrSamples, l.index[k-1], i, at[i])
		}
		l.at = append(l.at, at[i])
	}
	return l, nil
}

// Weights appends the samples that play at x to out, at most two, and returns it.
// A NaN counts as the first sample's number.
func (l *Line) Weights(x float32, out []Weight) []Weight {
	if !(x > l.at[0]) {
		return append(out, Weight{l.index[0], 1})
	}
	k, found := slices.BinarySearch(l.at, x)
	if k == len(l.at) {
		return append(out, Weight{l.index[k-1], 1})
	}
	if found {
		return append(out, Weight{l.index[k], 1})
	}
	u := (x - l.at[k-1]) / (l.at[k] - l.at[k-1])
	return append(out, Weight{l.index[k-1], 1 - u}, Weight{l.index[k], u})
}
