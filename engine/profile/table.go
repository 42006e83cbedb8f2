package profile

import (
	"math"
	"slices"
)

// Kept is how many frames a table of New keeps: its figures are over the last so
// many.
const Kept = 512

// Table keeps the samples of the frames since Reset, by row, in the order in
// which the rows first came within a frame.
type Table struct {
	// Paused leaves out the frames that are added while it is set.
	Paused bool

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
	Name   string
	Kind   Kind
	Counts // of the last frame that the row was part of

	// Rings by frame, shared by all rows: a frame that the row was no part of has
	// NaN seconds.
	seconds, starts []float64
	added           int // frames of the table
	count           int // frames that the row is part of, of those that are kept
	present         bool
	sorted          []float64
}

// New makes an empty table that keeps Kept frames.
func New() *Table { return Keeping(Kept) }

// Keeping makes an empty table that keeps so many frames, at least one.
func Keeping(frames int) *Table { return &Table{index: map[key]*Row{}, kept: max(frames, 1)} }

// Reset forgets every frame.
func (t *Table) Reset() { *t = *Keeping(t.kept) }

// Frames is how many frames were added, kept or not.
func (t *Table) Frames() int { return t.frames }

// Kept is how many frames the figures are over.
func (t *Table) Kept() int { return min(t.frames, t.kept) }

// Rows are the rows in frame order.
func (t *Table) Rows() []*Row { return t.rows }

// Whole is the row of the frame as a whole; nil before the first frame.
func (t *Table) Whole() *Row {
	for _, r := range t.rows {
		if r.Kind == Whole {
			return r
		}
	}
	return nil
}

// Add adds one frame's samples, which are in frame order. Samples of the same
// name and kind add up. A steady frame allocates nothing.
func (t *Table) Add(frame []Sample) {
	if t.Paused {
		return
	}
	at := t.frames % t.kept
	t.frames++
	t.order = t.order[:0]
	for _, r := range t.rows {
		r.next(at, t.frames)
	}
	fresh := false
	for i := range frame {
		s := &frame[i]
		r := t.index[key{s.Name, s.Kind}]
		if r == nil {
			r = t.row(s)
			r.next(at, t.frames)
			fresh = true
		}
		if r.present {
			r.seconds[at] += s.Seconds
			r.Counts.add(&s.Counts)
			continue
		}
		t.order = append(t.order, r)
		r.present = true
		r.count++
		r.seconds[at], r.starts[at], r.Counts = s.Seconds, s.Start, s.Counts
	}
	if fresh {
		t.merge()
	}
}

// row makes a row that no frame had so far.
func (t *Table) row(s *Sample) *Row {
	r := &Row{
		Name: s.Name, Kind: s.Kind,
		seconds: make([]float64, t.kept), starts: make([]float64, t.kept), sorted: make([]float64, 0, t.kept),
	}
	for i := range r.seconds {
		r.seconds[i] = math.NaN()
	}
	t.index[key{s.Name, s.Kind}] = r
	return r
}

// next makes room for a frame, of which the row is no part until it is sampled.
func (r *Row) next(at, added int) {
	if !math.IsNaN(r.seconds[at]) {
		r.count--
	}
	r.seconds[at], r.starts[at], r.added, r.present = math.NaN(), 0, added, false
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

// Frames is how many of the kept frames the row is part of.
func (r *Row) Frames() int { return r.count }

// Ago gives when the row began and what it took in a kept frame, seconds; ago
// counts from 0, the last. False where the frame is not kept, or did not have it.
func (r *Row) Ago(ago int) (start, seconds float64, ok bool) {
	if ago < 0 || ago >= min(r.added, len(r.seconds)) {
		return 0, 0, false
	}
	i := (r.added - 1 - ago) % len(r.seconds)
	return r.starts[i], r.seconds[i], !math.IsNaN(r.seconds[i])
}

// Last is the row's time in the last frame, seconds; 0 where that did not have
// it.
func (r *Row) Last() float64 {
	if _, s, ok := r.Ago(0); ok {
		return s
	}
	return 0
}

// History appends the row's times, milliseconds, oldest first, at most as many as
// are kept. A frame without it counts 0.
func (r *Row) History(dst []float32) []float32 {
	for ago := min(r.added, len(r.seconds)) - 1; ago >= 0; ago-- {
		_, s, ok := r.Ago(ago)
		if !ok {
			s = 0
		}
		dst = append(dst, float32(s*1e3))
	}
	return dst
}

// ordered appends the row's times in the order of the frames.
func (r *Row) ordered(dst []float64) []float64 {
	for ago := min(r.added, len(r.seconds)) - 1; ago >= 0; ago-- {
		if _, s, ok := r.Ago(ago); ok {
			dst = append(dst, s)
		}
	}
	return dst
}
