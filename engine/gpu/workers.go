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

func (w *recorder) begin(e *Executor, f *Frame, p *framegraph.Plan, s *vk.Stream, a *vk.Arena) {
	w.stream, w.arena = s, a
	w.cmd = Commands{e: e, f: f, s: s, a: a, plan: p}
}

// worker records on a goroutine of its own. A command pool is for one thread at a time, so each has one for each frame in
// flight.
type worker struct {
	recorder
	own   vk.Stream
	slots [framesInFlight]workerSlot
	run   func() // records units until none is left
}

type workerSlot struct {
	pools [queueCount]workerPool
	arena vk.Arena
	frame uint64 // 1 + the frame that uses it
}

type workerPool struct {
	pool vk.CommandPool
	cbs  []vk.CommandBuffer
	used int
}

// unit is what one command buffer takes: a rendering scope, or a pass without one.
type unit struct {
	first, last int // steps
	row         int // of the first, −1 for none
	query       []int32
	cb          vk.CommandBuffer
	err         error
}

// next is an empty command buffer for a queue, begun.
func (w *worker) next(d *Device, f *Frame, q framegraph.Queue) (vk.CommandBuffer, error) {
	s := &w.slots[f.slot]
	if s.frame != f.index+1 {
		s.frame = f.index + 1
		s.arena.Reset()
		for i := range s.pools {
			p := &s.pools[i]
			p.used = 0
			if p.pool != 0 {
				if err := vk.ResetCommandPool(d.handle, p.pool, 0); err != nil {
					return 0, fmt.Errorf("gpu: resetting a command pool: %w", err)
				}
			}
		}
	}
	p := &s.pools[q]
	if p.used == len(p.cbs) {
		d.lock() // names have one arena
		defer d.unlock()
		pool, cb, err := p.pool, vk.CommandBuffer(0), error(nil)
		if pool == 0 {
			pool, cb, err = d.newCommandBuffer(q, "pass")
		} else {
			cb, err = d.commandBuffer(pool, "pass")
		}
		if err != nil {
			return 0, err
		}
		p.pool, p.cbs = pool, append(p.cbs, cb)
	}
	cb := p.cbs[p.used]
	p.used++
	return cb, d.begin(cb)
}

// spreads is what the workers of one frame share: kept, so that a steady frame allocates nothing.
type spreads struct {
	f    *Frame
	p    *framegraph.Plan
	r    *rows
	n    int // units
	next atomic.Int64
	all  sync.WaitGroup
}

// spread records a plan's passes on several goroutines.
func (e *Executor) spread(f *Frame, p *framegraph.Plan, r *rows) error {
	n := 0
	for i := range p.Steps {
		s := &p.Steps[i]
		if s.Kind == framegraph.Phase {
			continue
		}
		row, query := e.row(r, s)
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
		w := &worker{}
		w.run = func() { e.work(w) }
		e.workers = append(e.workers, w)
	}
	x := &e.spreads
	x.f, x.p, x.r, x.n = f, p, r, n
	x.next.Store(0)
	e.d.spread = true
	for _, w := range e.workers[:min(e.o.Workers, n)] {
		x.all.Add(1)
		go w.run()
	}
	x.all.Wait()
	e.d.spread = false
	x.f, x.p, x.r = nil, nil, nil
	e.d.drain()
	for i := range n {
		if err := e.units[i].err; err != nil {
			return err
		}
		if err := e.gather(f, p, &e.units[i]); err != nil {
			return err
		}
	}
	return e.graphics(f)
}

// work records units until none is left.
func (e *Executor) work(w *worker) {
	x := &e.spreads
	defer x.all.Done()
	for {
		i := int(x.next.Add(1)) - 1
		if i >= x.n {
			return
		}
		e.units[i].err = e.unit(w, x.f, x.p, x.r, &e.units[i])
	}
}

// gather puts a unit's commands behind those before it.
func (e *Executor) gather(f *Frame, p *framegraph.Plan, u *unit) error {
	if err := e.waits(f, &p.Steps[u.first]); err != nil {
		return err
	}
	if err := f.add(p.Steps[u.first].Queue, u.cb); err != nil {
		return err
	}
	for i := u.first; i <= u.last; i++ {
		if err := e.signals(f, i, &p.Steps[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *Executor) unit(w *worker, f *Frame, p *framegraph.Plan, r *rows, u *unit) error {
	cb, err := w.next(e.d, f, p.Steps[u.first].Queue)
	if err != nil {
		return err
	}
	w.own.Reset()
	w.begin(e, f, p, &w.own, &w.slots[f.slot].arena)
	w.cb = cb
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
			for q := range w.slots[i].pools {
				e.d.discard(discardCommandPool, uint64(w.slots[i].pools[q].pool), allocation{})
			}
			w.slots[i].arena.Free()
		}
	}
	e.workers = nil
}
