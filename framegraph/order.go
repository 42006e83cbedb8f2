package framegraph

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// ordered is what order and queues decide.
type ordered struct {
	sequence []int32 // kept passes, in the order they run
	position []int32 // by pass, −1 where it was culled

	wantedBy []wantedEdge // by kept pass, for Explain: edges may be rebuilt
	queueOf  []Queue      // by position
}

type orderWork struct {
	passQueue []Queue // by pass
	hastens   []bool  // by pass: one that may leave the graphics queue waits for it; only where async is set
	async     bool    // some pass runs beside the graphics queue
	firstOut  []int32 // by pass: an edge out of it, −1 for none
	nextOut   []int32 // by edge: one more out of the same pass
	waits     []int32 // by pass: edges into it from passes that have not run
	inputAt   []int32 // by pass: the position of the last one that wrote what it needs
	ready     []int32
	phases    int      // that have not run
	left      []int32  // by transient's bit: passes that have not run and use it
	begun     []uint64 // the transients that a pass has used
	ending    []uint64 // those that one more pass uses
	lasts     []int32  // see window
	begunAt   []int32
}

// wantedEdge is the edge that kept a pass.
type wantedEdge struct {
	by  int32 // pass, −1 for a root
	use int32 // what it reads
}

const (
	// lookahead is how many ready passes are weighed against each other: it bounds the time, and how far a pass may move.
	lookahead = 8
	// usefulDistance is how many passes between a write and its read hide the wait; more gains nothing.
	usefulDistance = 3
)

// order puts the kept passes in a sequence that respects every edge. Among those that are ready it takes a phase first,
// else one that can join the rendering scope before it, else one that another queue waits for, else the one whose inputs
// were written longest ago, else the one that starts the fewest transients and ends the most, else the one declared first.
func (e *entry) order() {
	if e.anyCut {
		e.cut()
	}
	if e.async {
		e.hasten()
	}
	e.linkOut()
	e.stagger()
	if !e.schedule() {
		e.holds = e.holds[:0]
		e.schedule() // for a cycle of declared orders alone
		e.cycle()
	}
}

// linkOut finds the edges out of each pass.
func (e *entry) linkOut() {
	e.firstOut, e.nextOut = unset(e.firstOut, len(e.passes)), grown(e.nextOut, len(e.edges))
	for i := range e.edges {
		first := &e.firstOut[e.edges[i].from]
		e.nextOut[i], *first = *first, int32(i)
	}
}

// schedule says whether every kept pass found its place.
func (e *entry) schedule() bool {
	n := len(e.passes)
	e.sequence = e.sequence[:0]
	e.position = unset(e.position, n)
	e.waits, e.inputAt = grown(e.waits, n), filled(e.inputAt, n, -1-usefulDistance)
	e.ready = e.ready[:0]
	kept := 0
	e.phases = 0
	for p := range int32(n) {
		if !e.kept[p] {
			continue
		}
		kept++
		if e.passes[p].kind == Phase {
			e.phases++
		}
		e.waits[p] = e.edgeStart[p+1] - e.edgeStart[p]
		if e.waits[p] == 0 {
			e.ready = append(e.ready, p)
		}
	}
	for i := range e.holds {
		p := e.holds[i].pass
		if e.waits[p]++; e.waits[p] == 1 {
			e.ready = slices.DeleteFunc(e.ready, func(r int32) bool { return r == p })
		}
	}
	e.begun, e.ending = sized(e.begun, e.words), sized(e.ending, e.words)
	e.left = grown(e.left, len(e.transients))
	for bit, r := range e.transients {
		if e.left[bit] = e.marks[r].users; e.left[bit] == 1 {
			e.ending[bit>>6] |= 1 << (bit & 63)
		}
	}
	firstOut, nextOut, edges, waits, inputAt := e.firstOut, e.nextOut, e.edges, e.waits, e.inputAt
	for len(e.ready) > 0 {
		at := e.choose()
		p := e.ready[at]
		for ; at+1 < len(e.ready); at++ { // few are behind it
			e.ready[at] = e.ready[at+1]
		}
		e.ready = e.ready[:at]
		position := int32(len(e.sequence))
		e.position[p] = position
		e.sequence = append(e.sequence, p)
		phase := e.passes[p].kind == Phase
		if phase {
			e.phases--
		}
		for w, mask := range e.masks[int(p)*e.words : int(p+1)*e.words] {
			e.begun[w] |= mask
			for ; mask != 0; mask &= mask - 1 {
				bit := w<<6 + bits.TrailingZeros64(mask)
				if e.left[bit]--; e.left[bit] == 1 {
					e.ending[w] |= 1 << (bit & 63)
				}
			}
		}
		for i := firstOut[p]; i >= 0; i = nextOut[i] {
			x := &edges[i]
			if x.kind == edgeContent && !phase {
				inputAt[x.to] = position
			}
			if waits[x.to]--; waits[x.to] == 0 {
				e.insertReady(x.to)
			}
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			to := e.holds[i].pass
			if waits[to]--; waits[to] == 0 {
				e.insertReady(to)
			}
		}
	}
	return len(e.sequence) == kept
}

