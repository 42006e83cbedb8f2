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
	// Workers is how many goroutines record passes at once when Overlapped, each rendering scope into a command buffer of its
	// own; they are submitted in the plan's order, so pictures are the same. Record closures must then not write to what they
	// share. 0 and 1 record one after another.
	Workers int
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
	unmoved bool // transients are new, and not yet in the layout that they keep
	heaps   []allocation

	histories []*history
	past      []*history // by resource index
	runs      uint64     // executions so far, this one included

	unsettled bool // what the latest execution recorded never ran, or ran in another mode
	crossed   crossed
	heeds     bool // what passes bind is held against their declarations: the plan is new
	main      recorder
	workers   []*worker
	units     []unit
	spreads   spreads
	rows      [framesInFlight]rows
	latest    []Timing

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
	if m != e.mode {
		e.unsettled = true // the queues knew other things of each other
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
		e.unsettled = true
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
	var err error
	e.runs++
	switched := e.serial != p.Serial
	e.heeds = switched
	if switched {
		e.uncounted = 0
		if err := e.realise(p); err != nil {
			return err
		}
		if e.crossed.several, err = e.d.several(p); err != nil {
			return err
		}
	}
	unsettled := switched || e.unsettled
	if unsettled {
		full := vk.New[vk.DependencyInfo](&f.arena)
		full.MemoryBarrierCount, full.PMemoryBarriers = 1, fullBarrier(&f.arena)
		s.CmdPipelineBarrier2(full) // what had this memory before may still be in use
	}
	e.unsettled = false
	if err := e.resolve(p); err != nil {
		return err
	}
	if e.unmoved {
		e.move(f, p)
	}
	e.recall(f, p, switched)
	if err := e.beginQueues(f, unsettled); err != nil {
		return err
	}
	r := e.prepare(f, len(p.Steps))
	if err := e.graphics(f); err != nil {
		return err
	}
	s.Replay(e.main.cb)
	s.Reset()
	e.audit.begin()
	e.main.begin(e, f, p, s, &f.arena)
	spread := e.o.Workers > 1 && e.mode == Overlapped && !e.audit.running
	for i := range p.Steps {
		step := &p.Steps[i]
		if spread && step.Kind != framegraph.Phase {
			continue // its goroutine records it
		}
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
		row, query := e.row(r, step)
		if err := e.waits(f, step); err != nil {
			return err
		}
		if e.main.cb, err = f.open(e.queueOf(step)); err != nil {
			return err
		}
		if err := e.pass(&e.main, p, i, r, row, query); err != nil {
			return fmt.Errorf("pass %s: %w", step.Name, err)
		}
		if err := e.signals(f, i, step); err != nil {
			return err
		}
	}
	if spread {
		if err := e.spread(f, p, r); err != nil {
			return err
		}
	}
	if e.mark != nil {
		e.mark("")
	}
	if err := e.final(f, p); err != nil {
		return err
	}
	e.leave(f, p)
	e.turn(p)
	e.unmoved = false
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

// row adds the row of a pass, where there are rows.
func (e *Executor) row(r *rows, step *framegraph.Step) (row int, query int32) {
	if e.o.NoTimings {
		return -1, -1
	}
	q := e.queueOf(step)
	return r.pass(step.Name, q, q == framegraph.GraphicsQueue || r.hosted && e.d.queues[q].stamps)
}

// pass records one pass, and when Serialised runs it to its end.
func (e *Executor) pass(w *recorder, p *framegraph.Plan, i int, r *rows, row int, query int32) error {
	step, f, s, d := &p.Steps[i], w.cmd.f, w.stream, e.d
	var began time.Time
	d.lock()
	uploaded := f.uploaded()
	d.unlock()
	if row >= 0 {
		began = time.Now()
	}
	stamp, stat := query >= 0 && r.stamps != 0 && e.mode == Overlapped, query >= 0 && r.stats != 0 && r.counted
	if queue := e.queueOf(step); e.d.queues[queue].family != e.d.queues[framegraph.GraphicsQueue].family {
		stat = false // it may not count what graphics does
	}
	if d.debug {
		label := vk.New[vk.DebugUtilsLabelEXT](w.arena)
		label.PLabelName = vk.CString(w.arena, step.Name)
		s.CmdBeginDebugUtilsLabelEXT(label)
	}
	if e.mode == Serialised && len(step.Waits) > 0 {
		e.everything(w) // instead of semaphores
	}
	if step.Before.Len() > 0 {
		e.barriers(w, &step.Before, false)
	}
	if stamp {
		s.CmdWriteTimestamp2(vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT, r.stamps, uint32(2*query))
	}
	w.cmd.step, w.cmd.pipeline, w.cmd.err, w.cmd.counts = i, nil, nil, counts{}
	w.cmd.w, w.cmd.h = 0, 0
	scoped := step.Scope >= 0
	if scoped {
		if err := e.beginScope(w, p, i); err != nil {
			return err
		}
	}
	if stat {
		s.CmdBeginQuery(r.stats, uint32(query), 0)
	}
	if step.Record != nil {
		step.Record(&w.cmd)
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
	if len(step.After.Images) > 0 {
		e.barriers(w, &step.After, true)
	}
	if d.debug {
		s.CmdEndDebugUtilsLabelEXT()
	}
	s.Replay(w.cb)
	s.Reset()
	if w.cmd.err != nil {
		return w.cmd.err
	}
	d.lock()
	failed, uploads := f.err, f.uploaded()-uploaded
	d.unlock()
	if d.spread {
		uploads = 0 // whose they are is not known
	}
	if failed != nil {
		return failed
	}
	alone := e.mode == Serialised && (step.Record != nil || scoped) // barriers alone need no submission
	if row < 0 {
		if alone {
			return e.flush(f)
		}
		return nil
	}
	t := &r.timings[row]
	c := &w.cmd.counts
	t.Draws, t.Dispatches, t.Triangles, t.Vertices = c.draws, c.dispatches, c.triangles, c.vertices
	t.Uploaded, t.Barriers = uploads, step.Before.Len()
	t.Loaded, t.Stored = p.Moved(i)
	recorded := time.Now()
	t.RecordedAt, t.Record = began.Sub(r.start).Seconds(), recorded.Sub(began).Seconds()
	t.Start = t.RecordedAt + t.Record
	if alone {
		if err := e.flush(f); err != nil {
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
	e.stopWorkers()
	for i := range e.rows {
		r := &e.rows[i]
		e.d.discard(discardQueryPool, uint64(r.stamps), allocation{})
		e.d.discard(discardQueryPool, uint64(r.stats), allocation{})
		*r = rows{}
	}
}
