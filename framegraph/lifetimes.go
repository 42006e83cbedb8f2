package framegraph

// liveWork is what lifetimes decides: for each cell its touches in order, for each resource its slots and how its memory is
// left.
type liveWork struct {
	touches    []touch
	slotTouch  []int32 // first touch of each slot, and one past the last
	slotStages []Stage // by slot: of all its touches
	cells      []cellTouches

	measured        bool
	tails, ownTails []tail // by resource
	cellTails       []tail
}

// cellTouches is a cell's first touch and its last, −1 for none.
type cellTouches struct{ first, last int32 }

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
	n, slots := len(e.resources), e.slots()
	lives := filled(e.lives, n, unlived)
	slotTouch, slotStages, slotFirst := grown(e.slotTouch, slots+1), grown(e.slotStages, slots), e.slotFirst[:slots+1]
	e.lives, e.slotTouch, e.slotStages = lives, slotTouch, slotStages
	e.touches, e.cells = e.touches[:0], filled(e.cells, int(e.cellBase[n]), cellTouches{-1, -1})
	uses, acts, passMarks, sequence, at := e.uses, e.acts, e.passMarks, e.sequence, int32(0)
	for slot := range slotStages {
		slotTouch[slot] = int32(len(e.touches))
		stages := Stage(0)
		for next := slotFirst[slot+1]; at < next; at++ {
			p := sequence[at]
			for i, end := passMarks[p].acts, passMarks[p+1].acts; i < end; i++ {
				a := &acts[i]
				l := &lives[a.res]
				if l.first < 0 {
					l.first = int32(slot)
				}
				l.last = int32(slot)
				if a.is&actUntouched != 0 {
					continue
				}
				u := &uses[a.use]
				stages |= u.stage
				if a.is&actSplit == 0 {
					e.touchCell(a, u, a.cell, int32(slot))
				} else {
					e.touchCells(a, u, int32(slot))
				}
			}
		}
		slotStages[slot] = stages
	}
	slotTouch[slots] = int32(len(e.touches))
	for _, i := range e.hostUses {
		u := &e.uses[i]
		slot := e.slotOf[e.position[u.pass]]
		l := &lives[u.res]
		if l.first < 0 || slot < l.first {
			l.first = slot
		}
		l.last = max(l.last, slot)
	}
	e.widen()
	if e.async {
		e.share()
	}
	e.leaveTails()
	e.histories()
	if !e.measured {
		e.measure()
	}
	resources := e.plan.Resources[:len(lives)]
	for r := range lives {
		if l := &lives[r]; l.first >= 0 {
			resources[r].First = int(slotFirst[l.first])
			resources[r].Last = int(slotFirst[l.last+1]) - 1
		}
	}
}

func (e *entry) touchCells(a *act, u *use, slot int32) {
	r := e.cellsOf(u)
	for row := range r.rows {
		for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
			e.touchCell(a, u, c, slot)
		}
	}
}

func (e *entry) touchCell(a *act, u *use, c, slot int32) {
	reads, writes := u.stage, u.stage
	if a.is&actReads == 0 {
		reads = 0
	}
	if a.is&actWrites == 0 {
		writes = 0
	}
	cell, at := &e.cells[c], int32(len(e.touches))
	if cell.last < 0 {
		cell.first = at
	} else {
		t := &e.touches[cell.last]
		if t.slot == slot {
			t.stage |= u.stage
			t.reads |= reads
			t.writes |= writes
			t.access |= u.access
			t.write = t.write || a.is&actWrites != 0
			a.touch = cell.last
			return
		}
		t.next = at
	}
	cell.last, a.touch = at, at
	t := push(&e.touches)
	t.use, t.cell, t.res, t.slot, t.next = a.use, c, a.res, slot, -1
	t.stage, t.reads, t.writes, t.access = u.stage, reads, writes, u.access
	t.layout, t.write, t.late, t.fresh = e.layoutOf(u), a.is&actWrites != 0, false, a.is&actFresh != 0
}

// widen makes the first read of a run speak for all of them.
func (e *entry) widen() {
	touches := e.touches
	for i := len(touches) - 1; i >= 0; i-- {
		t := &touches[i]
		t.wideStage, t.wideAccess = t.stage, t.access
		if t.next >= 0 && !t.write {
			if n := &touches[t.next]; !n.write && n.layout == t.layout && (!e.async || e.slotQueue[n.slot] == e.slotQueue[t.slot]) {
				t.wideStage |= n.wideStage
				t.wideAccess |= n.wideAccess
			}
		}
	}
}

func (e *entry) leaveTails() {
	touches, tails := e.touches, filled(e.cellTails, len(e.cells), tail{use: -1, wrote: -1})
	e.cellTails = tails
	for i := range touches {
		t := &touches[i]
		c := &tails[t.cell]
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
			if e.cells[c].first >= 0 {
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
