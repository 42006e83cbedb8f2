package profile

import (
	"fmt"
	"math"
	"slices"
)

// RunNoise is how noisy a run was.
type RunNoise struct {
	// Level is quiet, noisy, very noisy, or unknown.
	Level string `json:"level"`
	// Spread is what lies between a quarter and three quarters of the frames,
	// sorted by time, as a part of their median.
	Spread float64 `json:"spread"`
	// Trend is how much longer, as a part, the run's second half took than its
	// first, by medians.
	Trend float64 `json:"trend"`
	// Others is how many processors other programs kept busy meanwhile; null where
	// the system does not say.
	Others *float64 `json:"others_busy"`
	// Load is Others as a part of all processors.
	Load float64 `json:"others_share"`
	// SubmitMS is what a submission takes that does nothing: each pass that is
	// measured alone takes that much more than its work. 0: not measured.
	SubmitMS float64 `json:"submit_ms"`
}

// Doubt is a figure not to believe.
type Doubt struct {
	Row    string `json:"row"`    // "" for more than one
	Figure string `json:"figure"` // such as p99
	Why    string `json:"why"`
}

// steady measures how the frames scatter, and whether they grew longer.
func (n *RunNoise) steady(frame *Row) {
	values := frame.ordered(nil)
	if len(values) < 4 {
		return
	}
	sorted := slices.Sorted(slices.Values(values))
	median := rank(sorted, 0.5)
	if median <= 0 {
		return
	}
	n.Spread = nanoseconds((rank(sorted, 0.75) - rank(sorted, 0.25)) / median)
	half := len(values) / 2
	first, second := slices.Sorted(slices.Values(values[:half])), slices.Sorted(slices.Values(values[half:]))
	n.Trend = nanoseconds(rank(second, 0.5)/rank(first, 0.5) - 1)
}

// Assess says what the frame waits for, how noisy the run was, and which figures
// are not to be believed. Call it again after filling in what it goes by: Judge
// does the first time.
func (r *Report) Assess() {
	r.bound()
	r.Noise.Level = "quiet"
	others := 0.0
	if r.Noise.Others != nil {
		others = *r.Noise.Others
	}
	switch n := &r.Noise; {
	case r.Frames < 4:
		n.Level = "unknown"
	case n.Spread > 0.25 || others > 0.75:
		n.Level = "very noisy"
	case n.Spread > 0.08 || others > 0.2 || math.Abs(n.Trend) > 0.1:
		n.Level = "noisy"
	}
	r.Doubts = []Doubt{}
	doubt := func(row, figure, format string, args ...any) {
		r.Doubts = append(r.Doubts, Doubt{row, figure, fmt.Sprintf(format, args...)})
	}
	if !r.Trusted {
		doubt("", "every gpu and gap row", "%s", r.Why)
	}
	if r.Serialised {
		doubt("", "frame", "processor and device wait for each other in this mode, so a frame takes longer than overlapped")
	}
	switch {
	case r.Frames < 3:
		doubt("", "p50, noise", "too few frames to say how others go: %d", r.Frames)
	case r.Frames < 20:
		doubt("", "p95, p99", "of %d frames they are the slowest one", r.Frames)
	case r.Frames < 100:
		doubt("", "p99", "of %d frames it is the slowest one", r.Frames)
	}
	if !r.Measures.Statistics {
		doubt("", "invocations", "the device has no pipeline statistics, so they are 0")
	}
	if !r.Serialised && !r.Clocks.Comparable {
		doubt("", "starts of gpu rows", "the device's clock cannot be placed on the processor's: %s", r.Clocks.Why)
	}
	if others > 0.2 {
		doubt("", "every time", "other programs kept %.1f processors busy, so times are upper bounds", others)
	}
	if t := r.Noise.Trend; math.Abs(t) > 0.1 {
		than := "more"
		if t < 0 {
			than = "less"
		}
		doubt("", "p50", "the run was not steady: its second half took %.0f %% %s than its first", math.Abs(t)*100, than)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		switch {
		case r.Serialised && row.Kind == GPU && r.Noise.SubmitMS > 0 && row.MS.P50 > 0 && row.MS.P50 < 2*r.Noise.SubmitMS:
			doubt(row.Name, "gpu time", "most of it is its submission, which takes %.3f ms with nothing in it", r.Noise.SubmitMS)
		case row.MS.Noise > 0.25*row.MS.P50 && r.share(row) > 0.02:
			doubt(row.Name, "p50", "it may be off by %.3f ms of %.3f", row.MS.Noise, row.MS.P50)
		}
	}
}

// bound tells what the frame waits for and marks the rows on its critical path.
// Serialised, all are. Overlapped, two frames are in flight, and the one that the
// other waits for decides: where the processor waits for more than a twentieth of
// the frame, or for the device's times, which some drivers wait for, the device
// does.
func (r *Report) bound() {
	waiting := func(row *RowReport) bool { return row.Kind == CPU && (row.Name == "wait" || row.Name == "read times") }
	waits := 0.0
	for i := range r.Rows {
		if row := &r.Rows[i]; waiting(row) {
			waits += row.MS.P50
		}
	}
	device := waits > r.Frame.MS.P50/20
	switch {
	case r.Serialised:
		r.Bound = "both in turn"
	case device:
		r.Bound = "device"
	default:
		r.Bound = "processor"
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		row.Critical = r.Serialised || (row.Kind != CPU) == device && !waiting(row)
	}
}
