package profile

import (
	"fmt"
	"io"

	"github.com/bindpose/bindpose/internal/columns"
)

const barCells = 20

// Text writes the report for a terminal: what was measured and how far to
// believe it, the table in frame order with a bar for each row's share of the
// frame, and whether the rows account for the frame.
func (r *Report) Text(w io.Writer) error {
	if err := r.head(w); err != nil {
		return err
	}
	t := columns.New("llrrrrrrrr")
	t.Row("phase or pass", "", "min", "p50", "p95", "p99", "max", "draws", "triangles", "share")
	for i := range r.Rows {
		row := &r.Rows[i]
		share := 0.0
		if r.Frame.MS.Mean > 0 {
			share = r.aFrame(row) / r.Frame.MS.Mean
		}
		draws, triangles := "", ""
		if row.Kind == GPU {
			draws, triangles = columns.Int(row.Draws), columns.Int(row.Triangles)
		}
		t.Row(append(figures(columns.Clean(row.Name, 32), string(row.Kind), row.MS),
			draws, triangles, fmt.Sprintf("%.1f %%", share*100), columns.Bar(share, barCells))...)
	}
	t.Row(append(figures("frame", "", r.Frame.MS), "", "", "", "")...)
	if err := t.Write(w); err != nil {
		return err
	}
	return r.foot(w)
}

// figures are the cells that each row has: milliseconds.
func figures(name, kind string, s Stats) []string {
	cells := []string{name, kind}
	for _, v := range []float64{s.Min, s.P50, s.P95, s.P99, s.Max} {
		cells = append(cells, fmt.Sprintf("%.3f", v))
	}
	return cells
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
	if err := t.Write(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
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
