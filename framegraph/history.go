package framegraph

// histories says how each history passes from frame to frame. What this frame wrote is left as the next frame first reads
// it, so that the barrier for it stands once, where the frame ends. Where nothing reads the last frame's value, the halves stay.
func (e *entry) histories() {
	if !e.history {
		return
	}
	for r := range e.resources {
		if e.resources[r].origin != LastFrame {
			continue
		}
		last, next := &e.plan.Resources[r], &e.plan.Resources[r+1]
		next.Turns = e.lives[r].first >= 0 && e.lives[r+1].first >= 0
		s := e.firstRead(int32(r))
		last.Arrive = s
		if next.Turns {
			next.Leave = s
		} else {
			last.Leave = s
		}
	}
}

// firstRead is the state that the last frame's value is first read in. Parts that are first read in another layout change
// theirs then.
func (e *entry) firstRead(r int32) State {
	var s State
	first := int32(-1)
	for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
		if t := e.cells[c].first; t >= 0 && (first < 0 || t < first) {
			first = t
		}
	}
	if first < 0 {
		return s
	}
	s.Layout = e.touches[first].layout
	for c := e.cellBase[r]; c < e.cellBase[r+1]; c++ {
		if t := e.cells[c].first; t >= 0 && e.touches[t].layout == s.Layout {
			s.Stage |= e.touches[t].wideStage
			s.Access |= e.touches[t].wideAccess
		}
	}
	return s
}

// seesAll says whether each of the next frame's first reads of a cell sees what it holds already.
func (e *entry) seesAll(r, cell int32, s *cellState) bool {
	if e.resources[r].origin == ThisFrame {
		cell += e.cellBase[r-1] - e.cellBase[r]
	}
	for i := e.cells[cell].first; i >= 0 && e.touches[i].layout == s.layout; i = e.touches[i].next {
		if t := &e.touches[i]; !t.late && !s.everyone && !s.visible(t.stage, t.access) {
			return false
		}
	}
	return true
}
