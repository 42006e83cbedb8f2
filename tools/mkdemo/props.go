package main

import "math"

// Each prop is a top-level node about its own origin, on y = 0, except the
// crate, whose origin is its centre.
func buildProps() ([]byte, error) {
	var sc scene
	for _, p := range []struct {
		name string
		s    solid
	}{
		{"ground", ground()},
		{"path", path()},
		{"crate", crate()},
		{"tree", tree(3, 4.6, 1.75)},
		{"tree_small", tree(11, 3.1, 1.25)},
		{"bush", bush(5)},
		{"grass", grassTuft()},
		{"flowers", flowers()},
		{"rock", rock()},
		{"fence", fence()},
		{"bench", bench()},
		{"lantern", lantern()},
	} {
		if err := sc.node(p.name, p.s, vec{}); err != nil {
			return nil, err
		}
	}
	return sc.g.encode()
}

// hill is the ground's height: level within 13 m of the middle, where things
// stand and collide, then rolling up so that the meadow's edge hides itself.
func hill(x, z float64) float64 {
	r := math.Hypot(x, z)
	up := ramp(13, 40, r)
	roll := noise(x/9+40, z/9+40, 64, 64, 71) - 0.35
	return up * (1.6 + 2.6*roll)
}

func ground() solid {
	s := solid{}
	m, l := s.of("grass"), materials["grass"]
	const sectors = 72
	radii := []float64{0}
	for r := 1.0; r < 40.01; r *= 1.115 {
		radii = append(radii, r)
	}
	radii = append(radii, 41)
	for _, r := range radii {
		for k := range sectors + 1 {
			a := 2 * math.Pi * float64(k%sectors) / sectors
			x, z := r*math.Cos(a), r*math.Sin(a)
			const e = 0.1
			n := vec{hill(x-e, z) - hill(x+e, z), 2 * e, hill(x, z-e) - hill(x, z+e)}.unit()
			v := 0.80 + 0.34*(noise(x/3.1+30, z/3.1+30, 64, 64, 72)-0.5) + 0.22*(noise(x/0.9+90, z/0.9+90, 256, 256, 73)-0.5)
			warm := 0.12 * (noise(x/6+20, z/6+20, 64, 64, 74) - 0.3)
			m.corner(vec{x, hill(x, z), z}, n, x*l.repeat, z*l.repeat, vec{v + warm, v, v - warm}.scale(vec{1, 1, 0.95}))
		}
	}
	row := sectors + 1
	for i := 1; i < len(radii); i++ {
		for k := range sectors {
			a, b, c, d := (i-1)*row+k, (i-1)*row+k+1, i*row+k+1, i*row+k
			m.idx = append(m.idx, a, c, d)
			if i > 1 {
				m.idx = append(m.idx, a, b, c)
			}
		}
	}
	return s
}

// path runs from a door's step at the origin 7.5 m along +Z.
func path() solid {
	s := solid{}
	r := chance(77)
	for row := range 13 {
		z := 0.30 + 0.58*float64(row)
		mid := 0.22 * math.Sin(z*0.62)
		split := r.around(0.16)
		n := 2
		for i := range n {
			x0, x1 := mid-0.60, mid+split
			if i == 1 {
				x0, x1 = mid+split, mid+0.60
			}
			c := vec{(x0+x1)/2 + r.around(0.02), 0, z + r.around(0.05)}
			flagstone(s, c, (x1-x0)/2-0.030, 0.255+r.around(0.02), &r)
		}
	}
	return s
}

func flagstone(s solid, c vec, hx, hz float64, r *chance) {
	m, l := s.of("flag"), materials["flag"]
	const n = 14
	v := 0.78 + 0.22*r.unit()
	tint := vec{v, v * (0.96 + 0.04*r.unit()), v * (0.92 + 0.06*r.unit())}
	top := 0.026 + r.around(0.006)
	turned := r.around(0.05)
	var ring [n]vec
	for i := range n {
		a := 2*math.Pi*float64(i)/n + turned
		sn, cs := math.Sincos(a)
		k := math.Pow(math.Pow(math.Abs(cs), 5)+math.Pow(math.Abs(sn), 5), -1.0/5) * (1 + r.around(0.045))
		ring[i] = vec{c[0] + hx*k*cs, 0, c[2] + hz*k*sn}
	}
	put := func(p, nn vec) int { return m.corner(p, nn, p[0]*l.repeat+v*7, (p[2]-p[1])*l.repeat, tint) }
	center := put(vec{c[0], top + 0.002, c[2]}, vec{0, 1, 0})
	var inner, bevel, foot [n]int
	for i, p := range ring {
		out := p.sub(vec{c[0], 0, c[2]}).unit()
		q := c.lerp(p, 1-0.018/max(hx, hz))
		inner[i] = put(vec{q[0], top, q[2]}, out.mul(0.25).add(vec{0, 1, 0}).unit())
		bevel[i] = put(vec{p[0], top - 0.012, p[2]}, out.add(vec{0, 0.45, 0}).unit())
		foot[i] = put(vec{p[0], -0.02, p[2]}, out)
	}
	for i := range n {
		j := (i + 1) % n
		m.idx = append(m.idx, center, inner[j], inner[i],
			inner[i], inner[j], bevel[j], inner[i], bevel[j], bevel[i],
			bevel[i], bevel[j], foot[j], bevel[i], foot[j], foot[i])
	}
}

