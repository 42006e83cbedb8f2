package framegraph

import "slices"

// Sinking. The order step works from the front, where what depends on nothing is ready first: a background, the sun's shadow
// map. Their images then live through all that comes between, and hold memory that others could have. Sinking moves such a
// pass later, as far as that frees memory and hides its reader's wait almost as well.

const (
	// keptDistance is how many passes a move leaves between a write and its read. Of usefulDistance it gives up the last, for
	// memory.
	keptDistance = usefulDistance - 1
	// sinkWindow is how many slots a slot may be moved past: it bounds the time.
	sinkWindow = 32
)

// sunk is what sink decides.
type sunk struct {
	moves []move
}

// move is a slot that was moved later: its first pass, where that stood, and the pass that stood behind the slot.
type move struct{ pass, from, before int32 }

// sinkWork is the frame in the order at hand. A place is an index into line.
type sinkWork struct {
	line    []int32  // slots
	lineAt  []int32  // by slot
	start   []int32  // by slot: the position of its first pass
	live    []uint64 // by place: bytes of the transients that are alive there
	peak    uint64   // the most of it
	firstAt []int32  // by transient: the first and the last place that uses it
	lastAt  []int32
	met     []int32 // by transient: the slots of a swap that use it, 4 × swaps + 1, + 2 or + 3 for the earlier, the later or both
	swaps   int32
	moved   []int32 // the new sequence
	staysUp bool    // tests compare without the step
}

// sink moves slots later that start transients, where that lowers the peak, the most bytes that are alive at once; else where
// it frees more bytes, times the passes they are free for, than it takes. Among the slots passed, the most that is alive at once
// must not grow. A move crosses no dependency and no phase,
// neither parts nor makes rendering scopes, and leaves keptDistance passes between each write and its read, whoever's they are,
// where there were as many. The last slot comes first, so that what feeds a moved pass may follow it.
//
// Where memory is not shared there is nothing to gain; where several queues run, early work is what they run beside.
func (e *entry) sink() {
	e.moves = e.moves[:0]
	if o := &e.caps.Options; e.async || e.staysUp || o.NoReorder || o.NoAlias {
		return
	}
	begun := len(e.holds) > 0 // whether that was in vain is told by the peak
	if begun {
		e.beginSinking()
	}
	e.start = append(e.start[:0], e.slotFirst...)
	for slot := int32(e.slots()) - 1; slot >= 0; slot-- {
		latest := e.latest(slot)
		if latest <= e.start[slot] {
			continue
		}
		if !begun {
			e.beginSinking()
			begun = true
		}
		e.sinkSlot(slot, latest)
	}
	if len(e.moves) > 0 {
		e.resequence()
		e.scopes()
	}
}

// latest is the last position that a slot may begin at for the sake of those that come after it.
func (e *entry) latest(slot int32) int32 {
	size := e.passesIn(slot)
	latest := int32(len(e.sequence)) - size
	for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
		p := e.sequence[at]
		for i := e.outStart[p]; i < e.outStart[p+1]; i++ {
			x := &e.edges[e.outEdge[i]]
			to, distance := e.slotOfPass(x.to), int32(0)
			if x.kind == edgeContent {
				distance = keptDistance
			}
			if to != slot {
				latest = min(latest, e.start[to]-size-distance)
			}
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			latest = min(latest, e.start[e.slotOfPass(e.holds[i].pass)]-size)
		}
	}
	return latest
}

func (e *entry) passesIn(slot int32) int32 { return e.slotFirst[slot+1] - e.slotFirst[slot] }

// slotOfPass is good while slots move: neither numbers nor positions change before resequence.
func (e *entry) slotOfPass(p int32) int32 { return e.slotOf[e.position[p]] }

func (e *entry) beginSinking() {
	if !e.measured {
		e.measure()
	}
	n := int32(e.slots())
	e.line, e.lineAt = sized(e.line, int(n)), sized(e.lineAt, int(n))
	e.firstAt, e.lastAt = filled(e.firstAt, len(e.resources), -1), filled(e.lastAt, len(e.resources), -1)
	e.met, e.swaps = sized(e.met, len(e.resources)), 0
	for slot := range n {
		e.line[slot], e.lineAt[slot] = slot, slot
		e.transientsOf(slot, func(r int32) {
			if e.firstAt[r] < 0 {
				e.firstAt[r] = slot
			}
			e.lastAt[r] = slot
		})
	}
	e.live = sized(e.live, int(n)+1)
	for r, first := range e.firstAt {
		if first >= 0 {
			e.live[first] += e.needs[r].Bytes
			e.live[e.lastAt[r]+1] -= e.needs[r].Bytes
		}
	}
	e.peak = 0
	for i := range n {
		e.peak = max(e.peak, e.live[i])
		e.live[i+1] += e.live[i]
	}
}

// transientsOf calls f for each access of a slot to a transient.
func (e *entry) transientsOf(slot int32, f func(r int32)) {
	for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
		d := &e.passes[e.sequence[at]]
		for i := d.uses; i < d.usesEnd; i++ {
			if r := e.uses[i].res; e.resources[r].origin == Transient {
				f(r)
			}
		}
	}
}

