package framegraph

// versioned is what survey decides.
//
// A cell is the unit that has a state of its own: one mip level of one array layer where some access names a part of the
// image, else the whole resource. Declared order gives each cell its chain of writes and reads, and so the edges.
type versioned struct {
	edges     []edge
	edgeStart []int32 // first edge into each pass, and one past the last
}

// versionWork is what validate and survey leave for the steps after them.
type versionWork struct {
	extents  [][2]int32 // texels, by resource
	cellBase []int32    // first cell, by resource, and one past the last
	heads    []cellHead
	readers  []readerNode

	stampEdge []int32 // by pass: its edge into the pass at hand

	names     map[string]int32 // passes by name, where After names one; −1 for a name two passes have
	afterPass []int32          // resolved afters, −1 for none
}

// edge is why one pass comes before another.
type edge struct {
	from, to       int32 // passes
	useFrom, useTo int32 // −1 for an explicit order
	kind           edgeKind
	next           int32 // one more out of from, −1 for none; once linkOut has run
}

type edgeKind uint8

const (
	edgeContent edgeKind = iota // to sees what from wrote
	edgeReuse                   // to overwrites what from read or wrote
	edgeAfter                   // After or AfterPass
	edgePhase                   // phases keep their order
)

// cellHead is the last thing that happened to a cell in declared order.
type cellHead struct {
	write   int32 // use, −1 before the first write
	writer  int32 // its pass
	readers int32 // node, −1 where there are none since
}

type readerNode struct{ use, pass, next int32 }

// cellRange is the cells of one access: rows × cols, a row being one array layer.
type cellRange struct{ first, rows, cols, stride int32 }

func (e *entry) cellsOf(u *use) cellRange {
	base := e.cellBase[u.res]
	if e.marks[u.res].what&whatSplit == 0 {
		return cellRange{base, 1, 1, 1}
	}
	r := &e.resources[u.res]
	mip, mips := part(u.span.mip, u.span.mips, r.mips)
	layer, layers := part(u.span.layer, u.span.layers, r.layers)
	return cellRange{base + layer*r.mips + mip, layers, mips, r.mips}
}

func (e *entry) splits(res int32) bool { return e.marks[res].what&whatSplit != 0 }

// part is a range of n within size, clamped; a count of 0 means all.
func part(first, count uint16, size int32) (int32, int32) {
	if count == 0 {
		return 0, size
	}
	f := min(int32(first), size-1)
	return f, min(int32(count), size-f)
}

// historyParts finds parts of a history that are read, and would be lost where only other parts are written.
func (e *entry) historyParts() {
	for r := range e.resources {
		if e.resources[r].origin != LastFrame {
			continue
		}
		written, lost := false, int32(-1)
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			next := c - e.cellBase[r] + e.cellBase[r+1]
			if e.heads[next].write >= 0 {
				written = true
			} else if n := e.heads[c].readers; n >= 0 {
				lost = e.readers[n].use
			}
		}
		if written && lost >= 0 {
			e.wrong(e.usePC[lost], Mistake{Code: "history-part", Pass: e.passes[e.uses[lost].pass].name, Resource: e.resources[r].name,
				Problem:     e.uses[lost].verb.String() + " of a part of the last frame's value that no pass writes, while other parts are written",
				Consequence: "it would see undefined contents from the second frame on; write every part that is read"})
		}
	}
}

// splitCells gives each resource its cells.
func (e *entry) splitCells() {
	n := len(e.resources)
	if e.spanned {
		e.splitSpanned()
	}
	e.cellBase = grown(e.cellBase, n+1)
	at := int32(0)
	for i := range n {
		e.cellBase[i], e.marks[i].cell = at, at
		if e.marks[i].what&whatSplit != 0 {
			at += e.resources[i].mips * e.resources[i].layers
		} else {
			at++
		}
	}
	e.cellBase[n] = at
}

func (e *entry) splitSpanned() {
	for i := range e.uses {
		if u := &e.uses[i]; u.span != (span{}) {
			r := &e.resources[u.res]
			e.marks[u.res].what |= whatParts
			if r.mips >= 1 && r.mips <= 32 && r.layers >= 1 && r.layers <= 2048 && r.mips*r.layers > 1 {
				e.marks[u.res].what |= whatSplit
			}
		}
	}
	for i := range e.resources { // the halves of a history take turns, so they have the same cells
		if e.resources[i].origin == ThisFrame {
			both := (e.marks[i].what | e.marks[i-1].what) & whatSplit
			e.marks[i].what |= both
			e.marks[i-1].what |= both
		}
	}
}

