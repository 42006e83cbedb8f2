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
	for q := range e.done {
		e.done[q].reset()
		if !e.async {
			break
		}
	}
	for shift := -e.wrapFrames * e.frame(); shift <= 0; shift += e.frame() {
		if shift == 0 {
			for q := range e.done {
				e.done[q].frame()
			}
		}
		for slot := range e.frame() {
			e.tellBatch(slot, shift, e.batches[slot+1], without)
			if shift == 0 && !before(slot) {
				return false
			}
			if slot < int32(e.slots()) {
				e.tellWork(slot, shift)
			}
		}
	}
	return true
}

func (e *entry) addWraps() bool {
	added := false
	next := 0 // the needs are in the order of their slots
	e.goThrough(-1, func(slot int32) bool {
		src, dst, cause := Stage(0), Stage(0), Cause{}
		for ; next < len(e.wrapNeeds) && e.wrapNeeds[next].at == slot; next++ {
			if w := &e.wrapNeeds[next]; !e.done[e.slotQueue[slot]].ordered(w.from, w.slot, w.to) {
				if src == 0 {
					cause = w.cause
				}
				src |= w.from
				dst |= w.to
			}
		}
		if src != 0 {
			added = true
			e.done[e.slotQueue[slot]].barrier(src, dst)
			e.addMemory(slot, MemoryBarrier{SrcStage: src, DstStage: dst, Cause: cause})
		}
		return true
	})
	return added
}

// addMemory adds to the one memory barrier of a batch.
func (e *entry) addMemory(slot int32, b MemoryBarrier) {
	at := e.batches[slot].memory
	if at < e.batches[slot+1].memory {
		e.memory[at].SrcStage |= b.SrcStage
		e.memory[at].DstStage |= b.DstStage
		return
	}
	e.memory = slices.Insert(e.memory, int(at), b)
	for s := int(slot) + 1; s < len(e.batches); s++ {
		e.batches[s].memory++
	}
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
	next := 0
	return e.goThrough(without, func(slot int32) bool {
		for i := e.orderStart[slot]; i < e.orderStart[slot+1]; i++ {
			if o := &e.orders[i]; !e.done[e.slotQueue[slot]].ordered(o.from, o.slot, o.to) {
				return false
			}
		}
		for ; next < len(e.wrapNeeds) && e.wrapNeeds[next].at == slot; next++ {
			if w := &e.wrapNeeds[next]; !e.done[e.slotQueue[slot]].ordered(w.from, w.slot, w.to) {
				return false
			}
		}
		return true
	})
}
