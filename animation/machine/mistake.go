package machine

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrGraph is wrapped by the error of a graph that cannot be used.
var ErrGraph = errors.New("machine: bad graph")

// Mistake is one thing wrong with a graph.
type Mistake struct {
	// Path is where: layers[0].machine.states[2].clip.
	Path string
	// Line and Column are where in the text, from 1, columns in bytes; 0 of a
	// graph that was not parsed.
	Line, Column int
	Message      string
}

func (m Mistake) String() string {
	var at string
	if m.Line > 0 {
		at = fmt.Sprintf("%d:%d: ", m.Line, m.Column)
	}
	if m.Path != "" {
		at += m.Path + ": "
	}
	return at + m.Message
}

// Mistakes is the error of a graph: all that is wrong with it, in order of place.
// It wraps ErrGraph.
type Mistakes []Mistake

func (m Mistakes) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %d mistakes", ErrGraph, len(m))
	if len(m) == 1 {
		b.Reset()
		b.WriteString(ErrGraph.Error())
	}
	for _, x := range m {
		b.WriteString("\n  ")
		b.WriteString(x.String())
	}
	return b.String()
}

// Unwrap makes errors.Is(err, ErrGraph) true.
func (m Mistakes) Unwrap() error { return ErrGraph }

// critic collects mistakes.
type critic struct {
	places   map[string]int
	text     []byte
	mistakes Mistakes
}

func (c *critic) at(path, format string, args ...any) {
	m := Mistake{Path: path, Message: fmt.Sprintf(format, args...)}
	for p := path; c.text != nil; {
		if offset, ok := c.places[p]; ok {
			m.Line, m.Column = position(c.text, offset)
			break
		}
		i := strings.LastIndexAny(p, ".[")
		if i < 0 {
			m.Line, m.Column = 1, 1
			break
		}
		p = p[:i]
	}
	c.mistakes = append(c.mistakes, m)
}

func (c *critic) err() error {
	if len(c.mistakes) == 0 {
		return nil
	}
	slices.SortStableFunc(c.mistakes, func(a, b Mistake) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return c.mistakes
}

func position(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	return 1 + bytes.Count(before, []byte("\n")), offset - bytes.LastIndexByte(before, '\n')
}

// near appends the closest of some names to a message, where one is close.
func near(name string, names []string) string {
	best, distance := "", 3
	for _, n := range names {
		if d := edits(strings.ToLower(name), strings.ToLower(n)); d < distance {
			best, distance = n, d
		}
	}
	switch {
	case best != "":
		return fmt.Sprintf("; is it %q?", best)
	case len(names) == 0:
		return "; there are none"
	case len(names) <= 12:
		return "; there are " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("; there are %s and %d more", strings.Join(names[:12], ", "), len(names)-12)
}

// edits is the Levenshtein distance, of names up to 64 bytes.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var row [65]int
	for j := range len(b) + 1 {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
