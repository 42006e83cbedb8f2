package framegraph

import "math"

// laidOut is what the last step needs to renew a plan for another frame.
type laidOut struct {
	released   []ImageBarrier
	waitList   []Semaphore
	signalList []Semaphore
	colors     []Attachment
	colorUse   []int32 // by colors: the access whose clear value holds
	colorStart []int32 // by scope, and one past the last
	depthUse   []int32 // by scope, −1 for none
}

type planWork struct {
	cursor  []int32 // by cell, where images have parts: its touch in the slot at hand
	counted []int32 // by resource: the last pass that counts in the naive plan
}

// planned puts what the steps before decided in the executor's terms.
func (e *entry) planned() {
	p := &e.plan
	p.e = e
	p.Totals = Totals{}
	p.Scopes = p.Scopes[:0]
	e.colors, e.colorUse, e.depthUse, e.colorStart = e.colors[:0], e.colorUse[:0], e.depthUse[:0], e.colorStart[:0]
	if e.spanned {
		e.cursor = unset(e.cursor, len(e.cells))
	}
	sequence, slots := e.sequence, e.slots()
	steps, passes, queueOf, passMarks := sized(p.Steps, len(sequence)), e.passes, e.queueOf[:len(sequence)], e.passMarks
	p.Steps = steps
	first, before, batches := 0, e.batches[0].barrierStart, e.batches[1:slots+1]
	for slot, next := range e.slotFirst[1 : slots+1] {
		if e.spanned {
			e.point(slot)
		}
		last, scope := int(next)-1, -1
		if passMarks[sequence[first]].attached != 0 {
			scope = e.scope(first, last)
		}
		if end := batches[slot].barrierStart; end != before {
			e.batch(&steps[first].Before, slot)
			before = end
			p.Totals.Batches++
		}
		p.Totals.Merged += last - first
		for at := first; at <= last; at++ {
			s, pass := &steps[at], sequence[at]
			d := &passes[pass]
			s.Name, s.Kind, s.Queue, s.Pass = d.name, d.kind, queueOf[at], int(pass)
			s.Scope, s.ScopeBegin, s.ScopeEnd = scope, scope >= 0 && at == first, scope >= 0 && at == last
			if d.kind == Phase {
				p.Totals.Phases++
			}
		}
		first = last + 1
	}
	p.Totals.Passes = len(steps) - p.Totals.Phases
	e.colorStart = append(e.colorStart, int32(len(e.colors)))
	for i := range p.Scopes {
		p.Scopes[i].Color = e.colors[e.colorStart[i]:e.colorStart[i+1]:e.colorStart[i+1]]
	}
	e.batch(&p.Final, e.slots())
	if p.Final.Len() > 0 {
		p.Totals.Batches++
	}
	e.semaphores()
	for r := range p.Resources {
		e.final(&p.Resources[r], r)
	}
	e.total()
}

// point points at each cell's touch in a slot.
func (e *entry) point(slot int) {
	for i := e.slotTouch[slot]; i < e.slotTouch[slot+1]; i++ {
		e.cursor[e.touches[i].cell] = i
	}
}

// batch puts the barriers before a slot in b.
func (e *entry) batch(b *Barriers, slot int) {
	from, to := &e.batches[slot], &e.batches[slot+1]
	b.Memory, b.Buffers, b.Images = nil, nil, nil
	if from.memory < to.memory {
		b.Memory = e.memory[from.memory:to.memory:to.memory]
	}
	if from.buffers < to.buffers {
		b.Buffers = e.buffers[from.buffers:to.buffers:to.buffers]
	}
	if from.images < to.images {
		b.Images = e.images[from.images:to.images:to.images]
	}
}

// scope adds the rendering scope of the passes at first to last.
func (e *entry) scope(first, last int) int {
	p := e.sequence[first]
	s := push(&e.plan.Scopes)
	s.X, s.Y, s.Width, s.Height, s.Layers, s.Color, s.First, s.Last = 0, 0, math.MaxInt32, math.MaxInt32, math.MaxInt32, nil, first, last
	e.colorStart = append(e.colorStart, int32(len(e.colors)))
	depth := int32(-1)
	acts := e.acts
	for i, end := e.passMarks[p].acts, e.passMarks[p+1].acts; i < end; i++ {
		a := &acts[i]
		if a.is&(actAttaches|actResolves) != actAttaches {
			continue
		}
		u := &e.uses[a.use]
		at := &s.Depth
		if u.verb == verbColorAttachment {
			at = push(&e.colors)
			e.colorUse = append(e.colorUse, a.use)
		} else {
			depth = a.use
		}
		e.attach(at, a, u, last-first+1)
		w, h := e.extents[a.res][0], e.extents[a.res][1]
		if at.Mip > 0 {
			w, h = max(w>>at.Mip, 1), max(h>>at.Mip, 1)
		}
		s.Width, s.Height, s.Layers = min(s.Width, int(w)), min(s.Height, int(h)), min(s.Layers, at.Layers)
	}
	if depth < 0 {
		s.Depth = Attachment{Image: -1}
	}
	for at := first; at <= last; at++ {
		if e.passMarks[e.sequence[at]].resolves {
			d := &e.passes[e.sequence[at]]
			for i := d.uses; i < d.usesEnd; i++ {
				if e.uses[i].verb == verbResolve {
					e.resolve(i)
				}
			}
		}
	}
	if d := &e.passes[p]; d.hasArea {
		s.X, s.Y, s.Width, s.Height = int(d.area[0]), int(d.area[1]), int(d.area[2]), int(d.area[3])
	}
	e.depthUse = append(e.depthUse, depth)
	return len(e.plan.Scopes) - 1
}

