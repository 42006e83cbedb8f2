package profile

import (
	"encoding/json"
	"io"
	"math"
)

// Format is the number of the JSON's shape: a report of another cannot be a
// baseline.
const Format = 1

// Report is a table's figures and what is needed to judge them. Its JSON is the
// output of "bindpose profile --json".
type Report struct {
	Format     int         `json:"format"`
	Device     Device      `json:"device"`
	Scene      string      `json:"scene"` // what was drawn
	Size       [2]int      `json:"size"`  // of the picture, pixels
	Frames     int         `json:"frames"`
	Warmup     int         `json:"warmup"` // frames drawn before and left out
	Serialised bool        `json:"serialised"`
	Trusted    bool        `json:"trusted"`
	Why        string      `json:"why_not_trusted,omitempty"`
	Incomplete bool        `json:"interrupted,omitempty"` // ended before all the frames that were asked for
	Measures   Measures    `json:"measures"`
	Clocks     Clocks      `json:"clocks"`
	Noise      RunNoise    `json:"noise"`
	Bound      string      `json:"bound"`  // what the frame waits for: processor, device, or both in turn
	Doubts     []Doubt     `json:"doubts"` // figures not to believe
	Frame      FrameRow    `json:"frame"`
	Rows       []RowReport `json:"rows"` // in frame order

	Plan       *Plan        `json:"plan,omitempty"`
	Memory     *Memory      `json:"memory,omitempty"`
	Host       *Host        `json:"host,omitempty"`
	Without    []Difference `json:"without,omitempty"`
	Comparison *Comparison  `json:"comparison,omitempty"`
}

// Device is what drew.
type Device struct {
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Type   string `json:"type"` // cpu, integrated, discrete, virtual or other
}

// Measures is what the device can measure.
type Measures struct {
	Timestamps bool `json:"timestamps"`
	Statistics bool `json:"statistics"` // invocations of shaders
}

// Clocks says whether processor's and device's times can be compared.
type Clocks struct {
	Comparable  bool    `json:"comparable"`
	Why         string  `json:"why_not,omitempty"`
	DeviationMS float64 `json:"deviation_ms"` // how far a device's moment may be off on the processor's clock
	DriftPPM    float64 `json:"drift_ppm"`    // how fast the two went apart meanwhile
}

// FrameRow is the frame as a whole, and what of it the rows add up to.
type FrameRow struct {
	MS Stats `json:"ms"`
	// RowsMS is the sum of the means of the rows that are parts of the frame:
	// all where serialised, the processor's where overlapped. DeviceMS is that of
	// the device's rows, gaps among them.
	RowsMS   float64 `json:"rows_ms"`
	DeviceMS float64 `json:"device_ms"`
}

// RowReport is one phase, pass or gap.
type RowReport struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	MS       Stats  `json:"ms"`
	Frames   int    `json:"frames"`   // that it was part of
	Critical bool   `json:"critical"` // the frame would be shorter were it shorter
	Counts
}

// Report computes the figures of every row. The caller fills in what the table
// does not know, Serialised first of all, by way of Judge.
func (t *Table) Report() Report {
	r := Report{
		Format: Format, Frames: t.Kept(), Rows: make([]RowReport, 0, len(t.rows)),
		Measures: Measures{Timestamps: true, Statistics: true}, Clocks: Clocks{Comparable: true},
	}
	for _, row := range t.rows {
		s := row.Stats()
		s.Noise = row.noise()
		s = s.rounded()
		if row.Kind == Whole {
			r.Frame.MS = s
			r.Noise.steady(row)
			continue
		}
		if row.count > 0 {
			r.Rows = append(r.Rows, RowReport{Name: row.Name, Kind: row.Kind, MS: s, Frames: row.count, Counts: row.Counts})
		}
	}
	r.Judge(Device{}, true, true, "")
	return r
}

// rounded to nanoseconds, which no clock here tells apart.
func (s Stats) rounded() Stats {
	for _, v := range []*float64{&s.Min, &s.P50, &s.P95, &s.P99, &s.Max, &s.Mean, &s.Noise} {
		*v = nanoseconds(*v)
	}
	return s
}

func nanoseconds(ms float64) float64 { return math.Round(ms*1e6) / 1e6 }

// Judge says what measured the figures, and whether they can be trusted and, if
// not, why. It sums the rows accordingly, and assesses them.
func (r *Report) Judge(d Device, serialised, trusted bool, why string) {
	r.Device, r.Serialised, r.Trusted, r.Why = d, serialised, trusted, why
	r.Frame.RowsMS, r.Frame.DeviceMS = 0, 0
	for i := range r.Rows {
		row := &r.Rows[i]
		ms := r.aFrame(row)
		if row.Kind != CPU {
			r.Frame.DeviceMS += ms
		}
		if row.Kind == CPU || serialised {
			r.Frame.RowsMS += ms
		}
	}
	r.Frame.RowsMS, r.Frame.DeviceMS = nanoseconds(r.Frame.RowsMS), nanoseconds(r.Frame.DeviceMS)
	r.Assess()
}

// aFrame is what a row took of the average frame, milliseconds: a row that only
// some frames have counts that much less.
func (r *Report) aFrame(row *RowReport) float64 {
	if r.Frames == 0 {
		return 0
	}
	return row.MS.Mean * float64(row.Frames) / float64(r.Frames)
}

// share of the mean frame, 0 to 1.
func (r *Report) share(row *RowReport) float64 {
	if r.Frame.MS.Mean <= 0 {
		return 0
	}
	return r.aFrame(row) / r.Frame.MS.Mean
}

// row of a name and kind; nil where there is none.
func (r *Report) row(name string, kind Kind) *RowReport {
	for i := range r.Rows {
		if r.Rows[i].Name == name && r.Rows[i].Kind == kind {
			return &r.Rows[i]
		}
	}
	return nil
}

// JSON writes the report, indented.
func (r *Report) JSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(r)
}