// crate is half a metre each way.
func crate() solid {
	s := solid{}
	const h, t, f = 0.25, 0.011, 0.038
	for a := range 3 {
		b, c := (a+1)%3, (a+2)%3
		for _, k := range [2]float64{-1, 1} {
			for i := range 5 { // boards of one side
				var at, half vec
				at[a], half[a] = k*(h-0.022), t
				w := (h - 0.02) / 5
				at[b], half[b] = (float64(i)-2)*2*w, w-0.002
				half[c] = h - 0.02
				s.block(block{material: "board", c: at, h: half, q: noTurn, bevel: 0.004, tint: white, seed: a*100 + i*7 + int(k)})
			}
		}
		for _, i := range [2]float64{-1, 1} { // the frame's bars along c
			for _, j := range [2]float64{-1, 1} {
				var at, half vec
				at[a], at[b] = i*(h-f/2), j*(h-f/2)
				half[a], half[b], half[c] = f/2, f/2, h
				s.block(block{material: "board", c: at, h: half, q: noTurn, bevel: 0.005, tint: vec{0.82, 0.80, 0.78}, seed: a*13 + int(i*3+j)})
			}
		}
	}
	// One brace across each upright side.
	for i := range 4 {
		q := rotY(90 * float64(i))
		s.block(block{material: "board", c: q.rotate(vec{0, 0, h - 0.009}), h: vec{0.285, 0.030, 0.008}, q: q.mul(rotZ(45)), bevel: 0.003, tint: vec{0.88, 0.86, 0.84}, seed: i * 5})
	}
	return s
}

// leaves scatters leaf blades over a lump of foliage. Both sides of a blade
// share normals that point away from the crown, so that the foliage is lit as
// one soft body and needs no two-sided material.
func leaves(s solid, r *chance, c vec, radius vec, crown vec, count int, size float64) {
	m := s.of("leaf")
	for range count {
		d := vec{r.around(1), r.around(1), r.around(1)}
		if d.len() > 1 || d.len() < 0.1 {
			d = vec{r.around(1), r.around(0.6) + 0.4, r.around(1)}
		}
		d = d.unit()
		depth := 0.74 + 0.27*r.unit()
		p := c.add(d.scale(radius).mul(depth))
		n := d.mul(0.8).add(p.sub(crown).unit().mul(0.8)).add(vec{0, 0.35, 0}).unit()
		// The blade lies roughly along the surface and droops.
		t := vec{r.around(1), r.around(1) - 0.35, r.around(1)}
		t = t.sub(n.mul(t.dot(n) * 0.75)).unit()
		w := t.cross(n.add(vec{r.around(0.8), r.around(0.8), r.around(0.8)})).unit()
		l := size * (0.75 + 0.5*r.unit())
		v := mix(0.50, 1.0, ramp(0.72, 1.01, depth)) * mix(0.66, 1, ramp(-1, 0.7, d[1])) * (0.82 + 0.18*r.unit())
		tint := vec{v * (0.86 + 0.14*r.unit()), v, v * (0.70 + 0.30*r.unit())}
		blade(m, p, t.mul(l), w.mul(l*0.35), n, tint)
	}
}

// blade is a rhombus from p along t, w wide either way, seen from both sides.
func blade(m *stuff, p, t, w, n, tint vec) {
	a := m.corner(p, n, 0, 0, tint)
	b := m.corner(p.add(t.mul(0.45)).add(w), n, 0, 0, tint)
	c := m.corner(p.add(t), n, 0, 0, tint)
	d := m.corner(p.add(t.mul(0.45)).sub(w), n, 0, 0, tint)
	m.idx = append(m.idx, a, b, c, a, c, d, a, c, b, a, d, c)
}

