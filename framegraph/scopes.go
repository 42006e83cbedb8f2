package framegraph

// scoped is what scopes decides. A slot is one pass, or several neighbours that draw in one rendering scope: the unit
// that barriers stand before, and that memory is held for.
type scoped struct {
	slotOf    []int32 // by position
	slotFirst []int32 // first position, by slot, and one past the last
	slotQueue []Queue // by slot
}

type scopeWork struct {
	cellSlot   []int32  // by cell: the last slot that used it
	cellWrite  []bool   // that slot wrote it
	cellLayout []Layout // that slot's layout of it
	marked     int      // the position up to which the slot at hand is in these
}

// fewJoined is how many passes of a scope are gone through for each access of another one; with more, what they do is noted.
const fewJoined = 3

// scopes joins neighbours that draw into the same attachments, where nothing has to wait in between: then the attachments
// need not be stored and loaded, and no barrier stands between. What a later one reads must have been ready before the
// first began, for no barrier can stand inside a scope.
//
// It runs before lifetimes, not after the barriers: what is joined shares its lives and its one batch of barriers.
func (e *entry) scopes() {
	n := len(e.sequence)
	sequence, queueOf, slotOf := e.sequence, e.queueOf[:n], grown(e.slotOf, n)
	e.slotOf, e.slotFirst, e.slotQueue = slotOf, emptied(e.slotFirst, n+1), emptied(e.slotQueue, n+1)
	e.marked = -1 // the cells are only needed where passes might join
	slot, last := int32(-1), int32(-1)
	for at, p := range sequence {
		if at == 0 || !e.mayAttachSame(last, p) || !e.joins(at, slot) {
			*take(&e.slotFirst), *take(&e.slotQueue) = int32(at), queueOf[at]
			slot++
		}
		slotOf[at], e.nodes[p].slot, last = slot, slot, p
	}
	*take(&e.slotFirst), *take(&e.slotQueue) = int32(n), GraphicsQueue // the end of the frame
}

func (e *entry) slots() int { return len(e.slotFirst) - 1 }

// joins says whether the pass at a position can join the slot before it. Plan.Explain finds out why not, see apart.
func (e *entry) joins(at int, slot int32) bool {
	p := e.sequence[at]
	if e.caps.Options.NoMerge || !e.sameAttachments(e.sequence[at-1], p) {
		return false
	}
	first := int(e.slotFirst[slot])
	few := at-first <= fewJoined && !e.spanned
	if !few {
		e.markCells(at, slot)
	}
	for i, end := e.passMarks[p].acts, e.passMarks[p+1].acts; i < end; i++ {
		a := &e.acts[i]
		if a.is&actAttaches != 0 && a.is&actResolves == 0 { // a resolve happens where the scope ends
			if a.is&actStarts != 0 {
				return false
			}
			continue
		}
		if few {
			if !e.readsWith(a, first, at) {
				return false
			}
			continue
		}
		r := e.cellsOfAct(a)
		for row := range r.rows {
			for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
				if e.cellSlot[c] != slot {
					continue
				}
				if e.cellWrite[c] || a.is&actWrites != 0 || e.cellLayout[c] != e.layoutOf(&e.uses[a.use]) {
					return false
				}
			}
		}
	}
	return true
}

// readsWith says whether an access may share a scope with the passes from one position to another.
func (e *entry) readsWith(a *act, from, to int) bool {
	for at := from; at < to; at++ {
		others := e.actsOf(e.sequence[at])
		for i := range others {
			o := &others[i]
			if o.res == a.res && ((o.is|a.is)&actWrites != 0 || e.layoutOf(&e.uses[o.use]) != e.layoutOf(&e.uses[a.use])) {
				return false
			}
		}
	}
	return true
}

// markCells notes what the slot at hand does to its cells, up to a position.
func (e *entry) markCells(to int, slot int32) {
	if e.marked < 0 {
		cells := int(e.cellBase[len(e.resources)])
		e.cellSlot, e.cellWrite, e.cellLayout = unset(e.cellSlot, cells), sized(e.cellWrite, cells), grown(e.cellLayout, cells)
	}
	for at := max(e.marked, int(e.slotFirst[slot])); at < to; at++ {
		for i := range e.actsOf(e.sequence[at]) {
			a := &e.actsOf(e.sequence[at])[i]
			r := e.cellsOfAct(a)
			for row := range r.rows {
				for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
					if e.cellSlot[c] != slot {
						e.cellSlot[c], e.cellWrite[c] = slot, false
					}
					e.cellWrite[c] = e.cellWrite[c] || a.is&actWrites != 0
					e.cellLayout[c] = e.layoutOf(&e.uses[a.use])
				}
			}
		}
	}
	e.marked = to
}

// mayAttachSame says no, without a call, of most passes that sameAttachments would say no of.
func (e *entry) mayAttachSame(a, b int32) bool {
	attached := e.passMarks[b].attached
	return attached != 0 && e.passMarks[a].attached == attached
}

// sameAttachments says whether pass b, behind a, attaches the same images, in the same order and the same way. It may also
// resolve some; where a did, its scope has to end.
func (e *entry) sameAttachments(a, b int32) bool {
	if !e.mayAttachSame(a, b) || e.passMarks[a].resolves {
		return false
	}
	x, y := &e.passes[a], &e.passes[b]
	if x.hasArea != y.hasArea || x.area != y.area {
		return false
	}
	acts := e.acts
	i, j, left, right := e.passMarks[a].acts, e.passMarks[b].acts, e.passMarks[a+1].acts, e.passMarks[b+1].acts
	for {
		for i < left && acts[i].is&actAttaches == 0 {
			i++
		}
		for j < right && acts[j].is&(actAttaches|actResolves) != actAttaches {
			j++
		}
		if i == left || j == right {
			return i == left && j == right
		}
		u, v := &e.uses[acts[i].use], &e.uses[acts[j].use]
		if u.res != v.res || u.verb != v.verb || u.span != v.span {
			return false
		}
		i++
		j++
	}
}
