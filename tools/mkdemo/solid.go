package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// solid gathers triangles by material for one mesh of the house or the props.
type solid map[string]*stuff

type stuff struct {
	pos, nrm []vec
	uv       [][2]float64
	tint     []vec
	idx      []int
}

func (s solid) of(material string) *stuff {
	if s[material] == nil {
		s[material] = &stuff{}
	}
	return s[material]
}

func (m *stuff) corner(p, n vec, u, v float64, tint vec) int {
	m.pos, m.nrm, m.tint = append(m.pos, p), append(m.nrm, n), append(m.tint, tint)
	m.uv = append(m.uv, [2]float64{u, v})
	return len(m.pos) - 1
}

var white = vec{1, 1, 1}

// polygon adds a flat convex polygon, counter-clockwise from outside, with
// texture places from its world position: scale repeats a metre.
func (s solid) polygon(material string, tint vec, ps ...vec) {
	m, l := s.of(material), materials[material]
	n := ps[1].sub(ps[0]).cross(ps[2].sub(ps[0])).unit()
	first := len(m.pos)
	for _, p := range ps {
		u, v := worldUV(p, n)
		m.corner(p, n, u*l.repeat, v*l.repeat, tint)
	}
	for k := 2; k < len(ps); k++ {
		m.idx = append(m.idx, first, first+k-1, first+k)
	}
}

func worldUV(p, n vec) (u, v float64) {
	a := vec{math.Abs(n[0]), math.Abs(n[1]), math.Abs(n[2])}
	switch {
	case a[1] >= a[0] && a[1] >= a[2]:
		return p[0], p[2]
	case a[0] >= a[2]:
		return p[2], -p[1]
	}
	return p[0], -p[1]
}

// block is a box about c with half sizes h, turned by q, with chamfered edges.
type block struct {
	material string
	c, h     vec
	q        quat
	bevel    float64
	tint     vec
	seed     int // shifts the grain, so that no two boards are alike
}

// box adds an upright box with a small chamfer.
func (s solid) box(material string, c, h vec, bevel float64) {
	s.block(block{material: material, c: c, h: h, q: noTurn, bevel: bevel, tint: white})
}

// beam adds a box from a to b with cross-section half sizes w (sideways) and d.
func (s solid) beam(material string, a, b, side vec, w, d, bevel float64) {
	x := b.sub(a).unit()
	z := side.sub(x.mul(side.dot(x))).unit()
	s.block(block{material: material, c: a.lerp(b, 0.5), h: vec{b.sub(a).len() / 2, w, d}, q: frameQuat(x, z.cross(x), z), bevel: bevel, tint: white})
}

func (s solid) block(b block) {
	m, l := s.of(b.material), materials[b.material]
	seed := b.seed
	for i := range 3 {
		seed += int(math.Round(b.c[i]*1000)) * (i*2 + 3)
	}
	jitter := [2]float64{hash2(seed, 1, 5), hash2(seed, 2, 5)}
	tint := b.tint
	if l.vary > 0 {
		tint = tint.mul(1 - l.vary*hash2(seed, 3, 5))
	}
	long := 0
	for i := range 3 {
		if b.h[i] > b.h[long] {
			long = i
		}
	}
	in := b.h
	for i := range in {
		in[i] = max(b.h[i]-b.bevel, 0)
	}
	emit := func(n vec, ps ...vec) {
		if ps[1].sub(ps[0]).cross(ps[2].sub(ps[0])).dot(n) < 0 {
			slices.Reverse(ps)
		}
		first := len(m.pos)
		wn := b.q.rotate(n.unit())
		for _, p := range ps {
			w := b.c.add(b.q.rotate(p))
			var u, v float64
			if l.grain {
				// Grain runs along the board.
				axis := 0
				for i := range 3 {
					if math.Abs(n[i]) > math.Abs(n[axis])+1e-9 {
						axis = i
					}
				}
				ua := long
				if axis == long {
					ua = (axis + 1) % 3
				}
				u, v = p[ua]+jitter[0]*3, p[3-axis-ua]+jitter[1]*3
			} else {
				u, v = worldUV(w, wn)
			}
			m.corner(w, wn, u*l.repeat, v*l.repeat, tint)
		}
		for k := 2; k < len(ps); k++ {
			m.idx = append(m.idx, first, first+k-1, first+k)
		}
	}
	for a := range 3 {
		c, d := (a+1)%3, (a+2)%3
		for _, sign := range [2]float64{-1, 1} {
			var n vec
			n[a] = sign
			at := func(i, j float64) vec {
				var p vec
				p[a], p[c], p[d] = sign*b.h[a], i*in[c], j*in[d]
				return p
			}
			emit(n, at(-1, -1), at(1, -1), at(1, 1), at(-1, 1))
			if b.bevel == 0 {
				continue
			}
			for _, other := range [2]float64{-1, 1} { // the edge between faces a and c
				var e vec
				e[a], e[c] = sign, other
				p := func(onA bool, j float64) vec {
					var p vec
					p[a], p[c], p[d] = sign*in[a], other*in[c], j*in[d]
					if onA {
						p[a] = sign * b.h[a]
					} else {
						p[c] = other * b.h[c]
					}
					return p
				}
				emit(e, p(true, -1), p(true, 1), p(false, 1), p(false, -1))
			}
		}
	}
	if b.bevel == 0 {
		return
	}
	for k := range 8 {
		n := vec{float64(k&1)*2 - 1, float64(k>>1&1)*2 - 1, float64(k>>2)*2 - 1}
		var ps [3]vec
		for a := range 3 {
			ps[a] = n.scale(in)
			ps[a][a] = n[a] * b.h[a]
		}
		emit(n, ps[0], ps[1], ps[2])
	}
}

