package framegraph

// liveWork is what lifetimes decides: for each cell its touches in order, for each resource its slots and how its memory is
// left.
type liveWork struct {
	touches    []touch
	slotTouch  []int32 // first touch of each slot, and one past the last
	slotStages []Stage // by slot: of all its touches
	cellFirst  []int32 // by cell: first touch, −1 for none
	cellLast   []int32

	measured        bool
	tails, ownTails []tail // by resource
	cellTails       []tail
}

// touch is what one slot does to one cell: its accesses together.
type touch struct {
	use    int32 // the first access
	cell   int32
	res    int32
	slot   int32
	next   int32 // the cell's next touch, −1 for none
	stage  Stage
	reads  Stage // the part of stage that reads
	writes Stage // the part that writes
	access Access
	layout Layout
	write  bool
	late   bool // behind semaphores that bring the frame before behind
	fresh  bool // leaves nothing of the contents it finds

	// Of this touch and the reads that follow in the same layout: one barrier serves them all.
	wideStage  Stage
	wideAccess Access
}

// tail is what whoever gets a resource's memory next must wait for.
type tail struct {
	stage  Stage
	writes Access // not yet made available by any barrier
	use    int32
	run    int32 // of a cell: the first of its last reads, or its last write
	wrote  int32 // of a cell: its last write, −1 for none
}

// lifetimes gathers who touches what, in order, and from it each resource's life.
func (e *entry) lifetimes() {
	n := len(e.resources)
	cells := int(e.cellBase[n])
	e.touches = e.touches[:0]
	e.slotTouch = e.slotTouch[:0]
	e.cellFirst = unset(e.cellFirst, cells)
	e.cellLast = unset(e.cellLast, cells)
	e.lives = filled(e.lives, n, unlived)
	for slot := range int32(e.slots()) {
		e.slotTouch = append(e.slotTouch, int32(len(e.touches)))
		for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
			acts := e.actsOf(e.sequence[at])
			for i := range acts {
				e.touch(&acts[i], slot)
			}
		}
	}
	for _, i := range e.hostUses {
		u := &e.uses[i]
		slot := e.slotOf[e.position[u.pass]]
		l := &e.lives[u.res]
		if l.first < 0 || slot < l.first {
			l.first = slot
		}
		l.last = max(l.last, slot)
	}
	e.slotTouch = append(e.slotTouch, int32(len(e.touches)))
	e.widen()
	if e.async {
		e.share()
	}
	e.leaveTails()
	e.histories()
	if !e.measured {
		e.measure()
	}
	lives, resources := e.lives, e.plan.Resources[:len(e.lives)]
	for r := range lives {
		if l := &lives[r]; l.first >= 0 {
			resources[r].First = int(e.slotFirst[l.first])
			resources[r].Last = int(e.slotFirst[l.last+1]) - 1
		}
	}
}

func (e *entry) touch(a *act, slot int32) {
	l := &e.lives[a.res]
	if l.first < 0 {
		l.first = slot
	}
	l.last = slot
	if a.is&actUntouched != 0 {
		return
	}
	if a.is&actSplit == 0 {
		e.touchCell(a, a.cell, slot)
		return
	}
	r := e.cellsOf(&e.uses[a.use])
	for row := range r.rows {
		for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
			e.touchCell(a, c, slot)
		}
	}
}

func (e *entry) touchCell(a *act, c, slot int32) {
	u := &e.uses[a.use]
	write := a.is&actWrites != 0
	reads, writes := u.stage, u.stage
	if u.access == u.access.Writes() {
		reads = 0
	}
	if !write {
		writes = 0
	}
	last := e.cellLast[c]
	if last >= 0 && e.touches[last].slot == slot {
		t := &e.touches[last]
		t.stage |= u.stage
		t.reads |= reads
		t.writes |= writes
		t.access |= u.access
		t.write = t.write || write
		a.touch = last
		return
	}
	at := int32(len(e.touches))
	a.touch = at
	t := push(&e.touches)
	t.use, t.cell, t.res, t.slot, t.next = a.use, c, a.res, slot, -1
	t.stage, t.reads, t.writes, t.access = u.stage, reads, writes, u.access
	t.layout, t.write, t.late, t.fresh = e.layoutOf(u), write, false, a.is&actFresh != 0
	if last >= 0 {
		e.touches[last].next = at
	} else {
		e.cellFirst[c] = at
	}
	e.cellLast[c] = at
}

