package framegraph

// scoped is what scopes decides. A slot is one pass, or several neighbours that draw in one rendering scope: the unit
// that barriers stand before, and that memory is held for.
type scoped struct {
	slotOf    []int32 // by position
	slotFirst []int32 // first position, by slot, and one past the last
	slotQueue []Queue // by slot
	joined    []joinReason
	joinRes   []int32 // by position: the resource that kept it apart, −1 for none
}

type scopeWork struct {
	cellSlot   []int32  // by cell: the last slot that used it
	cellWrite  []bool   // that slot wrote it
	cellLayout []Layout // that slot's layout of it
}

// joinReason is why a pass did or did not join the rendering scope before it.
type joinReason uint8

const (
	apartNoAttachments joinReason = iota
	apartFirst
	apartAttachments
	apartClears
	apartHazard
	apartLayout
	apartOption
	joinedScope
)

// scopes joins neighbours that draw into the same attachments, where nothing has to wait in between: then the attachments
// need not be stored and loaded, and no barrier stands between. What a later one reads must have been ready before the
// first began, for no barrier can stand inside a scope.
//
// It runs before lifetimes, not after the barriers: what is joined shares its lives and its one batch of barriers.
func (e *entry) scopes() {
	n := len(e.sequence)
	cells := int(e.cellBase[len(e.resources)])
	e.slotOf = sized(e.slotOf, n)
	e.joined = sized(e.joined, n)
	e.joinRes = filled(e.joinRes, n, -1)
	e.slotFirst, e.slotQueue = e.slotFirst[:0], e.slotQueue[:0]
	e.cellSlot = filled(e.cellSlot, cells, -1)
	e.cellWrite = sized(e.cellWrite, cells)
	e.cellLayout = sized(e.cellLayout, cells)
	for at, p := range e.sequence {
		slot := int32(len(e.slotFirst)) - 1
		why, res := e.joins(at, slot)
		e.joined[at], e.joinRes[at] = why, res
		if why != joinedScope {
			e.slotFirst = append(e.slotFirst, int32(at))
			e.slotQueue = append(e.slotQueue, e.queueOf[at])
			slot++
		}
		e.slotOf[at] = slot
		e.markCells(p, slot)
	}
	e.slotFirst = append(e.slotFirst, int32(n))
	e.slotQueue = append(e.slotQueue, GraphicsQueue) // the end of the frame
}

func (e *entry) slots() int { return len(e.slotFirst) - 1 }

// joins says whether the pass at a position can join the slot before it.
func (e *entry) joins(at int, slot int32) (joinReason, int32) {
	p := e.sequence[at]
	if !e.draws(p) {
		return apartNoAttachments, -1
	}
	if at == 0 || !e.draws(e.sequence[at-1]) {
		return apartFirst, -1
	}
	if e.caps.Options.NoMerge {
		return apartOption, -1
	}
	if !e.sameAttachments(e.sequence[at-1], p) {
		return apartAttachments, -1
	}
	d := &e.passes[p]
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		if u.verb.attachment() && u.verb != verbResolve { // a resolve happens where the scope ends
			if u.op == Clear(0, 0, 0, 0).op() || u.op == DontCare.op() {
				return apartClears, u.res
			}
			continue
		}
		r := e.cellsOf(u)
		for row := range r.rows {
			for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
				if e.cellSlot[c] != slot {
					continue
				}
				if e.cellWrite[c] || u.write() {
					return apartHazard, u.res
				}
				if e.cellLayout[c] != e.layoutOf(u) {
					return apartLayout, u.res
				}
			}
		}
	}
	return joinedScope, -1
}

func (e *entry) markCells(p, slot int32) {
	d := &e.passes[p]
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		r := e.cellsOf(u)
		for row := range r.rows {
			for c := r.first + row*r.stride; c < r.first+row*r.stride+r.cols; c++ {
				if e.cellSlot[c] != slot {
					e.cellSlot[c], e.cellWrite[c] = slot, false
				}
				e.cellWrite[c] = e.cellWrite[c] || u.write()
				e.cellLayout[c] = e.layoutOf(u)
			}
		}
	}
}

func (e *entry) draws(p int32) bool {
	d := &e.passes[p]
	for i := d.uses; i < d.usesEnd; i++ {
		if e.uses[i].verb.attachment() {
			return true
		}
	}
	return false
}

// sameAttachments says whether pass b, behind a, attaches the same images, in the same order and the same way. It may also
// resolve some; where a did, its scope has to end.
func (e *entry) sameAttachments(a, b int32) bool {
	x, y := &e.passes[a], &e.passes[b]
	if x.hasArea != y.hasArea || x.area != y.area {
		return false
	}
	i, j, any := x.uses, y.uses, false
	for {
		for i < x.usesEnd && !e.uses[i].verb.attachment() {
			i++
		}
		for j < y.usesEnd && (!e.uses[j].verb.attachment() || e.uses[j].verb == verbResolve) {
			j++
		}
		if i == x.usesEnd || j == y.usesEnd {
			return any && i == x.usesEnd && j == y.usesEnd
		}
		if e.uses[i].verb != e.uses[j].verb || e.uses[i].res != e.uses[j].res || e.uses[i].span != e.uses[j].span {
			return false
		}
		any = true
		i++
		j++
	}
}
