package animation

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func marked() *Clip {
	return &Clip{Duration: 2, Events: []Event{{"0", 0}, {"a", 0.5}, {"b", 1}, {"2", 2}}}
}

func passed(c *Clip, s Span) string {
	var names []string
	for e := range s.Events(c) {
		names = append(names, e.Name)
	}
	return strings.Join(names, " ")
}

func TestSpanEventsByHand(t *testing.T) {
	for _, c := range []struct {
		span Span
		want string
	}{
		{Span{From: 0, To: 0.5, Fresh: true}, "0 a"},
		{Span{From: 0, To: 0.5}, "a"},
		{Span{From: 0.5, To: 1}, "b"},
		{Span{From: 0.6, To: 0.9}, ""},
		{Span{From: 1.5, To: 2}, "2 0"}, // the end is the next round's start
		{Span{From: 1.5, To: 2.75}, "2 0 a"},
		{Span{From: 0.25, To: 4.25}, "a b 2 0 a b 2 0"},
		{Span{From: 0.75, To: 0.25}, "a"},
		{Span{From: 0.5, To: 0}, "0 2"},
		{Span{From: 0, To: -1}, "b"},
		{Span{From: 2, To: 1, Fresh: true}, "2 b"},
		{Span{From: 1.5, To: 2, Loop: Once}, "2"},
		{Span{From: 0.5, To: 0, Loop: Once}, "0"},
		{Span{From: 0.25, To: 4.25, Loop: PingPong}, "a b 2 b a 0"},
		{Span{From: 4.25, To: 0.25, Loop: PingPong}, "0 a b 2 b a"},
		{Span{}, ""},
		{Span{Fresh: true}, "0"},
	} {
		if got := passed(marked(), c.span); got != c.want {
			t.Errorf("%+v: %q, want %q", c.span, got, c.want)
		}
	}
	for _, to := range []float64{1e15, -1e300, math.Inf(1), math.NaN()} {
		if got := passed(marked(), Span{To: to}); got != "" {
			t.Errorf("to %v: %q", to, got)
		}
	}
	if n := len(strings.Fields(passed(marked(), Span{To: 1e12}))); n > 4*(maxRounds+1) || n < 4*maxRounds-4 {
		t.Errorf("%d events of a huge step", n)
	}
}

// However the way is cut into steps, each event is passed as often.
func TestEventsAtAnyFrameRate(t *testing.T) {
	for _, loop := range []Loop{Repeat, Once, PingPong} {
		for _, speed := range []float32{1, -1, 0.37} {
			var all [][]string
			for _, dt := range []float32{0.25, 0.125, 0.5, 1} {
				p := NewPlayer(one())
				p.Loop, p.Speed = loop, speed
				c := ramp()
				c.Events = marked().Events
				mustPlay(t, p, c, 0)
				var names []string
				for now := float32(0); now < 7; now += dt {
					step(t, p, dt)
					for e, w := range p.Events {
						if w != 1 {
							t.Errorf("weight %v", w)
						}
						names = append(names, e.Name)
					}
				}
				all = append(all, names)
			}
			for _, names := range all[1:] {
				if !slices.Equal(names, all[0]) {
					t.Errorf("loop %d at %v: %v and %v", loop, speed, names, all[0])
				}
			}
		}
	}
}

