package framegraph

// gathered is the kept passes' accesses as the steps behind cull read them, packed, for they go through them again and again.
type gathered struct {
	acts     []act   // accesses to images and buffers, in declared order
	actStart []int32 // by pass, and one past the last
	hostUses []int32 // accesses to processor resources

	// A set of transients is some words of 64 bits, one bit for each that is in use.
	words      int
	transients []int32  // by bit: the resource
	masks      []uint64 // by pass: the set that it uses, empty where it was culled
	pairs      int      // the passes' distinct resources, summed; phases do not count
}

// act is one access.
type act struct {
	use  int32
	res  int32
	cell int32 // the first one
	is   actKind
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
)

// beginActs is for all passes, culled or not.
func (e *entry) beginActs(n int) {
	e.describe()
	resources := len(e.resources)
	for r := range e.marks {
		m := &e.marks[r]
		m.users, m.first, m.last, m.bit = 0, -1, -1, -1
	}
	e.words = (resources + 63) / 64
	e.masks = sized(e.masks, n*e.words)
	e.pairs = 0
	e.transients, e.hostUses, e.acts, e.actStart = e.transients[:0], e.hostUses[:0], e.acts[:0], grown(e.actStart, n+1)
}

// act packs an access, and notes what the resource is used for.
func (e *entry) act(i int32, u *use, v *rule, m *mark, hasArea bool) {
	is := v.is
	if is&actAttaches != 0 && (u.op == uint8(LoadClear)+1 || u.op == uint8(LoadDontCare)+1) {
		if is&actResolves == 0 {
			is |= actStarts
		}
		if !hasArea {
			is |= actFresh
		}
	}
	if m.what&whatSplit != 0 {
		is |= actSplit
	}
	a := push(&e.acts)
	a.use, a.res, a.cell, a.is = i, u.res, m.cell, is
	r := &e.plan.Resources[u.res]
	r.ImageUsage |= v.imageUsage
	r.BufferUsage |= v.bufferUsage
}

// gather packs the accesses anew, of the kept passes alone, where that makes a difference.
func (e *entry) gather() {
	if e.anyCut {
		e.beginActs(len(e.passes))
		for p := range int32(len(e.passes)) {
			e.actStart[p] = int32(len(e.acts))
			if e.kept[p] {
				e.gatherPass(p)
			}
		}
		e.actStart[len(e.passes)] = int32(len(e.acts))
	}
	if e.measured = !e.async; e.measured {
		e.measure()
	}
}

func (e *entry) gatherPass(p int32) {
	d := &e.passes[p]
	mask := e.masks[int(p)*e.words : int(p+1)*e.words]
	before := e.pairs
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		m := &e.marks[u.res]
		if m.what&whatHost != 0 {
			e.hostUses = append(e.hostUses, i)
			continue
		}
		e.act(i, u, &rules[u.verb], m, d.hasArea)
		if m.last != p {
			m.last = p
			e.firstUse(m, u.res, p, mask)
		}
	}
	if d.kind == Phase {
		e.pairs = before
	}
}

// firstUse counts a pass's first access to a resource.
func (e *entry) firstUse(m *mark, res, p int32, mask []uint64) {
	e.pairs++
	first := m.first
	if m.users == 0 {
		first = p
	}
	m.first = first
	m.users++
	if m.what&whatTransient == 0 {
		return
	}
	if m.bit < 0 {
		m.bit = int32(len(e.transients))
		e.transients = append(e.transients, res)
	}
	mask[m.bit>>6] |= 1 << (m.bit & 63)
}

// measure asks for each resource's size. With several queues it depends on which of them use it, and is asked for once that is
// known.
func (e *entry) measure() {
	for r := range e.resources {
		e.size(r)
	}
	e.measured = true
}

func (e *entry) actsOf(p int32) []act { return e.acts[e.actStart[p]:e.actStart[p+1]] }

// cellsOfAct is cellsOf.
func (e *entry) cellsOfAct(a *act) cellRange {
	if a.is&actSplit == 0 {
		return cellRange{a.cell, 1, 1, 1}
	}
	return e.cellsOf(&e.uses[a.use])
}

// draws says whether a kept pass attaches anything.
func (e *entry) draws(p int32) bool { return e.attached[p] != 0 }
