package fbx

import (
	"math"
	"strings"
)

// How a layer joins those below it (Autodesk FBX SDK, FbxAnimLayer::EBlendMode).
const (
	blendAdditive = iota
	blendOverride
	blendPassThrough // overrides what it animates, and leaves the rest
)

// stack is an animation: layers, one on another.
type stack struct {
	name        string
	start, stop int64 // ticks, of its own span; equal where it tells none
	layers      []*layer
	moves       map[*object][]move
}

// move is a property of an object that a layer animates.
type move struct {
	layer    *layer
	property string
	curves   [3]*curve
	values   [3]float64 // where there is no curve
}

type layer struct {
	weight    float64
	fade      *curve // of weight, in percent
	mode      int64
	byChannel bool // rotations add their angles, and are not turned one after another
	addScales bool // scales add rather than multiply
}

// at is the layer's weight, 0 to 1.
func (y *layer) at(tick float64, before bool) float64 {
	if y.fade != nil {
		return min(max(y.fade.at(tick, before)/100, 0), 1)
	}
	return y.weight
}

func (m *move) at(tick float64, before bool) vec3 {
	v := vec3(m.values)
	for i, c := range m.curves {
		if c != nil {
			v[i] = c.at(tick, before)
		}
	}
	return v
}

func (m *move) animated() bool { return m.curves != [3]*curve{} }

// stacks reads what is animated.
func (l *loader) stacks() {
	if takes := l.doc.root.child("Takes"); takes != nil && l.doc.version < 7000 {
		l.takes(takes)
	}
	for _, o := range l.doc.objects {
		if o.class == "AnimationStack" {
			l.motions = append(l.motions, l.stackOf(o))
		}
	}
	for _, s := range l.motions {
		for o, moves := range s.moves {
			n := l.nodeOf[o]
			if n == nil {
				continue
			}
			for i := range moves {
				m := &moves[i]
				n.blinks = n.blinks || m.property == "Visibility" && m.varies()
				which, known := transformProperties[m.property]
				if !known {
					continue
				}
				n.moved = true
				if which == scaleProperty {
					n.scaled = n.scaled || m.varies() || distant(m.at(0, false), n.rest.s)
				}
			}
		}
	}
}

func distant(a, b vec3) bool { return a.sub(b).len() > 1e-5 }

// varies tells whether the move has more than one value.
func (m *move) varies() bool {
	for _, c := range m.curves {
		if c != nil && !c.still() {
			return true
		}
	}
	return m.layer.fade != nil && !m.layer.fade.still()
}

// transformProperties are those that a node's joints follow.
const scaleProperty = 2

var transformProperties = map[string]int{
	"Lcl Translation": 0, "Lcl Rotation": 1, "Lcl Scaling": 2,
	"RotationOffset": 3, "RotationPivot": 4, "ScalingOffset": 5, "ScalingPivot": 6, "PreRotation": 7, "PostRotation": 8,
}

func (n *node) restValue(property string) [3]float64 {
	switch property {
	case "Lcl Translation":
		return n.rest.t
	case "Lcl Rotation":
		return n.rest.r
	case "Lcl Scaling":
		return n.rest.s
	}
	return n.obj.vector(property, vec3{})
}

func (l *loader) stackOf(o *object) *stack {
	s := &stack{name: o.name, start: o.int("LocalStart", 0), stop: o.int("LocalStop", 0), moves: map[*object][]move{}}
	if s.start < -maxTick || s.stop > maxTick || s.stop < s.start {
		s.start, s.stop = 0, 0
	}
	o.childrenOf("AnimationLayer", "", func(lo *object) {
		y := &layer{
			weight:    min(max(lo.number("Weight", 100)/100, 0), 1),
			mode:      lo.int("BlendMode", blendAdditive),
			byChannel: lo.int("RotationAccumulationMode", 0) == 1,
			addScales: lo.int("ScaleAccumulationMode", 0) == 1,
		}
		if lo.int("Mute", 0) != 0 {
			return
		}
		s.layers = append(s.layers, y)
		lo.childrenOf("AnimationCurveNode", "", func(co *object) {
			for _, up := range co.parents {
				if up.property == "" {
					continue
				}
				l.curveNode(s, y, co, up)
			}
		})
		// The weight's own curve node hangs on the layer by property.
		for _, down := range lo.children {
			if down.property == "Weight" && down.to.class == "AnimationCurveNode" {
				for _, c := range down.to.children {
					if c.to.class == "AnimationCurve" && y.fade == nil {
						y.fade = l.curveOf(c.to)
					}
				}
			}
		}
	})
	return s
}

