package profile

import (
	"fmt"
	"io"
	"strings"

	"github.com/bindpose/bindpose/internal/columns"
)

const barCells = 20

// Text writes the report for a terminal: what was measured and how far to
// believe it, the table in frame order with a bar for each row's share of the
// frame, whether the rows account for the frame, what each pass did, memory, and
// what was compared.
func (r *Report) Text(w io.Writer) error {
	for _, part := range []func(io.Writer) error{
		r.head, r.times, r.foot, r.work, r.memoryText, r.withoutText, r.comparisonText, r.doubtsText,
	} {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

func (r *Report) times(w io.Writer) error {
	t := columns.New("llrrrrrrr")
	t.Row("phase or pass", "", "min", "p50", "p95", "p99", "max", "±", "share")
	for i := range r.Rows {
		row := &r.Rows[i]
		share := r.share(row)
		t.Row(append(figures(columns.Clean(row.Name, 32), string(row.Kind), row.MS, row.Frames),
			fmt.Sprintf("%.1f %%", share*100), columns.Bar(share, barCells))...)
	}
	t.Row(append(figures("frame", "", r.Frame.MS, r.Frames), "", "")...)
	return t.Write(w)
}

// figures are the cells that each row has: milliseconds.
func figures(name, kind string, s Stats, frames int) []string {
	cells := []string{name, kind}
	for _, v := range []float64{s.Min, s.P50, s.P95, s.P99, s.Max} {
		cells = append(cells, fmt.Sprintf("%.3f", v))
	}
	if frames < 3 {
		return append(cells, "–")
	}
	return append(cells, fmt.Sprintf("%.3f", s.Noise))
}

func (r *Report) head(w io.Writer) error {
	ended := ""
	if r.Incomplete {
		ended = " (interrupted)"
	}
	mode := "overlapped: one submission a frame, the device's times by its timestamps"
	if r.Serialised {
		mode = "serialised: each pass is submitted and waited for alone, and timed by the clock"
	}
	trust := "yes; but processor and device do not overlap in this mode, so a frame takes longer than otherwise"
	switch {
	case !r.Trusted:
		trust = "not the gpu and gap rows: " + r.Why
	case !r.Serialised:
		trust = "yes"
	}
	t := columns.New("l")
	t.Row("device", fmt.Sprintf("%s, %s", r.Device.Name, r.Device.Type))
	t.Row("driver", r.Device.Driver)
	t.Row("scene", fmt.Sprintf("%s, %d×%d", columns.Clean(r.Scene, 60), r.Size[0], r.Size[1]))
	t.Row("frames", fmt.Sprintf("%d after %d to warm up%s; milliseconds", r.Frames, r.Warmup, ended))
	t.Row("mode", mode)
	t.Row("trusted", trust)
	t.Row("clocks", r.clocksText())
	t.Row("noise", r.noiseText())
	t.Row("waits for", r.boundText())
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (r *Report) clocksText() string {
	c := &r.Clocks
	switch {
	case r.Serialised:
		return "all times are the processor's"
	case !c.Comparable:
		return "not comparable: " + c.Why
	}
	return fmt.Sprintf("comparable to %.4f ms; drift %.1f ppm", c.DeviationMS, c.DriftPPM)
}

func (r *Report) noiseText() string {
	n := &r.Noise
	if n.Level == "unknown" {
		return "unknown: there are too few frames to tell"
	}
	text := fmt.Sprintf("%s: the middle half of the frames lies within %.1f %% of the median", n.Level, n.Spread*100)
	if n.Others != nil {
		text += fmt.Sprintf("; other programs kept %.1f processors busy", *n.Others)
	}
	return text
}

func (r *Report) boundText() string {
	switch r.Bound {
	case "device":
		return "the device: shorter passes make a shorter frame"
	case "processor":
		return "the processor: shorter phases make a shorter frame"
	}
	return "processor and device in turn: every row is on the critical path"
}

func (r *Report) foot(w io.Writer) error {
	f := &r.Frame
	rate := ""
	if f.MS.Mean > 0 {
		rate = fmt.Sprintf(", %.1f a second", 1000/f.MS.Mean)
	}
	text := fmt.Sprintf("\nThe mean frame takes %.3f ms%s; the rows add up to %.3f ms, of which the device takes %.3f.\n",
		f.MS.Mean, rate, f.RowsMS, f.DeviceMS)
	if !r.Serialised {
		text = fmt.Sprintf("\nThe mean frame takes %.3f ms%s; the cpu rows add up to %.3f ms. The device is busy for %.3f ms beside them.\n",
			f.MS.Mean, rate, f.RowsMS, f.DeviceMS)
	}
	_, err := io.WriteString(w, text)
	return err
}

// work is the table of what each pass did, and each phase that uploaded.
func (r *Report) work(w io.Writer) error {
	t := columns.New("lrrrrrrrrrr")
	for i := range r.Rows {
		row := &r.Rows[i]
		if row.Kind != GPU && row.Uploaded == 0 {
			continue
		}
		if t.Len() == 0 {
			t.Row("pass", "draws", "dispatches", "triangles", "vertices", "vertex inv.", "fragment inv.", "uploaded", "barriers", "loaded", "stored")
		}
		c := &row.Counts
		invocations := func(n uint64) string {
			if !r.Measures.Statistics {
				return "–"
			}
			return columns.Int(int64(n))
		}
		t.Row(columns.Clean(row.Name, 32), columns.Int(c.Draws), columns.Int(c.Dispatches), columns.Int(c.Triangles), columns.Int(c.Vertices),
			invocations(c.VertexInvocations), invocations(c.FragmentInvocations), columns.Bytes(int64(c.Uploaded)), columns.Int(c.Barriers),
			columns.Bytes(int64(c.Loaded)), columns.Bytes(int64(c.Stored)))
	}
	return section(w, "", t)
}

func (r *Report) memoryText(w io.Writer) error {
	t := columns.New("lrrrl")
	if m := r.Memory; m != nil {
		t.Row("memory", "", "now", "peak", "used by")
		for i := range m.Allocations {
			a := &m.Allocations[i]
			if i == 12 && len(m.Allocations) > 14 {
				rest := uint64(0)
				for _, x := range m.Allocations[i:] {
					rest += x.Bytes
				}
				t.Row(fmt.Sprintf("%d more", len(m.Allocations)-i), "", columns.Bytes(int64(rest)), "", "--json has them all")
				break
			}
			t.Row(columns.Clean(a.Name, 32), a.Kind, columns.Bytes(int64(a.Bytes)), columns.Bytes(int64(a.Peak)), strings.Join(a.Passes, ", "))
		}
		t.Row("device", "", columns.Bytes(int64(m.Persistent+m.Transient)), columns.Bytes(int64(m.Peak)),
			fmt.Sprintf("%s persistent, %s transient; %s reserved in %d blocks", columns.Bytes(int64(m.Persistent)),
				columns.Bytes(int64(m.Transient)), columns.Bytes(int64(m.Reserved)), m.Blocks))
	}
	if h := r.Host; h != nil {
		t.Row("host", "", columns.Bytes(int64(h.Resident)), columns.Bytes(int64(h.ResidentPeak)),
			fmt.Sprintf("%s of it Go's heap; in the measured frames %d allocations, %d collections, paused %.3f ms",
				columns.Bytes(int64(h.Heap)), h.Allocations, h.Collections, h.PauseMS))
	}
	return section(w, "", t)
}

func (r *Report) doubtsText(w io.Writer) error {
	t := columns.New("l")
	for _, d := range r.Doubts {
		what := d.Figure
		if d.Row != "" {
			what = columns.Clean(d.Row, 32) + ", " + d.Figure
		}
		t.Row(what, d.Why)
	}
	return section(w, "Do not believe:\n", t)
}

// section writes a table that has rows, with a line between it and what stands
// before it.
func section(w io.Writer, title string, t *columns.Table) error {
	if t.Len() == 0 {
		return nil
	}
	if _, err := io.WriteString(w, "\n"+title); err != nil {
		return err
	}
	return t.Write(w)
}
