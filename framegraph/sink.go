package framegraph

import (
	"math/bits"
	"slices"
)

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
	line                  []int32  // slots
	lineAt                []int32  // by slot: its place
	start                 []int32  // by slot: the position of its first pass
	live                  []uint64 // by place: bytes of the transients that are alive there
	peak                  uint64   // the most of it
	weighed               bool     // it is known
	sets                  []uint64 // by slot: the transients that it uses
	seen                  []uint64 // those met so far
	starting              []uint64 // by slot: those of them that no slot before it uses
	stopping              []uint64 // by slot: those of them that no slot behind it uses
	startBytes, stopBytes []uint64 // by slot: of those two
	moved                 []int32  // the new sequence
	staysUp               bool     // tests compare without the step
}

// sink moves slots later that start transients, where that lowers the peak, the most bytes that are alive at once; else where
// it frees more bytes, times the passes they are free for, than it takes. Among the slots passed, the most that is alive at once
// must not grow. A move crosses no dependency and no phase,
// neither parts nor makes rendering scopes, and leaves keptDistance passes between each write and its read, whoever's they are,
// where there were as many. The last slot comes first, so that what feeds a moved pass may follow it.
//
// Where memory is not shared there is nothing to gain; where several queues run, early work is what they run beside.
func (e *entry) sink() {
	e.moves, e.weighed = e.moves[:0], false
	if o := &e.caps.Options; e.async || e.staysUp || o.NoReorder || o.NoAlias {
		return
	}
	begun := len(e.holds) > 0 // whether that was in vain is told by the peak
	e.findStarts()
	if begun {
		e.beginSinking()
	}
	for slot := int32(e.slots()) - 1; slot >= 0; slot-- {
		if !e.startsAny(slot) {
			continue
		}
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
	}
}

// findStarts finds the transients that each slot uses, and is the first to use.
func (e *entry) findStarts() {
	n := e.slots()
	e.start = append(e.start[:0], e.slotFirst...)
	e.sets, e.starting = sized(e.sets, n*e.words), sized(e.starting, n*e.words)
	masks, words := e.masks, e.words
	if words == 1 { // as with most frames
		seen, sequence := uint64(0), e.sequence
		for slot := range n {
			set := uint64(0)
			for _, p := range sequence[e.slotFirst[slot]:e.slotFirst[slot+1]] {
				set |= masks[p]
			}
			e.sets[slot], e.starting[slot] = set, set&^seen
			seen |= set
		}
		return
	}
	e.seen = sized(e.seen, words)
	for slot := range n {
		sets, starting := e.sets[slot*words:(slot+1)*words], e.starting[slot*words:(slot+1)*words]
		for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
			p := int(e.sequence[at])
			for w, set := range masks[p*words : (p+1)*words] {
				if set != 0 {
					sets[w] |= set
				}
			}
		}
		for w, set := range sets {
			if set != 0 {
				starting[w] = set &^ e.seen[w]
				e.seen[w] |= set
			}
		}
	}
}

func (e *entry) startsAny(slot int32) bool {
	for _, set := range e.starting[int(slot)*e.words : int(slot+1)*e.words] {
		if set != 0 {
			return true
		}
	}
	return false
}

