package gpu

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// recorder is where a pass's commands go.
type recorder struct {
	stream *vk.Stream
	arena  *vk.Arena
	cb     vk.CommandBuffer
	cmd    Commands
}

func (w *recorder) begin(e *Executor, f *Frame, p *framegraph.Plan, s *vk.Stream, a *vk.Arena, cb vk.CommandBuffer) {
	w.stream, w.arena, w.cb = s, a, cb
	w.cmd = Commands{e: e, f: f, s: s, a: a, plan: p}
}

// worker records on a goroutine of its own. A command pool is for one thread at a time, so each has one for each frame in
// flight.
type worker struct {
	recorder
	own   vk.Stream
	slots [framesInFlight]workerSlot
}

type workerSlot struct {
	pool  vk.CommandPool
	cbs   []vk.CommandBuffer
	used  int
	arena vk.Arena
	frame uint64 // 1 + the frame that uses it
}

// unit is what one command buffer takes: a rendering scope, or a pass without one.
type unit struct {
	first, last int // steps
	row         int // of the first, −1 for none
	query       []int32
	cb          vk.CommandBuffer
	err         error
}

// next is an empty command buffer, begun.
func (w *worker) next(d *Device, f *Frame) (vk.CommandBuffer, error) {
	s := &w.slots[f.slot]
	if s.frame != f.index+1 {
		s.frame, s.used = f.index+1, 0
		s.arena.Reset()
		if s.pool != 0 {
			if err := vk.ResetCommandPool(d.handle, s.pool, 0); err != nil {
				return 0, fmt.Errorf("gpu: resetting a command pool: %w", err)
			}
		}
	}
	if s.used == len(s.cbs) {
		d.lock() // names have one arena
		defer d.unlock()
		pool, cb, err := s.pool, vk.CommandBuffer(0), error(nil)
		if pool == 0 {
			pool, cb, err = d.newCommandBuffer("pass")
		} else {
			cb, err = d.commandBuffer(pool, "pass")
		}
		if err != nil {
			return 0, err
		}
		s.pool, s.cbs = pool, append(s.cbs, cb)
	}
	cb := s.cbs[s.used]
	s.used++
	return cb, d.begin(cb)
}

// spread records a plan's passes on several goroutines.
func (e *Executor) spread(f *Frame, p *framegraph.Plan, r *rows) error {
	n := 0
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Kind == framegraph.Phase {
			continue
		}
		row, query := e.row(r, s.Name)
		if s.Scope >= 0 && !s.ScopeBegin {
			u := &e.units[n-1]
			u.last, u.query = i, append(u.query, query)
			continue
		}
		if n == len(e.units) {
			e.units = append(e.units, unit{})
		}
		u := &e.units[n]
		u.first, u.last, u.row, u.query, u.cb, u.err = i, i, row, append(u.query[:0], query), 0, nil
		n++
	}
	for len(e.workers) < e.o.Workers {
		e.workers = append(e.workers, &worker{})
	}
	e.d.spread = true
	var next atomic.Int64
	var all sync.WaitGroup
	for _, w := range e.workers[:min(e.o.Workers, n)] {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				e.units[i].err = e.unit(w, f, p, r, &e.units[i])
			}
		})
	}
	all.Wait()
	e.d.spread = false
	e.d.drain()
	cbs := make([]vk.CommandBuffer, n)
	for i := range cbs {
		if err := e.units[i].err; err != nil {
			return err
		}
		cbs[i] = e.units[i].cb
	}
	if err := f.follow(cbs); err != nil {
		return err
	}
	e.main.cb = f.cb
	return nil
}

func (e *Executor) unit(w *worker, f *Frame, p *framegraph.Plan, r *rows, u *unit) error {
	cb, err := w.next(e.d, f)
	if err != nil {
		return err
	}
	w.own.Reset()
	w.begin(e, f, p, &w.own, &w.slots[f.slot].arena, cb)
	for i := u.first; i <= u.last; i++ {
		row := u.row
		if row >= 0 {
			row += i - u.first
		}
		if err := e.pass(&w.recorder, p, i, r, row, u.query[i-u.first]); err != nil {
			return fmt.Errorf("pass %s: %w", p.Steps[i].Name, err)
		}
	}
	u.cb = cb
	if err := vk.EndCommandBuffer(cb); err != nil {
		return fmt.Errorf("gpu: ending a pass's commands: %w", err)
	}
	return nil
}

// stopWorkers frees their command pools, once the frames that use them are done.
func (e *Executor) stopWorkers() {
	for _, w := range e.workers {
		for i := range w.slots {
			e.d.discard(discardCommandPool, uint64(w.slots[i].pool), allocation{})
			w.slots[i].arena.Free()
		}
	}
	e.workers = nil
}
