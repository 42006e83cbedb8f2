package animation

import "math"

// Span is the way that a clip went in one step. Its positions are unrolled: they
// go on past the clip's ends, so that 2.5 durations is half-way through the third
// round. What is passed on the way, events and root motion, is asked of a Span.
// A seek makes none.
type Span struct {
	From, To float64 // seconds, unrolled; To < From is backward
	Loop     Loop    // where Once, both lie within the clip
	// Fresh says that the clip starts here: an event right at From is passed too.
	Fresh bool
}

// maxRounds is how many rounds of a clip one Span tells the events of: the last.
const maxRounds = 64

// Events calls yield for each event that was passed, in the order in which they
// were passed, until it returns false. An event where the span begins was passed
// by the span before, one where it ends is passed by this one. Of a span of more
// than 64 rounds the last 64 count. It allocates nothing.
//
//	for e := range span.Events(clip) { … }
func (s Span) Events(c *Clip) func(yield func(Event) bool) {
	return func(yield func(Event) bool) {
		if len(c.Events) > 0 {
			s.events(c, yield)
		}
	}
}

func (s Span) events(c *Clip, yield func(Event) bool) {
	d := float64(c.Duration)
	if s.From == s.To && !s.Fresh || s.absurd(d) {
		return
	}
	if d <= 0 {
		for _, e := range c.Events {
			if !s.Fresh || !yield(e) {
				return
			}
		}
		return
	}
	forward := s.To >= s.From
	lo, hi := int64(0), int64(0) // rounds; of a PingPong each way is one
	if s.Loop != Once {
		if forward {
			lo, hi = int64(math.Floor(s.From/d)), int64(math.Floor(s.To/d))
			lo = max(lo, hi-maxRounds)
		} else {
			hi = int64(math.Ceil(s.From/d)) - 1
			lo = int64(math.Ceil(s.To/d)) - 1 // with what ends where the span does
			hi = min(hi, lo+maxRounds)
		}
	}
	n := len(c.Events)
	for r := range hi - lo + 1 {
		round := lo + r
		if !forward {
			round = hi - r
		}
		back := s.Loop == PingPong && round&1 != 0
		for i := range n {
			if forward == back {
				i = n - 1 - i
			}
			e := c.Events[i]
			at := float64(e.Time)
			if back {
				if at <= 0 || at >= d { // the turning points belong to the way there
					continue
				}
				at = d - at
			}
			at += float64(round) * d
			passed := at > s.From && at <= s.To
			if !forward {
				passed = at < s.From && at >= s.To
			}
			if (passed || s.Fresh && at == s.From) && !yield(e) {
				return
			}
		}
	}
}

// absurd reports whether the span is of so many rounds that float64 no longer
// tells where in one it ends.
func (s Span) absurd(d float64) bool {
	const most = 1 << 40
	return d > 0 && !(math.Abs(s.From) < most*d && math.Abs(s.To) < most*d)
}

// clipTime is the clip's time at an unrolled position, and its round.
func (s Span) clipTime(x, d float64) (t float64, round int64) {
	switch {
	case d <= 0:
		return 0, 0
	case s.Loop == Once:
		return min(max(x, 0), d), 0
	case s.Loop == PingPong:
		x = wrap(x, 2*d)
		if x > d {
			x = 2*d - x
		}
		return x, 0
	}
	n := math.Floor(x / d)
	return min(max(x-n*d, 0), d), int64(n)
}
