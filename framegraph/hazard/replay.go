package hazard

import "github.com/bindpose/bindpose/framegraph"

// run replays one frame.
func (r *replay) run() {
	r.on(framegraph.GraphicsQueue)
	r.arrive()
	p := r.plan
	for i := range r.cells {
		for c := range r.cells[i] {
			r.cells[i][c].scope = -1 // a scope of the frame before has ended
		}
	}
	for q := range r.sent {
		r.sent[q] = r.sent[q][:0]
	}
	for i := range p.Steps {
		if r.enough() {
			return
		}
		s := &p.Steps[i]
		if s.Kind != framegraph.Phase {
			r.on(s.Queue)
		}
		r.wait(s.Name, s.Waits)
		if s.Before.Len() > 0 {
			if s.Scope >= 0 && !s.ScopeBegin {
				r.wrong(s.Name, 0, "a barrier inside a rendering scope")
			}
			r.batch(s.Name, &s.Before)
		}
		if s.Kind == framegraph.Phase {
			r.phase(s)
		} else {
			r.pass(s)
		}
		if s.ScopeEnd {
			r.store(s)
		}
		if s.After.Len() > 0 {
			if s.Scope >= 0 && !s.ScopeEnd {
				r.wrong(s.Name, 0, "a barrier inside a rendering scope")
			}
			r.batch(s.Name, &s.After)
		}
		for _, v := range s.Signals {
			if v.Queue != s.Queue {
				r.wrong(s.Name, 0, "it signals another queue's timeline")
			}
			r.sent[v.Queue] = append(r.sent[v.Queue], sent{v.Value, r.all(int(v.Queue))})
		}
	}
	r.on(framegraph.GraphicsQueue)
	r.wait("", p.FinalWaits)
	r.batch("", &p.Final)
	r.leave()
	r.ended = r.all(int(framegraph.GraphicsQueue))
	for q := range r.lanes {
		if !r.all(q).within(r.ended) {
			r.wrong("", 0, "the %s queue may still run when the frame is done", framegraph.Queue(q))
		}
	}
}

// all is everything that was submitted to a queue, and what that waited for.
func (r *replay) all(q int) nodes {
	n := r.none()
	for bit := range r.lanes[q].done {
		n.or(r.lanes[q].done[bit])
	}
	return n
}

// wait replays semaphores: what a queue did before its signal is done, available, and visible to all that follows here.
func (r *replay) wait(step string, list []framegraph.Semaphore) {
	for _, w := range list {
		var done nodes
		if w.Value == 0 && w.Queue == framegraph.GraphicsQueue {
			done = r.ended
		}
		for _, s := range r.sent[w.Queue] {
			if s.value == w.Value {
				done = s.done
			}
		}
		if done == nil {
			r.wrong(step, 0, "it waits for value %d of the %s queue, which nothing before it signals", w.Value, w.Queue)
			continue
		}
		for bit := range r.done {
			r.done[bit].or(done)
			r.ahead[bit].or(done)
		}
		for i := range r.cells {
			for c := range r.cells[i] {
				if k := &r.cells[i][c]; k.write.within(done) && k.came.within(done) {
					k.available |= 1 << r.queue
					k.seen = append(k.seen[:len(k.seen):len(k.seen)], visible{framegraph.AllCommands, ^framegraph.Access(0), r.queue})
				}
			}
		}
	}
}

// arrive brings imported resources in as the caller promised.
func (r *replay) arrive() {
	for i := range r.plan.Resources {
		a := &r.plan.Resources[i]
		switch a.Origin {
		case framegraph.ThisFrame:
			continue
		case framegraph.Transient:
			for c := range r.cells[i] {
				r.cells[i][c].content = garbage // whatever it holds, nobody of this frame wrote it
			}
			continue
		case framegraph.LastFrame:
			r.turn(i)
			continue
		}
		for c := range r.cells[i] {
			k := cell{layout: a.Arrive.Layout, content: arrived, available: everywhere, scope: -1, write: r.none(), reads: r.none()}
			if a.IsImage && a.Arrive.Layout == framegraph.LayoutUndefined {
				k.content = garbage
			}
			if a.Arrive.Stage == 0 || a.Arrive == framegraph.HostWritten {
				k.everyone = true
			} else {
				n := r.next
				r.next++
				stageBits(a.Arrive.Stage, func(bit int) { r.done[bit].set(n) })
				r.ended.set(n)
				k.seen = []visible{{a.Arrive.Stage, a.Arrive.Access, r.queue}}
				if w := a.Arrive.Access.Writes(); w != 0 {
					k.write.set(n)
					k.writeStage, k.writes, k.available, k.seen = a.Arrive.Stage, w, 0, nil
				} else {
					k.reads.set(n)
					k.came = r.none()
					k.came.set(n)
				}
			}
			r.cells[i][c] = k
		}
	}
}

// turn brings the last frame's half of a history in, and this frame's with it.
func (r *replay) turn(last int) {
	a := &r.plan.Resources[last]
	next := a.Pair
	if r.frame > 0 && r.plan.Resources[next].Turns {
		r.cells[last], r.cells[next] = r.cells[next], r.cells[last]
	}
	for c := range r.cells[last] {
		k := &r.cells[last][c]
		if r.frame == 0 {
			*k = cell{layout: a.Arrive.Layout, available: everywhere, everyone: true, scope: -1, write: r.none(), reads: r.none()}
		} else if want := r.final[key{next, c}]; r.plan.Resources[next].Turns && want != garbage && k.content != want {
			r.wrong("", last, "the next frame finds what %s wrote instead of %s", r.writer(k.content), r.writer(want))
		}
		k.content = arrived
		r.cells[next][c].content = garbage
	}
}

// leave checks what imported resources are left in.
func (r *replay) leave() {
	for i := range r.plan.Resources {
		a := &r.plan.Resources[i]
		if a.Origin != framegraph.Imported {
			continue
		}
		for c := range r.cells[i] {
			k := &r.cells[i][c]
			if want := r.final[key{i, c}]; want != garbage && k.content != want {
				r.wrong("", i, "it leaves with what %s wrote instead of %s", r.writer(k.content), r.writer(want))
			}
			if a.Leave == (framegraph.State{}) {
				continue
			}
			if a.IsImage && a.Leave.Layout != framegraph.LayoutUndefined && k.layout != a.Leave.Layout {
				r.wrong("", i, "it leaves in layout %d instead of %d", k.layout, a.Leave.Layout)
			}
			if a.Leave.Stage != 0 && !k.everyone && !r.sees(k, a.Leave.Stage, a.Leave.Access&^a.Leave.Access.Writes()) {
				r.wrong("", i, "it leaves before its last write is visible")
			}
		}
	}
}