// lumpOf is a dark ball inside foliage that stops light from passing through.
func lumpOf(s solid, c, r vec, shade float64) {
	m := s.of("leaf")
	const rows, sides = 8, 12
	first := len(m.pos)
	for i := range rows + 1 {
		sa, ca := math.Sincos(math.Pi * float64(i) / rows)
		for k := range sides + 1 {
			sb, cb := math.Sincos(2 * math.Pi * float64(k%sides) / sides)
			n := vec{sa * cb, ca, sa * sb}
			v := shade * (0.8 + 0.3*n[1])
			m.corner(c.add(n.scale(r)), n, 0, 0, vec{v, v, v * 0.9})
		}
	}
	for i := range rows {
		for k := range sides {
			a := first + i*(sides+1) + k
			b, c, d := a+1, a+sides+2, a+sides+1
			if i > 0 {
				m.idx = append(m.idx, a, b, c)
			}
			if i < rows-1 {
				m.idx = append(m.idx, a, c, d)
			}
		}
	}
}

// tree stands tall metres high with a crown of about wide metres' radius.
func tree(seed uint64, tall, wide float64) solid {
	s := solid{}
	r := chance(seed)
	fork := tall * 0.42
	lean := vec{r.around(0.12), 0, r.around(0.12)}
	trunk := []vec{{0, -0.1, 0}, {0, 0.06, 0}, {0.02, 0.35, 0.01}, lean.mul(0.5).add(vec{0, fork * 0.6, 0}), lean.add(vec{0, fork, 0}), lean.mul(1.3).add(vec{0, tall * 0.75, 0})}
	w := tall * 0.034
	s.tube("bark", 12, white, trunk, []float64{w * 2.0, w * 1.65, w * 1.15, w * 0.95, w * 0.80, w * 0.2})
	crown := lean.add(vec{0, tall * 0.66, 0})
	for i := range 7 {
		a := 2*math.Pi*float64(i)/6 + r.around(0.35)
		at := vec{wide * 0.56 * math.Cos(a), tall * (0.03 + 0.07*math.Sin(float64(i)*2.4)), wide * 0.56 * math.Sin(a)}
		size := wide * (0.50 + r.around(0.06))
		if i == 6 {
			at, size = vec{0, tall * 0.17, 0}, wide*0.60
		}
		c := crown.add(at)
		start := trunk[3].lerp(trunk[4], 0.5+0.5*r.unit())
		bend := start.lerp(c, 0.5).add(vec{0, -0.10 * wide, 0})
		s.tube("bark", 7, white, []vec{start, bend, c}, []float64{w * 0.45, w * 0.32, w * 0.12})
		radius := vec{size, size * 0.78, size}
		lumpOf(s, c, radius.mul(0.74), 0.42)
		leaves(s, &r, c, radius, crown, 400, 0.170+0.02*wide)
	}
	return s
}

func bush(seed uint64) solid {
	s := solid{}
	r := chance(seed)
	crown := vec{0, 0.25, 0}
	for i := range 5 {
		a := 2*math.Pi*float64(i)/4 + r.around(0.3)
		c := vec{0.30 * math.Cos(a), 0.27 + r.around(0.05), 0.30 * math.Sin(a)}
		size := 0.33 + r.around(0.05)
		if i == 4 {
			c, size = vec{0, 0.42, 0}, 0.36
		}
		lumpOf(s, c, vec{size, size * 0.8, size}.mul(0.76), 0.42)
		leaves(s, &r, c, vec{size, size * 0.8, size}, crown, 220, 0.112)
	}
	return s
}

