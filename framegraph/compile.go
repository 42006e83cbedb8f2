package framegraph

import "slices"

// Compile turns the declarations since Reset into a plan, or reports every mistake in them at once, as Mistakes.
//
// Where the structure is one the graph remembers, the plan it made then is handed out again with this frame's closures,
// clear values and keys; Caps counts as structure, but for its functions, which must then answer as before. Compile may
// be called more than once a frame.
func (g *Graph) Compile(caps Caps) (*Plan, error) {
	g.frames++
	g.caps = caps
	key := caps.key()
	if g.inPass >= 0 {
		g.mistake(g.caller(3), Mistake{Code: "compile-inside-pass", Pass: g.declared.passes[g.inPass].name,
			Problem: "Compile was called inside its declaration", Consequence: "compile after the last AddPass has returned"})
	}
	if len(g.mistakes) > 0 {
		// What is left of the declarations is still checked, so that all mistakes come at once.
		e := &entry{}
		e.compile(g)
		return nil, append(Mistakes(g.mistakes), e.mistakes...)
	}
	if e := g.find(key); e != nil {
		e.again = e.again || g.latest != e
		g.latest, g.same = e, true
		e.used = g.frames
		e.renew(g)
		return &e.plan, nil
	}
	e := g.victim()
	e.valid = false
	e.compile(g)
	if len(e.mistakes) > 0 {
		if g.latest == e {
			g.latest, g.same = nil, false
		}
		found := append(Mistakes(nil), e.mistakes...)
		return nil, found
	}
	g.serial++
	e.plan.Serial = g.serial
	e.key, e.valid, e.used, e.again = key, true, g.frames, false
	g.latest, g.same = e, true
	e.renew(g)
	return &e.plan, nil
}

// compile is the compiler: what each step decides is all that the next ones read.
func (e *entry) compile(g *Graph) {
	e.copyFrom(&g.declared)
	e.mistakes = e.mistakes[:0]
	e.caps, e.work = &g.caps, &g.work
	defer func() { e.caps, e.work = nil, nil }()
	e.validate() // is each resource possible in itself; sizes are resolved here
	e.survey()   // is each access; who writes what it sees: the edges between passes
	e.cull()     // which passes does anybody want
	e.eligible() // which may leave the graphics queue
	e.gather()   // what the kept ones access, packed, and how many bytes each transient needs
	e.order()    // the sequence of the kept ones
	if len(e.mistakes) > 0 {
		return
	}
	e.queues() // where each is submitted
	e.unify()  // which images stay in one layout
	e.scopes() // which neighbours draw in one rendering scope: they count as one from here on
	e.sink()   // which may run later, so that memory is free meanwhile
	if e.inVain() {
		holds, peak := e.holds, e.peak
		e.remake(holds[:0])
		if e.wouldFree(peak) {
			e.remake(holds)
		}
	}
	e.lifetimes() // from when to when each resource holds something
	e.alias()     // whose memory can be whose
	e.stay()      // which images keep their layout from frame to frame
	e.barriers()  // what must stand between
	e.planned()   // all of it in the executor's terms
}

// entry is a remembered structure, its plan, and what the steps decided, which Explain tells. All slices are reused, so
// that a compile allocates only to grow.
type entry struct {
	declaration
	plan  Plan
	key   capsKey
	valid bool
	used  uint64 // the frame that used it last
	again bool   // it was found again after another structure had its turn
	caps  *Caps  // during a compile

	unified bool   // transient images may stay in LayoutGeneral
	general []bool // by resource, where unified: it does

	mistakes []*Mistake
	versioned
	culled
	staggered
	ordered
	scoped
	sunk
	aliased
	barred
	laidOut

	*work // the graph's, during a compile
}

// work is what only the steps themselves read. One compile after another uses the same memory, which stays in the
// processor's caches; what Explain and the executor read is each entry's own.
type work struct {
	versionWork
	surveyed
	cullWork
	gathered
	staggerWork
	orderWork
	scopeWork
	sinkWork
	liveWork
	aliasWork
	barrierWork
	planWork
}

// capsKey is the part of Caps that a remembered plan depends on.
type capsKey struct {
	granularity      uint64
	colors, size, ms int
	counts           uint32
	compute, copies  bool
	unified          bool
	options          Options
}

func (c *Caps) key() capsKey {
	return capsKey{c.Granularity, c.MaxColorAttachments, c.MaxImageSize, c.MaxSamples, c.SampleCounts, c.AsyncCompute, c.AsyncTransfer, c.UnifiedLayouts, c.Options}
}

func (g *Graph) find(key capsKey) *entry {
	d := &g.declared
	if l := g.latest; g.same && l.valid && l.key == key && len(d.passes) == len(l.passes) && len(d.uses) == len(l.uses) &&
		len(d.resources) == len(l.resources) && len(d.afters) == len(l.afters) {
		return l
	}
	for _, e := range g.entries {
		if e != nil && e.valid && e.key == key && e.equal(d) {
			return e
		}
	}
	return nil
}

// victim is the entry to compile into, never the latest: an empty one; else one that was never found again, so that a
// window being resized, each frame a structure of its own, drives out none of those that come back. The newest such entry
// is warm in the processor's caches, unless the oldest has long had its chance.
func (g *Graph) victim() *entry {
	var oldest, newest, once *entry
	for i, e := range g.entries {
		if e == nil {
			g.entries[i] = &entry{}
			return g.entries[i]
		}
		if !e.valid {
			return e
		}
		if e == g.latest {
			continue
		}
		if oldest == nil || e.used < oldest.used {
			oldest = e
		}
		if !e.again && (once == nil || e.used < once.used) {
			once = e
		}
		if !e.again && (newest == nil || e.used > newest.used) {
			newest = e
		}
	}
	switch {
	case once == nil:
		return oldest
	case g.frames-once.used > planPatience:
		return once
	}
	return newest
}

// wrong records a mistake in a declaration. It stays out of the checks, which hardly ever call it.
//
//go:noinline
func (e *entry) wrong(pc uintptr, m Mistake) {
	m.File, m.Line = place(pc)
	e.mistakes = append(e.mistakes, &m)
}

// sized is s with length n, its old memory reused and cleared.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	s = s[:n]
	clear(s)
	return s
}

// filled is sized with every element set to v.
func filled[T any](s []T, n int, v T) []T {
	if cap(s) < n {
		s = make([]T, n, n+n/2)
	}
	s = s[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// grown is s with length n, whatever its elements.
func grown[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/2)
	}
	return s[:n]
}

// push is one more element of s, which still holds what was there before.
func push[T any](s *[]T) *T {
	n := len(*s)
	if n == cap(*s) {
		*s = slices.Grow(*s, n+8)
	}
	t := (*s)[:n+1]
	*s = t
	return &t[n]
}

// emptied is s without elements, and with room for n.
func emptied[T any](s []T, n int) []T { return grown(s, n)[:0] }

// take is push where there is room for sure.
func take[T any](s *[]T) *T {
	n := len(*s)
	t := (*s)[:n+1]
	*s = t
	return &t[n]
}

// unset is filled with −1, in pieces.
//
//go:noinline
func unset(s []int32, n int) []int32 {
	s = grown(s, n)
	for at := 0; at < n; at += len(unsets) {
		copy(s[at:], unsets[:])
	}
	return s
}

var unsets = func() (all [32]int32) {
	for i := range all {
		all[i] = -1
	}
	return all
}()
