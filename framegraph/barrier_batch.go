package framegraph

func (e *entry) beginBatch() {
	e.batches = append(e.batches, batchStart{int32(len(e.memory)), int32(len(e.buffers)), int32(len(e.images))})
	e.orders = e.orders[:0]
}

// endBatch settles the orders of execution that the batch's own barriers, and earlier ones, do not already give.
func (e *entry) endBatch(slot int32) {
	b := e.batches[len(e.batches)-1]
	e.joinRows(int(b.images))
	for _, m := range e.memory[b.memory:] {
		e.global = append(e.global, globalBarrier{slot, m.SrcStage, m.DstStage, m.SrcAccess, m.DstAccess})
	}
	if int(b.memory) < len(e.memory) {
		e.dropCovered(int(b.buffers), int(b.images))
	}
	if len(e.orders) == 0 {
		return
	}
	e.catchUp(slot)
	src, dst, cause := Stage(0), Stage(0), Cause{}
	for i := range e.orders {
		o := &e.orders[i]
		if !e.done.ordered(o.from, o.slot, o.to) {
			if src == 0 {
				cause = o.cause
			}
			src |= o.from
			dst |= o.to
		}
	}
	if src != 0 {
		e.memory = append(e.memory, MemoryBarrier{SrcStage: src, DstStage: dst, Cause: cause})
		e.done.barrier(src, dst, slot)
	}
}

// catchUp tells the ordering of the batches up to and including a slot's, and of the work between. Most frames never ask.
func (e *entry) catchUp(slot int32) {
	for s := e.told; s <= slot; s++ {
		if s > 0 {
			for i := e.slotTouch[s-1]; i < e.slotTouch[s]; i++ {
				e.done.ran(e.touches[i].stage, s-1)
			}
		}
		a, end := e.batches[s], batchStart{int32(len(e.memory)), int32(len(e.buffers)), int32(len(e.images))}
		if s < slot {
			end = e.batches[s+1]
		}
		e.done.begin()
		for i := a.memory; i < end.memory; i++ {
			e.done.barrier(e.memory[i].SrcStage, e.memory[i].DstStage, s)
		}
		for i := a.buffers; i < end.buffers; i++ {
			e.done.barrier(e.buffers[i].SrcStage, e.buffers[i].DstStage, s)
		}
		for i := a.images; i < end.images; i++ {
			e.done.barrier(e.images[i].SrcStage, e.images[i].DstStage, s)
		}
	}
	e.told = slot + 1
}

func (e *entry) imageBarrier(t *touch, src Stage, writes Access, dst Stage, access Access, old Layout, cause Cause) {
	r := &e.resources[t.res]
	b := ImageBarrier{Image: int(t.res), SrcStage: src, DstStage: dst, SrcAccess: writes, DstAccess: access, OldLayout: old,
		NewLayout: t.layout, Aspect: r.format.Aspect(), Mips: int(r.mips), Layers: int(r.layers), Cause: cause}
	if e.split[t.res] {
		at := t.cell - e.cellBase[t.res]
		b.Mip, b.Mips, b.Layer, b.Layers = int(at%r.mips), 1, int(at/r.mips), 1
		// The next mip level of the same layer joins the barrier before.
		if n := len(e.images) - 1; n >= int(e.batches[len(e.batches)-1].images) {
			if l := &e.images[n]; l.sameChange(&b) && l.Layer == b.Layer && l.Layers == 1 && l.Mip+l.Mips == b.Mip {
				l.Mips++
				return
			}
		}
	}
	e.images = append(e.images, b)
}

// sameChange says whether two barriers differ in nothing but their range.
func (b *ImageBarrier) sameChange(o *ImageBarrier) bool {
	return b.Image == o.Image && b.SrcStage == o.SrcStage && b.DstStage == o.DstStage && b.SrcAccess == o.SrcAccess &&
		b.DstAccess == o.DstAccess && b.OldLayout == o.OldLayout && b.NewLayout == o.NewLayout
}

// joinRows makes one barrier of neighbouring layers that change alike.
func (e *entry) joinRows(first int) {
	out := first
	for i := first; i < len(e.images); i++ {
		if b := &e.images[i]; out > first && e.split[b.Image] {
			if l := &e.images[out-1]; l.sameChange(b) && l.Mip == b.Mip && l.Mips == b.Mips && l.Layer+l.Layers == b.Layer {
				l.Layers += b.Layers
				continue
			}
		}
		e.images[out] = e.images[i]
		out++
	}
	e.images = e.images[:out]
}

func (e *entry) bufferBarrier(res int32, src Stage, writes Access, dst Stage, access Access, cause Cause) {
	e.buffers = append(e.buffers, BufferBarrier{int(res), src, dst, writes, access, cause})
}

// memoryBarrier adds to the batch's one barrier over all memory.
func (e *entry) memoryBarrier(b MemoryBarrier) {
	if n := len(e.memory) - 1; n >= int(e.batches[len(e.batches)-1].memory) {
		m := &e.memory[n]
		m.SrcStage |= b.SrcStage
		m.DstStage |= b.DstStage
		m.SrcAccess |= b.SrcAccess
		m.DstAccess |= b.DstAccess
		return
	}
	e.memory = append(e.memory, b)
}

// coveredByGlobal says whether a barrier over all memory, after a slot, already does what one over a buffer would.
func (e *entry) coveredByGlobal(src Stage, writes Access, dst Stage, access Access, after int32) bool {
	for i := range e.global {
		g := &e.global[i]
		if g.slot > after && g.covers(src, dst, writes, access) {
			return true
		}
	}
	return false
}

// covers says whether g makes the same writes visible to the same accesses.
func (g *globalBarrier) covers(src, dst Stage, srcAccess, dstAccess Access) bool {
	return src&^g.src == 0 && srcAccess&^g.srcAccess == 0 && dst&^g.dst == 0 && dstAccess&^g.dstAccess == 0
}

// dropCovered takes out the barriers that the batch's own barrier over all memory does.
func (e *entry) dropCovered(buffers, images int) {
	g := &e.global[len(e.global)-1]
	out := buffers
	for _, b := range e.buffers[buffers:] {
		if !g.covers(b.SrcStage, b.DstStage, b.SrcAccess, b.DstAccess) {
			e.buffers[out] = b
			out++
		}
	}
	e.buffers = e.buffers[:out]
	out = images
	for _, b := range e.images[images:] {
		if b.OldLayout != b.NewLayout || !g.covers(b.SrcStage, b.DstStage, b.SrcAccess, b.DstAccess) {
			e.images[out] = b
			out++
		}
	}
	e.images = e.images[:out]
}
