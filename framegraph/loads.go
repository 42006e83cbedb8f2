package framegraph

// attach says how a scope loads and stores the attachment that an access declares in the first pass of a slot: nothing is
// loaded that nobody wrote or that is overwritten, nothing is stored that nobody reads. passes is how many share the
// scope.
func (e *entry) attach(a *Attachment, by *act, u *use, passes int) {
	r := &e.plan.Resources[by.res]
	a.Image, a.Mip, a.Layer, a.Layers, a.Layout = int(by.res), int(u.span.mip), int(u.span.layer), int(u.span.layers), e.layoutOf(u)
	a.Resolve = ResolveTarget{}
	if a.Layers == 0 {
		a.Layer, a.Layers = 0, r.Image.Layers
	}
	written, wanted := e.arrivesDefined(by.res), false
	outlives := r.Origin == Imported || r.Origin == ThisFrame
	look := func(c, t int32) {
		written = written || t != e.cells[c].first
		if next := e.touches[t].next; next >= 0 {
			wanted = wanted || !e.touches[next].fresh
		} else {
			wanted = wanted || outlives
		}
	}
	if by.is&actSplit == 0 {
		look(by.cell, by.touch)
	} else {
		span := e.cellsOfAct(by)
		for row := range span.rows {
			for c := span.first + row*span.stride; c < span.first+row*span.stride+span.cols; c++ {
				look(c, e.cursor[c])
			}
		}
	}
	switch {
	case u.op == Clear(0, 0, 0, 0).op():
		a.Load = LoadClear
	case u.op == DontCare.op():
		a.Load = LoadDontCare
	case written:
		a.Load = LoadKeep
	default:
		a.Load = LoadDontCare
	}
	switch {
	case u.verb == verbDepthReadOnly:
		a.Store = StoreNone
	case wanted:
		a.Store = StoreKeep
	default:
		a.Store = StoreDontCare
	}
	noLoad, noStore := u.op == Infer.op() && a.Load == LoadDontCare, a.Store != StoreKeep
	if passes == 1 && !noLoad && !noStore {
		return
	}
	bytes := imageBytes(&r.Image, a.Mip, 1) * uint64(a.Layers)
	if noLoad {
		e.plan.Totals.LoadSaved += bytes
	}
	if noStore {
		e.plan.Totals.StoreSaved += bytes
	}
	e.plan.Totals.LoadSaved += bytes * uint64(passes-1)
	e.plan.Totals.StoreSaved += bytes * uint64(passes-1)
}