func grassTuft() solid {
	s := solid{}
	m := s.of("blade")
	r := chance(91)
	for range 34 {
		a, d := 2*math.Pi*r.unit(), 0.16*math.Sqrt(r.unit())
		p := vec{d * math.Cos(a), -0.01, d * math.Sin(a)}
		out := vec{math.Cos(a) + r.around(0.7), 0, math.Sin(a) + r.around(0.7)}
		h := 0.10 + 0.13*r.unit()
		w := out.cross(vec{0, 1, 0}).unit().mul(0.0055)
		n := vec{out[0] * 0.3, 1, out[2] * 0.3}.unit()
		v := 0.62 + 0.38*r.unit()
		low, high := vec{v, v, v}.mul(0.55), vec{v * 1.0, v, v * 0.8}
		mid := p.add(vec{0, h * 0.6, 0}).add(out.mul(h * 0.14))
		tip := p.add(vec{0, h, 0}).add(out.mul(h * 0.42))
		i0 := m.corner(p.sub(w), n, 0, 0, low)
		i1 := m.corner(p.add(w), n, 0, 0, low)
		i2 := m.corner(mid.add(w.mul(0.7)), n, 0, 0, high)
		i3 := m.corner(mid.sub(w.mul(0.7)), n, 0, 0, high)
		i4 := m.corner(tip, n, 0, 0, high)
		for _, t := range [3][3]int{{i0, i1, i2}, {i0, i2, i3}, {i3, i2, i4}} {
			m.idx = append(m.idx, t[0], t[1], t[2], t[0], t[2], t[1])
		}
	}
	return s
}

// flowers fills a patch about a metre long with stems, leaves and small blooms.
func flowers() solid {
	s := solid{}
	r := chance(123)
	for range 26 {
		p := vec{r.around(0.48), 0, r.around(0.14)}
		h := 0.16 + 0.20*r.unit()
		top := p.add(vec{r.around(0.05), h, r.around(0.05)})
		m := s.of("blade")
		for range 4 {
			a := 2 * math.Pi * r.unit()
			t := vec{math.Cos(a), 0.5 + r.unit(), math.Sin(a)}.unit().mul(0.13)
			v := 0.55 + 0.4*r.unit()
			blade(m, p.lerp(top, 0.45*r.unit()), t, t.cross(vec{0, 1, 0}).unit().mul(0.016), vec{t[0], 3, t[2]}.unit(), vec{v, v, v * 0.8})
		}
		w := vec{0.0035, 0, 0}
		blade(m, p, top.sub(p), w, vec{0, 1, 0}, vec{0.6, 0.6, 0.5})
		petal := s.of("petal")
		tint := vec{1, 1, 1}
		if r.unit() < 0.45 {
			tint = vec{1, 1.6, 2.0}.mul(0.5) // some pale ones
		}
		for k := range 6 {
			a := 2*math.Pi*float64(k)/6 + h*9
			t := vec{math.Cos(a), 0.30, math.Sin(a)}.unit().mul(0.032)
			blade(petal, top, t, vec{-math.Sin(a), 0, math.Cos(a)}.mul(0.011), vec{t[0] * 6, 1, t[2] * 6}.unit(), tint)
		}
		s.tube("brass", 6, white, []vec{top, top.add(vec{0, 0.006, 0}), top.add(vec{0, 0.009, 0})}, []float64{0.008, 0.006, 0})
	}
	return s
}

func rock() solid {
	s := solid{}
	f := func(p vec) float64 {
		d := ball(vec{0, 0.10, 0}, vec{0.36, 0.24, 0.28})(p)
		for i := range 9 {
			a, b := hash2(i, 1, 7)*2*math.Pi, hash2(i, 2, 7)*2-0.6
			n := vec{math.Cos(a), b, math.Sin(a)}.unit()
			d = smax(d, p.sub(vec{0, 0.1, 0}).dot(n)-(0.205+0.05*hash2(i, 3, 7)), 0.03)
		}
		return d
	}
	sf := polygonise(f, vec{-0.45, -0.25, -0.4}, vec{0.45, 0.45, 0.4}, 0.055, false)
	m, l := s.of("rock"), materials["rock"]
	for i, p := range sf.pos {
		u, v := worldUV(p, vec{0, 1, 0})
		t := 0.75 + 0.25*ramp(-0.05, 0.25, p[1])
		m.corner(p, sf.nrm[i], (u+p[1]*0.5)*l.repeat, (v+p[1]*0.5)*l.repeat, vec{t, t, t})
	}
	for _, t := range sf.tri {
		n := sf.pos[t[1]].sub(sf.pos[t[0]]).cross(sf.pos[t[2]].sub(sf.pos[t[0]]))
		if n.dot(sf.nrm[t[0]]) < 0 {
			t[1], t[2] = t[2], t[1]
		}
		m.idx = append(m.idx, t[0], t[1], t[2])
	}
	return s
}

