package fbx

import (
	"math"
	"strconv"
	"strings"
)

// object is what the Objects section defines: a node, a geometry, a material.
type object struct {
	id    int64
	class string // the element's name: Model, Geometry, Deformer …
	name  string
	sub   string // the class within the class: Mesh, LimbNode, Skin, Cluster …
	el    *element

	props    map[string]*element // properties that the file tells of the object
	template map[string]*element // and what else objects of its class have

	parents  []link // connections to what this belongs to
	children []link // and of what belongs to this
}

// link is a connection; property is "" between objects.
type link struct {
	to       *object
	property string
}

func (o *object) where() string { return o.class + " " + strconv.Quote(shorten(o.name)) }

// prop returns the values of a property, from the object or its class's
// template. Versions before 7000 have one value less in front.
func (o *object) prop(name string) (e *element, first int) {
	e = o.props[name]
	if e == nil {
		e = o.template[name]
	}
	if e == nil {
		return nil, 0
	}
	if e.name == "P" {
		return e, 4
	}
	return e, 3
}

func (o *object) has(name string) bool { return o.props[name] != nil }

func (o *object) number(name string, otherwise float64) float64 {
	e, at := o.prop(name)
	if e == nil || len(e.values) <= at {
		return otherwise
	}
	x := e.float(at)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return otherwise
	}
	return x
}

func (o *object) int(name string, otherwise int64) int64 {
	e, at := o.prop(name)
	if e == nil || len(e.values) <= at {
		return otherwise
	}
	return e.int(at)
}

func (o *object) vector(name string, otherwise vec3) vec3 {
	e, at := o.prop(name)
	if e == nil || len(e.values) < at+3 {
		return otherwise
	}
	v := vec3{e.float(at), e.float(at + 1), e.float(at + 2)}
	for _, x := range v {
		if math.IsNaN(x) || math.Abs(x) > 1e30 {
			return otherwise
		}
	}
	return v
}

func (o *object) text(name string) string {
	e, at := o.prop(name)
	return e.text(at)
}

// child returns the first object of that class that belongs to o.
func (o *object) child(class string) *object {
	for _, l := range o.children {
		if l.to.class == class && l.property == "" {
			return l.to
		}
	}
	return nil
}

// childrenOf calls f with every object of that class and sub-class ("" any)
// that belongs to o.
func (o *object) childrenOf(class, sub string, f func(*object)) {
	for _, l := range o.children {
		if l.to.class == class && (sub == "" || l.to.sub == sub) && l.property == "" {
			f(l.to)
		}
	}
}

// splitName takes a name apart: "Name\x00\x01Class" in binary files,
// "Class::Name" in text.
func splitName(s string) string {
	if i := strings.Index(s, "\x00\x01"); i >= 0 {
		return s[:i]
	}
	if i := strings.Index(s, "::"); i >= 0 {
		return s[i+2:]
	}
	return s
}

// fullName is the one way to write "Class::Name" that both encodings map to;
// before version 7000 it is what objects are known by.
func fullName(s string) string {
	if i := strings.Index(s, "\x00\x01"); i >= 0 {
		return s[i+2:] + "::" + s[:i]
	}
	return s
}

// properties finds the property list of an element: Properties70 of version 7
// and up, Properties60 before.
func properties(e *element) map[string]*element {
	list, key := e.child("Properties70"), "P"
	if list == nil {
		list, key = e.child("Properties60"), "Property"
	}
	if list == nil {
		return nil
	}
	out := make(map[string]*element, len(list.children))
	list.each(key, func(p *element) {
		if name := p.text(0); name != "" {
			out[name] = p
		}
	})
	return out
}

// sceneRoot is the id of the scene itself, what top-level nodes belong to.
const sceneRoot = 0

// document is the file's objects and how they belong together.
type document struct {
	root    *element
	version int
	objects []*object // in the file's order
	byID    map[int64]*object
	byName  map[string]*object // before version 7000, by fullName
	scene   *object
	global  *object // GlobalSettings' properties
}

func (l *loader) document(root *element, version int) *document {
	d := &document{
		root: root, version: version,
		byID: map[int64]*object{}, byName: map[string]*object{},
		scene: &object{id: sceneRoot, class: "Scene"},
	}
	d.byID[sceneRoot] = d.scene
	for _, name := range []string{"Model::Scene", "Scene", "Model::RootNode"} {
		d.byName[name] = d.scene
	}
	if version < 6000 && root.child("Objects") == nil {
		l.legacyObjects(d)
	} else {
		l.objects(d)
	}
	if l.err == nil {
		l.connections(d)
	}
	d.global = &object{class: "GlobalSettings"}
	for _, e := range []*element{root.child("GlobalSettings"), root.child("Objects").child("GlobalSettings")} {
		if e != nil {
			d.global.props = properties(e)
			break
		}
	}
	return d
}

func (l *loader) objects(d *document) {
	templates := map[string]map[string]*element{}
	d.root.child("Definitions").each("ObjectType", func(t *element) {
		t.each("PropertyTemplate", func(p *element) {
			if templates[t.text(0)] == nil {
				templates[t.text(0)] = properties(p)
			}
			templates[t.text(0)+"/"+p.text(0)] = properties(p)
		})
	})
	list := d.root.child("Objects")
	if list == nil {
		return
	}
	for i := range list.children {
		e := &list.children[i]
		o := &object{class: e.name, el: e, props: properties(e)}
		if !l.pay(int64(256+64*len(o.props)), o.where(), e.at) {
			return
		}
		if d.version >= 7000 || len(e.values) > 0 && e.values[0].kind == kindInt {
			o.id = e.int(0)
			o.name, o.sub = splitName(e.text(1)), e.text(2)
			if _, taken := d.byID[o.id]; taken {
				l.warn(o.where(), "has the id %d of another object", o.id)
			} else {
				d.byID[o.id] = o
			}
			// Some files of version 7 connect by name all the same.
			if full := fullName(e.text(1)); d.byName[full] == nil {
				d.byName[full] = o
			}
		} else {
			full := fullName(e.text(0))
			o.name, o.sub = splitName(e.text(0)), e.text(1)
			if d.byName[full] == nil {
				d.byName[full] = o
			}
		}
		o.template = templates[o.class]
		if o.class == "NodeAttribute" {
			if t := templates["NodeAttribute/Fbx"+o.sub]; t != nil {
				o.template = t
			}
		}
		d.objects = append(d.objects, o)
	}
}

func (l *loader) connections(d *document) {
	list := d.root.child("Connections")
	find := func(v *value) *object {
		if v.kind == kindText {
			return d.byName[fullName(v.text)]
		}
		return d.byID[v.int()]
	}
	missing := 0
	if list != nil {
		for i := range list.children {
			e := &list.children[i]
			if len(e.values) < 3 || e.name != "C" && e.name != "Connect" {
				continue
			}
			from, to := find(&e.values[1]), find(&e.values[2])
			kind := e.text(0)
			if from == nil || to == nil || from == to {
				if from == nil || to == nil {
					missing++
				}
				continue
			}
			if !l.pay(128, "Connections", e.at) {
				return
			}
			property := ""
			if kind == "OP" || kind == "PP" {
				property = e.text(len(e.values) - 1)
			}
			from.parents = append(from.parents, link{to, property})
			to.children = append(to.children, link{from, property})
		}
	}
	if missing > 0 {
		l.warn("Connections", "%d connections name objects that the file does not have; they were left out", missing)
	}
}