func (l *loader) curveNode(s *stack, y *layer, co *object, up link) {
	if up.to.class == "AnimationLayer" || !l.pay(256, co.where(), co.el.at) {
		return
	}
	m := move{layer: y, property: up.property}
	// Values without a curve are told by the curve node, else by the object.
	if e, at := up.to.prop(up.property); e != nil {
		for i := range m.values {
			m.values[i] = e.float(at + i)
		}
	}
	for name := range co.props {
		if i := component(name); i >= 0 {
			m.values[i] = co.number(name, m.values[i])
		}
	}
	for i, x := range m.values {
		if math.IsNaN(x) || math.Abs(x) > 1e30 {
			m.values[i] = 0
		}
	}
	for _, down := range co.children {
		if down.to.class != "AnimationCurve" {
			continue
		}
		if i := component(down.property); i >= 0 && m.curves[i] == nil {
			m.curves[i] = l.curveOf(down.to)
		}
	}
	s.moves[up.to] = append(s.moves[up.to], m)
}

// component is which number of a property "d|X", "d|Y" and so on name.
func component(name string) int {
	switch rest, ok := strings.CutPrefix(name, "d|"); {
	case !ok:
		return -1
	case rest == "Y":
		return 1
	case rest == "Z":
		return 2
	}
	return 0
}

// takes reads the animations of versions before 7000, which have one layer.
func (l *loader) takes(list *element) {
	list.each("Take", func(t *element) {
		s := &stack{name: t.text(0), moves: map[*object][]move{}}
		if span := t.child("LocalTime"); span != nil && len(span.values) >= 2 {
			s.start, s.stop = span.int(0), span.int(1)
			if s.start < -maxTick || s.stop > maxTick || s.stop < s.start {
				s.start, s.stop = 0, 0
			}
		}
		y := &layer{weight: 1}
		s.layers = []*layer{y}
		t.each("Model", func(e *element) {
			o := l.doc.byName[fullName(e.text(0))]
			if o == nil {
				l.warn("Takes", "take %q moves %q, which the file does not have", shorten(s.name), shorten(splitName(e.text(0))))
				return
			}
			e.each("Channel", func(ch *element) {
				if ch.text(0) == "Transform" {
					ch.each("Channel", func(c *element) {
						switch c.text(0) {
						case "T":
							l.channel(s, y, o, "Lcl Translation", c)
						case "R":
							l.channel(s, y, o, "Lcl Rotation", c)
						case "S":
							l.channel(s, y, o, "Lcl Scaling", c)
						}
					})
					return
				}
				l.channel(s, y, o, ch.text(0), ch)
			})
		})
		l.motions = append(l.motions, s)
	})
}

func (l *loader) channel(s *stack, y *layer, o *object, property string, e *element) {
	if !l.pay(256, o.where(), e.at) {
		return
	}
	m := move{layer: y, property: property}
	if n := l.nodeOf[o]; n != nil {
		m.values = n.restValue(property)
	}
	set := func(i int, c *element) {
		if d := c.child("Default"); d != nil {
			m.values[i] = d.float(0)
			if math.IsNaN(m.values[i]) || math.Abs(m.values[i]) > 1e30 {
				m.values[i] = 0
			}
		}
		m.curves[i] = l.legacyCurve(c)
	}
	nested := false
	e.each("Channel", func(c *element) {
		if i := strings.Index("XYZ", c.text(0)); i >= 0 && len(c.text(0)) == 1 {
			nested = true
			set(i, c)
		}
	})
	if !nested {
		set(0, e)
	}
	if l.doc.version < 6000 {
		// There are no properties yet: the first take tells how nodes stand.
		if n := l.nodeOf[o]; n != nil && len(l.motions) == 0 {
			switch property {
			case "Lcl Translation":
				n.rest.t = m.values
			case "Lcl Rotation":
				n.rest.r = m.values
			case "Lcl Scaling":
				n.rest.s = m.values
			}
		}
	}
	s.moves[o] = append(s.moves[o], m)
}