// tube lofts a round shape along points with radii; smooth, open at its ends
// unless they have radius 0.
func (s solid) tube(material string, sides int, tint vec, at []vec, r []float64) {
	m, l := s.of(material), materials[material]
	along := 0.0
	rows := make([]int, len(at))
	var right vec
	for i, p := range at {
		d := at[min(i+1, len(at)-1)].sub(at[max(i-1, 0)])
		slope := (r[max(i-1, 0)] - r[min(i+1, len(r)-1)]) / max(d.len(), 1e-4)
		// Where rings share their middle the next ones further off tell the way.
		for k := 2; d.len() < 1e-9 && k < len(at); k++ {
			d = at[min(i+k, len(at)-1)].sub(at[max(i-k, 0)])
		}
		d = d.unit()
		if i == 0 {
			right = vec{0.02, 0.03, 1}.cross(d)
			if right.len() < 0.1 {
				right = vec{1, 0, 0}
			}
		}
		right = right.sub(d.mul(right.dot(d))).unit()
		up := d.cross(right)
		if i > 0 {
			along += p.sub(at[i-1]).len()
		}
		rows[i] = len(m.pos)
		for k := range sides + 1 {
			sn, cs := math.Sincos(2 * math.Pi * float64(k) / float64(sides))
			n := right.mul(cs).add(up.mul(sn))
			u, v := along*l.repeat, float64(k)/float64(sides)*math.Max(1, math.Round(2*math.Pi*r[0]*l.repeat))
			m.corner(p.add(n.mul(r[i])), n.add(d.mul(slope)).unit(), u, v, tint)
		}
		if i == 0 {
			continue
		}
		for k := range sides {
			a, b, c, e := rows[i-1]+k, rows[i-1]+k+1, rows[i]+k+1, rows[i]+k
			if r[i-1] > 0 {
				m.idx = append(m.idx, a, b, c)
			}
			if r[i] > 0 || r[i-1] == 0 {
				m.idx = append(m.idx, a, c, e)
			}
		}
	}
}

