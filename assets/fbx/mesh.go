package fbx

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// contents hangs meshes, skins, cameras and lights on the joints.
func (l *loader) contents() {
	for _, n := range l.all {
		for _, g := range l.shapesOf(n) {
			l.place(n, g)
			if l.err != nil {
				return
			}
		}
		l.cameraOrLight(n)
	}
	s := l.m.Skeleton
	weights := 0
	for j := range l.m.Nodes {
		if m := l.m.Nodes[j].Mesh; m >= 0 {
			weights += len(l.m.Meshes[m].Weights)
		}
	}
	if weights > 0 {
		s.MorphOffset = make([]int32, 1, len(l.m.Nodes)+1)
		for j := range l.m.Nodes {
			if m := l.m.Nodes[j].Mesh; m >= 0 {
				s.MorphWeights = append(s.MorphWeights, l.m.Meshes[m].Weights...)
			}
			s.MorphOffset = append(s.MorphOffset, int32(len(s.MorphWeights)))
		}
	} else {
		l.morphed = nil
	}
	for j := range s.Rest {
		r := &s.Rest[j]
		for _, v := range [][]float32{r.Translation[:], r.Scale[:], r.Rotation.V[:], {r.Rotation.W}} {
			for _, x := range v {
				if !finite(x) {
					l.warn("Model "+s.Names[j], "stands at a place that is not finite; it was put at the origin")
					*r = single(identity)
				}
			}
		}
	}
}

// shapesOf finds the meshes of a node: Geometry objects, or before version 7000
// the node's own record.
func (l *loader) shapesOf(n *node) []*geometry {
	var out []*geometry
	if n.obj.el.child("Vertices") != nil {
		if g := l.geometryOf(n.obj); g != nil {
			out = append(out, g)
		}
	}
	for _, down := range n.obj.children {
		o := down.to
		if o.class != "Geometry" || down.property != "" {
			continue
		}
		if g := l.geometryOf(o); g != nil {
			out = append(out, g)
		} else if o.sub != "Mesh" && o.sub != "Shape" {
			l.warn(o.where(), "is %q, which is not drawn; only polygon meshes and NURBS surfaces are", shorten(o.sub))
		}
	}
	return out
}

// place puts a mesh on a node.
func (l *loader) place(n *node, g *geometry) {
	slots := l.slotsOf(n)
	key := fmt.Sprintf("%p %v %v", g, n.pivots.geometric, slots)
	mesh, built := l.meshes[key]
	if !built {
		m := l.build(g, n.pivots.geometric, slots)
		if l.err != nil {
			return
		}
		mesh = -1
		if len(m.Primitives) > 0 {
			if m.Name == "" {
				m.Name = n.obj.name
			}
			l.m.Meshes = append(l.m.Meshes, m)
			mesh = int32(len(l.m.Meshes) - 1)
		}
		l.meshes[key] = mesh
	}
	if mesh < 0 {
		return
	}
	j := n.inner
	hidden := n.hidden()
	if l.m.Nodes[j].Mesh >= 0 { // a second mesh on one node
		j = l.fixed(n.obj.name+" mesh", n.inner, identity)
	}
	l.m.Nodes[j].Mesh = mesh
	l.m.Nodes[j].Skin = l.bindSkin(g, n)
	if hidden {
		l.m.Nodes[j].InScene = false
		l.warn(n.obj.where(), "is hidden; its mesh is kept but not drawn")
	}
	if len(g.channels) > 0 {
		l.morphed = append(l.morphed, morphed{j, g})
	}
}

// builder makes the primitives of a mesh.
type builder struct {
	l      *loader
	g      *geometry
	moved  []mgl32.Vec3 // control points, in the model's units, by the node's geometric transform
	normal mat          // carries normals
	turn   mat          // carries tangents
	flip   bool
	first  []int32 // by control point: the last vertex made of it in this primitive, -1 for none
	same   []int32 // by vertex: the one before it of the same control point
	points []int32 // by vertex: its control point
	prim   *assets.Primitive
	unlike bool // normals, tangents, colours were missing somewhere
}

