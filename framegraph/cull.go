package framegraph

// culled is what cull decides.
type culled struct {
	reason []keepReason // by pass
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
	e.kept = sized(e.kept, n)
	e.reason = sized(e.reason, n)
	e.wantedBy = grown(e.wantedBy, n)
	e.queue = e.queue[:0]
	for p, root := range e.roots {
		if root != cutUnwanted {
			e.keep(int32(p), root, -1)
		}
	}
	// What an imported resource holds at the end of the frame is seen outside.
	for r := range e.resources {
		if e.marks[r].what&whatImported == 0 {
			continue
		}
		for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
			if w := e.heads[c].write; w >= 0 {
				e.keep(e.uses[w].pass, keptExport, -1)
			}
		}
	}
	kept, edges, edgeStart := e.kept, e.edges, e.edgeStart
	for at := 0; at < len(e.queue); at++ {
		p := e.queue[at]
		first := edgeStart[p]
		into := edges[first:edgeStart[p+1]]
		for i := range into {
			if x := &into[i]; x.kind == edgeContent && !kept[x.from] { // most have others that need them, too
				e.keep(x.from, keptNeeded, first+int32(i))
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
	e.kept[p], e.reason[p] = true, why
	w := &e.wantedBy[p]
	w.by, w.use = -1, -1
	if by >= 0 {
		w.by, w.use = e.edges[by].to, e.edges[by].useTo
	}
	e.queue = append(e.queue, p)
}
