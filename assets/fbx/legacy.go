package fbx

// Versions before 6000 have no Objects section: Model records stand at the top,
// name their children, hold their materials and geometry, and stand where the
// first take says. There is no public description; this follows what 3ds Max 7
// and 2009 write.

func (l *loader) legacyObjects(d *document) {
	d.root.each("Model", func(e *element) {
		o := &object{class: "Model", name: splitName(e.text(0)), sub: e.child("Type").text(0), el: e, props: legacyProperties(e)}
		if !l.pay(1024, o.where(), e.at) {
			return
		}
		full := fullName(e.text(0))
		if d.byName[full] == nil {
			d.byName[full] = o
		}
		d.objects = append(d.objects, o)
		connect(o, d.scene)
		l.standing(o, e)
		e.each("Material", func(m *element) {
			mo := &object{class: "Material", name: splitName(m.text(0)), el: m, props: legacyProperties(m)}
			if l.pay(512, mo.where(), m.at) {
				d.objects = append(d.objects, mo)
				connect(mo, o)
			}
		})
	})
	for _, o := range d.objects[:len(d.objects):len(d.objects)] {
		names := o.el.child("Children")
		if names == nil {
			continue
		}
		for i := range names.values {
			if c := d.byName[fullName(names.text(i))]; c != nil && c != o && c != d.scene {
				connect(c, o)
			} else if c == nil {
				l.warn(o.where(), "has the child %q, which the file does not have", shorten(names.text(i)))
			}
		}
	}
}

// standing takes for the transform of a node what its own channels say, as 3ds
// Max 7 writes it.
func (l *loader) standing(o *object, e *element) {
	e.each("Channel", func(t *element) {
		if t.text(0) != "Transform" {
			return
		}
		t.each("Channel", func(c *element) {
			name := map[string]string{"T": "Lcl Translation", "R": "Lcl Rotation", "S": "Lcl Scaling"}[c.text(0)]
			if name == "" {
				return
			}
			p := &element{name: "Property", at: c.at, values: make([]value, 3, 6)}
			c.each("Channel", func(x *element) { p.values = append(p.values, floatValue(x.child("Default").float(0))) })
			o.props[name] = p
		})
	})
}

func connect(child, parent *object) {
	child.parents = append(child.parents, link{parent, ""})
	parent.children = append(parent.children, link{child, ""})
}

// legacyProperties takes the records of an object for its properties.
func legacyProperties(e *element) map[string]*element {
	out := map[string]*element{}
	for i := range e.children {
		c := &e.children[i]
		if len(c.values) == 0 || len(c.values) > 4 || len(c.children) > 0 {
			continue
		}
		// prop expects three values in front.
		p := &element{name: "Property", at: c.at, values: make([]value, 3, 3+len(c.values))}
		p.values = append(p.values, c.values...)
		out[c.name] = p
	}
	return out
}

// legacyLayers reads the normals, texture coordinates and materials that stand
// in a mesh without layer elements.
func (l *loader) legacyLayers(g *geometry) {
	e := g.obj.el
	guess := func(n int) (mapping, bool) {
		switch n {
		case len(g.points): // before corners, whose number may be the same
			return byPoint, true
		case len(g.corners):
			return byCorner, true
		case len(g.polygons):
			return byPolygon, true
		case 1:
			return allSame, true
		}
		return 0, false
	}
	if f := e.child("Normals").floats(); len(f) >= 3 && g.normals == nil {
		if m, ok := guess(len(f) / 3); ok {
			g.normals = &layer1{values: f, width: 3, mapping: m}
		}
	}
	if t := e.child("GeometryUVInfo"); t != nil && len(g.uv) == 0 {
		y := &layer1{values: t.child("TextureUV").floats(), width: 2, indices: t.child("TextureUVVerticeIndex").indices()}
		n := len(y.values) / 2
		if y.indices != nil {
			n = len(y.indices)
		}
		if m, ok := guess(n); ok && len(y.values) >= 2 {
			if y.mapping = m; n == len(g.corners) {
				y.mapping = byCorner
			}
			g.uv = []*layer1{y}
		}
	}
	if f := e.child("Materials").floats(); len(f) > 0 && g.materials == nil {
		g.materials = &layer1{values: f, width: 1, mapping: allSame}
		if e.child("MaterialAssignation").text(0) == "ByPolygon" {
			g.materials.mapping = byPolygon
		}
	}
}
