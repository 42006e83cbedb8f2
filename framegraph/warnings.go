package framegraph

// Warnings are the waste in a frame's declarations: transients that are written and never read, and resources that no pass
// uses. The plan is sound all the same.
func (p *Plan) Warnings() []*Mistake {
	e := p.e
	var out []*Mistake
	for r := range e.resources {
		d := &e.resources[r]
		written, read := int32(-1), false
		for i := range e.uses {
			u := &e.uses[i]
			switch {
			case u.verb == verbResolve && u.of == int32(r):
				read = true
			case u.res != int32(r):
			case u.write():
				// A pass tests against its own depth, and what it loads it reads.
				written, read = int32(i), read || u.verb == verbDepthAttachment || u.op == Load.op() && u.verb.attachment()
			default:
				read = true
			}
		}
		m := Mistake{Resource: d.name}
		pc := e.resourcePC[r]
		switch {
		case d.origin == LastFrame, read:
			continue
		case written < 0 && d.origin != ThisFrame:
			m.Code, m.Problem, m.Consequence = "unused-resource", "no pass uses it", "it has no memory; leave the declaration out"
		case written >= 0 && (d.origin == Transient || d.origin == ThisFrame && !e.usesOf(r-1)):
			m.Code, m.Pass = "unused-write", e.passes[e.uses[written].pass].name
			m.Problem = e.uses[written].verb.String() + " of what no pass reads"
			m.Consequence = "the work is culled, or lost; read it, or leave it out"
			pc = e.usePC[written]
		default:
			continue
		}
		m.File, m.Line = place(pc)
		out = append(out, &m)
	}
	return out
}

// usesOf says whether any pass uses a resource.
func (e *entry) usesOf(r int) bool {
	for i := range e.uses {
		if e.uses[i].res == int32(r) {
			return true
		}
	}
	return false
}
