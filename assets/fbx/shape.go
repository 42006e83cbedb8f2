package fbx

import (
	"cmp"
	"math"
	"slices"
)

// channel is a blend shape's slider: one shape, or several in a row that stand
// at percentages of it.
type channel struct {
	name     string
	obj      *object // whose property moves it
	property string
	rest     float64 // percent
	shapes   []*shape
}

// shape is what a target adds to control points.
type shape struct {
	name     string
	full     float64 // the percent at which it shows whole
	target   int     // of the mesh
	indices  []int32
	deltas   []float64
	normals  []float64
	byVertex []float64 // weights by index, nil: 1
}

// morphed is a joint whose mesh has blend shapes.
type morphed struct {
	joint int32
	mesh  *geometry
}

func (l *loader) blendShapes(g *geometry) {
	if l.doc.version < 7000 {
		l.legacyShapes(g)
	}
	g.obj.childrenOf("Deformer", "BlendShape", func(b *object) {
		b.childrenOf("Deformer", "BlendShapeChannel", func(o *object) {
			c := &channel{name: o.name, obj: o, property: "DeformPercent"}
			c.rest = o.number("DeformPercent", o.el.child("DeformPercent").float(0))
			full := o.el.child("FullWeights").floats()
			o.childrenOf("Geometry", "", func(so *object) {
				i := len(c.shapes)
				s := l.shapeOf(so.el, so.name)
				if s == nil {
					return
				}
				if i < len(full) {
					s.full = full[i]
				}
				c.shapes = append(c.shapes, s)
			})
			if len(c.shapes) == 1 && len(full) > 1 && len(full) == len(c.shapes[0].indices) {
				// Blender writes the weights of a vertex group here.
				s := c.shapes[0]
				s.full, s.byVertex = 100, make([]float64, len(full))
				for i, x := range full {
					s.byVertex[i] = x / 100
				}
			}
			l.addChannel(g, c)
		})
	})
}

func (l *loader) addChannel(g *geometry, c *channel) {
	if len(c.shapes) == 0 {
		return
	}
	if math.IsNaN(c.rest) || math.Abs(c.rest) > 1e6 {
		c.rest = 0
	}
	for _, s := range c.shapes {
		if !(math.Abs(s.full) > 1e-6) || math.Abs(s.full) > 1e6 {
			s.full = 100
		}
	}
	slices.SortStableFunc(c.shapes, func(a, b *shape) int { return cmp.Compare(a.full, b.full) })
	for _, s := range c.shapes {
		s.target = g.targets
		g.targets++
	}
	g.channels = append(g.channels, c)
}

func (l *loader) shapeOf(e *element, name string) *shape {
	s := &shape{
		name: name, full: 100,
		indices: e.child("Indexes").indices(),
		deltas:  e.child("Vertices").floats(),
		normals: e.child("Normals").floats(),
	}
	n := min(len(s.indices), len(s.deltas)/3)
	if len(s.indices) == 0 {
		return s
	}
	if !l.pay(int64(n)*56, "Shape "+shorten(name), e.at) {
		return nil
	}
	s.indices = s.indices[:n]
	for i, x := range s.deltas {
		if math.IsNaN(x) || math.Abs(x) > 1e30 {
			s.deltas[i] = 0
		}
	}
	if len(s.normals) < 3*n {
		s.normals = nil
	}
	return s
}

// legacyShapes reads the Shape records that a mesh has before version 7000.
func (l *loader) legacyShapes(g *geometry) {
	g.obj.el.each("Shape", func(e *element) {
		name := e.text(0)
		s := l.shapeOf(e, name)
		if s == nil || name == "" {
			return
		}
		l.addChannel(g, &channel{name: name, obj: g.obj, property: name, rest: g.obj.number(name, 0), shapes: []*shape{s}})
	})
}

// at is the channel's percent in a stack.
func (c *channel) at(s *stack, tick float64, before bool) float64 {
	v := c.rest
	for i := range s.moves[c.obj] {
		m := &s.moves[c.obj][i]
		if m.property != c.property {
			continue
		}
		x := m.at(tick, before)[0]
		if m.layer == s.layers[0] {
			v = x
			continue
		}
		v = m.layer.blend(vec3{v}, vec3{x}, m.layer.at(tick, before), false)[0]
	}
	return v
}

// weights sets the weights of the channel's targets. Between two shapes of a
// row one fades into the other; before the first it fades in.
func (c *channel) weights(percent float64, out []float64) {
	for _, s := range c.shapes {
		out[s.target] = 0
	}
	n := len(c.shapes)
	if n == 1 || percent <= c.shapes[0].full {
		out[c.shapes[0].target] = percent / c.shapes[0].full
		return
	}
	for i := 1; i < n; i++ {
		a, b := c.shapes[i-1], c.shapes[i]
		if percent <= b.full || i == n-1 {
			u := 1.0
			if b.full > a.full {
				u = (percent - a.full) / (b.full - a.full)
			}
			if percent > b.full {
				out[b.target] = percent / b.full
				return
			}
			out[a.target], out[b.target] = 1-u, u
			return
		}
	}
}
