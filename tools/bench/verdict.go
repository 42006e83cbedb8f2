package main

import (
	"fmt"
	"slices"
	"strings"
)

// row is one line of the table: a number held against its target.
type row struct {
	what    string
	unit    string
	target  float64
	atLeast bool // the target is a least value, not a most

	value metric
	scale float64 // from value's unit to the row's; 0 is 1
	over  metric  // where set, the row is value/over, both of one round
	// aside are numbers told behind the verdict, as medians.
	aside []aside
}

type aside struct {
	what  string
	value metric
	scale float64
	unit  string
}

// verdict is what a target's measurement came to.
type verdict string

const (
	met         verdict = "met"
	missed      verdict = "missed"
	notMeasured verdict = "not measured" // something that it needs is not here
	failed      verdict = "failed"       // the benchmark is broken
)

// outcome is a row measured. Measured, Min and Max are in the row's unit:
// Measured is the median of the runs.
type outcome struct {
	Name    string    `json:"name"`
	What    string    `json:"what"`
	Unit    string    `json:"unit"`
	Target  float64   `json:"target"`
	Better  string    `json:"better"` // lower or higher
	Verdict verdict   `json:"verdict"`
	Runs    []float64 `json:"runs"` // in the order of the rounds
	// Met is how many of the runs met the target.
	Met      int      `json:"met"`
	Measured *float64 `json:"measured"` // null where there is none
	Min      *float64 `json:"min"`
	Max      *float64 `json:"max"`
	Ratio    *float64 `json:"ratio"` // measured/target; null where the target is 0
	Note     string   `json:"note,omitempty"`
}

// judge holds a row's readings, one a round, against its target. broken is the
// error that ended its benchmark, or nil.
func judge(name string, r row, rounds []readings, broken error) outcome {
	o := outcome{Name: name, What: r.what, Unit: r.unit, Target: r.target, Better: "lower", Runs: []float64{}}
	if r.atLeast {
		o.Better = "higher"
	}
	var asides []string
	for _, a := range r.aside {
		if v := collect(rounds, a.value, metric{}, a.scale); len(v) > 0 {
			asides = append(asides, strings.TrimSpace(fmt.Sprintf("%s %s %s", a.what, figure(median(v)), a.unit)))
		}
	}
	o.Note = strings.Join(asides, ", ")
	if broken != nil {
		o.Verdict, o.Note = failed, broken.Error()
		return o
	}
	o.Runs = append(o.Runs, collect(rounds, r.value, r.over, r.scale)...)
	if len(o.Runs) == 0 {
		o.Verdict = failed
		why := fmt.Sprintf("nothing printed %v", r.value)
		if r.over != (metric{}) {
			why += fmt.Sprintf(" and %v", r.over)
		}
		if reason, ok := skipReason(rounds, r.value, r.over); ok {
			o.Verdict, why = notMeasured, reason
		}
		o.Note = strings.Join(append(asides, why), ", ")
		return o
	}
	m, lo, hi := median(o.Runs), slices.Min(o.Runs), slices.Max(o.Runs)
	o.Measured, o.Min, o.Max = &m, &lo, &hi
	if r.target != 0 {
		ratio := m / r.target
		o.Ratio = &ratio
	}
	for _, v := range o.Runs {
		if r.meets(v) {
			o.Met++
		}
	}
	o.Verdict = missed
	if r.meets(m) {
		o.Verdict = met
	}
	return o
}

func (r row) meets(v float64) bool {
	if r.atLeast {
		return v >= r.target
	}
	return v <= r.target
}

// collect is the value of each round that has it, divided by over where that
// is set.
func collect(rounds []readings, value, over metric, scale float64) []float64 {
	if scale == 0 {
		scale = 1
	}
	var out []float64
	for _, r := range rounds {
		v, ok := r.values[value]
		if !ok {
			continue
		}
		if over != (metric{}) {
			under, ok := r.values[over]
			if !ok || under == 0 {
				continue
			}
			v /= under
		}
		out = append(out, v*scale)
	}
	return out
}

// skipReason is why a benchmark, or one that it is a part of, was skipped.
func skipReason(rounds []readings, metrics ...metric) (string, bool) {
	for _, r := range rounds {
		for _, m := range metrics {
			for name := m.benchmark; name != ""; {
				if reason, ok := r.skipped[name]; ok {
					return reason, true
				}
				cut := strings.LastIndexByte(name, '/')
				name = name[:max(cut, 0)]
			}
		}
	}
	return "", false
}

// median of at least one value; of an even number, the mean of the middle two.
func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// figure prints a number with three significant digits or all before the point.
func figure(v float64) string {
	switch a := max(v, -v); {
	case v == float64(int64(v)) && a < 1e6:
		return fmt.Sprintf("%.0f", v)
	case a >= 100:
		return fmt.Sprintf("%.0f", v)
	case a >= 10:
		return fmt.Sprintf("%.1f", v)
	case a >= 1:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}
