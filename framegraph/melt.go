package framegraph

// Where layouts don't matter (Caps.UnifiedLayouts), what must be seen before a slot is one memory barrier, which covers all
// images and buffers at once. So it also shows what nobody asked it to, and later needs are often met before they arise. To
// leave no barrier that another one makes needless, the walk only notes what each access needs; where a batch ends, those
// needs are met that no barrier before has met, and those that reach into the frame before are settled last, as orders are.
//
// Histories and other queues carry what they hold, and who owns it, over a frame's end in ways that this doesn't follow. A
// graph with either has a barrier for each image and buffer, and exact layouts.

// meltWork is what melting the barriers of a batch needs to know.
type meltWork struct {
	sights     []sight
	wrapSights []wrapSight
	flushes    []flush // the memory barriers so far, in their order
	base       int32   // what is added to a slot while the frame after the walk's is gone through
	stood      []stood // by slot, and the end of the frame
	addedAt    []int32 // slots that a need of the frame before added a barrier to
}

// sight is a need to see what a cell's last write left: made available, and visible to some accesses.
type sight struct {
	from   Stage  // that wrote
	writes Access // 0 where it is available
	slot   int32
	once   bool // one event stands for all of from
	to     Stage
	access Access // 0 where being available is enough

	seenStage  Stage // to what it is visible without any memory barrier
	seenAccess Access

	src        Stage // a barrier for it waits for that, and shows what was written to these
	wideStage  Stage
	wideAccess Access
	cause      Cause
}

// wrapSight is a sight of what a frame before wrote.
type wrapSight struct {
	sight
	at int32
}

// moreCause is one more reason for a memory barrier.
type moreCause struct {
	Cause
	next int32 // 0 for none
}

// layoutOf is the layout that an access finds its image in.
func (e *entry) layoutOf(u *use) Layout {
	if e.unified && e.general[u.res] && u.layout != 0 {
		return LayoutGeneral
	}
	return u.layout
}

// unify finds the transient images that stay in LayoutGeneral. Copies want layouts of their own: the validation layers call
// any other slow.
func (e *entry) unify() {
	e.unified = e.caps.UnifiedLayouts && !e.caps.Options.ExactLayouts && !e.async && !e.history
	if !e.unified {
		return
	}
	e.general = grown(e.general, len(e.resources))
	for r := range e.resources {
		e.general[r] = e.marks[r].what&(whatImage|whatTransient) == whatImage|whatTransient
	}
	if !e.copied {
		return
	}
	for i := range e.uses {
		if e.uses[i].verb.transfer() {
			e.general[e.uses[i].res] = false
		}
	}
}

// stay finds the transient images that no frame needs to discard: the memory is theirs alone, and they stay in one layout.
func (e *entry) stay() {
	if !e.unified {
		return
	}
	for r := range e.resources {
		p := &e.plan.Resources[r]
		if !e.general[r] || e.lives[r].first < 0 {
			continue
		}
		p.Unified = true
		l := &e.lives[r]
		own := l.beforeStart == l.beforeEnd
		for i := l.wrapStart; i < l.wrapEnd; i++ {
			own = own && e.wraps[i] == int32(r)
		}
		if own {
			p.Arrive.Layout = LayoutGeneral
		}
	}
}

// stays says whether stay found a resource.
func (e *entry) stays(r int32) bool {
	return e.unified && e.general[r] && e.plan.Resources[r].Arrive.Layout != LayoutUndefined
}

func (e *entry) beginMelting() {
	e.sights, e.wrapSights = e.sights[:0], e.wrapSights[:0]
	e.flushes, e.addedAt = e.flushes[:0], e.addedAt[:0]
	e.causes = append(e.causes[:0], moreCause{})
}

// beginKept lets the first access of a frame to an image that keeps its layout come after the frame before.
func (e *entry) beginKept(t *touch) {
	tail := &e.cellTails[t.cell]
	if tail.writes != 0 || e.loadsGarbage(t) {
		e.wrapSight(t)
	}
	to := t.writes
	if to == 0 {
		to = t.stage
	}
	e.behindTail(t.cell, 1, t, to)
}

// readsAsItWrites is the last write of a cell where its pass also reads by other stages: a read since may see the write without
// being behind those.
func (e *entry) readsAsItWrites(cell int32) *touch {
	if i := e.cellTails[cell].wrote; e.unified && i >= 0 && e.touches[i].stage != e.touches[i].writes {
		return &e.touches[i]
	}
	return nil
}

