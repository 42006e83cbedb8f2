package blendspace

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Mark is a sync event of a cycle: which foot comes down, and when.
type Mark struct {
	Name string
	Time float32 // seconds, in [0, duration)
}

// Sync maps one phase to a time of each of several cycles.
type Sync struct {
	durations []float64
	marks     [][]float64 // by cycle: times of the marks, rising, from a first that may be any
	count     int         // marks a cycle
}

// NewSync returns the sync of cycles of these durations, in seconds. With marks,
// one list a cycle, phases are counted in marks; every cycle has the same names in
// the same cyclic order. Phase 0 is at the mark that makes the row of names the
// alphabetically first. With nil marks a phase is counted in cycles.
func NewSync(durations []float32, marks [][]Mark) (*Sync, error) {
	s := &Sync{count: 1}
	for i, d := range durations {
		if !(d > 0) || math.IsInf(float64(d), 0) {
			return nil, fmt.Errorf("%w: cycle %d lasts %v s", ErrSamples, i, d)
		}
		s.durations = append(s.durations, float64(d))
		s.marks = append(s.marks, []float64{0})
	}
	if marks == nil {
		return s, nil
	}
	if len(marks) != len(durations) {
		return nil, fmt.Errorf("%w: marks of %d cycles for %d", ErrSamples, len(marks), len(durations))
	}
	want := ""
	for i, list := range marks {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b Mark) int {
			return compare(a.Time, b.Time)
		})
		for k, m := range list {
			if !(m.Time >= 0 && m.Time < durations[i]) || k > 0 && m.Time == list[k-1].Time {
				return nil, fmt.Errorf("%w: cycle %d: mark %q at %v s of %v s", ErrSamples, i, m.Name, m.Time, durations[i])
			}
		}
		first, names := canonical(list)
		if len(list) == 0 || want != "" && names != want {
			return nil, fmt.Errorf("%w: cycle %d has the marks %s, cycle 0 has %s", ErrSamples, i, listed(names), listed(want))
		}
		want = names
		times := make([]float64, len(list))
		for k := range list {
			at := first + k
			times[k] = float64(list[at%len(list)].Time)
			if at >= len(list) {
				times[k] += s.durations[i]
			}
		}
		s.marks[i], s.count = times, len(list)
	}
	return s, nil
}

func compare(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// canonical turns a list of marks until its names, joined, are smallest.
func canonical(list []Mark) (first int, names string) {
	for k := range list {
		var b strings.Builder
		for i := range list {
			b.WriteString(list[(k+i)%len(list)].Name)
			b.WriteByte(0)
		}
		if k == 0 || b.String() < names {
			first, names = k, b.String()
		}
	}
	return first, names
}

func listed(names string) string {
	if names == "" {
		return "none"
	}
	return strings.Join(strings.Split(strings.TrimSuffix(names, "\x00"), "\x00"), ", ")
}

// Count is how much the phase grows in one round.
func (s *Sync) Count() int { return s.count }

// segment is where cycle i's mark k lies and how long it is to the next.
func (s *Sync) segment(i, k int) (at, length float64) {
	m := s.marks[i]
	if k+1 < len(m) {
		return m[k], m[k+1] - m[k]
	}
	return m[k], m[0] + s.durations[i] - m[k]
}

// Time is cycle i's time at a phase, in seconds, unrolled: phase p + Count is one
// duration on.
func (s *Sync) Time(i int, phase float64) float64 {
	n := float64(s.count)
	round := math.Floor(phase / n)
	within := min(max(phase-round*n, 0), n)
	k := min(int(within), s.count-1)
	at, length := s.segment(i, k)
	return round*s.durations[i] + at + (within-float64(k))*length
}

// Phase is the phase at which cycle i has an unrolled time: Time's inverse.
func (s *Sync) Phase(i int, t float64) float64 {
	m, d := s.marks[i], s.durations[i]
	round := math.Floor((t - m[0]) / d)
	within := t - round*d
	k := len(m) - 1
	for k > 0 && within < m[k] {
		k--
	}
	at, length := s.segment(i, k)
	return round*float64(s.count) + float64(k) + (within-at)/length
}

// Length is how many seconds one round takes at these weights: the weighted mean
// of the cycles' durations.
func (s *Sync) Length(weights []Weight) float64 {
	var sum, total float64
	for _, w := range weights {
		sum += float64(w.W) * s.durations[w.At]
		total += float64(w.W)
	}
	if total == 0 {
		return s.durations[0]
	}
	return sum / total
}

// Advance moves a phase by seconds at these weights, which may be negative. From
// mark to mark it takes the weighted mean of the cycles' times, so that a cycle
// that plays alone runs evenly. Whole rounds are skipped at once.
func (s *Sync) Advance(phase, seconds float64, weights []Weight) float64 {
	length := s.Length(weights)
	if s.count == 1 {
		return phase + seconds/length
	}
	rounds := math.Trunc(seconds / length)
	phase += rounds * float64(s.count)
	seconds -= rounds * length
	forward := seconds > 0
	for range s.count + 2 {
		if seconds == 0 {
			break
		}
		at := math.Floor(phase)
		next := at + 1
		if !forward {
			at = math.Ceil(phase) - 1
			next = at
		}
		k := int(at - math.Floor(at/float64(s.count))*float64(s.count))
		var mean, total float64
		for _, w := range weights {
			_, l := s.segment(w.At, k)
			mean += float64(w.W) * l
			total += float64(w.W)
		}
		if total == 0 {
			_, mean = s.segment(0, k)
			total = 1
		}
		mean /= total
		left := (next - phase) * mean // of the sign of seconds
		if forward && seconds < left || !forward && seconds > left {
			return phase + seconds/mean
		}
		phase, seconds = next, seconds-left
	}
	return phase
}
