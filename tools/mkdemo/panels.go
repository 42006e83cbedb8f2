package main

import "math"

// A corner is one vertex of the mannequin before it is written.
type corner struct {
	pos, nrm vec
	rest     vec // the point on the field's surface whose weights it takes
	light    float64
	part     string
}

// sheet is a triangle list of corners of one material.
type sheet struct {
	at  []corner
	tri [][3]int
}

// sheets maps a material's name to what is made of it.
type sheets map[string]*sheet

func (s sheets) of(material string) *sheet {
	if s[material] == nil {
		s[material] = &sheet{}
	}
	return s[material]
}

// snap moves vertices that lie very near a zone's border onto it, so that
// cutting leaves no slivers.
func (s *surface) snap(f field, z zone, h float64) {
	for i, p := range s.pos {
		d := z.in(p)
		if math.Abs(d) > h {
			continue
		}
		const e = 2e-4
		var g vec
		for a := range g {
			p1, p2 := p, p
			p1[a] += e
			p2[a] -= e
			g[a] = (z.in(p1) - z.in(p2)) / (2 * e)
		}
		g = g.sub(s.nrm[i].mul(g.dot(s.nrm[i])))
		if p[0] == 0 {
			g[0] = 0
		}
		g2 := g.dot(g)
		if g2 < 0.04 || math.Abs(d)/math.Sqrt(g2) > 0.24*h {
			continue
		}
		q := settle(f, p.sub(g.mul(d/g2)))
		if p[0] == 0 {
			q[0] = 0
		}
		s.pos[i], s.nrm[i] = q, seamNormal(f, q)
	}
}

// refine halves the edges that a thin zone slips through unseen, both ends of
// the edge being on one side of its border, and the triangles on them.
func (s *surface) refine(f field, z zone) {
	inside := make([]bool, len(s.pos))
	for i, p := range s.pos {
		inside[i] = z.in(p) > 2e-4
	}
	middle := map[[2]int]int{}
	seen := map[[2]int]bool{}
	for _, t := range s.tri {
		for k := range 3 {
			key := [2]int{min(t[k], t[(k+1)%3]), max(t[k], t[(k+1)%3])}
			if seen[key] || inside[key[0]] != inside[key[1]] {
				continue
			}
			seen[key] = true
			a, b := s.pos[key[0]], s.pos[key[1]]
			for q := 1; q < 8; q++ {
				if (z.in(a.lerp(b, float64(q)/8)) > 2e-4) == inside[key[0]] {
					continue
				}
				p := settle(f, a.lerp(b, 0.5))
				if a[0] == 0 && b[0] == 0 {
					p[0] = 0
				}
				middle[key] = len(s.pos)
				s.pos, s.nrm = append(s.pos, p), append(s.nrm, seamNormal(f, p))
				break
			}
		}
	}
	var tri [][3]int
	for _, t := range s.tri {
		var m [3]int
		n := 0
		for k := range 3 {
			v, ok := middle[[2]int{min(t[k], t[(k+1)%3]), max(t[k], t[(k+1)%3])}]
			if m[k] = -1; ok {
				m[k] = v
				n++
			}
		}
		switch n {
		case 0:
			tri = append(tri, t)
		case 1:
			k := 0
			for m[k] < 0 {
				k++
			}
			a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
			tri = append(tri, [3]int{a, m[k], c}, [3]int{m[k], b, c})
		case 2:
			k := 0
			for m[k] >= 0 {
				k++
			}
			// Edge k is whole; both others are halved.
			a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
			bc, ca := m[(k+1)%3], m[(k+2)%3]
			tri = append(tri, [3]int{a, b, bc}, [3]int{a, bc, ca}, [3]int{ca, bc, c})
		default:
			tri = append(tri, [3]int{t[0], m[0], m[2]}, [3]int{m[0], t[1], m[1]}, [3]int{m[2], m[1], t[2]}, [3]int{m[0], m[1], m[2]})
		}
	}
	s.tri = tri
}

// seamNormal is the field's normal; on the middle plane it has no x.
func seamNormal(f field, p vec) vec {
	n := gradient(f, p)
	if p[0] == 0 {
		n[0] = 0
		n = n.unit()
	}
	return n
}

