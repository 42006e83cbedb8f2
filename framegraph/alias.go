package framegraph

// aliased is what alias decides.
type aliased struct {
	before []int32 // who had each resource's memory earlier in the frame
	wraps  []int32 // who had each resource's memory when the frame before ended
	lives  []life  // by resource
}

// life is from when to when a resource holds something, and whose memory it has.
type life struct {
	first, last            int32 // slots, −1 where it is not used
	startNext, endNext     int32 // one more that starts, or ends, in that slot; −1 for none
	beforeStart, beforeEnd int32 // its range of before
	wrapStart, wrapEnd     int32
}

var unlived = life{-1, -1, -1, -1, 0, 0, 0, 0}

func (e *entry) beforeOf(r int32) []int32 {
	return e.before[e.lives[r].beforeStart:e.lives[r].beforeEnd]
}
func (e *entry) wrapsOf(r int32) []int32 { return e.wraps[e.lives[r].wrapStart:e.lives[r].wrapEnd] }

type aliasWork struct {
	needs     []Requirements // by resource
	heaps     []heapMap
	starts    []int32 // by slot: first resource whose life begins there, −1 for none
	ends      []int32
	wrapParts []wrapPart
	placed    []int32 // resources in the order they were placed
}

// heapMap is who has, or had last, each part of a heap.
type heapMap struct {
	types    uint32
	align    uint64
	end      uint64
	segments []segment
}

type segment struct {
	from, to uint64
	owner    int32 // −1 where nobody had it in this frame yet
	is       partKind
}

// partKind is what keeps others from a part of a heap.
type partKind uint8

const (
	partBusy    partKind = 1 << iota
	partOwned            // somebody had it in this frame
	partBuffers          // a buffer had some of it
	partPending          // something had some of it that leaves writes no barrier has made available
)

// wrapPart is memory that a resource is the first of the frame to use.
type wrapPart struct {
	res      int32
	from, to uint64
}

// alias walks through the frame once, and gives each transient the smallest free part of its heap that holds it, the
// largest of a slot first. It remembers who had that memory before: the barriers wait for them.
func (e *entry) alias() {
	n := len(e.resources)
	e.heaps = e.heaps[:0]
	e.before, e.wraps, e.wrapParts, e.placed = e.before[:0], e.wraps[:0], e.wrapParts[:0], e.placed[:0]
	starts, ends := unset(e.starts, e.slots()), unset(e.ends, e.slots())
	e.starts, e.ends = starts, ends
	lives, marks := e.lives[:n], e.marks[:n]
	for r := range lives {
		l := &lives[r]
		if marks[r].what&whatTransient == 0 || l.first < 0 {
			continue
		}
		e.insertStart(int32(r))
		l.endNext, ends[l.last] = ends[l.last], int32(r)
	}
	for slot, first := range starts {
		for r := first; r >= 0; r = lives[r].startNext {
			e.place(r)
		}
		if e.caps.Options.NoAlias {
			continue
		}
		for r := ends[slot]; r >= 0; r = lives[r].endNext {
			if e.async && e.beside[r] {
				continue
			}
			e.heaps[e.plan.Resources[r].Heap].free(r)
		}
	}
	if e.history {
		e.halves()
	}
	// Now it is known who ends the frame where, and so whom the first of the next frame must wait for.
	for i := range e.wrapParts {
		w := &e.wrapParts[i]
		l := &lives[w.res]
		if l.wrapEnd == 0 {
			l.wrapStart = int32(len(e.wraps))
		}
		segments := e.heaps[e.plan.Resources[w.res].Heap].segments
		for i := range segments {
			if s := &segments[i]; s.from < w.to && w.from < s.to && s.owner >= 0 {
				e.wraps = append(e.wraps, s.owner)
			}
		}
		l.wrapEnd = int32(len(e.wraps))
	}
	e.plan.Heaps = e.plan.Heaps[:0]
	for i := range e.heaps {
		e.plan.Heaps = append(e.plan.Heaps, Heap{Types: e.heaps[i].types, Bytes: e.heaps[i].end, Align: e.heaps[i].align})
	}
}

// halves tells of each history whose memory this frame's half has: what is written now was the last frame's value a frame ago, or
// nobody's.
func (e *entry) halves() {
	for r := range e.lives {
		l := &e.lives[r]
		if e.marks[r].what&whatThis == 0 || l.first < 0 {
			continue
		}
		had := int32(r)
		if e.lives[r-1].first >= 0 {
			had--
		}
		l.wrapStart = int32(len(e.wraps))
		e.wraps = append(e.wraps, had)
		l.wrapEnd = int32(len(e.wraps))
	}
}

