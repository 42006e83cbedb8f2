package engine

import (
	"context"
	"runtime/pprof"
	"runtime/trace"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
)

// SetProfiling turns the profile on or off from the next frame on; it is on when
// the engine opens. Off, a frame reads no clock, writes no query and keeps no
// sample.
func (e *Engine) SetProfiling(on bool) {
	e.off = !on
	e.executor.SetTimings(on)
}

// Profiling says whether frames are profiled.
func (e *Engine) Profiling() bool { return !e.off }

// now is the clock, which nobody reads while nothing is profiled.
func (e *Engine) now() time.Time {
	if e.off {
		return time.Time{}
	}
	return time.Now()
}

// sample keeps what a frame took, once the device has said its part of it.
func (e *Engine) sample(c clock) {
	if e.off {
		return
	}
	e.sampler.note(c)
	if index, ok := e.executor.TimingsFrame(); ok {
		if samples, ok := e.sampler.frame(index, e.executor.Timings()); ok {
			e.Profile.Add(samples)
		}
	}
}

// marks name the phase that runs for the runtime's tools: as a region of
// runtime/trace, and as the label "phase" of a processor's profile. Contexts are
// made once a phase, so that labels cost a steady frame no garbage; regions do,
// while a trace is being written.
type marks struct {
	contexts map[string]context.Context
	region   *trace.Region
}

// SetMarks turns regions and labels on or off; they are off when the engine
// opens. A region or label is named after the phase or pass, or is "wait",
// "graph compile" or "submit".
func (e *Engine) SetMarks(on bool) {
	e.mark("")
	e.marks = nil
	e.executor.SetMark(nil)
	if on {
		e.marks = &marks{contexts: map[string]context.Context{"": context.Background()}}
		e.executor.SetMark(e.mark)
	}
}

// mark ends what was marked before and begins name; "" begins nothing.
func (e *Engine) mark(name string) {
	m := e.marks
	if m == nil {
		return
	}
	if m.region != nil {
		m.region.End()
		m.region = nil
	}
	ctx := m.contexts[name]
	if ctx == nil {
		ctx = pprof.WithLabels(context.Background(), pprof.Labels("phase", name))
		m.contexts[name] = ctx
	}
	pprof.SetGoroutineLabels(ctx)
	if name != "" && trace.IsEnabled() {
		m.region = trace.StartRegion(ctx, name)
	}
}

// serialised says how the frame being drawn is submitted.
func (e *Engine) serialised() bool { return e.executor.Mode() == gpu.Serialised }