// tangents are the directions of growing u, with the side on which v grows in w
// (glTF 2.0 §3.7.2.1), averaged over the triangles of a vertex.
func (m *stuff) tangents() []float32 {
	along, across := make([]vec, len(m.pos)), make([]vec, len(m.pos))
	for k := 0; k < len(m.idx); k += 3 {
		a, b, c := m.idx[k], m.idx[k+1], m.idx[k+2]
		e1, e2 := m.pos[b].sub(m.pos[a]), m.pos[c].sub(m.pos[a])
		du1, dv1 := m.uv[b][0]-m.uv[a][0], m.uv[b][1]-m.uv[a][1]
		du2, dv2 := m.uv[c][0]-m.uv[a][0], m.uv[c][1]-m.uv[a][1]
		det := math.Copysign(1, du1*dv2-du2*dv1)
		t := e1.mul(dv2).sub(e2.mul(dv1)).mul(det)
		s := e2.mul(du1).sub(e1.mul(du2)).mul(det)
		for _, v := range [3]int{a, b, c} {
			along[v], across[v] = along[v].add(t), across[v].add(s)
		}
	}
	out := make([]float32, 0, 4*len(m.pos))
	for i, n := range m.nrm {
		t := along[i].sub(n.mul(n.dot(along[i])))
		if t.len() < 1e-12 {
			// No u to follow: any direction across the normal.
			if t = (vec{1, 0, 0}).sub(n.mul(n[0])); t.len() < 0.1 {
				t = vec{0, 0, 1}.sub(n.mul(n[2]))
			}
		}
		t = t.unit()
		// v runs down the picture, the bitangent up it.
		w := float32(-1)
		if n.cross(t).dot(across[i]) < 0 {
			w = 1
		}
		out = append(out, float32(t[0]), float32(t[1]), float32(t[2]), w)
	}
	return out
}

// scene writes solids as named nodes that share materials and textures.
type scene struct{ g glb }

func (sc *scene) node(name string, s solid, at vec) error {
	g := &sc.g
	if g.materialAt == nil {
		g.materialAt = map[string]int{}
	}
	var prims []obj
	for _, name := range slices.Sorted(maps.Keys(s)) {
		m := s[name]
		if len(m.pos) > math.MaxUint16 {
			return fmt.Errorf("%s: %d vertices do not fit 16-bit indices", name, len(m.pos))
		}
		index, err := sc.material(name)
		if err != nil {
			return err
		}
		attributes := obj{
			"POSITION": g.floats(flat(m.pos), "VEC3", 3, targetVertices, true),
			"NORMAL":   g.floats(flat(m.nrm), "VEC3", 3, targetVertices, false),
		}
		if materials[name].texture != "" {
			uv := make([]float32, 0, 2*len(m.uv))
			for _, t := range m.uv {
				uv = append(uv, float32(t[0]), float32(t[1]))
			}
			attributes["TEXCOORD_0"] = g.floats(uv, "VEC2", 2, targetVertices, false)
			attributes["TANGENT"] = g.floats(m.tangents(), "VEC4", 4, targetVertices, false)
		}
		for _, t := range m.tint {
			if t == white {
				continue
			}
			tint := make([][4]uint8, len(m.tint))
			for i, t := range m.tint {
				for k := range 3 {
					tint[i][k] = uint8(math.Round(clamp(t[k], 0, 1) * 255))
				}
				tint[i][3] = 255
			}
			attributes["COLOR_0"] = g.bytes4(tint, true)
			break
		}
		prims = append(prims, obj{"attributes": attributes, "indices": g.indices(m.idx), "material": index})
	}
	g.meshes = append(g.meshes, obj{"name": name, "primitives": prims})
	o := obj{"name": name, "mesh": len(g.meshes) - 1}
	if at != (vec{}) {
		o["translation"] = flat([]vec{at})
	}
	g.node(o, true)
	return nil
}

// look is a material of the house or the props.
type look struct {
	colour       [3]float64 // linear
	rough, metal float64
	texture      string
	repeat       float64 // of the texture a metre
	grain        bool    // texture runs along boards, not with the world
	vary         float64 // how much darker one board may be than another
	bump         float64 // normal scale
	glow         [3]float64
}

func (sc *scene) material(name string) (int, error) {
	g := &sc.g
	if i, ok := g.materialAt[name]; ok {
		return i, nil
	}
	l := materials[name]
	o := pbr(name, l.colour, l.rough, l.metal)
	if l.glow != [3]float64{} {
		o["emissiveFactor"] = l.glow
	}
	if l.texture != "" {
		first, err := sc.texture(l.texture)
		if err != nil {
			return 0, err
		}
		o["pbrMetallicRoughness"].(obj)["baseColorTexture"] = obj{"index": first}
		o["normalTexture"] = obj{"index": first + 1, "scale": l.bump}
	}
	g.materials = append(g.materials, o)
	g.materialAt[name] = len(g.materials) - 1
	return len(g.materials) - 1, nil
}

