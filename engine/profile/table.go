package profile

import (
	"math"
	"slices"
)

// Kind says what a row measures.
type Kind string

// The kinds of rows.
const (
	CPU Kind = "cpu" // time of the processor
	GPU Kind = "gpu" // time of the device in a pass
	Gap Kind = "gap" // time of the device between passes: barriers and bubbles

	// Whole is the frame by the clock, which the other rows are parts of.
	Whole Kind = "frame"
)

// Sample is one row of one frame.
type Sample struct {
	Name      string
	Kind      Kind
	Seconds   float64
	Draws     int
	Triangles int
}

// Kept is how many frames a table of New keeps: its figures are over the last so
// many.
const Kept = 512

// Table keeps the samples of the frames since Reset, by row, in the order in
// which the rows first came within a frame.
type Table struct {
	rows   []*Row
	index  map[key]*Row
	frames int
	kept   int
	order  []*Row // of the frame being added
}

type key struct {
	name string
	kind Kind
}

// Row is a phase, a pass or a gap.
type Row struct {
	Name             string
	Kind             Kind
	Draws, Triangles int // of the last frame

	seconds []float64 // a ring of the frames that are kept
	count   int
	sorted  []float64
}

// New makes an empty table that keeps Kept frames.
func New() *Table { return Keeping(Kept) }

// Keeping makes an empty table that keeps so many frames, at least one.
func Keeping(frames int) *Table { return &Table{index: map[key]*Row{}, kept: max(frames, 1)} }

// Reset forgets every frame.
func (t *Table) Reset() { *t = *Keeping(t.kept) }

// Frames is how many frames were added, kept or not.
func (t *Table) Frames() int { return t.frames }

// Rows are the rows in frame order.
func (t *Table) Rows() []*Row { return t.rows }

// Add adds one frame's samples, which are in frame order. Samples of the same
// name and kind add up. A steady frame allocates nothing.
func (t *Table) Add(frame []Sample) {
	t.frames++
	t.order = t.order[:0]
	fresh := false
	for i := range frame {
		s := &frame[i]
		r := t.index[key{s.Name, s.Kind}]
		if r == nil {
			r = &Row{Name: s.Name, Kind: s.Kind, seconds: make([]float64, t.kept)}
			t.index[key{s.Name, s.Kind}] = r
			fresh = true
		}
		if slices.Contains(t.order, r) {
			r.seconds[(r.count-1)%t.kept] += s.Seconds
			r.Draws += s.Draws
			r.Triangles += s.Triangles
			continue
		}
		t.order = append(t.order, r)
		r.seconds[r.count%t.kept] = s.Seconds
		r.count++
		r.Draws, r.Triangles = s.Draws, s.Triangles
	}
	if fresh {
		t.merge()
	}
}

// merge puts new rows among the known ones, behind the row that they follow.
func (t *Table) merge() {
	at := 0
	for _, r := range t.order {
		if i := slices.Index(t.rows, r); i >= 0 {
			at = i + 1
			continue
		}
		t.rows = slices.Insert(t.rows, at, r)
		at++
	}
}

// Last is the row's time in the last frame, seconds.
func (r *Row) Last() float64 {
	if r.count == 0 {
		return 0
	}
	return r.seconds[(r.count-1)%len(r.seconds)]
}

// History are the row's times, oldest first, at most as many as are kept.
func (r *Row) History(dst []float32) []float32 {
	n := min(r.count, len(r.seconds))
	for i := range n {
		dst = append(dst, float32(r.seconds[(r.count-n+i)%len(r.seconds)]*1e3))
	}
	return dst
}

// Stats are a row's figures in milliseconds, over the frames that it was part of.
// Of them only means add up: those of the rows of every frame to the mean of the
// frame.
type Stats struct {
	Min  float64 `json:"min"`
	P50  float64 `json:"p50"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	Max  float64 `json:"max"`
	Mean float64 `json:"mean"`
}

// Stats computes the figures over the kept frames; percentiles are the nearest
// ranks. It allocates nothing once it has been called.
func (r *Row) Stats() Stats {
	n := min(r.count, len(r.seconds))
	if n == 0 {
		return Stats{}
	}
	r.sorted = append(r.sorted[:0], r.seconds[:n]...)
	slices.Sort(r.sorted)
	rank := func(p float64) float64 {
		i := int(math.Ceil(p*float64(n))) - 1
		return r.sorted[min(max(i, 0), n-1)] * 1e3
	}
	sum := 0.0
	for _, v := range r.sorted {
		sum += v
	}
	return Stats{
		Min: r.sorted[0] * 1e3, P50: rank(0.5), P95: rank(0.95), P99: rank(0.99), Max: r.sorted[n-1] * 1e3,
		Mean: sum / float64(n) * 1e3,
	}
}
