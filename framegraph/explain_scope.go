package framegraph

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

// apart says why the pass at a position did or did not join the slot before it, and over which resource. It goes by what scopes
// goes by, which only needs to know whether.
func (e *entry) apart(at int32) (joinReason, int32) {
	p := e.sequence[at]
	switch {
	case !e.attaches(p):
		return apartNoAttachments, -1
	case at == 0 || !e.attaches(e.sequence[at-1]):
		return apartFirst, -1
	case e.slotOf[at] == e.slotOf[at-1]:
		return joinedScope, -1
	case e.key.options.NoMerge:
		return apartOption, -1
	case !e.attachAlike(e.sequence[at-1], p):
		return apartAttachments, -1
	}
	d := &e.passes[p]
	for i := d.uses; i < d.usesEnd; i++ {
		u := &e.uses[i]
		if u.verb.attachment() && u.verb != verbResolve {
			if u.op == Clear(0, 0, 0, 0).op() || u.op == DontCare.op() {
				return apartClears, u.res
			}
			continue
		}
		for before := e.slotFirst[e.slotOf[at-1]]; before < at; before++ {
			b := &e.passes[e.sequence[before]]
			for j := b.uses; j < b.usesEnd; j++ {
				o := &e.uses[j]
				switch {
				case o.res != u.res || e.resources[u.res].kind == hostKind || !e.overlap(o, u):
				case o.write() || u.write():
					return apartHazard, u.res
				case e.layoutOf(o) != e.layoutOf(u):
					return apartLayout, u.res
				}
			}
		}
	}
	return apartAttachments, -1
}

func (e *entry) attaches(p int32) bool {
	d := &e.passes[p]
	for i := d.uses; i < d.usesEnd; i++ {
		if e.uses[i].verb.attachment() {
			return true
		}
	}
	return false
}

// attachAlike is sameAttachments, once the compiler's own memory is another's.
func (e *entry) attachAlike(a, b int32) bool {
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
