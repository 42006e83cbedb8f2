package profile

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"io"
)

//go:embed report.html
var htmlPage []byte

// htmlRow is what the page knows of a row besides the report.
type htmlRow struct {
	Name     string `json:"name"`
	Kind     Kind   `json:"kind"`
	Placed   bool   `json:"placed"` // its start means something
	Critical bool   `json:"critical"`
}

// htmlFrame is one frame: of each row that it has, the row's index, its start and
// its length in milliseconds.
type htmlFrame struct {
	Frame int          `json:"frame"`
	MS    float64      `json:"ms"`
	Rows  [][3]float64 `json:"rows"`
}

// htmlFrames is the most frames that a page holds: what a screen has room for.
const htmlFrames = 600

// HTML writes the report and the kept frames as one page that needs nothing else:
// history, timeline, table, frame graph, memory and device.
func (t *Table) HTML(w io.Writer, r *Report) error {
	data := struct {
		Report *Report     `json:"report"`
		Rows   []htmlRow   `json:"rows"`
		Frames []htmlFrame `json:"frames"`
	}{r, []htmlRow{}, []htmlFrame{}}
	rows := make([]*Row, 0, len(t.rows))
	for _, row := range t.rows {
		if row.Kind == Whole {
			continue
		}
		rows = append(rows, row)
		x := htmlRow{Name: row.Name, Kind: row.Kind, Placed: placed(row, r.Serialised)}
		if told := r.row(row.Name, row.Kind); told != nil {
			x.Critical = told.Critical
		}
		data.Rows = append(data.Rows, x)
	}
	whole := t.Whole()
	for ago := min(t.Kept(), htmlFrames) - 1; ago >= 0 && whole != nil; ago-- {
		_, seconds, ok := whole.Ago(ago)
		if !ok {
			continue
		}
		f := htmlFrame{Frame: t.frames - 1 - ago, MS: nanoseconds(seconds * 1e3), Rows: [][3]float64{}}
		for i, row := range rows {
			if start, seconds, ok := row.Ago(ago); ok {
				f.Rows = append(f.Rows, [3]float64{float64(i), nanoseconds(start * 1e3), nanoseconds(seconds * 1e3)})
			}
		}
		data.Frames = append(data.Frames, f)
	}
	// The encoder writes <, > and & as \u003c and the like, so that no text of the
	// report ends the script that holds it.
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(htmlPage, []byte("{{DATA}}"))
	for _, part := range [][]byte{before, text, after} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
