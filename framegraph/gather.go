package framegraph

// gathered is the kept passes' accesses as the steps behind cull read them, packed, for they go through them again and again.
type gathered struct {
	acts     []act   // accesses to images and buffers, in declared order
	hostUses []int32 // accesses to processor resources

	// A set of transients is some words of 64 bits, one bit for each that is in use.
	words      int
	transients []int32  // by bit: the resource
	masks      []uint64 // by pass: the set that it uses, empty where it was culled
	pairs      int      // the passes' distinct resources, summed; phases do not count
	leaving    int      // imported resources that must leave in some state
	allBytes   uint64   // of all transients, used or not
}

// act is one access.
type act struct {
	use  int32
	res  int32
	cell int32 // the first one
	is   actKind

	touch int32 // of that cell, once lifetimes knows
}

type actKind uint16

const (
	actWrites    actKind = 1 << iota
	actAttaches          // any attachment, resolves included
	actResolves          // where the scope ends
	actStarts            // an attachment that clears or discards
	actFresh             // leaves nothing of the contents it finds
	actSplit             // the resource has several cells
	actUntouched         // the submit makes it visible: nothing waits for it
	actDepth             // a depth attachment
	actCopies            // it cannot be done while drawing
	actReads             // what it finds is read
)

// beginActs is for all passes, culled or not.
func (e *entry) beginActs(n int) {
	e.describe()
	resources := len(e.resources)
	for r := range e.marks {
		m := &e.marks[r]
		m.users, m.first, m.last, m.bit, m.imageUsage, m.bufferUsage = 0, -1, -1, -1, 0, 0
	}
	e.words = (resources + 63) / 64
	e.masks = sized(e.masks, n*e.words)
	e.pairs = 0
	e.transients, e.hostUses, e.acts, e.passMarks = emptied(e.transients, resources), e.hostUses[:0], e.acts[:0], grown(e.passMarks, n+1)
}

// overwriting is what an attachment's access is that clears or discards.
func overwriting(is actKind, hasArea bool) actKind {
	more := actStarts | actFresh
	if is&actResolves != 0 {
		more = actFresh
	}
	if hasArea {
		more &^= actFresh
	}
	return more
}

// gather packs the accesses anew, of the kept passes alone, where that makes a difference.
func (e *entry) gather() {
	if e.anyCut {
		e.beginActs(len(e.passes))
		for p := range int32(len(e.passes)) {
			e.passMarks[p].acts = int32(len(e.acts))
			if e.kept[p] {
				e.gatherPass(p)
			}
		}
		e.passMarks[len(e.passes)].acts = int32(len(e.acts))
	}
	if e.measured = !e.async && len(e.mistakes) == 0; e.measured {
		e.measure()
	}
}

func (e *entry) gatherPass(p int32) {
	d := &e.passes[p]
	mask := e.masks[int(p)*e.words : int(p+1)*e.words]
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		v, m := ruleOf(d.kind, u.verb), &e.marks[u.res]
		if m.what&whatHost != 0 {
			e.hostUses = append(e.hostUses, i)
			continue
		}
		is := v.is
		if is&actAttaches != 0 && (u.op == uint8(LoadClear)+1 || u.op == uint8(LoadDontCare)+1) {
			is |= overwriting(is, d.hasArea)
		}
		if m.what&whatSplit != 0 {
			is |= actSplit
		}
		e.acts = append(e.acts, act{use: i, res: u.res, cell: m.cell, is: is})
		m.imageUsage |= v.imageUsage
		m.bufferUsage |= v.bufferUsage
		if m.last == p {
			continue
		}
		m.last = p
		if m.users++; m.users == 1 {
			e.firstUse(m, u.res, p)
		}
		if m.what&whatTransient != 0 {
			mask[m.bit>>6] |= 1 << (m.bit & 63)
		}
		if d.kind != Phase {
			e.pairs++
		}
	}
}

// firstUse notes the first pass that uses a resource, and gives a transient its place in sets.
func (e *entry) firstUse(m *mark, res, p int32) {
	m.first = p
	if m.what&whatTransient != 0 {
		m.bit = int32(len(e.transients))
		*take(&e.transients) = res
	}
}

// measure finds what memory each resource needs, from when on it is known.
func (e *entry) measure() {
	e.needs = grown(e.needs, len(e.resources))
	e.allBytes = 0
	for r := range e.resources {
		e.size(r)
		if e.marks[r].what&whatTransient != 0 {
			e.allBytes += e.needs[r].Bytes
		}
	}
	e.measured = true
}

func (e *entry) actsOf(p int32) []act { return e.acts[e.passMarks[p].acts:e.passMarks[p+1].acts] }

// cellsOfAct is cellsOf.
func (e *entry) cellsOfAct(a *act) cellRange {
	if a.is&actSplit == 0 {
		return cellRange{a.cell, 1, 1, 1}
	}
	return e.cellsOf(&e.uses[a.use])
}