func (l *loader) build(g *geometry, geometric transform, slots []int32) assets.Mesh {
	m := assets.Mesh{Name: g.obj.name}
	frame := geometric.mat()
	if len(g.polygons) == 0 || !l.pay(int64(len(g.points))*16+int64(len(g.polygons))*8, g.obj.where(), g.obj.el.at) {
		return m
	}
	b := &builder{l: l, g: g, normal: frame.cofactors(), turn: frame, flip: frame.det() < 0}
	b.moved = make([]mgl32.Vec3, len(g.points))
	b.first = make([]int32, len(g.points))
	for i, p := range g.points {
		b.moved[i] = frame.point(p).mul(l.unit).single()
		b.first[i] = -1
	}
	// Polygons by material, in the order in which materials come up.
	type group struct {
		material int32
		lines    bool // polygons of two corners
	}
	groups := map[group][]int32{}
	var order []group
	for i := range g.polygons {
		p := &g.polygons[i]
		material := int32(-1)
		slot := int32(0)
		if g.materials != nil {
			if v := g.materials.at(p.start, g.corners[p.start], p.index); v != nil {
				slot = int32(max(-1, min(toInt(v[0]), 1<<30)))
			}
		}
		if slot >= 0 && int(slot) < len(slots) {
			material = slots[slot]
		} else if len(slots) > 0 && slot >= 0 {
			material = slots[len(slots)-1]
		}
		k := group{material, p.count == 2}
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], int32(i))
	}
	cutter := newTriangulator(len(g.corners))
	for _, k := range order {
		if p := b.primitive(k.material, k.lines, groups[k], cutter); p != nil {
			m.Primitives = append(m.Primitives, *p)
		}
		if l.err != nil {
			return m
		}
	}
	if g.targets > 0 {
		m.Weights = make([]float32, g.targets)
		out := make([]float64, g.targets)
		for _, c := range g.channels {
			c.weights(c.rest, out)
		}
		for i, x := range out {
			m.Weights[i] = float32(x)
		}
	}
	return m
}

func (b *builder) primitive(material int32, lines bool, polygons []int32, cutter *triangulator) *assets.Primitive {
	g, l := b.g, b.l
	b.prim = &assets.Primitive{Material: material, UV: make([][]mgl32.Vec2, len(g.uv))}
	if lines {
		b.prim.Topology = assets.Lines
	}
	b.same, b.points = nil, nil
	b.unlike = false
	var vertices []uint32
	var where []vec3
	corners := 0
	for _, i := range polygons {
		corners += int(g.polygons[i].count)
	}
	if !l.pay(int64(corners)*12, g.obj.where(), g.obj.el.at) {
		return nil
	}
	b.prim.Indices = make([]uint32, 0, max(corners, 3*corners-6*len(polygons)))
	for _, i := range polygons {
		p := &g.polygons[i]
		vertices, where = vertices[:0], where[:0]
		for k := range p.count {
			v, ok := b.vertex(p.start+k, p.index)
			if !ok {
				return nil
			}
			vertices = append(vertices, v)
			where = append(where, g.points[g.corners[p.start+k]])
		}
		if lines {
			b.prim.Indices = append(b.prim.Indices, vertices...)
			continue
		}
		cutter.cut(where, func(x, y, z int32) {
			if b.flip {
				y, z = z, y
			}
			b.prim.Indices = append(b.prim.Indices, vertices[x], vertices[y], vertices[z])
		})
	}
	for _, point := range b.points {
		b.first[point] = -1
	}
	p := b.prim
	b.prim = nil
	b.weights(p)
	b.targets(p)
	return p
}

// vertex finds or makes the vertex of a corner.
func (b *builder) vertex(corner, polygon int32) (uint32, bool) {
	g, p := b.g, b.prim
	point := g.corners[corner]
	var normal, binormal vec3
	var tangent mgl32.Vec4
	var color mgl32.Vec4
	var uv [8]mgl32.Vec2
	get := func(y *layer1) (v vec3, ok bool) {
		if y == nil {
			return v, false
		}
		f := y.at(corner, point, polygon)
		if f == nil {
			return v, false
		}
		copy(v[:], f)
		for _, x := range v {
			if math.IsNaN(x) || math.Abs(x) > 1e30 {
				return vec3{}, false
			}
		}
		return v, true
	}
	if g.normals != nil {
		v, ok := get(g.normals)
		if ok {
			v = b.normal.vector(v)
			if b.flip {
				v = v.mul(-1)
			}
			v = v.unit()
			ok = v.len() > 0.5
		}
		if !ok {
			v = vec3{0, 0, 1}
		}
		normal = v
	}
	if g.tangents != nil {
		v, ok := get(g.tangents)
		v = b.turn.vector(v).unit()
		if !ok || v.len() < 0.5 {
			v = vec3{1, 0, 0}
		}
		w := float32(1)
		if binormal, ok = get(g.binormals); ok && normal.cross(v).dot(b.turn.vector(binormal)) < 0 {
			w = -1
		}
		tangent = v.single().Vec4(w)
	}
	if g.colors != nil {
		color = mgl32.Vec4{1, 1, 1, 1}
		if f := g.colors.at(corner, point, polygon); f != nil {
			for i, x := range f {
				if c := float32(x); finite(c) {
					color[i] = c
				}
			}
		}
	}
	for i, y := range g.uv {
		if f := y.at(corner, point, polygon); f != nil {
			u, v := float32(f[0]), float32(1-f[1]) // the origin is at the bottom in FBX
			if finite(u) && finite(v) {
				uv[i] = mgl32.Vec2{u, v}
			}
		}
	}
	n := normal.single()
	steps := 0
	for v := b.first[point]; v >= 0 && steps < 64; v = b.same[v] {
		steps++
		if g.normals != nil && p.Normals[v] != n || g.tangents != nil && p.Tangents[v] != tangent || g.colors != nil && p.Colors[v] != color {
			continue
		}
		equal := true
		for i := range g.uv {
			equal = equal && p.UV[i][v] == uv[i]
		}
		if equal {
			return uint32(v), true
		}
	}
	if len(p.Positions) == cap(p.Positions) {
		size := 12 + 8 + 8*len(g.uv)
		if g.normals != nil {
			size += 12
		}
		if g.tangents != nil {
			size += 16
		}
		if g.colors != nil {
			size += 16
		}
		if !b.l.pay(int64(size)*int64(max(8, len(p.Positions)/2)), g.obj.where(), g.obj.el.at) {
			return 0, false
		}
	}
	v := int32(len(p.Positions))
	p.Positions = append(p.Positions, b.moved[point])
	if g.normals != nil {
		p.Normals = append(p.Normals, n)
	}
	if g.tangents != nil {
		p.Tangents = append(p.Tangents, tangent)
	}
	if g.colors != nil {
		p.Colors = append(p.Colors, color)
	}
	for i := range g.uv {
		p.UV[i] = append(p.UV[i], uv[i])
	}
	b.same = append(b.same, b.first[point])
	b.points = append(b.points, point)
	b.first[point] = v
	return uint32(v), true
}

