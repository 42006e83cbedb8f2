package framegraph

// Declared is one access as a pass declared it, before the compiler decided anything. Checkers and printers read it.
type Declared struct {
	Pass          int // declared place
	Resource      int // index in Plan.Resources
	Verb          string
	Stage         Stage
	Access        Access
	Layout        Layout // of an image
	Mip, Mips     int
	Layer, Layers int
	Write         bool
	Attachment    bool
	Clears        bool // an attachment that starts from a clear value
	Discards      bool // leaves nothing of the contents it finds
	Needs         bool // a Load: contents must be there
	Resolve       bool // a Resolve from ResolveOf, when the scope ends
	ResolveOf     int
}

// Passes is the number of declared phases and passes, culled ones included.
func (p *Plan) Passes() int { return len(p.e.passes) }

// PassName is the name of the phase or pass declared at a place.
func (p *Plan) PassName(pass int) string { return p.e.passes[pass].name }

// PassKind is the kind of the phase or pass declared at a place.
func (p *Plan) PassKind(pass int) Kind { return p.e.passes[pass].kind }

// Declared appends the accesses of the pass declared at a place to into.
func (p *Plan) Declared(pass int, into []Declared) []Declared {
	e := p.e
	for i := e.passes[pass].uses; i < e.passes[pass].usesEnd; i++ {
		u := &e.uses[i]
		d := Declared{Pass: pass, Resource: int(u.res), Verb: u.verb.String(), Stage: u.stage, Access: u.access, Layout: e.layoutOf(u),
			Write: u.write(), Attachment: u.verb.attachment(), Clears: u.verb.attachment() && u.op == Clear(0, 0, 0, 0).op(),
			Discards: e.overwrites(u), Needs: u.verb.attachment() && u.op == Load.op()}
		if u.verb == verbResolve {
			d.Resolve, d.ResolveOf = true, int(u.of)
		}
		if r := &e.resources[u.res]; r.kind == imageKind {
			d.Mip, d.Mips, d.Layer, d.Layers = int(u.span.mip), int(u.span.mips), int(u.span.layer), int(u.span.layers)
			if d.Mips == 0 {
				d.Mip, d.Mips = 0, int(r.mips)
			}
			if d.Layers == 0 {
				d.Layer, d.Layers = 0, int(r.layers)
			}
		}
		into = append(into, d)
	}
	return into
}
