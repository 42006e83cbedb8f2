package verify

import (
	"bytes"
	_ "embed" // the page
	"encoding/json"
	"io"
)

//go:embed report.html
var page []byte

// WriteHTML writes the report as one page that needs nothing else: findings, all
// clips in a table, and of each clip the drift of its worst joints and the way of
// the pelvis beside the source's.
func (r *Report) WriteHTML(w io.Writer) error {
	// Joints of clips that pass are in the JSON; a page of hundreds of clips would
	// be mostly they.
	type shown struct {
		Clip
		Curves *curves `json:"curves"`
	}
	out := struct {
		*Report
		Clips []shown `json:"clips"`
	}{Report: r, Clips: make([]shown, len(r.Clips))}
	for i, c := range r.Clips {
		c.Joints = nil
		out.Clips[i] = shown{c, c.curves}
	}
	// The encoder writes <, > and & as \u003c and the like, so that no name in the
	// report ends the script that holds it.
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	before, after, _ := bytes.Cut(page, []byte("{{DATA}}"))
	for _, part := range [][]byte{before, text, after} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
