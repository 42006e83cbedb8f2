package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// report is all that a run found out.
type report struct {
	Machine machine   `json:"machine"`
	Rounds  int       `json:"rounds"`
	Asked   int       `json:"rounds_asked"`
	Rows    []outcome `json:"rows"`
}

func (r report) count(v verdict) int {
	n := 0
	for _, o := range r.Rows {
		if o.Verdict == v {
			n++
		}
	}
	return n
}

func (r report) writeJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// writeTable prints the table, then how it came out.
func (r report) writeTable(w io.Writer) error {
	m := r.Machine
	lines := []string{fmt.Sprintf("%s, %d processors, %s, %s; medians of %d rounds", m.Processor, m.Processors, m.System, m.Go, r.Rounds)}
	if r.Rounds < r.Asked {
		lines[0] += fmt.Sprintf(" (of %d: the time ran out; --budget 0 gives more)", r.Asked)
	}
	if m.Others != nil {
		line := fmt.Sprintf("other programs kept %.1f of the processors busy meanwhile", *m.Others)
		if *m.Others > 0.1*float64(m.Processors) {
			line += ": times are too high, and pose-scale is too low"
		}
		lines = append(lines, line)
	}
	lines = append(lines, "")
	cells := [][]string{{"name", "what", "target", "measured", "min … max", "ratio", "verdict", ""}}
	previous := ""
	for _, o := range r.Rows {
		name := o.Name
		if name == previous {
			name = ""
		}
		previous = o.Name
		cells = append(cells, o.cells(name))
	}
	lines = append(lines, table(cells)...)
	summary := fmt.Sprintf("%d met, %d missed", r.count(met), r.count(missed))
	for _, v := range []verdict{notMeasured, failed} {
		if n := r.count(v); n > 0 {
			summary += fmt.Sprintf(", %d %s", n, v)
		}
	}
	lines = append(lines, "", summary+" of "+fmt.Sprint(len(r.Rows)))
	_, err := fmt.Fprintln(w, strings.Join(lines, "\n"))
	return err
}

func (o outcome) cells(name string) []string {
	sign := "≤"
	if o.Better == "higher" {
		sign = "≥"
	}
	target := fmt.Sprintf("%s %s %s", sign, figure(o.Target), o.Unit)
	measured, spread, ratio, v := "–", "", "", string(o.Verdict)
	if o.Measured != nil {
		measured = figure(*o.Measured) + " " + o.Unit
		spread = figure(*o.Min) + " … " + figure(*o.Max)
		if o.Met != 0 && o.Met != len(o.Runs) {
			v += fmt.Sprintf(" (%d of %d)", o.Met, len(o.Runs))
		}
	}
	if o.Ratio != nil {
		ratio = fmt.Sprintf("%.2f", *o.Ratio)
	}
	return []string{name, o.What, target, measured, spread, ratio, v, o.Note}
}

// table pads the cells of each column to one width.
func table(rows [][]string) []string {
	var width [8]int
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	var out []string
	for _, r := range rows {
		var b strings.Builder
		for i, c := range r {
			b.WriteString(c)
			b.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(c)+2))
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}
