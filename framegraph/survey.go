package framegraph

import (
	"fmt"
	"slices"
)

// what is what a resource is, as far as most steps need to know.
type what uint16

const (
	whatHost what = 1 << iota
	whatTransient
	whatImage
	whatDepth // an image with a depth or stencil format
	whatMips  // an image with several mip levels
	whatLast  // the last frame's half of a history
	whatSplit // it has several cells
	whatThis  // this frame's half of a history
	whatImported
	whatDefined // it holds something before the frame's first write
	whatParts   // some access is to a part of it
	whatNever   // nothing is
)

// mark is what survey notes of a resource.
type mark struct {
	what    what
	samples uint16 // a texel
	cell    int32  // its first
	users   int32  // how many passes use it
	first   int32  // one of them
	last    int32
	bit     int32 // of a transient, its place in sets; −1 where nobody uses it

	imageUsage  ImageUsage
	bufferUsage BufferUsage
}

// rules is what each verb asks of an access in each kind of pass, packed.
var rules = func() (of [Transfer + 1][32]rule) {
	for kind := range of {
		for v := range verbCount {
			r, w := &of[kind][v], &verbs[v]
			r.imageUsage, r.bufferUsage = w.imageUsage, w.bufferUsage
			if w.access.Writes() != 0 {
				r.is |= actWrites
				r.asked |= whatLast
			}
			if w.access != w.access.Writes() {
				r.is |= actReads
			}
			if v.attachment() {
				r.is |= actAttaches
			}
			if v.transfer() {
				r.is |= actCopies
			}
			r.stages = ^Stage(0)
			if v.shader() {
				r.stages = allShaders
				if Kind(kind) == Compute {
					r.stages = ComputeShader
				}
			}
			closely := w.kinds>>kind&1 == 0
			switch v {
			case verbDepthAttachment, verbDepthReadOnly:
				r.needs, r.is = r.needs|whatDepth, r.is|actDepth
			case verbColorAttachment:
				r.asked |= whatDepth
			case verbResolve:
				r.is |= actResolves
				closely = true
			case verbHostWriteBuffer:
				r.is |= actUntouched
				closely = true
			case verbHostReadBuffer, verbPresent:
				closely = true
			}
			if closely {
				r.needs |= whatNever
			}
			r.asked |= r.needs | whatParts
		}
	}
	return of
}()

// rule says what is plainly right; all else must be looked at closely.
type rule struct {
	stages       Stage // the access is in some of these, and in no others
	asked, needs what  // of what is asked of the resource, it is what it needs to be
	is           actKind
	imageUsage   ImageUsage
	bufferUsage  BufferUsage
}

// ruleOf is of a verb in a kind of pass.
func ruleOf(kind Kind, v verb) *rule { return &rules[kind&3][v&31] }

// surveyed is what survey leaves for the steps after it.
type surveyed struct {
	marks     []mark     // by resource
	passMarks []passMark // by pass, and one past the last
	history   bool       // there is a history
	copied    bool       // some access is a copy
	idle      int        // passes that declare nothing: they are switched off
	writing   []int32    // the writes of the pass at hand
}

// passMark is what survey notes of a pass.
type passMark struct {
	acts     int32      // its first
	attached uint32     // a hash of what it attaches, 0 where that is nothing
	root     keepReason // why it would be kept for itself
	resolves bool
}