// fence is one section of 2 m along X, with a post at x = 0; the next section
// or a post of its own ends it at x = 2.
func fence() solid {
	s := solid{}
	r := chance(8)
	s.block(block{material: "weathered", c: vec{0, 0.50, 0}, h: vec{0.055, 0.56, 0.055}, q: noTurn, bevel: 0.012, tint: white})
	for _, y := range [2]float64{0.30, 0.78} {
		s.block(block{material: "weathered", c: vec{1, y, 0}, h: vec{0.98, 0.040, 0.020}, q: rotZ(r.around(0.4)), bevel: 0.006, tint: white})
	}
	for i := range 11 {
		x := 0.16 + 0.168*float64(i)
		h := 0.46 + r.around(0.015)
		q := rotZ(r.around(1.2))
		c := vec{x, 0.07 + h, 0.033}
		s.block(block{material: "weathered", c: c, h: vec{0.042, h, 0.011}, q: q, bevel: 0.004, tint: white, seed: i})
		// The picket's point.
		s.block(block{material: "weathered", c: c.add(q.rotate(vec{0, h, 0})), h: vec{0.0285, 0.0285, 0.0108}, q: q.mul(rotZ(45)), bevel: 0.003, tint: white, seed: i + 50})
	}
	return s
}

func bench() solid {
	s := solid{}
	for i := range 3 {
		s.block(block{material: "board", c: vec{0, 0.44, -0.13 + 0.13*float64(i)}, h: vec{0.70, 0.018, 0.060}, q: noTurn, bevel: 0.006, tint: white, seed: i})
	}
	for i := range 2 {
		s.block(block{material: "board", c: vec{0, 0.64 + 0.15*float64(i), -0.235 - 0.03*float64(i)}, h: vec{0.70, 0.055, 0.015}, q: rotX(-11), bevel: 0.006, tint: white, seed: i + 9})
	}
	for _, k := range [2]float64{-1, 1} {
		x := k * 0.58
		s.beam("iron", vec{x, 0, 0.17}, vec{x, 0.425, 0.13}, vec{1, 0, 0}, 0.020, 0.020, 0.004)
		s.beam("iron", vec{x, 0, -0.22}, vec{x, 0.425, -0.17}, vec{1, 0, 0}, 0.020, 0.020, 0.004)
		s.beam("iron", vec{x, 0.42, -0.19}, vec{x, 0.42, 0.19}, vec{1, 0, 0}, 0.016, 0.020, 0.004)
		s.beam("iron", vec{x, 0.42, -0.185}, vec{x, 0.86, -0.295}, vec{1, 0, 0}, 0.012, 0.020, 0.004)
	}
	return s
}

// lantern is 0.4 m high with a ring to hang it by.
func lantern() solid {
	s := solid{}
	at := func(y, half, high, bevel float64) { s.box("iron", vec{0, y, 0}, vec{half, high, half}, bevel) }
	at(0.012, 0.085, 0.012, 0.004)
	at(0.032, 0.070, 0.010, 0.003)
	for _, i := range [2]float64{-1, 1} {
		for _, j := range [2]float64{-1, 1} {
			s.box("iron", vec{i * 0.062, 0.14, j * 0.062}, vec{0.006, 0.10, 0.006}, 0.002)
		}
		s.box("iron", vec{i * 0.062, 0.14, 0}, vec{0.004, 0.004, 0.062}, 0)
		s.box("iron", vec{0, 0.14, i * 0.062}, vec{0.062, 0.004, 0.004}, 0)
	}
	s.box("lamp", vec{0, 0.14, 0}, vec{0.056, 0.098, 0.056}, 0.004)
	at(0.246, 0.080, 0.008, 0.003)
	r := math.Sqrt2
	for i := range 4 { // the roof's four sides
		q := rotY(90 * float64(i))
		a, b := q.rotate(vec{-0.085, 0.254, 0.085}), q.rotate(vec{0.085, 0.254, 0.085})
		c, d := q.rotate(vec{0.024, 0.318, 0.024}), q.rotate(vec{-0.024, 0.318, 0.024})
		s.polygon("iron", white, a, b, c, d)
	}
	s.tube("iron", 12, white, []vec{{0, 0.31, 0}, {0, 0.345, 0}, {0, 0.345, 0}, {0, 0.358, 0}, {0, 0.358, 0}}, []float64{0.020 * r, 0.020 * r, 0.034, 0.030, 0})
	var ring []vec
	var radii []float64
	for i := range 17 {
		sn, cs := math.Sincos(2 * math.Pi * float64(i) / 16)
		ring = append(ring, vec{0.034 * sn, 0.386 - 0.034*cs, 0})
		radii = append(radii, 0.0045)
	}
	s.tube("iron", 6, white, ring, radii)
	return s
}