// texture adds a swatch's colour and normal pictures; the normal's index is one more.
func (sc *scene) texture(name string) (int, error) {
	g := &sc.g
	for i, t := range g.textures {
		if t["name"] == name {
			return i, nil
		}
	}
	s := swatches[name]
	c, err := s.colourPNG()
	if err != nil {
		return 0, err
	}
	n, err := s.normalPNG()
	if err != nil {
		return 0, err
	}
	for _, p := range []struct {
		name  string
		bytes []byte
	}{{name, c}, {name + " normal", n}} {
		g.images = append(g.images, obj{"name": p.name, "mimeType": "image/png", "bufferView": g.view(p.bytes, 0)})
		g.textures = append(g.textures, obj{"name": p.name, "sampler": 0, "source": len(g.images) - 1})
	}
	return len(g.textures) - 2, nil
}

var materials = map[string]look{
	"plaster":   {colour: [3]float64{1, 1, 1}, rough: 0.92, texture: "plaster", repeat: 0.6, bump: 1},
	"timber":    {colour: [3]float64{0.20, 0.125, 0.075}, rough: 0.80, texture: "wood", repeat: 0.8, grain: true, vary: 0.25, bump: 1},
	"floor":     {colour: [3]float64{0.62, 0.42, 0.25}, rough: 0.55, texture: "wood", repeat: 0.7, grain: true, vary: 0.3, bump: 0.6},
	"board":     {colour: [3]float64{0.66, 0.47, 0.30}, rough: 0.75, texture: "wood", repeat: 1.4, grain: true, vary: 0.3, bump: 1},
	"weathered": {colour: [3]float64{0.50, 0.44, 0.37}, rough: 0.85, texture: "wood", repeat: 1.2, grain: true, vary: 0.3, bump: 1},
	"paint":     {colour: [3]float64{0.085, 0.235, 0.235}, rough: 0.48, texture: "wood", repeat: 0.9, grain: true, vary: 0.12, bump: 0.6},
	"frame":     {colour: [3]float64{0.86, 0.83, 0.76}, rough: 0.55, texture: "wood", repeat: 0.9, grain: true, bump: 0.4},
	"stone":     {colour: [3]float64{1, 1, 1}, rough: 0.88, texture: "stone", repeat: 0.8, bump: 1},
	"brick":     {colour: [3]float64{1, 1, 1}, rough: 0.88, texture: "brick", repeat: 1.6, bump: 0.9},
	"tile":      {colour: [3]float64{0.56, 0.205, 0.110}, rough: 0.78, texture: "rock", repeat: 1.3, bump: 0.8},
	"flag":      {colour: [3]float64{0.62, 0.60, 0.56}, rough: 0.85, texture: "rock", repeat: 0.7, bump: 1},
	"rock":      {colour: [3]float64{0.48, 0.47, 0.44}, rough: 0.9, texture: "rock", repeat: 0.9, bump: 1.2},
	"grass":     {colour: [3]float64{1, 1, 1}, rough: 0.95, texture: "grass", repeat: 0.75, bump: 0.5},
	"bark":      {colour: [3]float64{0.30, 0.215, 0.15}, rough: 0.9, texture: "wood", repeat: 1.1, bump: 1.4},
	"glass":     {colour: [3]float64{0.030, 0.040, 0.045}, rough: 0.08},
	"iron":      {colour: [3]float64{0.045, 0.045, 0.048}, rough: 0.45, metal: 0.6},
	"brass":     {colour: [3]float64{0.72, 0.50, 0.21}, rough: 0.32, metal: 1},
	"steel":     {colour: [3]float64{0.62, 0.64, 0.67}, rough: 0.24, metal: 0.85},
	"leather":   {colour: [3]float64{0.16, 0.075, 0.035}, rough: 0.72},
	"rug":       {colour: [3]float64{0.22, 0.060, 0.045}, rough: 0.95},
	"linen":     {colour: [3]float64{0.55, 0.47, 0.34}, rough: 0.95},
	"lamp":      {colour: [3]float64{0.90, 0.75, 0.45}, rough: 0.3, glow: [3]float64{1, 0.62, 0.24}},
	"leaf":      {colour: [3]float64{0.150, 0.215, 0.062}, rough: 0.90},
	"blade":     {colour: [3]float64{0.165, 0.220, 0.060}, rough: 0.9},
	"petal":     {colour: [3]float64{0.82, 0.46, 0.16}, rough: 0.7},
}