func (e *entry) beginLinks() {
	e.heads = filled(e.heads, int(e.cellBase[len(e.resources)]), cellHead{-1, -1, -1})
	e.readers = e.readers[:0]
	e.edges = e.edges[:0]
	e.edgeStart = grown(e.edgeStart, len(e.passes)+1)
	e.stampEdge = unset(e.stampEdge, len(e.passes))
}

// linkOrders links a pass to what it was declared to come after, those in kept or all, and phases to each other.
func (e *entry) linkOrders(p int32, lastPhase *int32, kept []bool) {
	d := &e.passes[p]
	for i := d.afters; i < d.aftersEnd; i++ {
		if q := e.afterPass[i]; q >= 0 && (kept == nil || kept[q]) {
			e.edge(q, p, -1, -1, edgeAfter)
		}
	}
	if d.kind == Phase {
		if *lastPhase >= 0 {
			e.edge(*lastPhase, p, -1, -1, edgePhase)
		}
		*lastPhase = p
	}
}

// relink links the kept passes anew.
func (e *entry) relink() {
	e.beginLinks()
	lastPhase := int32(-1)
	for p := range int32(len(e.passes)) {
		e.edgeStart[p] = int32(len(e.edges))
		if !e.kept[p] {
			continue
		}
		d := &e.passes[p]
		e.writing = e.writing[:0]
		for i := d.uses; i < d.usesEnd; i++ {
			if e.uses[i].write() {
				e.writing = append(e.writing, i)
			} else {
				e.linkSplitRead(p, i)
			}
		}
		e.linkWrites(p, e.writing, false)
		e.linkOrders(p, &lastPhase, e.kept)
	}
	e.edgeStart[len(e.passes)] = int32(len(e.edges))
}

// cut takes the edges of culled passes out. Orders that passed through one hold between its neighbours then, and all is
// linked anew; but most are culled for being the last of their kind, and nothing passes through them.
func (e *entry) cut() {
	for i := range e.edges {
		if x := &e.edges[i]; e.kept[x.to] && !e.kept[x.from] && e.edgeStart[x.from] < e.edgeStart[x.from+1] {
			e.relink()
			return
		}
	}
	out, from := int32(0), int32(0)
	for p := range e.passes {
		end := e.edgeStart[p+1]
		e.edgeStart[p] = out
		for i := from; i < end; i++ {
			if e.kept[p] && e.kept[e.edges[i].from] {
				e.edges[out] = e.edges[i]
				out++
			}
		}
		from = end
	}
	e.edgeStart[len(e.passes)] = out
	e.edges = e.edges[:out]
}

// linkSplitRead links a read of any cells, and says whether one of them was not written before.
func (e *entry) linkSplitRead(p, i int32) (unwritten bool) {
	r := e.cellsOf(&e.uses[i])
	for row := range r.rows {
		for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
			h := &e.heads[c]
			if h.write >= 0 {
				e.edge(h.writer, p, h.write, i, edgeContent)
			} else {
				unwritten = true
			}
			e.readers = append(e.readers, readerNode{i, p, h.readers})
			h.readers = int32(len(e.readers) - 1)
		}
	}
	return unwritten
}

// arrivesDefined says whether a resource holds something before the frame's first write.
func (e *entry) arrivesDefined(res int32) bool { return e.marks[res].what&whatDefined != 0 }

// unwritten reports a read of what nobody wrote, unless it holds something all the same.
func (e *entry) unwritten(p, i int32) {
	u := &e.uses[i]
	if e.arrivesDefined(u.res) || u.verb == verbPresent {
		return
	}
	r := &e.resources[u.res]
	what := u.verb.String()
	if u.op == Load.op() {
		what += "(Load)"
	}
	m := Mistake{Code: "unwritten-read", Pass: e.passes[p].name, Resource: r.name,
		Problem:     what + " of what no earlier pass wrote",
		Consequence: "it would see undefined contents; write it first, or clear it"}
	if r.origin == Imported {
		m.Consequence = "it arrives undefined; give Import.Arrive the layout it really has, or clear it"
	}
	e.wrong(e.usePC[i], m)
}

func (e *entry) linkWrites(p int32, writing []int32, first bool) {
	uses, marks := e.uses, e.marks
	for _, i := range writing {
		u := &uses[i]
		m := &marks[u.res]
		kind, found := edgeContent, false
		if (u.op == uint8(LoadClear)+1 || u.op == uint8(LoadDontCare)+1) && e.overwrites(u) {
			kind = edgeReuse
		}
		if m.what&whatSplit == 0 {
			found = e.linkWriteCell(p, i, m.cell, kind)
		} else {
			r := e.cellsOf(u)
			for row := range r.rows {
				for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
					if e.linkWriteCell(p, i, c, kind) {
						found = true
					}
				}
			}
		}
		if !found && first && u.op == Load.op() && u.verb.attachment() {
			e.unwritten(p, i)
		}
	}
}