// latest is the last position that a slot may begin at for the sake of those that come after it.
func (e *entry) latest(slot int32) int32 {
	size := e.passesIn(slot)
	latest := int32(len(e.sequence)) - size
	for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
		p := e.sequence[at]
		for i := e.nodes[p].out; i >= 0; {
			x := &e.edges[i]
			i = x.next
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
	n := e.slots()
	e.line, e.lineAt, e.live = grown(e.line, n), grown(e.lineAt, n), sized(e.live, n+1)
	e.stopping = grown(e.stopping, n*e.words)
	e.startBytes, e.stopBytes = sized(e.startBytes, n), sized(e.stopBytes, n)
	for w := range e.words {
		seen := uint64(0)
		for slot := n - 1; slot >= 0; slot-- {
			set := e.sets[slot*e.words+w]
			e.stopping[slot*e.words+w] = set &^ seen
			seen |= set
			started, stopped := e.bytesOf(w, e.starting[slot*e.words+w]), e.bytesOf(w, e.stopping[slot*e.words+w])
			e.startBytes[slot], e.stopBytes[slot] = e.startBytes[slot]+started, e.stopBytes[slot]+stopped
			e.live[slot] += started
			e.live[slot+1] -= stopped
		}
	}
	e.peak, e.weighed = 0, true
	for slot := range n {
		e.line[slot], e.lineAt[slot] = int32(slot), int32(slot)
		e.peak = max(e.peak, e.live[slot])
		e.live[slot+1] += e.live[slot]
	}
}

// bytesOf sums one word of a set of transients.
func (e *entry) bytesOf(w int, set uint64) (sum uint64) {
	for ; set != 0; set &= set - 1 {
		sum += e.needs[e.transients[w<<6+bits.TrailingZeros64(set)]].Bytes
	}
	return sum
}

// sinkSlot moves a slot past others one by one, as far as it may, and then back to where most was gained.
func (e *entry) sinkSlot(slot, latest int32) {
	from, n := e.lineAt[slot], int32(len(e.line))
	if from > 0 && from+1 < n && e.wouldJoin(from-1, from+1) {
		return
	}
	// The most that is alive at once among the slots passed, without the move and with it; and the bytes freed, times the passes.
	old, passed, freed := e.live[from], uint64(0), int64(0)
	best, bestMost, bestFreed := from, uint64(0), int64(0)
	at := from
	for ; at+1 < n && at-from < sinkWindow && e.start[slot]+e.passesIn(e.line[at+1]) <= latest && e.mayPass(slot, e.line[at+1], from); at++ {
		old = max(old, e.live[at+1])
		freed += e.held(at)
		e.swap(at)
		freed -= e.held(at)
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

// held is the bytes alive at a place and the next, times their passes.
func (e *entry) held(at int32) int64 {
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
	last, first := e.sequence[e.slotFirst[e.line[a]+1]-1], e.sequence[e.slotFirst[e.line[b]]]
	return e.mayAttachSame(last, first) && !e.caps.Options.NoMerge && e.sameAttachments(last, first)
}

// swap exchanges the slots at a place and the next.
func (e *entry) swap(at int32) {
	a, b := e.line[at], e.line[at+1]
	e.live[at] += e.startBytes[b] - e.startBytes[a]
	e.live[at+1] += e.stopBytes[a] - e.stopBytes[b]
	for w := range e.words {
		i, j := int(a)*e.words+w, int(b)*e.words+w
		// What both use is alive at both places all the same.
		if both := e.sets[i] & e.sets[j]; both != 0 {
			e.swapShared(at, w, i, j, both)
		}
	}
	e.line[at], e.line[at+1] = b, a
	e.lineAt[a], e.lineAt[b] = at+1, at
	e.start[b], e.start[a] = e.start[a], e.start[a]+e.passesIn(b)
}

// swapShared hands what two slots share, and the first starts or the second stops, to the other.
func (e *entry) swapShared(at int32, w, i, j int, both uint64) {
	a, b := e.line[at], e.line[at+1]
	starts, stops := e.starting[i]&both, e.stopping[j]&both
	started, stopped := e.bytesOf(w, starts), e.bytesOf(w, stops)
	e.live[at] += started
	e.live[at+1] += stopped
	e.starting[i], e.starting[j] = e.starting[i]&^both, e.starting[j]|starts
	e.stopping[i], e.stopping[j] = e.stopping[i]|stops, e.stopping[j]&^both
	e.startBytes[a], e.startBytes[b] = e.startBytes[a]-started, e.startBytes[b]+started
	e.stopBytes[a], e.stopBytes[b] = e.stopBytes[a]+stopped, e.stopBytes[b]-stopped
}

// resequence puts the passes in the order of the slots. No scope is parted or made by that, so the slots only change their numbers.
func (e *entry) resequence() {
	e.moved = e.moved[:0]
	for place, slot := range e.line {
		for at := e.slotFirst[slot]; at < e.slotFirst[slot+1]; at++ {
			e.slotOf[len(e.moved)] = int32(place)
			e.moved = append(e.moved, e.sequence[at])
		}
	}
	for at, p := range e.moved {
		e.sequence[at], e.position[p] = p, int32(at)
		if at == 0 || e.slotOf[at] != e.slotOf[at-1] {
			e.slotFirst[e.slotOf[at]] = int32(at)
		}
	}
}
