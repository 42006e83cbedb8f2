package framegraph

// culled is what cull decides.
type culled struct {
	wanted []wanted // by pass
}

// wanted is why a pass was kept: for a root of what is wanted by is −1, else it is the pass that reads what this one writes, in
// an access that is use. Edges may be rebuilt, so it stands here.
type wanted struct {
	by, use int32
	why     keepReason
}

type cullWork struct {
	kept   []bool
	queue  []int32
	anyCut bool
}

type keepReason uint8

const (
	cutUnwanted keepReason = iota
	keptPhase
	keptSide
	keptPresent
	keptHost
	keptExport
	keptHistory
	keptNeeded
	keptOption
)

// cull keeps the passes somebody outside the frame wants, and what those need the contents of, back to the start.
func (e *entry) cull() {
	n := len(e.passes)
	e.kept, e.wanted, e.queue = sized(e.kept, n), sized(e.wanted, n), emptied(e.queue, n)
	passMarks := e.passMarks[:n]
	for p := range passMarks {
		if root := passMarks[p].root; root != cutUnwanted {
			e.keep(int32(p), root, -1)
		}
	}
	// What an imported resource holds at the end of the frame is seen outside.
	marks := e.marks
	for r := range marks {
		if marks[r].what&whatImported == 0 {
			continue
		}
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			if h := &e.heads[c]; h.write >= 0 {
				e.keep(h.writer, keptExport, -1)
			}
		}
	}
	kept, edges, edgeStart := e.kept, e.edges, e.edgeStart
	for at := 0; at < len(e.queue); at++ {
		p := e.queue[at]
		for i, end := edgeStart[p], edgeStart[p+1]; i < end; i++ {
			if x := &edges[i]; x.kind == edgeContent && !kept[x.from] { // most have others that need them, too
				e.keep(x.from, keptNeeded, i)
			}
		}
		if !e.history {
			continue
		}
		for i := e.passes[p].uses; i < e.passes[p].usesEnd; i++ {
			if r := e.uses[i].res; e.resources[r].origin == LastFrame {
				for c := e.cellBase[r+1]; c < e.cellBase[r+2]; c++ {
					if w := e.heads[c].write; w >= 0 {
						e.keep(e.uses[w].pass, keptHistory, -1)
					}
				}
			}
		}
	}
	// One that declares nothing has no edges to cut, unless others come After it.
	e.anyCut = len(e.queue)+e.idle < n || len(e.queue) < n && len(e.afters) > 0
	if len(e.queue) < n && e.caps.Options.NoCull {
		for p := range e.passes {
			e.keep(int32(p), keptOption, -1)
		}
		e.anyCut = false
	}
}

func (e *entry) keep(p int32, why keepReason, by int32) {
	if e.kept[p] {
		return
	}
	e.kept[p] = true
	w := &e.wanted[p]
	w.by, w.use, w.why = -1, -1, why
	if by >= 0 {
		x := &e.edges[by]
		w.by, w.use = x.to, x.useTo
	}
	*take(&e.queue) = p
}