// weights gives each vertex its control point's influences.
func (b *builder) weights(p *assets.Primitive) {
	g := b.g
	if g.influences == nil {
		return
	}
	most := 1
	for _, point := range b.points {
		most = max(most, len(g.influences[point]))
	}
	sets := (most + 3) / 4
	if !b.l.pay(int64(len(b.points))*int64(sets)*24, g.obj.where(), g.obj.el.at) {
		return
	}
	for s := range sets {
		joints, weights := make([][4]uint16, len(b.points)), make([][4]float32, len(b.points))
		for v, point := range b.points {
			list := g.influences[point]
			if len(list) == 0 {
				if s == 0 { // the node itself, see bindSkin
					joints[v][0], weights[v][0] = uint16(min(len(g.clusters), math.MaxUint16)), 1
				}
				continue
			}
			for c := range 4 {
				if i := 4*s + c; i < len(list) {
					joints[v][c], weights[v][c] = uint16(list[i].cluster), float32(list[i].weight)
				}
			}
		}
		p.Joints = append(p.Joints, joints)
		p.Weights = append(p.Weights, weights)
	}
	if g.dual != nil && b.l.pay(int64(len(b.points))*4, g.obj.where(), g.obj.el.at) {
		p.DualQuaternion = make([]float32, len(b.points))
		for v, point := range b.points {
			p.DualQuaternion[v] = g.dual[point]
		}
	}
}

// targets makes the morph targets of the blend shapes.
func (b *builder) targets(p *assets.Primitive) {
	g := b.g
	if g.targets == 0 || b.l.err != nil {
		return
	}
	p.Targets = make([]assets.Target, g.targets)
	// Vertices by control point.
	for v, point := range b.points {
		b.same[v] = b.first[point]
		b.first[point] = int32(v)
	}
	for _, c := range g.channels {
		for _, s := range c.shapes {
			t := &p.Targets[s.target]
			t.Name = c.name
			if len(c.shapes) > 1 && s.name != "" {
				t.Name = s.name
			}
			if len(s.indices) == 0 {
				continue
			}
			if !b.l.pay(int64(len(b.points))*24, g.obj.where(), g.obj.el.at) {
				return
			}
			deltas := make([]mgl32.Vec3, len(b.points))
			var normals []mgl32.Vec3
			if s.normals != nil && p.Normals != nil {
				normals = make([]mgl32.Vec3, len(b.points))
			}
			any := false
			for i, point := range s.indices {
				if point < 0 || int(point) >= len(g.points) {
					continue
				}
				d := vec3{s.deltas[3*i], s.deltas[3*i+1], s.deltas[3*i+2]}
				w := 1.0
				if s.byVertex != nil {
					w = s.byVertex[i]
				}
				delta := b.turn.vector(d).mul(b.l.unit * w).single()
				for v := b.first[point]; v >= 0; v = b.same[v] {
					deltas[v] = delta
					any = true
					if normals != nil {
						n := b.normal.vector(vec3{s.normals[3*i], s.normals[3*i+1], s.normals[3*i+2]}).mul(w)
						if x := n.single(); finite(x.Len()) {
							normals[v] = x
						}
					}
				}
			}
			if any {
				t.Positions, t.Normals = deltas, normals
			}
		}
	}
	for _, point := range b.points {
		b.first[point] = -1
	}
}