// insertStart keeps what starts in a slot by falling size, then by declared order.
func (e *entry) insertStart(r int32) {
	l := &e.lives[r]
	at := &e.starts[l.first]
	for *at >= 0 && e.needs[*at].Bytes >= e.needs[r].Bytes {
		at = &e.lives[*at].startNext
	}
	l.startNext, *at = *at, r
}

func (e *entry) place(r int32) {
	need := &e.needs[r]
	h := -1
	for i := range e.heaps {
		if e.heaps[i].types == need.Types {
			h = i
			break
		}
	}
	if h < 0 {
		h = len(e.heaps)
		if h < cap(e.heaps) {
			e.heaps = e.heaps[:h+1] // keeps the memory of its segments
		} else {
			e.heaps = append(e.heaps, heapMap{})
		}
		m := &e.heaps[h]
		m.types, m.align, m.end, m.segments = need.Types, 1, 0, m.segments[:0]
	}
	m := &e.heaps[h]
	m.align = max(m.align, need.Align)
	is, bars := partBusy|partOwned, partBusy
	if e.marks[r].what&whatImage == 0 {
		is, bars = is|partBuffers, bars|partPending
	}
	if e.tails[r].writes != 0 {
		is, bars = is|partPending, bars|partBuffers
	}
	if e.async && e.beside[r] {
		bars |= partOwned
	}
	from := m.find(need, bars)
	to := from + need.Bytes
	l := &e.lives[r]
	l.beforeStart = int32(len(e.before))
	for i := range m.segments {
		s := &m.segments[i]
		if s.from >= to || s.to <= from {
			continue
		}
		if s.owner >= 0 {
			e.before = append(e.before, s.owner)
		} else {
			e.wrapParts = append(e.wrapParts, wrapPart{r, max(s.from, from), min(s.to, to)})
		}
	}
	l.beforeEnd = int32(len(e.before))
	if to > m.end {
		e.wrapParts = append(e.wrapParts, wrapPart{r, max(m.end, from), to})
	}
	m.carve(segment{from, to, r, is})
	e.plan.Resources[r].Heap, e.plan.Resources[r].Offset = h, from
	e.placed = append(e.placed, r)
}

// find is where need goes: the smallest run of parts that nothing bars that holds it, else the end of the heap, over such a run
// there.
//
// A buffer and what leaves pending writes never share memory: an image makes such writes available as it discards its old
// contents, but a buffer would need a barrier over all memory for it.
//
// What another queue uses has its memory alone: whoever had it before might still be running there.
func (m *heapMap) find(need *Requirements, bars partKind) uint64 {
	best, bestLeft := uint64(0), ^uint64(0)
	run := uint64(0) // where the free run at hand starts
	for i := range m.segments {
		s := &m.segments[i]
		if s.is&bars != 0 {
			run = s.to
			continue
		}
		if i+1 < len(m.segments) && m.segments[i+1].is&bars == 0 {
			continue // the run goes on
		}
		from := alignUp(run, need.Align)
		if from+need.Bytes <= s.to && s.to-run-need.Bytes < bestLeft {
			best, bestLeft = from, s.to-run-need.Bytes
		}
	}
	if bestLeft != ^uint64(0) {
		return best
	}
	return alignUp(run, need.Align)
}

// carve makes part of a heap somebody's, and grows the heap where that reaches past the end. What is left of the segments that
// it cuts stays theirs.
func (m *heapMap) carve(mine segment) {
	from, to := mine.from, mine.to
	if from >= m.end {
		if from > m.end {
			m.segments = append(m.segments, segment{from: m.end, to: from, owner: -1})
		}
		m.segments = append(m.segments, mine)
		m.end = to
		return
	}
	first := 0
	for m.segments[first].to <= from {
		first++
	}
	last := first
	for ; last < len(m.segments) && m.segments[last].from < to; last++ {
		s := &m.segments[last]
		mine.is |= s.is & (partBuffers | partPending)
	}
	before, behind, left := m.segments[first].from < from, m.segments[last-1].to > to, m.segments[last-1]
	n, cut, put := len(m.segments), last-first, 1
	if before {
		put++
	}
	if behind {
		put++
	}
	if put != cut {
		for range put - cut {
			m.segments = append(m.segments, segment{})
		}
		copy(m.segments[first+put:], m.segments[last:n])
		m.segments = m.segments[:n+put-cut]
	}
	m.end = max(m.end, to)
	if before {
		m.segments[first].to = from
		first++
	}
	m.segments[first] = mine
	if behind {
		left.from = to
		m.segments[first+1] = left
	}
}

func (m *heapMap) free(r int32) {
	segments := m.segments
	for i := range segments {
		if s := &segments[i]; s.owner == r {
			s.is &^= partBusy
		}
	}
}

func alignUp(n, align uint64) uint64 { return (n + align - 1) &^ (align - 1) }