// carve cuts a surface along the borders of its zones. Each zone is sunk, and a
// skirt closes the step between it and the panel around it.
func carve(f field, s surface, zones []zone, h float64, part string, out sheets) {
	for _, z := range zones {
		s.refine(f, z)
		s.refine(f, z)
		s.snap(f, z, h/2)
		s.refine(f, z)
	}
	rest := s.tri
	for _, z := range zones {
		value := make([]float64, len(s.pos))
		for i, p := range s.pos {
			if value[i] = z.in(p); math.Abs(value[i]) < 2e-4 {
				value[i] = 0
			}
		}
		cut := map[[2]int]int{}
		split := func(a, b int) int {
			key := [2]int{min(a, b), max(a, b)}
			if m, ok := cut[key]; ok {
				return m
			}
			a, b = key[0], key[1]
			lo, hi := 0.0, 1.0
			for range 24 { // the field bends along the edge: bisect
				t := (lo + hi) / 2
				if (z.in(s.pos[a].lerp(s.pos[b], t)) > 0) == (value[a] > 0) {
					lo = t
				} else {
					hi = t
				}
			}
			p := settle(f, s.pos[a].lerp(s.pos[b], lo))
			if s.pos[a][0] == 0 && s.pos[b][0] == 0 {
				p[0] = 0
			}
			s.pos, s.nrm, value = append(s.pos, p), append(s.nrm, seamNormal(f, p)), append(value, 0)
			cut[key] = len(s.pos) - 1
			return cut[key]
		}
		var inside, outside [][3]int
		put := func(positive bool, t [3]int) {
			if positive {
				inside = append(inside, t)
			} else {
				outside = append(outside, t)
			}
		}
		for _, t := range rest {
			pos, neg := 0, 0
			for _, v := range t {
				if value[v] > 0 {
					pos++
				} else if value[v] < 0 {
					neg++
				}
			}
			if pos == 0 && neg == 0 { // it spans the zone from border to border
				put(z.in(s.pos[t[0]].add(s.pos[t[1]]).add(s.pos[t[2]]).mul(1.0/3)) > 0, t)
				continue
			}
			if pos == 0 || neg == 0 {
				put(pos > 0, t)
				continue
			}
			// Turn the triangle so that its lone corner comes first.
			for k := range 3 {
				a, b, c := t[k], t[(k+1)%3], t[(k+2)%3]
				if value[a]*value[b] < 0 && value[a]*value[c] < 0 {
					ab, ac := split(a, b), split(a, c)
					put(value[a] > 0, [3]int{a, ab, ac})
					put(value[a] < 0, [3]int{ab, b, c})
					put(value[a] < 0, [3]int{ab, c, ac})
					break
				}
				if value[a] == 0 && value[b]*value[c] < 0 {
					bc := split(b, c)
					put(value[b] > 0, [3]int{a, b, bc})
					put(value[c] > 0, [3]int{a, bc, c})
					break
				}
			}
		}
		out.of(z.material).take(&s, inside, z.depth, part)
		out.of("shell").skirt(&s, inside, outside, z.depth, part)
		rest = outside
	}
	out.of("shell").take(&s, rest, 0, part)
}

func (sh *sheet) take(s *surface, tris [][3]int, depth float64, part string) {
	seen := map[int]int{}
	for _, t := range tris {
		var u [3]int
		for k, v := range t {
			m, ok := seen[v]
			if !ok {
				m = len(sh.at)
				seen[v] = m
				sh.at = append(sh.at, corner{pos: s.pos[v].sub(s.nrm[v].mul(depth)), nrm: s.nrm[v], rest: s.pos[v], light: 1, part: part})
			}
			u[k] = m
		}
		sh.tri = append(sh.tri, u)
	}
}

// skirt hangs a wall from the border of the outside triangles, facing inside.
func (sh *sheet) skirt(s *surface, inside, outside [][3]int, depth float64, part string) {
	edge := map[[2]int]bool{}
	for _, t := range inside {
		for k := range 3 {
			edge[[2]int{t[k], t[(k+1)%3]}] = true
		}
	}
	facing := map[int]vec{}
	var rim [][2]int
	for _, t := range outside {
		for k := range 3 {
			u, v := t[k], t[(k+1)%3]
			if !edge[[2]int{v, u}] {
				continue
			}
			rim = append(rim, [2]int{u, v})
			side := s.pos[v].sub(s.pos[u]).cross(s.nrm[u])
			facing[u], facing[v] = facing[u].add(side), facing[v].add(side)
		}
	}
	top := map[int]int{}
	corners := func(v int) int {
		m, ok := top[v]
		if !ok {
			m = len(sh.at)
			top[v] = m
			n := facing[v].unit().add(s.nrm[v].mul(0.35)).unit()
			if s.pos[v][0] == 0 {
				n[0] = 0
				n = n.unit()
			}
			for _, d := range [2]float64{0, depth + 0.0005} {
				sh.at = append(sh.at, corner{pos: s.pos[v].sub(s.nrm[v].mul(d)), nrm: n, rest: s.pos[v], light: 1 - 0.25*ramp(0, depth, d), part: part})
			}
		}
		return m
	}
	for _, r := range rim {
		u, v := corners(r[0]), corners(r[1])
		sh.tri = append(sh.tri, [3]int{v, u, u + 1}, [3]int{v, u + 1, v + 1})
	}
}

