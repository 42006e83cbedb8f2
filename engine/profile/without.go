package profile

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/internal/columns"
)

// Difference is what the frame, and each row, takes less without something:
// what it really costs, after all that waits for it or shares with it. It is
// measured in turns of some frames with and some without.
type Difference struct {
	Without string `json:"without"`
	How     string `json:"how"`   // what was done to go without
	Pairs   int    `json:"pairs"` // of turns
	// Frame is over the frame by the clock.
	Frame DifferenceRow   `json:"frame"`
	Rows  []DifferenceRow `json:"rows"`
}

// DifferenceRow is one row of a difference, milliseconds.
type DifferenceRow struct {
	Name    string  `json:"name"`
	Kind    Kind    `json:"kind"`
	With    float64 `json:"with_ms"`    // median of the turns' medians
	Without float64 `json:"without_ms"` // the same
	Cost    float64 `json:"cost_ms"`    // median of the pairs' differences
	Least   float64 `json:"least_ms"`   // of the pairs' differences
	Most    float64 `json:"most_ms"`
	Noise   float64 `json:"noise_ms"` // how far Cost may be off; 0 where there are too few pairs to tell
	Beyond  bool    `json:"beyond_noise"`
}

// Turns are the medians of turns with and without, by pairs, milliseconds. A turn
// that did not have the row has NaN.
type Turns struct{ With, Without []float64 }

// DifferenceOf compares pairs of turns.
func DifferenceOf(name string, kind Kind, t Turns) DifferenceRow {
	d := DifferenceRow{Name: name, Kind: kind, Least: math.Inf(1), Most: math.Inf(-1)}
	var costs, with, without []float64
	for i := range min(len(t.With), len(t.Without)) {
		// A row that is gone takes no time.
		a, b := orZero(t.With[i]), orZero(t.Without[i])
		with, without, costs = append(with, a), append(without, b), append(costs, a-b)
		d.Least, d.Most = min(d.Least, a-b), max(d.Most, a-b)
	}
	if len(costs) == 0 {
		d.Least, d.Most = 0, 0
		return d
	}
	d.With, d.Without, d.Cost = nanoseconds(medianOf(with)), nanoseconds(medianOf(without)), nanoseconds(medianOf(costs))
	d.Least, d.Most = nanoseconds(d.Least), nanoseconds(d.Most)
	if n := Noise(costs); !math.IsInf(n, 0) && len(costs) >= 5 {
		d.Noise = nanoseconds(n)
		d.Beyond = math.Abs(d.Cost) > d.Noise
	}
	return d
}

func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// medianOf values, the mean of the middle two where they are even.
func medianOf(values []float64) float64 {
	s := slices.Sorted(slices.Values(values))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
}

// withoutText is a table for each difference: the frame, and the rows whose
// difference is beyond the noise.
func (r *Report) withoutText(w io.Writer) error {
	for i := range r.Without {
		d := &r.Without[i]
		t := columns.New("llrrrrrl")
		t.Row("without "+columns.Clean(d.Without, 40), "", "with", "without", "cost", "±", "least", "most")
		line := func(x *DifferenceRow) {
			t.Row(columns.Clean(x.Name, 32), strings.TrimPrefix(string(x.Kind), "frame"), fmt.Sprintf("%.3f", x.With), fmt.Sprintf("%.3f", x.Without),
				fmt.Sprintf("%.3f", x.Cost), fmt.Sprintf("%.3f", x.Noise), fmt.Sprintf("%.3f", x.Least), fmt.Sprintf("%.3f", x.Most))
		}
		for k := range d.Rows {
			if x := &d.Rows[k]; x.Beyond && math.Abs(x.Cost) >= 0.001*max(d.Frame.With, 1e-9) {
				line(x)
			}
		}
		line(&d.Frame)
		said := "which is beyond the noise"
		if !d.Frame.Beyond {
			said = "which the noise may explain"
		}
		part := 0.0
		if d.Frame.With > 0 {
			part = d.Frame.Cost / d.Frame.With * 100
		}
		t.Row(fmt.Sprintf("%s: %.3f ms or %.1f %% of the frame, %s (%d pairs of turns; %s)", columns.Clean(d.Without, 40), d.Frame.Cost, part, said, d.Pairs, d.How))
		if err := section(w, "", t); err != nil {
			return err
		}
	}
	return nil
}