// loadsGarbage says whether the first access to a cell reads what nobody of this frame wrote, as a load of an image does of
// which only some layers are written.
func (e *entry) loadsGarbage(t *touch) bool {
	u := &e.uses[t.use]
	if !t.write || u.op == Load.op() || !e.splits(t.res) || u.op != Infer.op() || !u.verb.attachment() {
		return !t.write || u.op == Load.op()
	}
	span := e.cellsOf(u)
	for row := range span.rows {
		for c := span.first + row*span.stride; c < span.first+row*span.stride+span.cols; c++ {
			if e.touches[e.cells[c].first].slot < t.slot {
				return true
			}
		}
	}
	return false
}

// wrapSight is what t must see of what the frame before wrote last to its cell.
func (e *entry) wrapSight(t *touch) {
	last := e.cellTails[t.cell].wrote
	if last < 0 {
		return // nobody writes it
	}
	r := &e.touches[last]
	v := sight{from: r.writes, writes: r.access.Writes(), slot: r.slot - e.frame(), to: t.stage, src: r.stage, wideStage: t.wideStage, wideAccess: t.wideAccess,
		cause: Cause{r.use, t.use, MemoryUse}}
	if e.marks[t.res].what&whatImage != 0 && e.loadsGarbage(t) {
		v.access = t.access &^ t.access.Writes()
	}
	e.wrapSights = append(e.wrapSights, wrapSight{v, t.slot})
	e.wrapFrames = max(e.wrapFrames, 1)
}

// lastWrite adds the sight of what a cell's last write left, by a touch.
func (e *entry) lastWrite(s *cellState, t *touch, why Hazard) *sight {
	v := push(&e.sights)
	v.from, v.writes, v.slot, v.once = s.made, s.writes, s.writeSlot, s.once
	v.seenStage, v.seenAccess, v.src = s.seenStage, s.seenAccess, s.writeStage
	v.wideStage, v.wideAccess = t.wideStage, t.wideAccess
	v.to, v.access = 0, 0
	if s.cameStage != 0 {
		v.seenStage, v.seenAccess = s.cameStage, s.cameAccess
	}
	if v.src == 0 {
		v.src = s.readStage // it arrived, read by these
	}
	switch {
	case t.use < 0:
		why = Leaves
	case !s.begun:
		why = Arrives
	}
	v.cause.From, v.cause.To, v.cause.Why = s.use, t.use, why
	return v
}

func (e *entry) seeMelted(t *touch, s *cellState) {
	if t.stage&^s.sawStage == 0 && t.access&^s.sawAccess == 0 {
		return
	}
	v := e.lastWrite(s, t, ReadAfterWrite)
	v.to, v.access = t.stage, t.access
	s.pending = false
	s.sawStage, s.sawAccess = t.stage, t.access
}

// overwriteMelted lets a write come after the last write, made available, and the reads since.
func (e *entry) overwriteMelted(t *touch, s *cellState) {
	if !s.everyone {
		reads := t.access &^ t.access.Writes()
		if t.fresh {
			reads = 0
		}
		if s.writes != 0 || reads != 0 {
			v := e.lastWrite(s, t, WriteAfterWrite)
			if reads != 0 {
				v.to, v.access = t.reads, reads
			}
		}
		if s.writeStage != 0 {
			o := push(&e.orders)
			o.from, o.slot, o.to = s.writeStage, s.writeSlot, t.writes
			o.cause.From, o.cause.To, o.cause.Why = s.use, t.use, WriteAfterWrite
		}
	}
	if s.arrived != 0 {
		e.orders = append(e.orders, need{from: s.arrived, slot: -1, to: t.writes, cause: Cause{-1, t.use, WriteAfterRead}})
	}
	if s.readStage != 0 {
		e.behindReads(s.firstRead, t, WriteAfterRead)
	}
}