// resolve gives the attachment of the scope at hand that use i takes its samples from its target.
func (e *entry) resolve(i int32) {
	u := &e.uses[i]
	for c := e.colorStart[len(e.colorStart)-1]; c < int32(len(e.colors)); c++ {
		if e.colors[c].Image == int(u.of) {
			e.colors[c].Resolve = ResolveTarget{On: true, Image: int(u.res), Mip: int(u.span.mip), Layer: int(u.span.layer), Layout: e.layoutOf(u), Average: !e.resources[u.of].format.IsInteger()}
		}
	}
}

// final says how the frame leaves a resource.
func (e *entry) final(p *Resource, r int) {
	f := &p.Final
	if e.marks[r].what&whatHost != 0 {
		return
	}
	if p.Leave != (State{}) {
		*f = p.Leave
		return
	}
	s := &e.states[e.cellBase[r]]
	switch {
	case !s.begun:
		*f = p.Arrive
	case s.readStage != 0:
		f.Stage, f.Layout = s.readStage, s.layout
		if t := e.cells[e.cellBase[r]].last; t >= 0 {
			f.Access = e.touches[t].access
		}
	default:
		f.Stage, f.Access, f.Layout = s.writeStage, s.writes, s.layout
	}
}

func (e *entry) total() {
	t := &e.plan.Totals
	t.Scopes = len(e.plan.Scopes)
	t.Culled = len(e.passes) - len(e.sequence)
	t.Barriers = len(e.memory) + len(e.buffers) + len(e.images)
	e.naive()
	for _, r := range e.placed {
		t.TransientBytes += e.plan.Resources[r].Bytes
	}
	for i := range e.heaps {
		t.AliasedBytes += e.heaps[i].end
	}
	if e.weighed {
		t.LiveBytes = e.peak
		return
	}
	live := uint64(0)
	for slot := range e.slots() {
		for r := e.starts[slot]; r >= 0; r = e.lives[r].startNext {
			live += e.plan.Resources[r].Bytes
		}
		t.LiveBytes = max(t.LiveBytes, live)
		for r := e.ends[slot]; r >= 0; r = e.lives[r].endNext {
			live -= e.plan.Resources[r].Bytes
		}
	}
}

// naive counts what the naive plan would have. It runs what declares anything, wanted or not.
func (e *entry) naive() {
	t := &e.plan.Totals
	t.NaiveBarriers, t.NaiveBatches, t.NaiveBytes = e.pairs+e.leaving, t.Passes, e.allBytes
	if !e.anyCut {
		return
	}
	e.counted = unset(e.counted, len(e.resources))
	for p := range e.passes {
		d := &e.passes[p]
		if e.kept[p] || d.kind == Phase || d.uses == d.usesEnd {
			continue
		}
		t.NaiveBatches++
		for i := d.uses; i < d.usesEnd; i++ {
			if r := e.uses[i].res; e.marks[r].what&whatHost == 0 && e.counted[r] != int32(p) {
				e.counted[r] = int32(p)
				t.NaiveBarriers++
			}
		}
	}
}

// renew gives a plan this frame's closures, clear values and keys.
func (e *entry) renew(g *Graph) {
	for i := range e.plan.Steps {
		s := &e.plan.Steps[i]
		s.Run, s.Record = g.run[s.Pass], g.record[s.Pass]
	}
	for i, u := range e.colorUse {
		e.colors[i].Clear = g.clears[u]
	}
	for i, u := range e.depthUse {
		if u >= 0 {
			e.plan.Scopes[i].Depth.Clear = g.clears[u]
		}
	}
	for i := range e.plan.Resources {
		e.plan.Resources[i].Key = g.keys[i]
	}
}