func TestCurvesAreSampledWithTheJob(t *testing.T) {
	s, c := one(), ramp()
	c.Curves = []Curve{
		{Name: "line", Times: []float32{0, 2}, Values: []float32{1, 3}},
		{Name: "step", Interpolation: Step, Times: []float32{0, 1}, Values: []float32{5, 7}},
		{Name: "cubic", Interpolation: CubicSpline, Times: []float32{0, 2}, Values: []float32{0, 0, 0, 0, 8, 0}},
	}
	out := make([]float32, 3)
	job := SamplingJob{Clip: c, Skeleton: s, Time: 0.5, Cursors: makeCursors(c), Out: NewPose(s), Curves: out}
	if err := job.Run(); err != nil {
		t.Fatal(err)
	}
	// Smoothstep of a quarter is 5/32.
	if want := []float32{1.5, 5, 8 * 5.0 / 32}; !slices.Equal(out, want) {
		t.Errorf("%v, want %v", out, want)
	}
	job.Curves = out[:1]
	if job.Run() == nil {
		t.Error("too little room was let through")
	}
	nan := float32(math.NaN())
	for _, bad := range []*Clip{
		{Curves: []Curve{{}}},
		{Curves: []Curve{{Times: []float32{nan}, Values: []float32{0}}}},
		{Curves: []Curve{{Times: []float32{0}, Values: []float32{0, 1}}}},
		{Events: []Event{{"late", 1}}},
		{Duration: 1, Events: []Event{{"b", 1}, {"a", 0.5}}},
	} {
		if bad.Validate(s) == nil {
			t.Errorf("let through: %+v", bad)
		}
	}
}

// A warped fade must not leave the clip slow after it ends.
func TestWarpEndsAtItsSpeed(t *testing.T) {
	p := NewPlayer(one())
	p.Speed = 0.25
	mustPlay(t, p, ramp(), 0)
	mustPlay(t, p, ramp(), 0.5)
	if err := p.Warp(1, 0.5); err != nil {
		t.Fatal(err)
	}
	for range 7 {
		step(t, p, 0.1)
	}
	// 0.5 s at 0.625 in the mean, 0.2 s at 1.
	if p.Speed != 1 || !near(p.Time(), 0.5125, 1e-5) {
		t.Errorf("speed %v, time %v", p.Speed, p.Time())
	}
	if err := p.Warp(2, 1); err != nil {
		t.Fatal(err)
	}
	step(t, p, 0.5)
	p.Speed = 3 // ends the warp
	step(t, p, 0.1)
	if p.Speed != 3 {
		t.Errorf("speed %v", p.Speed)
	}
	if p.Warp(float32(math.Inf(1)), 1) == nil || p.Warp(1, -1) == nil {
		t.Error("bad warps were let through")
	}
}

// A synced fade keeps two cycles of unequal length in phase, and leaves the new
// one at its own speed.
func TestPlaySynced(t *testing.T) {
	long, short := ramp(), clipOf(Track{Path: Translation, Width: 3, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0}})
	p := NewPlayer(one())
	mustPlay(t, p, long, 0)
	step(t, p, 0.5) // a quarter
	if err := p.PlaySynced(short, 0.25); err != nil {
		t.Fatal(err)
	}
	if p.Time() != 0.25 {
		t.Errorf("it starts at %v", p.Time())
	}
	for range 10 {
		step(t, p, 0.025)
		if p.fading && !near(p.last.time()/2, p.now.time(), 1e-6) {
			t.Fatalf("out of phase: %v and %v", p.last.time(), p.now.time())
		}
	}
	before := p.Time()
	step(t, p, 0.1)
	if !near(p.Time()-before, 0.1, 1e-6) {
		t.Errorf("0.1 s after the fade took %v s", p.Time()-before)
	}
}

// Asking for events and root motion allocates nothing either.
func TestEventsAndMotionAllocateNothing(t *testing.T) {
	s, clip := walking(1, Linear)
	moving := extracted(t, clip, s, 1, ground)
	moving.Events = []Event{{"a", 0.25}, {"b", 0.75}}
	p := NewPlayer(s)
	mustPlay(t, p, moving, 0)
	mustPlay(t, p, moving, 1000)
	count := 0
	n := testing.AllocsPerRun(200, func() {
		step(t, p, 0.05)
		p.Motion()
		for range p.Events {
			count++
		}
	})
	if n != 0 || count < 20 {
		t.Errorf("%v allocations, %d events", n, count)
	}
}
