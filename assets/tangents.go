package assets

import (
	"math"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// MakeTangents returns the model with tangents for every triangle mesh whose
// material has a normal map and which has normals and UVs but no tangents, by
// the rules of MikkTSpace (glTF 2.0 §3.7.2.1). A model that needs none is
// returned itself; otherwise what did not change is shared. It takes about half
// a microsecond a triangle.
func (m *Model) MakeTangents() *Model {
	out := m
	for i := range m.Meshes {
		for j := range m.Meshes[i].Primitives {
			p := &m.Meshes[i].Primitives[j]
			if p.Material < 0 || int(p.Material) >= len(m.Materials) {
				continue
			}
			material := &m.Materials[p.Material]
			if material.Unlit || material.NormalMap.Texture < 0 {
				continue
			}
			made, ok := p.WithTangents(material.NormalMap)
			if !ok {
				continue
			}
			if out == m {
				c := *m
				c.Meshes = slices.Clone(m.Meshes)
				for k := range c.Meshes {
					c.Meshes[k].Primitives = slices.Clone(m.Meshes[k].Primitives)
				}
				out = &c
			}
			out.Meshes[i].Primitives[j] = made
		}
	}
	return out
}

// WithTangents returns the primitive with tangents for a normal map that is used
// so. Vertices at which the UVs are mirrored, or turned, from one triangle to the
// next are split; the copies stand behind the others, at most three a triangle.
// ok is false where the primitive has tangents, or is of lines or points, or has
// no normals or no such UVs, or an index beyond its vertices.
func (p *Primitive) WithTangents(use TextureRef) (made Primitive, ok bool) {
	set := int(use.UVSet)
	if p.Topology != Triangles || p.Tangents != nil || p.Normals == nil || set < 0 || set >= len(p.UV) || p.UV[set] == nil {
		return *p, false
	}
	t := tangler{p: p, corners: p.Indices, uv: transformed(p.UV[set], use)}
	if t.corners == nil {
		t.corners = make([]uint32, len(p.Positions))
		for i := range t.corners {
			t.corners[i] = uint32(i)
		}
	}
	t.corners = t.corners[:len(t.corners)/3*3]
	for _, v := range t.corners {
		if int(v) >= len(p.Positions) {
			return *p, false
		}
	}
	t.weld()      // corners that look the same are one vertex, whatever their index
	t.faces()     // which way U grows over each triangle, and whether it is mirrored
	t.neighbors() // across edges
	t.group()     // corners around a vertex that share a tangent
	t.sum()       // tangents of groups
	return t.split(), true
}

// transformed is the UVs as the picture sees them (KHR_texture_transform), with
// V growing up the picture as the tangent space's Y does (glTF 2.0 §3.9.3).
func transformed(uv []mgl32.Vec2, use TextureRef) []mgl32.Vec2 {
	sin, cos := math.Sincos(float64(use.Rotation))
	s, c := float32(sin), float32(cos)
	out := make([]mgl32.Vec2, len(uv))
	for i, x := range uv {
		x = mgl32.Vec2{x[0] * use.Scale[0], x[1] * use.Scale[1]}
		out[i] = mgl32.Vec2{c*x[0] + s*x[1], s*x[0] - c*x[1]}
	}
	return out
}

// tangler works out the tangents of one primitive. Corner 3f+c is corner c of
// triangle f.
//
// The rules are those of M. Mikkelsen, "Simulation of Wrinkled Surfaces
// Revisited" (2008), §3.7 and appendix: what the tangent is depends only on
// positions, normals and UVs, not on the order or indices of the triangles.
type tangler struct {
	p       *Primitive
	corners []uint32     // vertex by corner
	uv      []mgl32.Vec2 // by vertex
	welded  []uint32     // by vertex: the first that is the same in position, normal and UV
	face    []tangentFace
	across  []int32 // by corner: the triangle across the edge that begins there, or -1
	groupOf []int32 // by corner, -1 for none
	groups  []tangentGroup
}

// tangentFace is a triangle.
type tangentFace struct {
	u        mgl32.Vec3 // the way U grows, unit, or zero
	upright  bool       // the UVs are not mirrored
	flat     bool       // no area of UV: it takes the side of whoever comes first
	dropped  bool       // no area at all: it neither gives nor joins
	assigned bool       // a flat one has taken its side
}

// tangentGroup is the corners around one welded vertex, joined by edges, that
// are mirrored alike.
type tangentGroup struct {
	vertex  uint32 // welded
	upright bool
	tangent mgl32.Vec3
}

func (t *tangler) weld() {
	t.welded = make([]uint32, len(t.p.Positions))
	size := 16
	for size < 2*len(t.welded) {
		size *= 2
	}
	table := make([]uint32, size) // vertex + 1, open addressing
	for i := range t.welded {
		at := int(t.hash(i)) & (size - 1)
		for table[at] != 0 && !t.same(int(table[at]-1), i) {
			at = (at + 1) & (size - 1)
		}
		if table[at] == 0 {
			table[at] = uint32(i) + 1
		}
		t.welded[i] = table[at] - 1
	}
}

func (t *tangler) same(a, b int) bool {
	return t.p.Positions[a] == t.p.Positions[b] && t.p.Normals[a] == t.p.Normals[b] && t.uv[a] == t.uv[b]
}

func (t *tangler) hash(i int) uint64 {
	p, n, uv := t.p.Positions[i], t.p.Normals[i], t.uv[i]
	h := uint64(14695981039346656037)
	for _, f := range [8]float32{p[0], p[1], p[2], n[0], n[1], n[2], uv[0], uv[1]} {
		h = (h ^ uint64(math.Float32bits(f+0))) * 0x9E3779B97F4A7C15 // + 0 makes one of both zeros
		h ^= h >> 29
	}
	return h
}

// at is the welded vertex of a corner.
func (t *tangler) at(corner int) uint32 { return t.welded[t.corners[corner]] }

func (t *tangler) faces() {
	t.face = make([]tangentFace, len(t.corners)/3)
	for f := range t.face {
		a, b, c := t.at(3*f), t.at(3*f+1), t.at(3*f+2)
		pa, pb, pc := t.p.Positions[a], t.p.Positions[b], t.p.Positions[c]
		x := &t.face[f]
		if x.dropped = pa == pb || pb == pc || pc == pa; x.dropped {
			continue
		}
		d1, d2 := t.uv[b].Sub(t.uv[a]), t.uv[c].Sub(t.uv[a])
		area := d1[0]*d2[1] - d1[1]*d2[0]
		x.upright = area > 0
		x.u = unitOrZero(pb.Sub(pa).Mul(d2[1]).Sub(pc.Sub(pa).Mul(d1[1])))
		if !x.upright {
			x.u = x.u.Mul(-1)
		}
		x.flat = !(float32(math.Abs(float64(area))) > minNormal) || x.u == mgl32.Vec3{}
	}
}

// minNormal is the least float32 of full precision: an area below is none.
const minNormal = 1.17549435e-38

// unitOrZero is v of length 1, or zero where it has none.
func unitOrZero(v mgl32.Vec3) mgl32.Vec3 {
	x, y, z := float64(v[0]), float64(v[1]), float64(v[2])
	n := math.Sqrt(x*x + y*y + z*z) // no float32 overflows or vanishes in it
	if !(n > 0) || math.IsInf(n, 0) {
		return mgl32.Vec3{}
	}
	return mgl32.Vec3{float32(x / n), float32(y / n), float32(z / n)}
}

// neighbors pairs each edge with one that runs the other way; where more than
// two triangles meet, some that fit are pairs.
func (t *tangler) neighbors() {
	t.across = make([]int32, len(t.corners))
	size := 16
	for size < len(t.corners) {
		size *= 2
	}
	// Edges without a pair yet, by their ends: corner + 1, chained.
	open, chain := make([]int32, size), make([]int32, len(t.corners))
	bucket := func(from, to uint32) *int32 {
		h := (uint64(from)<<32 | uint64(to)) * 0x9E3779B97F4A7C15
		return &open[int(h>>32)&(size-1)]
	}
	for k := range t.across {
		t.across[k] = -1
		if t.face[k/3].dropped {
			continue
		}
		from, to := t.at(k), t.at(k/3*3+(k+1)%3)
		link := bucket(to, from)
		for *link != 0 {
			other := int(*link - 1)
			if t.at(other) == to && t.at(other/3*3+(other+1)%3) == from {
				break
			}
			link = &chain[other]
		}
		if *link != 0 {
			other := *link - 1
			*link = chain[other]
			t.across[k], t.across[other] = other/3, int32(k/3)
			continue
		}
		link = bucket(from, to)
		chain[k], *link = *link, int32(k+1)
	}
}

// group puts every corner of the triangles that have UVs into a group, and flat
// triangles into their neighbours'.
func (t *tangler) group() {
	t.groupOf = make([]int32, len(t.corners))
	for k := range t.groupOf {
		t.groupOf[k] = -1
	}
	var reach []int32
	for k := range t.groupOf {
		if f := &t.face[k/3]; t.groupOf[k] >= 0 || f.dropped || f.flat {
			continue
		}
		g := int32(len(t.groups))
		t.groups = append(t.groups, tangentGroup{vertex: t.at(k), upright: t.face[k/3].upright})
		reach = append(reach[:0], int32(k/3))
		for len(reach) > 0 {
			f := reach[len(reach)-1]
			reach = reach[:len(reach)-1]
			c := t.cornerAt(int(f), t.groups[g].vertex)
			if c < 0 || t.groupOf[c] >= 0 {
				continue
			}
			x := &t.face[f]
			if x.flat && !x.assigned {
				x.upright, x.assigned = t.groups[g].upright, true
			}
			if x.upright != t.groups[g].upright {
				continue
			}
			t.groupOf[c] = g
			// The two edges at this corner lead on around the vertex.
			for _, edge := range [2]int{c, int(3*f) + (c%3+2)%3} {
				if over := t.across[edge]; over >= 0 {
					reach = append(reach, over)
				}
			}
		}
	}
}

// cornerAt is the corner of triangle f at a welded vertex, or -1.
func (t *tangler) cornerAt(f int, vertex uint32) int {
	for c := 3 * f; c < 3*f+3; c++ {
		if t.at(c) == vertex {
			return c
		}
	}
	return -1
}

// sum adds, over a group's corners, the directions of U in the plane of the
// vertex's normal, each as much as its triangle's angle in that plane.
func (t *tangler) sum() {
	for k, g := range t.groupOf {
		f := k / 3
		if g < 0 || t.face[f].flat {
			continue
		}
		i := t.at(k)
		n, p := t.p.Normals[i], t.p.Positions[i]
		flat := func(v mgl32.Vec3) mgl32.Vec3 { return unitOrZero(v.Sub(n.Mul(n.Dot(v)))) }
		one := flat(t.p.Positions[t.at(3*f+(k+1)%3)].Sub(p))
		two := flat(t.p.Positions[t.at(3*f+(k+2)%3)].Sub(p))
		angle := math.Acos(float64(min(max(one.Dot(two), -1), 1)))
		t.groups[g].tangent = t.groups[g].tangent.Add(flat(t.face[f].u).Mul(float32(angle)))
	}
	for g := range t.groups {
		x := &t.groups[g]
		if x.tangent = unitOrZero(x.tangent); x.tangent == (mgl32.Vec3{}) {
			x.tangent = anyTangent(t.p.Normals[x.vertex])
		}
	}
}

// anyTangent is a direction across a normal, for vertices whose UVs say nothing.
func anyTangent(n mgl32.Vec3) mgl32.Vec3 {
	axis := mgl32.Vec3{1, 0, 0}
	if math.Abs(float64(n[0])) > 0.9 {
		axis = mgl32.Vec3{0, 0, 1}
	}
	if v := unitOrZero(axis.Sub(n.Mul(n.Dot(axis)))); v != (mgl32.Vec3{}) {
		return v
	}
	return axis
}

// alike is the cosine within which two tangents at a vertex are one, about a
// quarter of a degree: no picture shows the difference.
const alike = 0.99999

// split gives vertices their tangents, a copy for each further one.
func (t *tangler) split() Primitive {
	n := len(t.p.Positions)
	tangents := make([]mgl32.Vec4, n)
	var origin []uint32       // of the copies
	next := make([]uint32, n) // by vertex and copy: a further copy; 0 is none
	indices := make([]uint32, len(t.corners))
	lone := t.lenders()
	for k := range t.corners {
		v := t.corners[k]
		g := t.groupOf[k]
		if g < 0 {
			if lender, ok := lone[t.at(k)]; ok {
				g = lender
			}
		}
		var want mgl32.Vec4
		switch {
		case g < 0:
			want = anyTangent(t.p.Normals[v]).Vec4(1)
		case t.groups[g].upright:
			want = t.groups[g].tangent.Vec4(1)
		default:
			want = t.groups[g].tangent.Vec4(-1)
		}
		for {
			if tangents[v][3] == 0 {
				tangents[v] = want
			}
			if have := tangents[v]; have[3] == want[3] && have.Vec3().Dot(want.Vec3()) > alike {
				break
			}
			if next[v] == 0 {
				next[v] = uint32(len(tangents))
				origin = append(origin, t.corners[k])
				tangents, next = append(tangents, mgl32.Vec4{}), append(next, 0)
			}
			v = next[v]
		}
		indices[k] = v
	}
	for v := range tangents {
		if tangents[v][3] == 0 { // no triangle has it
			tangents[v] = anyTangent(t.p.Normals[v]).Vec4(1)
		}
	}
	out := *t.p
	out.Tangents = tangents
	if len(origin) == 0 {
		return out
	}
	out.Indices = indices
	out.copyVertices(origin)
	return out
}

// lenders are the first groups at welded vertices, for the corners of triangles
// without area, which have none of their own; nil where all have one.
func (t *tangler) lenders() map[uint32]int32 {
	if !slices.Contains(t.groupOf, -1) {
		return nil
	}
	first := map[uint32]int32{}
	for k, g := range t.groupOf {
		if _, ok := first[t.at(k)]; g >= 0 && !ok {
			first[t.at(k)] = g
		}
	}
	return first
}

// copyVertices appends copies of the vertices of origin to every attribute but
// the tangents. What was there before is not written to.
func (p *Primitive) copyVertices(origin []uint32) {
	p.Positions = withCopies(p.Positions, origin)
	p.Normals = withCopies(p.Normals, origin)
	p.Colors = withCopies(p.Colors, origin)
	p.DualQuaternion = withCopies(p.DualQuaternion, origin)
	p.UV = eachWithCopies(p.UV, origin)
	p.MoreColors = eachWithCopies(p.MoreColors, origin)
	p.Joints = eachWithCopies(p.Joints, origin)
	p.Weights = eachWithCopies(p.Weights, origin)
	p.Targets = slices.Clone(p.Targets)
	for i := range p.Targets {
		t := &p.Targets[i]
		t.Positions = withCopies(t.Positions, origin)
		t.Normals = withCopies(t.Normals, origin)
		t.Tangents = withCopies(t.Tangents, origin)
	}
}

func withCopies[T any](all []T, origin []uint32) []T {
	if all == nil {
		return nil
	}
	out := make([]T, len(all), len(all)+len(origin))
	copy(out, all)
	for _, v := range origin {
		out = append(out, all[v])
	}
	return out
}

func eachWithCopies[T any](sets [][]T, origin []uint32) [][]T {
	out := slices.Clone(sets)
	for i := range out {
		out[i] = withCopies(out[i], origin)
	}
	return out
}
