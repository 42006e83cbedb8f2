package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/framegraph"
)

// variant is a way to draw the frame that is compared with the usual one.
type variant struct {
	name   string
	leave  func(e *engine.Engine) error // goes without
	comeTo func(e *engine.Engine) error // as usual again
	how    func(e *engine.Engine) string
}

// switches are what --without knows besides passes.
var switches = []string{"merging", "aliasing", "culling", "profiler", "serialising"}

// variantOf is what --without NAME asks for.
func variantOf(name string, e *engine.Engine) (variant, error) {
	set := func(o framegraph.Options) func(*engine.Engine) error {
		return func(e *engine.Engine) error { e.SetGraph(o); return nil }
	}
	said := func(text string) func(*engine.Engine) string { return func(*engine.Engine) string { return text } }
	off := said("the frame graph compiled without")
	usual := set(framegraph.Options{})
	switch name {
	case "merging":
		return variant{name, set(framegraph.Options{NoMerge: true}), usual, off}, nil
	case "aliasing":
		return variant{name, set(framegraph.Options{NoAlias: true}), usual, off}, nil
	case "culling":
		return variant{name, set(framegraph.Options{NoCull: true}), usual, off}, nil
	case "profiler":
		return variant{
			name, func(e *engine.Engine) error { e.SetProfiling(false); return nil },
			func(e *engine.Engine) error { e.SetProfiling(true); return nil },
			said("no clock read, no query written; frames timed from outside"),
		}, nil
	case "serialising":
		mode := e.Executor().Mode()
		return variant{
			name, func(e *engine.Engine) error { e.Executor().SetMode(gpu.Overlapped); return nil },
			func(e *engine.Engine) error { e.Executor().SetMode(mode); return nil },
			said("one submission a frame"),
		}, nil
	}
	names := strings.Split(name, ",")
	known := e.PassNames()
	for _, n := range names {
		if !slices.Contains(known, n) {
			err := fmt.Errorf("--without %s: the frame has no pass %q: there are %s; and %s", name, n, strings.Join(known, ", "), strings.Join(switches, ", "))
			if best := nearest(n, slices.Concat(known, switches)); best != "" {
				err = fmt.Errorf("%w; did you mean %q?", err, best)
			}
			return variant{}, err
		}
	}
	return variant{
		name,
		func(e *engine.Engine) error { return e.Without(names...) },
		func(e *engine.Engine) error { return e.Without() },
		func(e *engine.Engine) string {
			how := make([]string, len(names))
			for i, n := range names {
				how[i] = e.HowWithout(n)
				if len(names) > 1 {
					how[i] = n + " " + how[i]
				}
			}
			return strings.Join(how, ", ")
		},
	}, nil
}

const (
	// settle is how many frames are drawn behind a switch and left out: the new
	// plan's images are made, and the device's times of the frames before arrive.
	settle = lag
	// countedTurn is how many frames hold one with pipeline statistics, which not
	// every frame has.
	countedTurn = 16
	// leastPairs of turns are needed to tell the noise of a difference.
	leastPairs = 6
)

// measureWithout draws each variant in turns with the usual frame. What ctx ends
// early has the pairs that were complete.
func (f *profileFlags) measureWithout(ctx context.Context, a *app) ([]profile.Difference, error) {
	var out []profile.Difference
	e := a.engine
	variants := make([]variant, len(f.without))
	for i, name := range f.without {
		var err error
		if variants[i], err = variantOf(name, e); err != nil {
			return nil, err
		}
	}
	// Turns are short, so that what else the machine does falls on both alike.
	turn := max(f.frames/10, 3)
	pairs := max((f.frames+turn-1)/turn, leastPairs)
	bar := newProgress(len(variants)*pairs*2*(turn+settle), "without")
	defer bar.done()
	usual := turn
	for _, v := range variants {
		turn := usual
		if v.name == "profiler" {
			turn = max(turn, countedTurn)
		}
		d := profile.Difference{Without: v.name}
		frame := profile.Turns{}
		rows := map[rowKey]*profile.Turns{}
		var order []rowKey
		for pair := 0; pair < pairs && ctx.Err() == nil; pair++ {
			// The order turns around from pair to pair, so that a machine that grows
			// slower favours neither.
			for side := range 2 {
				without := (side == 0) == (pair%2 == 0)
				change := v.comeTo
				if without {
					change = v.leave
				}
				if err := change(e); err != nil {
					return nil, err
				}
				e.Profile = profile.Keeping(turn)
				ms, err := f.turn(a, turn, bar)
				if err != nil {
					return nil, fmt.Errorf("without %s: %w", v.name, err)
				}
				if without {
					d.How = v.how(e)
					frame.Without = append(frame.Without, ms)
				} else {
					frame.With = append(frame.With, ms)
				}
				for _, r := range e.Profile.Rows() {
					key := rowKey{r.Name, r.Kind}
					if r.Kind == profile.Whole || r.Frames() == 0 {
						continue
					}
					t := rows[key]
					if t == nil {
						t = &profile.Turns{}
						rows[key], order = t, append(order, key)
					}
					p50 := r.Stats().P50
					if without {
						t.Without = put(t.Without, pair, p50)
					} else {
						t.With = put(t.With, pair, p50)
					}
				}
			}
			d.Pairs++
		}
		if err := v.comeTo(e); err != nil {
			return nil, err
		}
		d.Frame = profile.DifferenceOf("frame", profile.Whole, frame)
		d.Rows = []profile.DifferenceRow{}
		for _, key := range order {
			if v.name == "profiler" {
				break // without it, no row is measured
			}
			t := rows[key]
			t.With, t.Without = put(t.With, d.Pairs-1, math.NaN()), put(t.Without, d.Pairs-1, math.NaN())
			d.Rows = append(d.Rows, profile.DifferenceOf(key.name, key.kind, *t))
		}
		if d.Pairs > 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

type rowKey struct {
	name string
	kind profile.Kind
}

// put sets the value at a place, NaN before it where nothing was put. What is
// there stays where v is NaN.
func put(list []float64, at int, v float64) []float64 {
	for len(list) <= at {
		list = append(list, math.NaN())
	}
	if !math.IsNaN(v) {
		list[at] = v
	}
	return list
}

// turn draws frames until the device is idle, and gives the median of what each
// took by the clock, milliseconds. Overlapped frames end when they may, so their
// mean is taken.
func (f *profileFlags) turn(a *app, frames int, bar progress) (float64, error) {
	e := a.engine
	for range settle {
		if err := e.Frame(f.step()); err != nil {
			return 0, err
		}
		bar.add()
	}
	if err := e.Device.WaitIdle(); err != nil {
		return 0, err
	}
	e.Profile.Reset()
	took := make([]float64, frames)
	began := time.Now()
	for i := range took {
		last := time.Now()
		if err := e.Frame(f.step()); err != nil {
			return 0, err
		}
		took[i] = time.Since(last).Seconds() * 1e3
		bar.add()
	}
	if e.Executor().Mode() == gpu.Overlapped {
		if err := e.Device.WaitIdle(); err != nil {
			return 0, err
		}
		return time.Since(began).Seconds() * 1e3 / float64(frames), nil
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}