// survey goes through all accesses once: it checks each, packs it for the steps behind, and finds what it sees. A pass that reads
// a cell needs its last writer; one that overwrites a cell comes after its last writer and its readers. Handles make declared order
// the order of versions, so these edges alone can never form a cycle; explicit orders can.
func (e *entry) survey() {
	e.splitCells()
	e.resolveAfters()
	passes := e.passes
	e.beginActs(len(passes))
	e.beginLinks()
	uses := len(e.uses)
	e.hostUses, e.acts, e.writing, e.readers = emptied(e.hostUses, uses), emptied(e.acts, uses), emptied(e.writing, uses), emptied(e.readers, uses)
	passMarks, edgeStart := e.passMarks[:len(passes)+1], e.edgeStart[:len(passes)+1]
	lastPhase := int32(-1)
	e.copied, e.idle = false, 0
	for i := range passes {
		p, d, m := int32(i), &passes[i], &passMarks[i]
		m.acts, m.attached, m.resolves, m.root = int32(len(e.acts)), 0, false, cutUnwanted
		edgeStart[i] = int32(len(e.edges))
		switch {
		case d.kind == Phase:
			m.root = keptPhase
		case d.side:
			m.root = keptSide
		}
		if d.async || d.kind > Transfer {
			e.checkKind(p)
		}
		if d.uses < d.usesEnd {
			e.surveyPass(p, d, m)
		} else if m.root == cutUnwanted {
			e.idle++
		}
		if d.kind == Phase || d.afters < d.aftersEnd {
			e.linkOrders(p, &lastPhase, nil)
		}
	}
	edgeStart[len(passes)], passMarks[len(passes)] = int32(len(e.edges)), passMark{acts: int32(len(e.acts))}
	if e.history {
		e.historyParts()
	}
	if supports := e.caps.Supports; supports != nil {
		for r := range e.marks {
			if m := &e.marks[r]; m.imageUsage != 0 && !supports(e.resources[r].format, m.imageUsage) {
				e.unsupported(int32(r))
			}
		}
	}
}

// unsupported reports each access to an image that the device does not have for its format.
func (e *entry) unsupported(res int32) {
	r := &e.resources[res]
	if r.format == FormatNone {
		return // that was reported
	}
	each := true
	for i := range e.uses {
		u := &e.uses[i]
		v := &verbs[u.verb]
		if u.res != res || v.imageUsage == 0 || e.caps.Supports(r.format, v.imageUsage) {
			continue
		}
		each = false
		if !u.misfits(r.format) { // else that was reported
			e.wrong(e.usePC[i], Mistake{Code: "unsupported", Pass: e.passes[u.pass].name, Resource: r.name,
				Problem: fmt.Sprintf("%s of format %d", u.verb, r.format), Consequence: "the device does not support this usage of the format"})
		}
	}
	if each {
		e.wrong(e.resourcePC[res], Mistake{Code: "unsupported", Resource: r.name, Problem: fmt.Sprintf("all its usages together, of format %d", r.format),
			Consequence: "the device supports each of them, but not in one image; copy it into another"})
	}
}

