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
	line     []int32  // slots
	berths   []berth  // by slot
	live     []uint64 // by place: bytes of the transients that are alive there
	peak     uint64   // the most of it
	weighed  bool     // it is known
	sets     []uint64 // by slot: the transients that it uses
	seen     []uint64 // those met so far
	starting []uint64 // by slot: those of them that no slot before it uses
	stopping []uint64 // by slot: those of them that no slot behind it uses
	moved    []int32  // the new sequence
	staysUp  bool     // tests compare without the step
}

// berth is where a slot stands.
type berth struct {
	place  int32
	start  int32  // the position of its first pass
	size   int32  // passes
	starts uint64 // bytes of the transients that no slot before it uses
	stops  uint64 // and no slot behind it
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
		if latest <= e.berths[slot].start {
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
	slotFirst, berths := e.slotFirst[:n+1], grown(e.berths, n)
	e.berths = berths
	for slot := range berths {
		x := &berths[slot]
		x.place, x.start, x.size, x.starts, x.stops = int32(slot), slotFirst[slot], slotFirst[slot+1]-slotFirst[slot], 0, 0
	}
	e.sets, e.starting = sized(e.sets, n*e.words), sized(e.starting, n*e.words)
	masks, words := e.masks, e.words
	if words == 1 { // as with most frames
		seen, sequence, at := uint64(0), e.sequence, int32(0)
		sets, starting := e.sets[:n], e.starting[:n]
		for slot := range berths {
			set := uint64(0)
			for next := slotFirst[slot+1]; at < next; at++ {
				set |= masks[sequence[at]]
			}
			sets[slot], starting[slot] = set, set&^seen
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
	for _, set := range e.starting[int(slot)*e.words:][:e.words] {
		if set != 0 {
			return true
		}
	}
	return false
}

// latest is the last position that a slot may begin at for the sake of those that come after it.
func (e *entry) latest(slot int32) int32 {
	own := &e.berths[slot]
	first, size := own.start, own.size // it has not moved yet
	nodes, edges, sequence := e.nodes, e.edges, e.sequence
	latest := int32(len(sequence)) - size
	for at := first; at < first+size; at++ {
		p := sequence[at]
		for i := nodes[p].out; i >= 0; {
			x := &edges[i]
			i = x.next
			to, distance := nodes[x.to].slot, int32(0)
			if x.kind == edgeContent {
				distance = keptDistance
			}
			if to != slot {
				latest = min(latest, e.berths[to].start-size-distance)
			}
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			latest = min(latest, e.berths[e.nodes[e.holds[i].pass].slot].start-size)
		}
	}
	return latest
}

func (e *entry) beginSinking() {
	if !e.measured {
		e.measure()
	}
	n, words := e.slots(), e.words
	line, live, berths := grown(e.line, n), sized(e.live, n+1), e.berths[:n]
	e.line, e.live, e.stopping = line, live, grown(e.stopping, n*words)
	sets, starting, stopping := e.sets[:n*words], e.starting[:n*words], e.stopping[:n*words]
	for w := range words {
		seen := uint64(0)
		for slot := n - 1; slot >= 0; slot-- {
			at, x := slot*words+w, &berths[slot]
			set := sets[at]
			stops := set &^ seen
			seen |= set
			stopping[at] = stops
			started, stopped := e.bytesOf(w, starting[at]), e.bytesOf(w, stops)
			x.starts, x.stops = x.starts+started, x.stops+stopped
			live[slot] += started
			live[slot+1] -= stopped
		}
	}
	peak, sum := uint64(0), uint64(0)
	for slot := range line {
		line[slot] = int32(slot)
		sum += live[slot]
		live[slot] = sum
		peak = max(peak, sum)
	}
	e.peak, e.weighed = peak, true
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
	own, live, line := &e.berths[slot], e.live, e.line
	from, n := own.place, int32(len(line))
	if from > 0 && from+1 < n && e.wouldJoin(from-1, from+1) {
		return
	}
	// The most that is alive at once among the slots passed, without the move and with it; and the bytes freed, times the passes.
	old, passed, freed := live[from], uint64(0), int64(0)
	best, bestMost, bestFreed := from, uint64(0), int64(0)
	at := from
	for ; at+1 < n && at-from < sinkWindow; at++ {
		behind := line[at+1]
		other := &e.berths[behind]
		if own.start+other.size > latest || !e.mayPass(slot, behind, from) {
			break
		}
		old = max(old, live[at+1])
		freed += int64(live[at])*int64(own.size) + int64(live[at+1])*int64(other.size)
		e.swap(at)
		freed -= int64(live[at])*int64(other.size) + int64(live[at+1])*int64(own.size)
		passed = max(passed, live[at])
		most := max(passed, live[at+1])
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
			e.peak = slices.Max(live[:n])
		}
	}
}

// mayPass says whether a slot that stood at a place may change with the one behind it.
func (e *entry) mayPass(slot, behind, from int32) bool {
	berths, nodes, edges, edgeStart := e.berths, e.nodes, e.edges, e.edgeStart
	start := berths[slot].start
	for at, next := e.slotFirst[behind], e.slotFirst[behind+1]; at < next; at++ {
		p := e.sequence[at]
		if nodes[p].phase {
			return false
		}
		for i, end := edgeStart[p], edgeStart[p+1]; i < end; i++ {
			x := &edges[i]
			by := &nodes[x.from]
			if by.slot == slot {
				return false
			}
			if x.kind != edgeContent || by.slot == behind || by.phase {
				continue
			}
			if w := &berths[by.slot]; w.place < from && start-w.start-w.size < keptDistance {
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
	line, live := e.line[at:at+2], e.live[at:at+2]
	a, b := line[0], line[1]
	x, y := &e.berths[a], &e.berths[b]
	live[0] += y.starts - x.starts
	live[1] += x.stops - y.stops
	sets := e.sets
	for w := range e.words {
		i, j := int(a)*e.words+w, int(b)*e.words+w
		// What both use is alive at both places all the same.
		if both := sets[i] & sets[j]; both != 0 {
			e.swapShared(at, w, i, j, both)
		}
	}
	line[0], line[1] = b, a
	x.place, y.place = at+1, at
	x.start, y.start = x.start+y.size, x.start
}

// swapShared hands what two slots share, and the first starts or the second stops, to the other.
func (e *entry) swapShared(at int32, w, i, j int, both uint64) {
	a, b := &e.berths[e.line[at]], &e.berths[e.line[at+1]]
	starts, stops := e.starting[i]&both, e.stopping[j]&both
	started, stopped := e.bytesOf(w, starts), e.bytesOf(w, stops)
	e.live[at] += started
	e.live[at+1] += stopped
	e.starting[i], e.starting[j] = e.starting[i]&^both, e.starting[j]|starts
	e.stopping[i], e.stopping[j] = e.stopping[i]|stops, e.stopping[j]&^both
	a.starts, b.starts = a.starts-started, b.starts+started
	a.stops, b.stops = a.stops+stopped, b.stops-stopped
}

// resequence puts the passes in the order of the slots. No scope is parted or made by that, so the slots only change their numbers.
func (e *entry) resequence() {
	moved, slotOf := grown(e.moved, len(e.sequence)), e.slotOf[:len(e.sequence)]
	e.moved = moved
	at := 0
	sequence, position, slotFirst := e.sequence[:len(moved)], e.position, e.slotFirst
	for place, slot := range e.line {
		for from, end := slotFirst[slot], slotFirst[slot+1]; from < end; from++ {
			slotOf[at], moved[at] = int32(place), sequence[from]
			at++
		}
	}
	last := int32(-1)
	for at, p := range moved {
		sequence[at], position[p] = p, int32(at)
		if slot := slotOf[at]; slot != last {
			slotFirst[slot], last = int32(at), slot
		}
	}
}
