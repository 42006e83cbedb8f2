package framegraph

func (e *entry) beginBatch() {
	b := take(&e.batches)
	b.barrierStart = e.barriersSoFar()
	b.orders, b.sights = int32(len(e.orders)), int32(len(e.sights))
}

func (e *entry) barriersSoFar() barrierStart {
	return barrierStart{int32(len(e.memory)), int32(len(e.buffers)), int32(len(e.images))}
}

// endBatch settles the orders of execution that the batch's own barriers, and earlier ones, do not already give.
func (e *entry) endBatch(slot int32) {
	if e.spanned { // else no image has parts
		e.joinRows(int(e.batches[slot].images))
	}
	if e.unified {
		e.melt(slot)
		return
	}
	orders := e.orders[e.batches[slot].orders:]
	if len(orders) == 0 {
		return
	}
	e.catchUp(slot)
	src, dst, cause := Stage(0), Stage(0), Cause{}
	for i := range orders {
		o := &orders[i]
		if !e.done[e.slotQueue[slot]].ordered(o.from, o.slot, o.to) {
			if src == 0 {
				cause = o.cause
			}
			src |= o.from
			dst |= o.to
		}
	}
	if src != 0 {
		e.memory = append(e.memory, MemoryBarrier{SrcStage: src, DstStage: dst, Cause: cause})
		e.done[e.slotQueue[slot]].barrier(src, dst)
	}
}

// catchUp tells the ordering of the batches up to and including a slot's, and of the work between. Most frames never ask.
func (e *entry) catchUp(slot int32) {
	if e.told == 0 {
		e.resetOrdering()
		for q := range e.done {
			e.done[q].frame(0)
			if !e.async {
				break
			}
		}
	}
	for s := e.told; s <= slot; s++ {
		if s > 0 {
			e.tellWork(s-1, 0)
		}
		end := e.barriersSoFar()
		if s < slot {
			end = e.batches[s+1].barrierStart
		}
		e.tellBatch(s, 0, end, -1)
	}
	e.told = slot + 1
}

// tellWork tells the ordering what ran in a slot of a frame whose slots are shifted by some, and tellBatch what barriers
// stand before it; without is a memory barrier to leave out, −1 for none.
func (e *entry) tellWork(slot, shift int32) {
	e.done[e.slotQueue[slot]].ran(e.slotStages[slot], slot+shift)
}

func (e *entry) tellBatch(slot, shift int32, end barrierStart, without int32) {
	a, done := e.batches[slot], &e.done[e.slotQueue[slot]]
	if e.async {
		if at := e.clockAt[slot][e.slotQueue[slot]]; at > never {
			done.joined(at + shift)
		}
	}
	for i := a.memory; i < end.memory; i++ {
		if i != without {
			done.barrier(e.memory[i].SrcStage, e.memory[i].DstStage)
			if e.unified {
				e.flushed(slot+shift, &e.memory[i])
			}
		}
	}
	for i := a.buffers; i < end.buffers; i++ {
		done.barrier(e.buffers[i].SrcStage, e.buffers[i].DstStage)
	}
	for i := a.images; i < end.images; i++ {
		done.barrier(e.images[i].SrcStage, e.images[i].DstStage)
	}
}

func (e *entry) imageBarrier(t *touch, src Stage, writes Access, dst Stage, access Access, old Layout, cause Cause) {
	q := e.slotQueue[t.slot]
	e.imageBarrierBetween(t, src, writes, dst, access, old, cause, q, q)
}

// imageBarrierBetween is imageBarrier with a change of the queue family.
func (e *entry) imageBarrierBetween(t *touch, src Stage, writes Access, dst Stage, access Access, old Layout, cause Cause, from, to Queue) {
	r := &e.resources[t.res]
	b := push(&e.images)
	b.Image, b.SrcStage, b.DstStage, b.SrcAccess, b.DstAccess = int(t.res), src, dst, writes, access
	b.OldLayout, b.NewLayout, b.Aspect, b.From, b.To, b.Cause = old, t.layout, e.plan.Resources[t.res].Aspect, from, to, cause
	b.Mip, b.Mips, b.Layer, b.Layers = 0, int(r.mips), 0, int(r.layers)
	if e.splits(t.res) {
		e.narrow(b, t)
	}
}

// narrow makes the last barrier one of a touch's cell, or lets the one before it stand for that, too.
func (e *entry) narrow(b *ImageBarrier, t *touch) {
	r := &e.resources[t.res]
	at := t.cell - e.cellBase[t.res]
	b.Mip, b.Mips, b.Layer, b.Layers = int(at%r.mips), 1, int(at/r.mips), 1
	// The next mip level of the same layer joins the barrier before.
	if n := len(e.images) - 2; n >= int(e.batches[len(e.batches)-1].images) {
		if l := &e.images[n]; l.sameChange(b) && l.Layer == b.Layer && l.Layers == 1 && l.Mip+l.Mips == b.Mip {
			l.Mips++
			e.images = e.images[:n+1]
		}
	}
}

// sameChange says whether two barriers differ in nothing but their range.
func (b *ImageBarrier) sameChange(o *ImageBarrier) bool {
	return b.Image == o.Image && b.SrcStage == o.SrcStage && b.DstStage == o.DstStage && b.SrcAccess == o.SrcAccess &&
		b.DstAccess == o.DstAccess && b.OldLayout == o.OldLayout && b.NewLayout == o.NewLayout && b.From == o.From && b.To == o.To
}

// joinRows makes one barrier of neighbouring layers that change alike.
func (e *entry) joinRows(first int) {
	out := first
	for i := first; i < len(e.images); i++ {
		if b := &e.images[i]; out > first && e.splits(int32(b.Image)) {
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