// insertReady keeps the ready passes in declared order.
func (e *entry) insertReady(p int32) {
	at := len(e.ready)
	e.ready = append(e.ready, p)
	for at > 0 && e.ready[at-1] > p {
		e.ready[at] = e.ready[at-1]
		at--
	}
	e.ready[at] = p
}

func (e *entry) choose() int {
	if e.phases > 0 {
		for i, p := range e.ready[:min(len(e.ready), lookahead+1)] {
			if e.passes[p].kind == Phase {
				return i
			}
		}
	}
	if e.caps.Options.NoReorder || len(e.ready) == 1 {
		return 0
	}
	if e.async { // the sooner another queue has its work, the more there is to run beside it
		for i, p := range e.ready[:min(len(e.ready), lookahead)] {
			if e.passQueue[p] != GraphicsQueue {
				return i
			}
		}
	}
	best, bestScore := 0, -1<<30
	for i, p := range e.ready[:min(len(e.ready), lookahead)] {
		if s := e.score(p); s > bestScore {
			best, bestScore = i, s
		}
	}
	return best
}

func (e *entry) score(p int32) int {
	n := len(e.sequence)
	if n > 0 && e.mayAttachSame(e.sequence[n-1], p) && !e.caps.Options.NoMerge && e.sameAttachments(e.sequence[n-1], p) {
		return 1 << 20
	}
	score := min(usefulDistance, n-int(e.inputAt[p])-1) * 64
	if e.async && e.hastens[p] {
		score += (usefulDistance + 1) * 64
	}
	for w, mask := range e.masks[int(p)*e.words : int(p+1)*e.words] {
		score += bits.OnesCount64(mask&e.ending[w]) - bits.OnesCount64(mask&^e.begun[w])
	}
	return score
}

// cycle reports one cycle among the passes that could not be ordered, with all its edges.
func (e *entry) cycle() {
	// Every pass that is left waits for another one that is left, so walking back must come round.
	at := int32(-1)
	for p := range e.passes {
		if e.kept[p] && e.position[p] < 0 {
			at = int32(p)
			break
		}
	}
	seen := make([]int32, len(e.passes)) // 1 + place on the walk
	var walk []int32                     // edges
	for seen[at] == 0 {
		seen[at] = int32(len(walk)) + 1
		for i := e.edgeStart[at]; i < e.edgeStart[at+1]; i++ {
			if from := e.edges[i].from; e.position[from] < 0 {
				walk = append(walk, i)
				at = from
				break
			}
		}
	}
	var s strings.Builder
	s.WriteString("these passes wait for each other: ")
	round := walk[seen[at]-1:]
	for i := len(round) - 1; i >= 0; i-- {
		x := &e.edges[round[i]]
		fmt.Fprintf(&s, "%q before %q (%s)", e.passes[x.from].name, e.passes[x.to].name, e.edgeText(x))
		if i > 0 {
			s.WriteString(", ")
		}
	}
	e.wrong(e.passPC[at], Mistake{Code: "cycle", Pass: e.passes[at].name, Problem: s.String(),
		Consequence: "none of them could run; take one After away"})
}

// edgeText says in words why an edge stands.
func (e *entry) edgeText(x *edge) string {
	switch x.kind {
	case edgeAfter:
		return "After, declared at " + e.placeOf(e.passPC[x.to])
	case edgePhase:
		return "phases keep their declared order"
	}
	from, to := &e.uses[x.useFrom], &e.uses[x.useTo]
	return fmt.Sprintf("%s of %q at %s, then %s at %s", from.verb, e.resources[to.res].name, e.placeOf(e.usePC[x.useFrom]),
		to.verb, e.placeOf(e.usePC[x.useTo]))
}

// placeOf is a file and line for people: the file with its folder, since a path
// of the whole machine or module is mostly the same from line to line.
func (e *entry) placeOf(pc uintptr) string {
	file, line := place(pc)
	if dir := strings.LastIndexByte(file, '/'); dir > 0 {
		file = file[strings.LastIndexByte(file[:dir], '/')+1:]
	}
	return fmt.Sprintf("%s:%d", file, line)
}