// widen makes the first read of a run speak for all of them.
func (e *entry) widen() {
	for i := len(e.touches) - 1; i >= 0; i-- {
		t := &e.touches[i]
		t.wideStage, t.wideAccess = t.stage, t.access
		if t.next >= 0 && !t.write {
			if n := &e.touches[t.next]; !n.write && n.layout == t.layout && (!e.async || e.slotQueue[n.slot] == e.slotQueue[t.slot]) {
				t.wideStage |= n.wideStage
				t.wideAccess |= n.wideAccess
			}
		}
	}
}

func (e *entry) leaveTails() {
	e.cellTails = filled(e.cellTails, len(e.cellFirst), tail{use: -1, wrote: -1})
	e.slotStages = sized(e.slotStages, e.slots())
	for i := range e.touches {
		t := &e.touches[i]
		c := &e.cellTails[t.cell]
		e.slotStages[t.slot] |= t.stage
		switch {
		case t.write:
			c.stage, c.writes, c.use, c.run, c.wrote = t.stage, t.access.Writes(), t.use, int32(i), int32(i)
		case c.writes != 0 && e.unified: // a barrier of memory may show the write to a read that the writing pass's own are not behind
			c.stage, c.writes, c.use, c.run = t.stage|c.stage, 0, t.use, int32(i)
		case c.writes != 0 || c.stage == 0:
			c.stage, c.writes, c.use, c.run = t.stage, 0, t.use, int32(i)
		default:
			c.stage |= t.stage
			c.use = t.use
		}
	}
	if !e.spanned { // each resource has one cell
		e.tails = e.cellTails
		return
	}
	e.ownTails = filled(e.ownTails, len(e.resources), tail{use: -1})
	e.tails = e.ownTails
	for r := range e.resources {
		t := &e.tails[r]
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			if e.cellFirst[c] >= 0 {
				t.stage |= e.cellTails[c].stage
				t.writes |= e.cellTails[c].writes
				t.use = max(t.use, e.cellTails[c].use)
			}
		}
	}
}

// describe fills the plan's resources from the declarations.
func (e *entry) describe() {
	e.plan.Resources = sized(e.plan.Resources, len(e.resources))
	e.leaving = 0
	for i := range e.resources {
		r, p := &e.resources[i], &e.plan.Resources[i]
		p.Name, p.Origin = r.name, r.origin
		p.Arrive, p.Leave = r.arrive, r.leave
		p.IsImage, p.IsBuffer = r.kind == imageKind, r.kind == bufferKind
		p.First, p.Last, p.Heap, p.Pair, p.Start = -1, -1, -1, -1, r.start
		switch r.origin {
		case Imported:
			if r.leave != (State{}) {
				e.leaving++
			}
		case LastFrame:
			p.Pair = i + 1
		case ThisFrame:
			p.Pair = i - 1
		}
		switch r.kind {
		case imageKind:
			m := &p.Image
			m.Format, m.Width, m.Height = r.format, int(e.extents[i][0]), int(e.extents[i][1])
			m.Mips, m.Layers, m.Samples = int(r.mips), int(r.layers), int(r.samples)
			p.Aspect = r.format.Aspect()
		case bufferKind:
			p.Buffer = BufferDesc{Bytes: r.bytes}
		}
	}
}

// size asks for the memory of one used transient, and estimates others by texels or bytes, for the printed plan.
func (e *entry) size(r int) {
	p, need, m := &e.plan.Resources[r], &e.needs[r], &e.marks[r]
	p.ImageUsage, p.BufferUsage = m.imageUsage, m.bufferUsage
	if p.Origin == Transient && m.users > 0 && e.caps.Sizer != nil {
		*need = e.caps.Sizer(p)
	} else {
		need.Bytes, need.Align, need.Types = 0, 256, 1
		if p.IsBuffer {
			need.Bytes = p.Buffer.Bytes
		} else if p.IsImage {
			need.Bytes = imageBytes(&p.Image, 0, p.Image.Mips) * uint64(p.Image.Layers)
		}
	}
	need.Align = max(need.Align, e.caps.Granularity, 1)
	p.Bytes = need.Bytes
}

// imageBytes is the bytes of one layer of some mip levels.
func imageBytes(d *ImageDesc, mip, mips int) uint64 {
	if mip == 0 && mips == 1 {
		return uint64(d.Width) * uint64(d.Height) * uint64(d.Format.TexelBytes()) * uint64(d.Samples)
	}
	total := uint64(0)
	for m := mip; m < mip+mips; m++ {
		total += uint64(max(d.Width>>m, 1)) * uint64(max(d.Height>>m, 1)) * uint64(d.Format.TexelBytes()) * uint64(d.Samples)
	}
	return total
}