// melt makes one memory barrier of what a batch needs and nothing before it gives.
func (e *entry) melt(slot int32) {
	stood, start := &e.stood[slot], &e.batches[slot]
	stood.others = int(start.images) < len(e.images) || int(start.buffers) < len(e.buffers)
	if int(start.sights) == len(e.sights) && int(start.orders) == len(e.orders) {
		return
	}
	sights, orders := e.sights[start.sights:], e.orders[start.orders:]
	b := MemoryBarrier{late: never}
	for i := range sights {
		if v := &sights[i]; !e.isMet(v, slot) {
			e.serveSight(&b, v)
		}
	}
	src, dst := b.SrcStage, b.DstStage // what the orders find
	if src != 0 {
		stood.src, stood.dst = e.stages.in(b.SrcStage), e.stages.in(b.DstStage)
		e.tellMemory(b.SrcStage, b.DstStage, slot)
	}
	for i := range orders {
		if o := &orders[i]; !e.isOrdered(o, slot, src, dst) {
			e.serve(&b, o.from, o.to, o.slot, o.cause)
		}
	}
	if b.SrcStage == 0 {
		return
	}
	if b.SrcStage != src || b.DstStage != dst {
		stood.src, stood.dst = e.stages.in(b.SrcStage), e.stages.in(b.DstStage)
		e.tellMemory(b.SrcStage, b.DstStage, slot)
	}
	if e.told > slot {
		e.flushed(slot, &b)
	}
	e.memory = append(e.memory, b)
}

// tellMemory tells the ordering of the barrier that melting makes before a slot, where it has come that far.
func (e *entry) tellMemory(src, dst Stage, slot int32) {
	if src != 0 && e.told > slot {
		e.done[GraphicsQueue].barrier(src, dst)
	}
}

func (e *entry) isMet(v *sight, slot int32) bool {
	a := e.meetsNear(v, slot)
	if a == unknown {
		e.catchUp(slot)
		return e.meets(v)
	}
	return a == yes
}

// isOrdered is with the barrier of the batch as the sights left it, from src to dst.
func (e *entry) isOrdered(o *need, slot int32, src, dst Stage) bool {
	a := e.orderedNear(o, slot)
	if a == unknown {
		if e.told <= slot {
			e.catchUp(slot)
			e.tellMemory(src, dst, slot)
		}
		return e.done[GraphicsQueue].ordered(o.from, o.slot, o.to)
	}
	return a == yes
}

// goOn is goThrough where the ordering knows the frame from the walk, which then is the frame before.
func (e *entry) goOn(before func(slot int32) bool) {
	e.catchUp(int32(e.slots()))
	e.base = e.frame()
	e.goLast(-1, before)
	e.base = 0
}

func (e *entry) serveSight(b *MemoryBarrier, v *sight) {
	e.serve(b, v.src, v.wideStage, v.slot, v.cause)
	b.SrcAccess |= v.writes
	b.DstAccess |= v.wideAccess
}

// sightsHold says whether all that a slot must see is met.
func (e *entry) sightsHold(slot int32, nextWrap *int) bool {
	for i := e.batches[slot].sights; i < e.batches[slot+1].sights; i++ {
		if !e.meets(&e.sights[i]) {
			return false
		}
	}
	for ; *nextWrap < len(e.wrapSights) && e.wrapSights[*nextWrap].at == slot; *nextWrap++ {
		if !e.meets(&e.wrapSights[*nextWrap].sight) {
			return false
		}
	}
	return true
}

// joint is where a barrier for needs of the frame before may stand as well: with an earlier such barrier, where that waits for
// work as late in its frame, so that waiting for more takes no longer. It is noted for thin.
func (e *entry) joint(b *MemoryBarrier, slot int32) int32 {
	for _, at := range e.addedAt {
		if m := &e.memory[e.batches[at].memory]; m.late >= b.late {
			return at
		}
	}
	e.addedAt = append(e.addedAt, slot)
	return slot
}

// thin takes out the memory barriers that others have made needless which a need of the frame before added. Such a one
// stands between the last work that the barrier waits for and the barrier, in its frame or one before.
func (e *entry) thin() {
	at := int32(e.slots())
	for i := int32(len(e.memory)) - 1; i >= 0; i-- {
		for e.batches[at].memory > i {
			at--
		}
		if e.mayGo(i, at) && e.ordersHold(i) {
			e.removeMemory(i)
		}
	}
}

func (e *entry) mayGo(i, slot int32) bool {
	for _, s := range e.addedAt {
		for ; s > e.memory[i].late; s -= e.frame() {
			if s < slot {
				return true
			}
		}
	}
	return false
}