// lofted builds one finger of the left hand: panels with a sunk joint between.
func lofted(d digit, out sheets) {
	const sides = 8
	axis := d.dir.unit()
	up := vec{0, 1, 0}
	up = up.sub(axis.mul(up.dot(axis))).unit()
	if d.name == "thumb" {
		up = vec{-0.55, 0.6, 0.6}
		up = up.sub(axis.mul(up.dot(axis))).unit()
	}
	across := up.cross(axis)
	total := d.bones[0] + d.bones[1] + d.bones[2]
	type ring struct {
		t, r     float64
		material string // of the band that ends at this ring
	}
	radius := func(t float64) float64 { return mix(d.r0, d.r1, clamp(t/total, 0, 1)) }
	const gap, lip, sunk = 0.0034, 0.0007, 0.0011
	rings := []ring{{-0.006, d.r0 - sunk, ""}}
	joint := 0.0
	for b, l := range d.bones {
		if b > 0 {
			joint += d.bones[b-1]
		}
		start, end := joint+gap, joint+l-gap
		if b == 0 {
			start = joint + 0.010
		}
		rings = append(rings, ring{start, radius(start) - sunk, "joint"}, ring{start + lip, radius(start), "shell"})
		if b < 2 {
			mid := (start + end) / 2
			rings = append(rings, ring{mid, radius(mid) * 0.965, "shell"}, ring{end - lip, radius(end), "shell"},
				ring{end, radius(end) - sunk, "shell"}, ring{joint + l, radius(end) - sunk*0.6, "joint"})
			continue
		}
		tip := total - d.r1
		rings = append(rings, ring{mix(start, tip, 0.5), radius(tip) * 1.0, "shell"})
		for _, a := range [4]float64{0, 32, 60, 82} {
			s, c := math.Sincos(a * math.Pi / 180)
			rings = append(rings, ring{tip + d.r1*s, d.r1 * c, "shell"})
		}
	}
	point := func(r ring, k int) (p, radial vec) {
		s, c := math.Sincos(2 * math.Pi * float64(k) / sides)
		radial = across.mul(c).add(up.mul(s * 0.95))
		return d.base.add(axis.mul(r.t)).add(radial.mul(r.r)), radial.unit()
	}
	part := "finger " + d.name
	for i := 1; i < len(rings); i++ {
		a, b := rings[i-1], rings[i]
		sh := out.of(b.material)
		first := len(sh.at)
		for j, r := range [2]ring{a, b} {
			// The profile's slope: of this band at a lip, of both at a smooth ring.
			from, to := a, b
			if j == 0 && i > 1 && b.material == a.material && b.t-a.t > 2*lip && a.t-rings[i-2].t > 2*lip {
				from = rings[i-2]
			}
			if j == 1 && i+1 < len(rings) && rings[i+1].material == b.material && b.t-a.t > 2*lip && rings[i+1].t-b.t > 2*lip {
				to = rings[i+1]
			}
			slope := (from.r - to.r) / max(to.t-from.t, 1e-6)
			for k := range sides {
				p, radial := point(r, k)
				sh.at = append(sh.at, corner{pos: p, nrm: radial.add(axis.mul(slope)).unit(), rest: p, light: 1, part: part})
			}
		}
		for k := range sides {
			l := (k + 1) % sides
			p, q, r, s := first+k, first+l, first+sides+l, first+sides+k
			sh.tri = append(sh.tri, [3]int{p, q, r}, [3]int{p, r, s})
		}
	}
	// Close the tip.
	sh := out.of("shell")
	last := len(sh.at) - sides
	sh.at = append(sh.at, corner{pos: d.base.add(axis.mul(total)), nrm: axis, rest: d.base.add(axis.mul(total)), light: 1, part: part})
	for k := range sides {
		sh.tri = append(sh.tri, [3]int{last + k, last + (k+1)%sides, len(sh.at) - 1})
	}
}
