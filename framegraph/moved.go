package framegraph

// Moved is the attachment bytes that the step at a place moves by the plan: a rendering scope loads those that keep old
// contents before its first step, and stores those that somebody reads later after its last. Clears, resolves inside a
// tile and what a driver compresses are not in it: it is what the plan asks for, not what a bus carried.
func (p *Plan) Moved(step int) (loaded, stored uint64) {
	s := &p.Steps[step]
	if s.Scope < 0 || !s.ScopeBegin && !s.ScopeEnd {
		return 0, 0
	}
	scope := &p.Scopes[s.Scope]
	for i := range scope.Color {
		l, t := p.moved(&scope.Color[i])
		loaded, stored = loaded+l, stored+t
	}
	if scope.Depth.Image >= 0 {
		l, t := p.moved(&scope.Depth)
		loaded, stored = loaded+l, stored+t
	}
	if !s.ScopeBegin {
		loaded = 0
	}
	if !s.ScopeEnd {
		stored = 0
	}
	return loaded, stored
}

func (p *Plan) moved(a *Attachment) (loaded, stored uint64) {
	bytes := imageBytes(&p.Resources[a.Image].Image, a.Mip, 1) * uint64(a.Layers)
	if a.Load == LoadKeep {
		loaded = bytes
	}
	if a.Store == StoreKeep {
		stored = bytes
	}
	return loaded, stored
}