// sinkSlot moves a slot past others one by one, as far as it may, and then back to where most was gained.
func (e *entry) sinkSlot(slot, latest int32) {
	from, n := e.lineAt[slot], int32(len(e.line))
	starts := false
	e.transientsOf(slot, func(r int32) { starts = starts || e.firstAt[r] == from && e.lastAt[r] > from })
	if !starts || from > 0 && from+1 < n && e.wouldJoin(from-1, from+1) {
		return
	}
	// The most that is alive at once among the slots passed, without the move and with it; and the bytes freed, times the passes.
	old, passed, freed := e.live[from], uint64(0), int64(0)
	best, bestMost, bestFreed := from, uint64(0), int64(0)
	at := from
	for ; at+1 < n && at-from < sinkWindow && e.start[slot]+e.passesIn(e.line[at+1]) <= latest && e.mayPass(slot, e.line[at+1], from); at++ {
		old = max(old, e.live[at+1])
		freed += e.weighed(at)
		e.swap(at)
		freed -= e.weighed(at)
		passed = max(passed, e.live[at])
		most := max(passed, e.live[at+1])
		if most > old || freed <= 0 && (most == old || old < e.peak) || e.wouldJoin(at, at+1) || at+2 < n && e.wouldJoin(at+1, at+2) {
			continue
		}
		if old < e.peak {
			most = old // it is no matter
		}
		if best == from || most < bestMost || most == bestMost && freed > bestFreed {
			best, bestMost, bestFreed = at+1, most, freed
		}
	}
	for ; at > best; at-- {
		e.swap(at - 1)
	}
	if best > from {
		e.moves = append(e.moves, move{e.sequence[e.slotFirst[slot]], e.slotFirst[slot], e.sequence[e.slotFirst[slot+1]]})
		if old == e.peak {
			e.peak = slices.Max(e.live)
		}
	}
}

// weighed is the bytes alive at a place and the next, times their passes.
func (e *entry) weighed(at int32) int64 {
	return int64(e.live[at])*int64(e.passesIn(e.line[at])) + int64(e.live[at+1])*int64(e.passesIn(e.line[at+1]))
}

// mayPass says whether a slot that stood at a place may change with the one behind it.
func (e *entry) mayPass(slot, behind, from int32) bool {
	for at := e.slotFirst[behind]; at < e.slotFirst[behind+1]; at++ {
		p := e.sequence[at]
		if e.passes[p].kind == Phase {
			return false
		}
		for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
			x := &e.edges[i]
			w := e.slotOfPass(x.from)
			if w == slot {
				return false
			}
			if x.kind == edgeContent && w != behind && e.lineAt[w] < from && e.passes[x.from].kind != Phase &&
				e.start[slot]-e.start[w]-e.passesIn(w) < keptDistance {
				return false // it would come too close behind what it reads
			}
		}
	}
	return true
}

// wouldJoin says whether two slots, were they neighbours, might draw in one rendering scope.
func (e *entry) wouldJoin(a, b int32) bool {
	last := e.sequence[e.slotFirst[e.line[a]+1]-1]
	return !e.caps.Options.NoMerge && e.sameAttachments(last, e.sequence[e.slotFirst[e.line[b]]])
}

// swap exchanges the slots at a place and the next.
func (e *entry) swap(at int32) {
	a, b := e.line[at], e.line[at+1]
	e.swaps += 4
	e.transientsOf(a, func(r int32) { e.met[r] = e.swaps + 1 })
	e.transientsOf(b, func(r int32) {
		if e.met[r] == e.swaps+1 {
			e.met[r] = e.swaps + 3
		} else if e.met[r] < e.swaps {
			e.met[r] = e.swaps + 2
			if e.firstAt[r] == at+1 {
				e.firstAt[r] = at
				e.live[at] += e.needs[r].Bytes
			}
			if e.lastAt[r] == at+1 {
				e.lastAt[r] = at
				e.live[at+1] -= e.needs[r].Bytes
			}
		}
	})
	e.transientsOf(a, func(r int32) {
		if e.met[r] != e.swaps+1 {
			return
		}
		e.met[r] = e.swaps + 3
		if e.firstAt[r] == at {
			e.firstAt[r] = at + 1
			e.live[at] -= e.needs[r].Bytes
		}
		if e.lastAt[r] == at {
			e.lastAt[r] = at + 1
			e.live[at+1] += e.needs[r].Bytes
		}
	})
	e.line[at], e.line[at+1] = b, a
	e.lineAt[a], e.lineAt[b] = at+1, at
	e.start[b], e.start[a] = e.start[a], e.start[a]+e.passesIn(b)
}

// resequence puts the passes in the order of the slots.
func (e *entry) resequence() {
	e.moved = e.moved[:0]
	for _, slot := range e.line {
		e.moved = append(e.moved, e.sequence[e.slotFirst[slot]:e.slotFirst[slot+1]]...)
	}
	for at, p := range e.moved {
		e.sequence[at], e.position[p] = p, int32(at)
	}
}
