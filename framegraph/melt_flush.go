package framegraph

import "math/bits"

// flush is what a memory barrier makes visible: behind[s] is the slot that all of stage s before it is behind the barrier.
type flush struct {
	slot                 int32
	src, dst             uint32 // in the frame's range of stages
	srcAccess, dstAccess Access
	behind               [16]int32
}

// flushed notes what a memory barrier before a slot makes visible. The ordering was just told of it.
func (e *entry) flushed(slot int32, b *MemoryBarrier) {
	if b.SrcAccess == 0 && b.DstAccess == 0 {
		return
	}
	f, done := push(&e.flushes), &e.done[GraphicsQueue]
	f.slot, f.srcAccess, f.dstAccess = slot, b.SrcAccess, b.DstAccess
	f.src, f.dst = done.src, done.dst
	for i, at := range done.last[:min(int(done.count), 16)] {
		f.behind[i] = at
	}
}

// meets says whether the memory barriers so far meet a sight (Vulkan 1.3 §7.1: one makes a write available, it or later ones
// that are behind the write make it visible).
func (e *entry) meets(v *sight) bool {
	first := len(e.flushes)
	at := v.slot + e.base
	for first > 0 && e.flushes[first-1].slot > at {
		first--
	}
	var seen [16]Access
	available, from, left := v.writes == 0, e.stages.in(v.from), e.unseen(v, &seen)
	for i := first; i < len(e.flushes) && (left != 0 || !available); i++ {
		f := &e.flushes[i]
		if !f.reaches(from, v.once, at) {
			continue
		}
		available = available || from&^f.src == 0 && makesAvailable(f.srcAccess, v.writes)
		if !available {
			continue
		}
		for s := f.dst & left; s != 0; s &= s - 1 {
			stage := bits.TrailingZeros32(s) & 15
			if seen[stage] |= f.dstAccess; v.access&^seen[stage] == 0 {
				left &^= 1 << stage
			}
		}
	}
	return available && left == 0
}

// makesAvailable says whether a barrier from some accesses covers writes.
func makesAvailable(from, writes Access) bool {
	return writes&^from == 0 || from&AccessMemoryWrite != 0
}

// reaches says whether the write, by stages from, is behind the barrier.
func (f *flush) reaches(from uint32, once bool, at int32) bool {
	if once {
		if from == 0 || from&f.src != 0 {
			return true
		}
		for ; from != 0; from &= from - 1 {
			if f.behind[bits.TrailingZeros32(from)&15] > at {
				return true
			}
		}
		return false
	}
	for ; from != 0; from &= from - 1 {
		if f.behind[bits.TrailingZeros32(from)&15] <= at {
			return false
		}
	}
	return true
}