// linkWriteCell says whether somebody wrote the cell before.
func (e *entry) linkWriteCell(p, i, c int32, kind edgeKind) bool {
	h := &e.heads[c]
	write, writer, n := h.write, h.writer, h.readers
	h.write, h.writer, h.readers = i, p, -1
	if write >= 0 {
		e.edge(writer, p, write, i, kind)
	}
	for readers := e.readers; n >= 0; {
		by := &readers[n]
		e.edge(by.pass, p, by.use, i, edgeReuse)
		n = by.next
	}
	return write >= 0
}

// overwrites says whether u leaves nothing of the contents it finds.
func (e *entry) overwrites(u *use) bool {
	return u.verb.attachment() && (u.op == Clear(0, 0, 0, 0).op() || u.op == DontCare.op()) && !e.passes[u.pass].hasArea
}

// op is the part of o that is structure.
func (o Op) op() uint8 { return uint8(o.kind) }

// edge adds one edge to the pass at hand, or strengthens the one there is.
func (e *entry) edge(from, to, useFrom, useTo int32, kind edgeKind) {
	if from == to {
		if kind == edgeAfter {
			e.afterItself(to)
		}
		return
	}
	// The stamp is from an earlier pass where it lies before this pass's edges.
	stamp := &e.stampEdge[from]
	if *stamp >= e.edgeStart[to] {
		if x := &e.edges[*stamp]; kind < x.kind {
			x.useFrom, x.useTo, x.kind = useFrom, useTo, kind
		}
		return
	}
	*stamp = int32(len(e.edges))
	x := push(&e.edges)
	x.from, x.to, x.useFrom, x.useTo, x.kind = from, to, useFrom, useTo, kind
	if useTo >= 0 && e.passMarks[to].root == keptPhase {
		e.phaseWaits(x)
	}
}

func (e *entry) afterItself(p int32) {
	e.wrong(e.passPC[p], Mistake{Code: "after-itself", Pass: e.passes[p].name, Problem: "it comes after itself",
		Consequence: "it could never run"})
}

// phaseWaits reports a phase that a pass on the device comes before.
func (e *entry) phaseWaits(x *edge) {
	if e.passes[x.from].kind == Phase || e.marks[e.uses[x.useTo].res].what&whatHost != 0 {
		return
	}
	e.wrong(e.usePC[x.useTo], Mistake{Code: "host-waits-for-device", Pass: e.passes[x.to].name,
		Resource: e.resources[e.uses[x.useTo].res].name, Problem: "the phase comes after pass \"" + e.passes[x.from].name + "\", which uses the buffer",
		Consequence: "the processor would have to wait for the device inside the frame; declare the phase first, or give it a buffer of its own"})
}

// resolveAfters finds the passes that After names. Names are only looked up where somebody uses them.
func (e *entry) resolveAfters() {
	e.afterPass = unset(e.afterPass, len(e.afters))
	if len(e.afters) == 0 {
		return
	}
	named := false
	for i := range e.afters {
		e.afterPass[i] = e.afters[i].pass
		named = named || e.afters[i].pass < 0
	}
	if !named {
		return
	}
	if e.names == nil {
		e.names = map[string]int32{}
	}
	clear(e.names)
	for p := range e.passes {
		if _, twice := e.names[e.passes[p].name]; twice {
			e.names[e.passes[p].name] = -1
		} else {
			e.names[e.passes[p].name] = int32(p)
		}
	}
	for p := range e.passes {
		for i := e.passes[p].afters; i < e.passes[p].aftersEnd; i++ {
			if e.afters[i].pass >= 0 {
				continue
			}
			q, ok := e.names[e.afters[i].name]
			switch {
			case !ok:
				e.wrong(e.passPC[p], Mistake{Code: "unknown-pass", Pass: e.passes[p].name,
					Problem: "After(\"" + e.afters[i].name + "\"): no pass has that name", Consequence: "it orders nothing"})
			case q < 0:
				e.wrong(e.passPC[p], Mistake{Code: "ambiguous-pass", Pass: e.passes[p].name,
					Problem: "After(\"" + e.afters[i].name + "\"): several passes have that name", Consequence: "use AfterPass"})
			default:
				e.afterPass[i] = q
			}
		}
	}
}
