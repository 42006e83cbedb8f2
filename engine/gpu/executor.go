package gpu

import (
	"errors"
	"fmt"
	"time"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// ExecutorOptions say how plans are run.
type ExecutorOptions struct {
	Mode      Mode
	NoTimings bool // no timestamps or pipeline statistics
}

// Executor runs framegraph plans on a device and keeps the transients between frames. One graph, one executor: plans
// that take turns would have their transients made anew each time.
type Executor struct {
	d     *Device
	o     ExecutorOptions
	mode  Mode
	doubt string // why the mode's figures cannot be trusted

	serial  uint64    // of the plan whose transients are there; 0: none
	images  []*Image  // by resource index; transients are ours, imports looked up each frame
	buffers []*Buffer // the same
	ours    []bool
	heaps   []allocation

	histories []*history
	past      []*history // by resource index
	runs      uint64     // executions so far, this one included

	cmd    Commands
	rows   [framesInFlight]rows
	latest []Timing

	latestFrame uint64 // index + 1 of the frame that latest is of
	collecting  time.Duration
	start       time.Time // of the Execute that runs
	clocks      Clocks
	anchor      moment
	anchored    bool
	mark        func(name string)
	audit       audit
	counters    []invocations // of the latest counted frame, by row
	uncounted   int           // frames since one was counted
}

// SetTimings turns the timings on or off from the next frame on. Off, no clock is read and no query written.
func (e *Executor) SetTimings(on bool) {
	e.o.NoTimings = !on
	if !on {
		e.latest, e.latestFrame = e.latest[:0], 0
		e.uncounted = 0
	}
}

// SetMark has mark called as each phase and each pass's recording begins, with its name, and with "" behind the last:
// for labels of the processor's profile. Nil: nobody is told.
func (e *Executor) SetMark(mark func(name string)) { e.mark = mark }

// NewExecutor makes an executor. Several may share a device.
func (d *Device) NewExecutor(o ExecutorOptions) *Executor {
	e := &Executor{d: d, o: o}
	e.SetMode(o.Mode)
	d.owned[e] = struct{}{}
	return e
}

// Mode in use: Overlapped or Serialised.
func (e *Executor) Mode() Mode { return e.mode }

// SetMode changes the mode from the next frame on.
func (e *Executor) SetMode(m Mode) {
	if m == ModeAuto {
		m = Overlapped
		if e.d.props.IsCPU {
			m = Serialised
		}
	}
	e.mode = m
	e.doubt = e.doubted()
}

// Execute runs a plan in a frame: phases and passes in the plan's order. An error names the phase or pass. Imported
// resources are found by the key that [Image.Import] and [Buffer.Import] put in. The plan must have been compiled with
// [Device.Caps].
func (e *Executor) Execute(f *Frame, p *framegraph.Plan) error {
	if f.d.current != f {
		return errors.New("gpu: Execute outside a frame")
	}
	if f.err != nil {
		return f.err
	}
	if err := e.execute(f, p); err != nil {
		e.forget()
		f.fail(err)
		return err
	}
	return nil
}

func (e *Executor) execute(f *Frame, p *framegraph.Plan) error {
	if e.collecting = 0; !e.o.NoTimings {
		e.start = time.Now()
	}
	s := &f.stream
	s.Reset()
	e.runs++
	switched := e.serial != p.Serial
	if switched {
		e.uncounted = 0
		if err := e.realise(p); err != nil {
			return err
		}
		full := vk.New[vk.DependencyInfo](&f.arena)
		full.MemoryBarrierCount, full.PMemoryBarriers = 1, fullBarrier(&f.arena)
		s.CmdPipelineBarrier2(full) // what had this memory before may still be in use
	}
	if err := e.resolve(p); err != nil {
		return err
	}
	e.recall(f, p, switched)
	r := e.prepare(f, len(p.Steps))
	s.Replay(f.cb)
	s.Reset()
	e.audit.begin()
	e.cmd = Commands{e: e, f: f, s: s, plan: p}
	for i := range p.Steps {
		step := &p.Steps[i]
		if e.mark != nil {
			e.mark(step.Name)
		}
		if step.Kind == framegraph.Phase {
			var began time.Time
			if !e.o.NoTimings {
				began = time.Now()
			}
			uploaded := f.uploaded()
			if step.Run != nil {
				if err := step.Run(); err != nil {
					return fmt.Errorf("phase %s: %w", step.Name, err)
				}
			}
			if !e.o.NoTimings {
				r.phase(step.Name, began, f.uploaded()-uploaded)
			}
			continue
		}
		if err := e.pass(f, p, i, r); err != nil {
			return fmt.Errorf("pass %s: %w", step.Name, err)
		}
	}
	if e.mark != nil {
		e.mark("")
	}
	if p.Final.Len() > 0 {
		e.barriers(f, &p.Final)
		s.Replay(f.cb)
		s.Reset()
	}
	e.leave(f, p)
	e.turn(p)
	if e.o.NoTimings {
		return nil
	}
	r.pending, r.mode = true, e.mode
	r.end = time.Since(e.start).Seconds()
	if e.mode == Serialised {
		// What the rows don't name: waiting for the submission, the driver, this loop.
		rest := r.end
		for i := range r.timings {
			rest -= r.timings[i].Duration
			if r.timings[i].Kind == GPUTime {
				rest -= r.timings[i].Record
			}
		}
		if rest > 0 {
			r.timings = append(r.timings, Timing{Name: "gap", Kind: GapTime, Start: r.end - rest, Duration: rest})
			r.query = append(r.query, -1)
		}
		e.collect(r)
	}
	return nil
}

// pass records one pass, and when Serialised runs it to its end.
func (e *Executor) pass(f *Frame, p *framegraph.Plan, i int, r *rows) error {
	step, s, d := &p.Steps[i], &f.stream, e.d
	row, query := -1, int32(-1)
	var began time.Time
	uploaded := f.uploaded()
	if !e.o.NoTimings {
		began = time.Now()
		row, query = r.pass(step.Name)
	}
	stamp, stat := query >= 0 && r.stamps != 0 && e.mode == Overlapped, query >= 0 && r.stats != 0 && r.counted
	if d.debug {
		label := vk.New[vk.DebugUtilsLabelEXT](&f.arena)
		label.PLabelName = vk.CString(&f.arena, step.Name)
		s.CmdBeginDebugUtilsLabelEXT(label)
	}
	if step.Before.Len() > 0 {
		e.barriers(f, &step.Before)
	}
	if stamp {
		s.CmdWriteTimestamp2(vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT, r.stamps, uint32(2*query))
	}
	e.cmd.step, e.cmd.pipeline, e.cmd.err, e.cmd.counts = i, nil, nil, counts{}
	e.cmd.w, e.cmd.h = 0, 0
	scoped := step.Scope >= 0
	if scoped {
		if err := e.beginScope(f, p, i); err != nil {
			return err
		}
	}
	if stat {
		s.CmdBeginQuery(r.stats, uint32(query), 0)
	}
	if step.Record != nil {
		step.Record(&e.cmd)
	}
	if stat {
		s.CmdEndQuery(r.stats, uint32(query))
	}
	if scoped && (step.ScopeEnd || e.mode == Serialised) {
		s.CmdEndRendering()
	}
	if stamp {
		s.CmdWriteTimestamp2(vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT, r.stamps, uint32(2*query+1))
	}
	if d.debug {
		s.CmdEndDebugUtilsLabelEXT()
	}
	s.Replay(f.cb)
	s.Reset()
	if e.cmd.err != nil {
		return e.cmd.err
	}
	if f.err != nil {
		return f.err
	}
	alone := e.mode == Serialised && (step.Record != nil || scoped) // barriers alone need no submission
	if row < 0 {
		if alone {
			return f.flush()
		}
		return nil
	}
	t := &r.timings[row]
	c := &e.cmd.counts
	t.Draws, t.Dispatches, t.Triangles, t.Vertices = c.draws, c.dispatches, c.triangles, c.vertices
	t.Uploaded, t.Barriers = f.uploaded()-uploaded, step.Before.Len()
	t.Loaded, t.Stored = p.Moved(i)
	recorded := time.Now()
	t.RecordedAt, t.Record = began.Sub(r.start).Seconds(), recorded.Sub(began).Seconds()
	t.Start = t.RecordedAt + t.Record
	if alone {
		if err := f.flush(); err != nil {
			return err
		}
		t.Duration = time.Since(recorded).Seconds()
	}
	return nil
}

// leave notes in which layout imported images are now.
func (e *Executor) leave(f *Frame, p *framegraph.Plan) {
	for i := range p.Resources {
		res := &p.Resources[i]
		if res.Origin != framegraph.Imported || !res.IsImage || res.First < 0 {
			continue
		}
		m := e.images[i]
		m.layout = res.Final.Layout
		if m == f.backbuffer && f.target != nil {
			_, leave := f.target.states()
			f.delivered = m.layout == leave.Layout
		}
	}
}

// Release destroys the transients after the last frame that may use them.
func (e *Executor) Release() {
	delete(e.d.owned, e)
	e.drop()
	for _, h := range e.histories {
		h.release()
	}
	e.histories, e.past = nil, nil
	for i := range e.rows {
		r := &e.rows[i]
		e.d.discard(discardQueryPool, uint64(r.stamps), allocation{})
		e.d.discard(discardQueryPool, uint64(r.stats), allocation{})
		*r = rows{}
	}
}
