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

	queueOf []Queue // by position
}

type orderWork struct {
	passQueue []Queue // by pass
	hastens   []bool  // by pass: one that may leave the graphics queue waits for it; only where async is set
	async     bool    // some pass runs beside the graphics queue
	nodes     []node  // by pass
	ready     []int32
	phases    int      // that have not run
	left      []int32  // by transient's bit: passes that have not run and use it
	begun     []uint64 // the transients that a pass has used
	ending    []uint64 // those that one more pass uses
	lasts     []int32  // see window
	begunAt   []int32
}

// node is a pass among those being ordered.
type node struct {
	out     int32 // an edge out of it, −1 for none
	waits   int32 // edges into it from passes that have not run
	inputAt int32 // the position of the last one that wrote what it needs
	slot    int32 // once scopes knows, while no slot moves
	phase   bool
}

const (
	// lookahead is how many ready passes are weighed against each other: it bounds the time, and how far a pass may move.
	lookahead = 8
	// usefulDistance is how many passes between a write and its read hide the wait; more gains nothing.
	usefulDistance = 3
	// joinScore is above all that age and transients give.
	joinScore = 1 << 20
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
	nodes, edges := filled(e.nodes, len(e.passes), node{out: -1}), e.edges
	e.nodes = nodes
	for i := range edges {
		x := &edges[i]
		from := &nodes[x.from]
		x.next, from.out = from.out, int32(i)
	}
}

// schedule says whether every kept pass found its place.
func (e *entry) schedule() bool {
	n := len(e.passes)
	sequence, position := emptied(e.sequence, n), unset(e.position, n)
	e.sequence, e.position = sequence, position
	e.ready = emptied(e.ready, n)
	passes, nodes, kept := e.passes, e.nodes[:n], e.kept[:n]
	count := 0
	e.phases = 0
	at := e.edgeStart[0]
	for p, next := range e.edgeStart[1 : n+1] {
		edges := next - at
		at = next
		if !kept[p] {
			continue
		}
		count++
		x := &nodes[p]
		x.waits, x.inputAt, x.phase = edges, -1-usefulDistance, passes[p].kind == Phase
		if x.phase {
			e.phases++
		}
		if edges == 0 {
			*take(&e.ready) = int32(p)
		}
	}
	for i := range e.holds {
		p := e.holds[i].pass
		if nodes[p].waits++; nodes[p].waits == 1 {
			e.ready = slices.DeleteFunc(e.ready, func(r int32) bool { return r == p })
		}
	}
	masks, words := e.masks, e.words
	begun, ending := sized(e.begun, words), sized(e.ending, words)
	left := grown(e.left, len(e.transients))
	e.begun, e.ending, e.left = begun, ending, left
	for bit, r := range e.transients {
		users := e.marks[r].users
		if left[bit] = users; users == 1 {
			ending[bit>>6] |= 1 << (bit & 63)
		}
	}
	edges := e.edges
	for len(e.ready) > 0 {
		p := e.choose()
		x := &nodes[p]
		at := int32(len(e.sequence))
		position[p] = at
		*take(&e.sequence) = p
		if x.phase {
			e.phases--
		}
		for w := range begun {
			mask := masks[int(p)*words+w]
			begun[w] |= mask
			for ; mask != 0; mask &= mask - 1 {
				bit := w<<6 + bits.TrailingZeros64(mask)
				if left[bit]--; left[bit] == 1 {
					ending[w] |= 1 << (bit & 63)
				}
			}
		}
		for i := x.out; i >= 0; {
			y := &edges[i]
			i = y.next
			to := &nodes[y.to]
			if y.kind == edgeContent && !x.phase {
				to.inputAt = at
			}
			if to.waits--; to.waits == 0 {
				e.insertReady(y.to)
			}
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			to := e.holds[i].pass
			if nodes[to].waits--; nodes[to].waits == 0 {
				e.insertReady(to)
			}
		}
	}
	return len(e.sequence) == count
}

// insertReady keeps the ready passes in declared order.
func (e *entry) insertReady(p int32) {
	ready := e.ready[:len(e.ready)+1]
	e.ready = ready
	at := len(ready) - 1
	for ; at > 0 && ready[at-1] > p; at-- {
		ready[at] = ready[at-1]
	}
	ready[at] = p
}

// choose takes the best of the ready passes.
func (e *entry) choose() int32 {
	ready := e.ready
	at := 0
	if len(ready) > 1 {
		at = e.best(ready)
	}
	p := ready[at]
	for at++; at < len(ready); at++ { // few are behind it
		ready[at-1] = ready[at]
	}
	e.ready = ready[:len(ready)-1]
	return p
}

func (e *entry) best(ready []int32) int {
	if e.phases > 0 {
		for i, p := range ready[:min(len(ready), lookahead+1)] {
			if e.nodes[p].phase {
				return i
			}
		}
	}
	if e.caps.Options.NoReorder {
		return 0
	}
	ready = ready[:min(len(ready), lookahead)]
	if e.async { // the sooner another queue has its work, the more there is to run beside it
		for i, p := range ready {
			if e.passQueue[p] != GraphicsQueue {
				return i
			}
		}
	}
	best, bestScore := 0, -1<<30
	for i, p := range ready {
		if s := e.score(p); s > bestScore {
			best, bestScore = i, s
		}
	}
	return best
}

func (e *entry) score(p int32) int {
	n := len(e.sequence)
	if n > 0 && e.mayAttachSame(e.sequence[n-1], p) && !e.caps.Options.NoMerge && e.sameAttachments(e.sequence[n-1], p) {
		return joinScore
	}
	score := min(usefulDistance, n-int(e.nodes[p].inputAt)-1) * 64
	if e.async && e.hastens[p] {
		score += (usefulDistance + 1) * 64
	}
	ending, begun := e.ending, e.begun
	for w := range ending {
		mask := e.masks[int(p)*e.words+w]
		score += bits.OnesCount64(mask&ending[w]) - bits.OnesCount64(mask&^begun[w])
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
