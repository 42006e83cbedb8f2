package framegraph

import (
	"fmt"
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
	outStart  []int32 // edges out of each pass, as indices into outEdge
	outEdge   []int32
	waits     []int32 // by pass: edges into it from passes that have not run
	ready     []int32
	left      []int32 // by resource: accesses that have not run
	begun     []bool  // by resource
	begunAt   []int32 // see window
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
	e.rememberWanted()
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
	n := len(e.passes)
	e.outStart = sized(e.outStart, n+2)
	e.outEdge = sized(e.outEdge, len(e.edges))
	for i := range e.edges {
		e.outStart[e.edges[i].from+2]++
	}
	for p := 1; p < n+2; p++ {
		e.outStart[p] += e.outStart[p-1]
	}
	for i := range e.edges {
		at := &e.outStart[e.edges[i].from+1]
		e.outEdge[*at] = int32(i)
		*at++
	}
}

// schedule says whether every kept pass found its place.
func (e *entry) schedule() bool {
	n := len(e.passes)
	e.sequence = e.sequence[:0]
	e.position = filled(e.position, n, -1)
	e.waits = sized(e.waits, n)
	for i := range e.edges {
		e.waits[e.edges[i].to]++
	}
	for i := range e.holds {
		e.waits[e.holds[i].pass]++
	}
	e.left = sized(e.left, len(e.resources))
	e.begun = sized(e.begun, len(e.resources))
	e.ready = e.ready[:0]
	kept := 0
	for p := range e.passes {
		if !e.kept[p] {
			continue
		}
		kept++
		if e.waits[p] == 0 {
			e.ready = append(e.ready, int32(p))
		}
		for i := e.passes[p].uses; i < e.passes[p].usesEnd; i++ {
			e.left[e.uses[i].res]++
		}
	}
	for len(e.ready) > 0 {
		at := e.choose()
		p := e.ready[at]
		e.ready = append(e.ready[:at], e.ready[at+1:]...)
		e.position[p] = int32(len(e.sequence))
		e.sequence = append(e.sequence, p)
		for i := e.passes[p].uses; i < e.passes[p].usesEnd; i++ {
			e.left[e.uses[i].res]--
			e.begun[e.uses[i].res] = true
		}
		for i := e.outStart[p]; i < e.outStart[p+1]; i++ {
			e.waitLess(e.edges[e.outEdge[i]].to)
		}
		for i := e.heldBy(p); i >= 0; i = e.holds[i].next {
			e.waitLess(e.holds[i].pass)
		}
	}
	return len(e.sequence) == kept
}

func (e *entry) waitLess(p int32) {
	if e.waits[p]--; e.waits[p] == 0 {
		e.insertReady(p)
	}
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
	for i, p := range e.ready {
		if e.passes[p].kind == Phase {
			return i
		}
		if i >= lookahead {
			break
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
	if n > 0 && !e.caps.Options.NoMerge && e.sameAttachments(e.sequence[n-1], p) {
		return 1 << 20
	}
	distance := usefulDistance
	for i := e.edgeStart[p]; i < e.edgeStart[p+1]; i++ {
		if x := &e.edges[i]; x.kind == edgeContent && e.passes[x.from].kind != Phase {
			distance = min(distance, n-int(e.position[x.from])-1)
		}
	}
	score := distance * 64
	if e.async && e.hastens[p] {
		score += (usefulDistance + 1) * 64
	}
	for i := e.passes[p].uses; i < e.passes[p].usesEnd; i++ {
		r := e.uses[i].res
		if e.resources[r].origin != Transient {
			continue
		}
		if !e.begun[r] {
			score--
		}
		if e.left[r] == 1 {
			score++
		}
	}
	return score
}

// rememberWanted keeps what Explain tells about culling before the edges are rebuilt.
func (e *entry) rememberWanted() {
	e.wantedBy = sized(e.wantedBy, len(e.passes))
	for p := range e.passes {
		e.wantedBy[p] = wantedEdge{-1, -1}
		if i := e.wanted[p]; i >= 0 {
			e.wantedBy[p] = wantedEdge{e.edges[i].to, e.edges[i].useTo}
		}
	}
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
