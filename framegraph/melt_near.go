package framegraph

import "math/bits"

// Most of what melting asks is answered by the few barriers just before, and far cheaper than by keeping the ordering, which
// has to be told of every slot of two frames. So a question goes back slot by slot, and only one that has gone a long way
// without an answer is put to the ordering instead: that bounds the time.

// nearby is how many slots a question goes back.
const nearby = 24

// answer is what can be said nearby.
type answer uint8

const (
	no answer = iota
	yes
	unknown
)

// stood is what runs in a slot, and the memory barrier before it, in the frame's range of stages.
type stood struct {
	ran, src, dst uint32
	others        bool // barriers of images or buffers stand there, too
}

// beginNear notes what runs in each slot; the frame's end counts as one.
func (e *entry) beginNear() {
	e.stood = grown(e.stood, e.slots()+1)
	for slot, stages := range e.slotStages {
		e.stood[slot] = stood{ran: e.stages.in(stages)}
	}
	e.stood[e.slots()] = stood{}
}

// placeOfSlot is where a slot of this frame, or a negative one of the frame before, is noted.
func (e *entry) placeOfSlot(slot int32) int32 {
	if slot < 0 {
		slot += e.frame()
	}
	return slot
}

// chained says whether all that some stages did up to slot since is behind what stands before slot: that is behind the
// stages behind, and so will be what ahead runs. Barriers chain by work between them, see ordering.
func (e *entry) chained(ahead, behind, some uint32, slot, since int32) answer {
	stood, wide := e.stood, slot-since > nearby+1
	if wide {
		since = slot - 1 - nearby
	}
	for at := slot - 1; some&^behind != 0; at-- {
		if at <= since {
			if wide {
				return unknown
			}
			return no
		}
		place := at
		if at < 0 {
			place += int32(len(stood))
		}
		s := &stood[place]
		ahead |= behind & s.ran
		if s.dst&ahead != 0 {
			behind |= s.src
		}
		if s.others {
			behind |= e.othersBehind(place, ahead)
		}
	}
	return yes
}

// othersBehind is what the barriers of images and buffers before a slot are behind, of those that any of some stages wait for.
func (e *entry) othersBehind(slot int32, ahead uint32) (behind uint32) {
	from, to := e.batches[slot], e.barriersSoFar()
	if int(slot)+1 < len(e.batches) {
		to = e.batches[slot+1].barrierStart
	}
	for i := from.images; i < to.images; i++ {
		if b := &e.images[i]; e.stages.in(b.DstStage)&ahead != 0 {
			behind |= e.stages.in(b.SrcStage)
		}
	}
	for i := from.buffers; i < to.buffers; i++ {
		if b := &e.buffers[i]; e.stages.in(b.DstStage)&ahead != 0 {
			behind |= e.stages.in(b.SrcStage)
		}
	}
	return behind
}

// orderedNear is ordering.ordered before a slot.
func (e *entry) orderedNear(o *need, slot int32) answer {
	from := e.stages.in(o.from)
	s := &e.stood[slot]
	for to := e.stages.in(o.to); to != 0; to &= to - 1 {
		ahead, behind := to&-to, uint32(0)
		if s.dst&ahead != 0 {
			behind = s.src
		}
		if s.others {
			behind |= e.othersBehind(slot, ahead)
		}
		if a := e.chained(ahead, behind, from, slot, o.slot); a != yes {
			return a
		}
	}
	return yes
}

// unseen is the stages that do not see yet what a sight is of; seen is by what accesses each sees it without a memory barrier.
func (e *entry) unseen(v *sight, seen *[16]Access) (left uint32) {
	if v.access == 0 {
		return 0
	}
	left = e.stages.in(v.to)
	if v.seenStage != 0 {
		for s := e.stages.in(v.seenStage) & left; s != 0; s &= s - 1 {
			stage := bits.TrailingZeros32(s) & 15
			if seen[stage] = v.seenAccess; v.access&^v.seenAccess == 0 {
				left &^= 1 << stage
			}
		}
	}
	return left
}

