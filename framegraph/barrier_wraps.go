package framegraph

import "slices"

// Between frames. A transient buffer's first access must come after what the frame before did with its memory. The end of
// that frame, or the beginning of this one, often orders the two already; what does is only known once every other barrier
// stands. So those needs are collected, and settled last, by going through the frames they reach back to.

// wrap is a need whose first half lies in a frame before.
type wrap struct {
	need
	at int32 // the slot it must hold in
}

// settleWraps adds the orders between frames that the plan lacks, and takes out what those make needless.
func (e *entry) settleWraps() {
	if len(e.wrapNeeds) == 0 {
		return
	}
	if !e.addWraps() {
		return
	}
	if e.unified {
		e.thin()
		return
	}
	for i := int32(len(e.memory)) - 1; i >= 0; i-- {
		if e.ordersHold(i) {
			e.removeMemory(i)
		}
	}
}

// frame is the slots of one frame and its end: what a slot number of the frame before is shifted by.
func (e *entry) frame() int32 { return int32(e.slots()) + 1 }

// goThrough tells the ordering of the frames before and of one more, and calls before for each slot of that, its end
// included, once the barriers before it are told.
func (e *entry) goThrough(without int32, before func(slot int32) bool) bool {
	e.flushes = e.flushes[:0]
	e.resetOrdering()
	for shift := -e.wrapFrames * e.frame(); shift < 0; shift += e.frame() {
		for slot := range e.frame() {
			e.tellBatch(slot, shift, e.batches[slot+1].barrierStart, without)
			if slot < int32(e.slots()) {
				e.tellWork(slot, shift)
			}
		}
	}
	return e.goLast(without, before)
}

// goLast is goThrough's last frame.
func (e *entry) goLast(without int32, before func(slot int32) bool) bool {
	for q := range e.done {
		e.done[q].frame(e.base)
	}
	for slot := range e.frame() {
		e.tellBatch(slot, e.base, e.batches[slot+1].barrierStart, without)
		if !before(slot) {
			return false
		}
		if slot < int32(e.slots()) {
			e.tellWork(slot, e.base)
		}
	}
	return true
}

func (e *entry) addWraps() bool {
	added := false
	next, nextSight := 0, 0 // the needs are in the order of their slots
	if e.unified {
		if added, next, nextSight = e.addWrapsNear(); next == len(e.wrapNeeds) && nextSight == len(e.wrapSights) {
			return added
		}
	}
	settle := func(slot int32) bool {
		b := MemoryBarrier{late: never}
		for ; next < len(e.wrapNeeds) && e.wrapNeeds[next].at == slot; next++ {
			if w := &e.wrapNeeds[next]; !e.done[e.slotQueue[slot]].ordered(w.from, w.slot+e.base, w.to) {
				e.serve(&b, w.from, w.to, w.slot, w.cause)
			}
		}
		for ; nextSight < len(e.wrapSights) && e.wrapSights[nextSight].at == slot; nextSight++ {
			if v := &e.wrapSights[nextSight]; !e.meets(&v.sight) {
				e.serveSight(&b, &v.sight)
			}
		}
		if b.SrcStage != 0 {
			added = true
			at := slot
			if e.unified {
				at = e.joint(&b, slot)
			}
			if m := e.addMemory(at, b); at == slot {
				e.done[e.slotQueue[slot]].barrier(m.SrcStage, m.DstStage)
				if e.unified {
					e.flushed(slot+e.base, m)
				}
			}
		}
		return next < len(e.wrapNeeds) || nextSight < len(e.wrapSights)
	}
	if e.unified {
		e.goOn(settle)
	} else {
		e.goThrough(-1, settle)
	}
	return added
}

// serve makes a barrier stand for one more order of execution, and serveSight for one more sight.
func (e *entry) serve(b *MemoryBarrier, src, dst Stage, slot int32, cause Cause) {
	switch {
	case b.SrcStage == 0:
		b.Cause = cause
	case e.unified:
		e.causes = append(e.causes, moreCause{cause, b.more})
		b.more = int32(len(e.causes) - 1)
	}
	b.SrcStage |= src
	b.DstStage |= dst
	b.late = max(b.late, slot)
}

// addMemory adds to the one memory barrier of a batch.
func (e *entry) addMemory(slot int32, b MemoryBarrier) *MemoryBarrier {
	at := e.batches[slot].memory
	if at < e.batches[slot+1].memory {
		m := &e.memory[at]
		m.SrcStage |= b.SrcStage
		m.DstStage |= b.DstStage
		m.SrcAccess |= b.SrcAccess
		m.DstAccess |= b.DstAccess
		m.late = max(m.late, b.late)
		if e.unified {
			for c := b.more; c != 0; c = e.causes[c].next {
				if e.causes[c].next == 0 {
					e.causes[c].next = m.more
					break
				}
			}
			if b.more != 0 {
				m.more = b.more
			}
			e.causes = append(e.causes, moreCause{b.Cause, m.more})
			m.more = int32(len(e.causes) - 1)
		}
		return m
	}
	e.memory = slices.Insert(e.memory, int(at), b)
	for s := int(slot) + 1; s < len(e.batches); s++ {
		e.batches[s].memory++
	}
	return &e.memory[at]
}

func (e *entry) removeMemory(i int32) {
	e.memory = slices.Delete(e.memory, int(i), int(i)+1)
	for s := range e.batches {
		if e.batches[s].memory > i {
			e.batches[s].memory--
		}
	}
}

// ordersHold says whether every order of execution holds without one memory barrier.
func (e *entry) ordersHold(without int32) bool {
	next, nextSight := 0, 0
	return e.goThrough(without, func(slot int32) bool {
		for i := e.batches[slot].orders; i < e.batches[slot+1].orders; i++ {
			if o := &e.orders[i]; !e.done[e.slotQueue[slot]].ordered(o.from, o.slot, o.to) {
				return false
			}
		}
		if e.unified && !e.sightsHold(slot, &nextSight) {
			return false
		}
		for ; next < len(e.wrapNeeds) && e.wrapNeeds[next].at == slot; next++ {
			if w := &e.wrapNeeds[next]; !e.done[e.slotQueue[slot]].ordered(w.from, w.slot, w.to) {
				return false
			}
		}
		return true
	})
}