func (e *entry) surveyPass(p int32, d *passDecl, own *passMark) {
	// This loop is most of what a compile does to each access, so it calls nothing that is usual. What it counts and what it
	// fills stays in memory: as variables of the loop they would be more than there are registers, and move each turn.
	w, n := e.work, tally{}
	w.writing = w.writing[:0]
	uses, marks, start := e.uses, w.marks, e.edgeStart[p]
	mask := w.masks[int(p)*w.words:]
	rules := &rules[d.kind&3]
	for i := d.uses; i < d.usesEnd; i++ {
		u := &uses[i]
		v, m := &rules[u.verb&31], &marks[u.res]
		what, is := m.what, v.is
		if what&v.asked != v.needs || u.stage&^v.stages != 0 || u.stage == 0 {
			e.lookAt(p, i)
		}
		if m.last != p {
			m.last = p
			if m.users++; m.users == 1 {
				e.firstUse(m, u.res, p)
			}
			if what&whatTransient != 0 {
				mask[m.bit>>6] |= 1 << (m.bit & 63)
			}
			if what&whatHost == 0 {
				n.pairs++
			}
		} else {
			e.validatePair(p, i)
		}
		if what&whatHost != 0 {
			*take(&w.hostUses) = i
		} else {
			n.stages |= u.stage
			if is&actAttaches != 0 {
				if u.op == uint8(LoadClear)+1 || u.op == uint8(LoadDontCare)+1 {
					is |= overwriting(is, d.hasArea)
				}
				if is&actResolves == 0 {
					if m.samples != n.samples {
						if n.samples != 0 {
							e.mixedSamples(p, i, n.samples)
						}
						n.samples = m.samples
					}
					n.hash = (n.hash ^ uint32(u.res)<<8 ^ uint32(u.verb) ^ uint32(u.span.mip)<<20 ^ uint32(u.span.layer)<<16) * 0x9e3779b1
					if is&actDepth != 0 {
						n.depths++
					} else {
						n.colors++
					}
				}
				if what&whatMips != 0 {
					n.mips = true
				}
			}
			if what&whatSplit != 0 {
				is |= actSplit
			}
			a := take(&w.acts)
			a.use, a.res, a.cell, a.is = i, u.res, m.cell, is
			m.imageUsage |= v.imageUsage
			m.bufferUsage |= v.bufferUsage
		}
		n.is |= is
		if is&actWrites != 0 {
			*take(&w.writing) = i
			continue
		}
		if what&whatSplit != 0 {
			if e.linkSplitRead(p, i) {
				e.unwritten(p, i)
			}
			w.readers = slices.Grow(w.readers, len(e.uses))
			continue
		}
		h, node := &w.heads[m.cell], int32(len(w.readers))
		by := take(&w.readers)
		by.use, by.pass, by.next = i, p, h.readers
		h.readers = node
		if h.write < 0 {
			if what&whatHost == 0 {
				e.unwritten(p, i)
			}
		} else if s := w.stampEdge[h.writer]; s < start || e.edges[s].kind != edgeContent {
			e.edge(h.writer, p, h.write, i, edgeContent)
		}
	}
	if d.kind != Phase {
		e.pairs += n.pairs
	}
	if n.is&actWrites != 0 {
		e.linkWrites(p, w.writing, true)
	}
	if n.is&actCopies != 0 {
		w.copied = true
	}
	if n.is&actAttaches != 0 {
		own.attached, own.resolves = n.hash|1, n.is&actResolves != 0
		if n.is&actCopies != 0 || n.stages&ComputeShader != 0 || n.mips || n.depths > 1 || d.hasArea {
			e.validateDrawing(p)
		}
		if most := e.caps.MaxColorAttachments; n.colors > most && (most != 0 || n.colors > 8) {
			e.tooManyAttachments(p, n.colors, most)
		}
	}
}

// tally is what survey counts in a pass.
type tally struct {
	colors, depths, pairs int

	stages  Stage
	is      actKind // all that its accesses are
	samples uint16
	hash    uint32
	mips    bool // it attaches an image with several mip levels
}

// lookAt checks an access that isn't plainly right, and notes where it makes its pass wanted.
func (e *entry) lookAt(p, i int32) {
	e.validateUse(i)
	root := &e.passMarks[p].root
	if *root != cutUnwanted {
		return
	}
	switch e.uses[i].verb {
	case verbPresent:
		*root = keptPresent
	case verbHostReadBuffer:
		*root = keptHost
	}
}

func (e *entry) mixedSamples(p, i int32, others uint16) {
	r := &e.resources[e.uses[i].res]
	e.wrong(e.usePC[i], Mistake{Code: "mixed-samples", Pass: e.passes[p].name, Resource: r.name,
		Problem:     fmt.Sprintf("it has %d samples a texel, another attachment %d", r.samples, others),
		Consequence: "the attachments of one pass must have the same number"})
}

func (e *entry) tooManyAttachments(p int32, colors, most int) {
	if most == 0 {
		most = 8
	}
	e.wrong(e.passPC[p], Mistake{Code: "too-many-attachments", Pass: e.passes[p].name,
		Problem: fmt.Sprintf("it has %d colour attachments", colors), Consequence: fmt.Sprintf("the device takes %d", most)})
}

// checkKind checks a pass that is asynchronous or of no kind.
func (e *entry) checkKind(p int32) {
	d := &e.passes[p]
	if d.kind > Transfer {
		e.wrong(e.passPC[p], Mistake{Code: "bad-kind", Pass: d.name, Problem: "it is no kind of pass",
			Consequence: "use Graphics, Compute or Transfer"})
	}
	if d.async && d.kind != Compute && d.kind != Transfer {
		e.wrong(e.passPC[p], Mistake{Code: "async-in-kind", Pass: d.name, Problem: fmt.Sprintf("Async in a %s pass", d.kind),
			Consequence: "only compute and transfer passes can run beside the graphics queue"})
	}
}