// meetsNear is meets before a slot.
func (e *entry) meetsNear(v *sight, slot int32) answer {
	if slot-v.slot > nearby {
		return unknown
	}
	var seen [16]Access
	available, from, left := v.writes == 0, e.stages.in(v.from), e.unseen(v, &seen)
	for at := v.slot + 1; at <= slot && (left != 0 || !available); at++ {
		place := e.placeOfSlot(at)
		first := int(e.batches[place].memory)
		if first == len(e.memory) || int(place)+1 < len(e.batches) && first == int(e.batches[place+1].memory) {
			continue
		}
		m, s := &e.memory[first], &e.stood[place]
		if m.SrcAccess|m.DstAccess == 0 {
			continue
		}
		if from&^s.src != 0 { // else it is as its stages are
			switch e.behindNear(v, from, s.src, at) {
			case no:
				continue
			case unknown:
				return unknown
			}
		}
		available = available || from&^s.src == 0 && makesAvailable(m.SrcAccess, v.writes)
		if !available {
			continue
		}
		for d := s.dst & left; d != 0; d &= d - 1 {
			stage := bits.TrailingZeros32(d) & 15
			if seen[stage] |= m.DstAccess; v.access&^seen[stage] == 0 {
				left &^= 1 << stage
			}
		}
	}
	if available && left == 0 {
		return yes
	}
	return no
}

// behindNear says whether a write, not by stages of src alone, is behind a memory barrier from src before a slot.
func (e *entry) behindNear(v *sight, from, src uint32, slot int32) answer {
	if v.once && from&src != 0 {
		return yes
	}
	if !v.once {
		return e.chained(0, src, from, slot, v.slot)
	}
	for ; from != 0; from &= from - 1 {
		if a := e.chained(0, src, from&-from, slot, v.slot); a != no {
			return a
		}
	}
	return no
}

// asks says whether two needs of one slot are for the same order.
func (o *need) asks(p *need) bool { return o.from == p.from && o.slot == p.slot && o.to == p.to }

// addWrapsNear is addWraps up to the slot of the first question that has no answer nearby. It says where in the needs that is.
func (e *entry) addWrapsNear() (added bool, next, nextSight int) {
	for next < len(e.wrapNeeds) || nextSight < len(e.wrapSights) {
		slot := e.frame()
		if next < len(e.wrapNeeds) {
			slot = e.wrapNeeds[next].at
		}
		if nextSight < len(e.wrapSights) {
			slot = min(slot, e.wrapSights[nextSight].at)
		}
		b, n, s, last := MemoryBarrier{late: never}, next, nextSight, no
		for ; n < len(e.wrapNeeds) && e.wrapNeeds[n].at == slot; n++ {
			w := &e.wrapNeeds[n]
			// Images that were drawn and read together have the same need.
			if n == next || !w.asks(&e.wrapNeeds[n-1].need) {
				last = e.orderedNear(&w.need, slot)
			}
			switch last {
			case no:
				e.serve(&b, w.from, w.to, w.slot, w.cause)
			case unknown:
				return added, next, nextSight
			}
		}
		for ; s < len(e.wrapSights) && e.wrapSights[s].at == slot; s++ {
			v := &e.wrapSights[s].sight
			switch e.meetsNear(v, slot) {
			case no:
				e.serveSight(&b, v)
			case unknown:
				return added, next, nextSight
			}
		}
		if b.SrcStage != 0 {
			added = true
			at := e.joint(&b, slot)
			if m := e.addMemory(at, b); at == slot { // else it gives what it gave before, and the more it stands for is told
				e.stood[at].src, e.stood[at].dst = e.stages.in(m.SrcStage), e.stages.in(m.DstStage)
			}
		}
		next, nextSight = n, s
	}
	return added, next, nextSight
}
