package main

import "math"

// The house stands on y = 0 about the origin, its front at z = houseFront.
const (
	houseHalf   = 2.3  // m from the middle to the side walls' outer faces
	houseFront  = 2.5  // m to the front and back walls' outer faces
	wallThick   = 0.20 // m
	wallTop     = 2.58 // m
	floorTop    = 0.16 // m
	ridge       = 4.95 // m, of the walls under the roof
	doorLeft    = 0.15 // m, the doorway's hinge side seen from outside
	doorWide    = 1.00 // m
	doorHigh    = 2.10 // m
	roofOver    = 0.42 // m beyond the walls at the eaves and gables
	doorHingeZ  = houseFront - 0.07
	windowLeft  = -1.62
	windowRight = -0.62
	sill, head  = 1.06, 2.06
)

func buildHouse() ([]byte, error) {
	var sc scene
	s := solid{}
	walls(s)
	timbers(s)
	roof(s)
	chimney(s)
	inside(s)
	if err := sc.node("house", s, vec{}); err != nil {
		return nil, err
	}
	if err := sc.node("door", door(), vec{doorLeft + 0.02, floorTop + 0.01, doorHingeZ}); err != nil {
		return nil, err
	}
	return sc.g.encode()
}

// wall is a box by its two corners.
func (s solid) wall(material string, lo, hi vec, bevel float64) {
	s.box(material, lo.lerp(hi, 0.5), hi.sub(lo).mul(0.5), bevel)
}

func walls(s solid) {
	x, z, t := houseHalf, houseFront, wallThick
	// Front wall: around the window, around the door.
	front := func(x0, y0, x1, y1 float64) { s.wall("plaster", vec{x0, y0, z - t}, vec{x1, y1, z}, 0) }
	front(-x, 0, windowLeft, wallTop)
	front(windowLeft, 0, windowRight, sill)
	front(windowLeft, head, windowRight, wallTop)
	front(windowRight, 0, doorLeft, wallTop)
	front(doorLeft, floorTop+doorHigh, doorLeft+doorWide, wallTop)
	front(doorLeft+doorWide, 0, x, wallTop)
	// Back wall, and side walls each around a window.
	s.wall("plaster", vec{-x, 0, -z}, vec{x, wallTop, -z + t}, 0)
	for _, sx := range [2]float64{-1, 1} {
		side := func(z0, y0, z1, y1 float64) {
			a, b := sx*(x-t), sx*x
			s.wall("plaster", vec{min(a, b), y0, z0}, vec{max(a, b), y1, z1}, 0)
		}
		side(-z+t, 0, -0.5, wallTop)
		side(-0.5, 0, 0.5, sill)
		side(-0.5, head, 0.5, wallTop)
		side(0.5, 0, z-t, wallTop)
		window(s, vec{sx * x, (sill + head) / 2, 0}, rotY(90*sx), 0.5, (head-sill)/2, true)
	}
	window(s, vec{(windowLeft + windowRight) / 2, (sill + head) / 2, z}, noTurn, 0.5, (head-sill)/2, true)
	window(s, vec{0, 3.42, z}, noTurn, 0.30, 0.34, false)
	// Gables.
	for _, g := range [2]float64{1, -1} {
		a, b := g*z, g*(z-t)
		tri := []vec{{-x, wallTop, a}, {x, wallTop, a}, {0, ridge, a}}
		if g < 0 {
			tri[0], tri[1] = tri[1], tri[0]
		}
		s.polygon("plaster", white, tri...)
		s.polygon("plaster", white, vec{tri[1][0], wallTop, b}, vec{tri[0][0], wallTop, b}, vec{0, ridge, b})
	}
	// Plinth, interrupted by the doorway, and the step.
	const out, high = 0.055, 0.36
	plinth := func(lo, hi vec) { s.wall("stone", lo, hi, 0.018) }
	plinth(vec{-x - out, -0.1, z - t}, vec{doorLeft - 0.07, high, z + out})
	plinth(vec{doorLeft + doorWide + 0.07, -0.1, z - t}, vec{x + out, high, z + out})
	plinth(vec{-x - out, -0.1, -z - out}, vec{x + out, high, -z + 0.1})
	plinth(vec{-x - out, -0.1, -z}, vec{-x + 0.1, high, z - 0.1})
	plinth(vec{x - 0.1, -0.1, -z}, vec{x + out, high, z - 0.1})
	c := doorLeft + doorWide/2
	s.wall("flag", vec{c - 0.78, -0.1, z}, vec{c + 0.78, 0.08, z + 0.62}, 0.02)
	s.wall("flag", vec{c - 0.5, -0.1, z - t - 0.02}, vec{c + 0.5, floorTop, z + 0.10}, 0.012)
}

// window puts a frame, panes and perhaps shutters into a wall whose outer face
// is at c, facing where q turns +Z.
func window(s solid, c vec, q quat, w, h float64, shutters bool) {
	put := func(material string, at, half vec, bevel float64) {
		s.block(block{material: material, c: c.add(q.rotate(at)), h: half, q: q, bevel: bevel, tint: white})
	}
	inset := -0.07
	if !shutters {
		inset = 0.015
	}
	put("glass", vec{0, 0, inset - 0.01}, vec{w, h, 0.006}, 0)
	const f = 0.045
	for _, k := range [2]float64{-1, 1} {
		put("frame", vec{k * (w - f/2), 0, inset}, vec{f / 2, h, 0.03}, 0.006)
		put("frame", vec{0, k * (h - f/2), inset}, vec{w, f / 2, 0.03}, 0.006)
		put("timber", vec{k * (w + 0.05), 0, 0.012}, vec{0.055, h + 0.10, 0.035}, 0.008)
	}
	put("frame", vec{0, 0, inset}, vec{0.016, h, 0.02}, 0.004)
	for _, k := range [2]float64{-0.33, 0.33} {
		put("frame", vec{0, k * h, inset}, vec{w, 0.013, 0.018}, 0.004)
	}
	put("timber", vec{0, h + 0.05, 0.015}, vec{w + 0.14, 0.055, 0.04}, 0.008)
	put("timber", vec{0, -h - 0.04, 0.05}, vec{w + 0.14, 0.035, 0.085}, 0.01)
	if !shutters {
		return
	}
	for _, k := range [2]float64{-1, 1} {
		x := k * (w + 0.115 + 0.22)
		for i := range 3 {
			put("paint", vec{x + (float64(i)-1)*0.142, 0, 0.03}, vec{0.0695, h + 0.04, 0.014}, 0.004)
		}
		for _, y := range [2]float64{-0.62, 0.62} {
			put("paint", vec{x, y * h, 0.052}, vec{0.205, 0.045, 0.011}, 0.004)
		}
	}
}

func timbers(s solid) {
	x, z := houseHalf, houseFront
	const proud, w = 0.022, 0.075
	forward, bev := vec{0, 0, 1}, 0.010
	for _, g := range [2]float64{1, -1} {
		at := func(px, py float64) vec { return vec{px, py, g * (z + proud - 0.05)} }
		bar := func(x0, y0, x1, y1, half float64) { s.beam("timber", at(x0, y0), at(x1, y1), forward, half, 0.05, bev) }
		for _, k := range [2]float64{-1, 1} {
			bar(k*(x-w+proud), 0.36, k*(x-w+proud), wallTop, w+0.01)
			// Braces lean from corner post to plate, and up the gable.
			bar(k*(x-0.10), 1.68, k*(x-0.66), wallTop-0.02, 0.05)
			bar(k*1.55, wallTop+0.08, k*0.84, 3.94, 0.055)
			bar(k*0.42, wallTop+0.10, k*0.42, 4.47, 0.05)
		}
		bar(-x, wallTop+0.03, x, wallTop+0.03, 0.09)
		bar(-1.85, 3.02, -0.42, 3.02, 0.045)
		bar(0.42, 3.02, 1.85, 3.02, 0.045)
		bar(-0.85, 3.95, 0.85, 3.95, 0.06)
		bar(0, 3.95, 0, ridge-0.1, 0.06)
		if g > 0 {
			bar(windowRight+0.35, 0.36, windowRight+0.35, wallTop, 0.06)
			continue
		}
		bar(-0.75, 0.36, -0.75, wallTop, 0.065)
		bar(0.75, 0.36, 0.75, wallTop, 0.065)
		bar(-x, 1.45, x, 1.45, 0.055)
	}
	for _, k := range [2]float64{-1, 1} {
		at := func(py, pz float64) vec { return vec{k * (x + proud - 0.05), py, pz} }
		side := vec{1, 0, 0}
		bar := func(y0, z0, y1, z1, half float64) { s.beam("timber", at(y0, z0), at(y1, z1), side, half, 0.05, bev) }
		bar(wallTop-0.03, -z, wallTop-0.03, z, 0.09)
		for _, g := range [2]float64{-1, 1} {
			bar(0.36, g*(z-w+proud), wallTop, g*(z-w+proud), w+0.01)
			bar(0.36, g*1.22, wallTop, g*1.22, 0.06)
			bar(0.50, g*2.30, 1.9, g*1.30, 0.05)
		}
	}
	// The door's surround, and a small hood over it on brackets.
	c := doorLeft + doorWide/2
	top := floorTop + doorHigh
	for _, k := range [2]float64{-1, 1} {
		s.box("timber", vec{c + k*(doorWide/2+0.06), (top + 0.02) / 2, z + 0.015}, vec{0.06, (top + 0.02) / 2, 0.05}, 0.01)
		s.box("frame", vec{c + k*(doorWide/2-0.008), floorTop + doorHigh/2, z - 0.10}, vec{0.010, doorHigh / 2, 0.10}, 0)
		s.beam("timber", vec{c + k*0.62, top - 0.30, z + 0.03}, vec{c + k*0.62, top + 0.12, z + 0.50}, vec{1, 0, 0}, 0.04, 0.04, 0.008)
	}
	s.box("timber", vec{c, top + 0.07, z + 0.02}, vec{doorWide/2 + 0.16, 0.07, 0.06}, 0.012)
	hood := rotX(24)
	for i := range 3 {
		f := float64(i)
		across := 7
		for j := range across {
			tile(s, vec{c + (float64(j)-3)*0.205, top + 0.345 - f*0.075, z + 0.10 + f*0.185}, hood.mul(rotY(-90)).mul(rotX(0)), 0.115, 0.10, i*31+j, true, true)
		}
	}
	s.block(block{material: "timber", c: vec{c, top + 0.245, z + 0.30}, h: vec{0.72, 0.02, 0.32}, q: hood, bevel: 0.006, tint: white})
}

// tile is one roof tile about c: local x runs down the slope, y is its outside.
// Only tiles at a row's end show their sides.
func tile(s solid, c vec, q quat, down, across float64, seed int, first, last bool) {
	r := chance(uint64(seed)*7919 + 5)
	v := 0.72 + 0.28*r.unit()
	tint := vec{v, v * (0.92 + 0.08*r.unit()), v * (0.88 + 0.12*r.unit())}
	q = q.mul(rotZ(r.around(1.2))).mul(rotX(r.around(1.5)))
	c = c.add(vec{0, r.around(0.004), 0})
	// A shallow arch of three facets, thick at its lower edge.
	const n, thick = 3, 0.026
	m, l := s.of("tile"), materials["tile"]
	type edge struct{ top, bottom [2]vec }
	var rows [n + 1]edge
	var nrm [n + 1]vec
	for i := range n + 1 {
		a := (float64(i)/n*2 - 1)
		z := a * across
		y := 0.022 * (1 - a*a)
		nrm[i] = q.rotate(vec{0, 1, 0.044 * a / across * 1.0}.unit())
		for k, x := range [2]float64{-down, down} {
			rows[i].top[k] = c.add(q.rotate(vec{x, y + thick, z}))
			rows[i].bottom[k] = c.add(q.rotate(vec{x, y, z}))
		}
	}
	corner := func(p, n vec) int {
		lp := q.inv().rotate(p.sub(c))
		return m.corner(p, n, (lp[0]+float64(seed)*0.37)*l.repeat, (lp[2]+lp[1]+float64(seed)*0.71)*l.repeat, tint)
	}
	quad := func(a, b, c, d int) { m.idx = append(m.idx, a, b, c, a, c, d) }
	face := q.rotate(vec{1, 0, 0})
	var top, front [n + 1][2]int
	for i, r := range rows {
		top[i] = [2]int{corner(r.top[0], nrm[i]), corner(r.top[1], nrm[i])}
		front[i] = [2]int{corner(r.top[1], face), corner(r.bottom[1], face)}
	}
	for i := range n {
		quad(top[i][0], top[i+1][0], top[i+1][1], top[i][1])
		quad(front[i][0], front[i+1][0], front[i+1][1], front[i][1])
	}
	a, b := rows[0], rows[n]
	left, right := q.rotate(vec{0, 0, -1}), q.rotate(vec{0, 0, 1})
	if first {
		quad(corner(a.top[0], left), corner(a.top[1], left), corner(a.bottom[1], left), corner(a.bottom[0], left))
	}
	if !last {
		return
	}
	quad(corner(b.top[1], right), corner(b.top[0], right), corner(b.bottom[0], right), corner(b.bottom[1], right))
}

func roof(s solid) {
	rise, run := ridge-wallTop, houseHalf
	angle := math.Atan2(rise, run)
	long := (run + roofOver) / math.Cos(angle)
	half := houseFront + roofOver
	for _, k := range [2]float64{-1, 1} {
		// Slope frame: x down the slope, y outward.
		down := vec{k * math.Cos(angle), -math.Sin(angle), 0}
		out := vec{k * math.Sin(angle), math.Cos(angle), 0}
		q := frameQuat(down, out, down.cross(out))
		top := vec{0, ridge + 0.10, 0}
		s.block(block{material: "timber", c: top.add(down.mul(long / 2)).sub(out.mul(0.035)), h: vec{long / 2, 0.035, half - 0.03}, q: q, bevel: 0.008, tint: white})
		const courses, wide = 15, 0.226
		count := int(2 * half / wide)
		step := long / courses
		for i := range courses {
			for j := range count {
				shift := 0.0
				if i%2 == 1 {
					shift = 0.5
				}
				z := (float64(j)+0.5+shift*0.5-0.125)*wide - float64(count)*wide/2
				c := top.add(down.mul((float64(i)+0.55)*step + 0.03)).add(out.mul(0.018)).add(vec{0, 0, z})
				tile(s, c, q.mul(rotZ(3.5)), step*0.62, wide*0.49, i*100+j+int(k)*3000+5000, j == 0, j == count-1)
			}
		}
		// Barge boards along the gables, and the eaves' board.
		for _, g := range [2]float64{-1, 1} {
			zz := vec{0, 0, g * (half - 0.02)}
			s.beam("timber", top.add(zz).sub(out.mul(0.06)), top.add(zz).add(down.mul(long+0.01)).sub(out.mul(0.06)), vec{0, 0, 1}, 0.085, 0.022, 0.006)
		}
		e := top.add(down.mul(long - 0.02)).sub(out.mul(0.05))
		s.beam("timber", e.sub(vec{0, 0, half - 0.05}), e.add(vec{0, 0, half - 0.05}), vec{1, 0, 0}, 0.06, 0.018, 0.005)
		for i := range 9 { // rafter tails
			z := (float64(i) - 4) / 4 * (houseFront - 0.1)
			a := top.add(down.mul(long * 0.80)).sub(out.mul(0.12)).add(vec{0, 0, z})
			s.beam("timber", a, a.add(down.mul(long*0.20-0.06)), vec{0, 0, 1}, 0.05, 0.035, 0.006)
		}
	}
	// Ridge tiles.
	const n = 16
	for i := range n {
		z0 := -half + 2*half*float64(i)/n
		z1 := z0 + 2*half/n
		v := 0.75 + 0.25*hash2(i, 7, 9)
		y := ridge + 0.075
		tint := vec{v, v, v}
		s.tube("tile", 14, tint, []vec{{0, y, z0}, {0, y, z0}, {0, y + 0.006, z1 + 0.02}, {0, y + 0.006, z1 + 0.02}}, []float64{0, 0.125, 0.138, 0})
	}
}

func chimney(s solid) {
	c := vec{-1.05, 0, -0.9}
	at := func(y0, y1, half float64, material string, bevel float64) {
		s.wall(material, vec{c[0] - half, y0, c[2] - half*1.1}, vec{c[0] + half, y1, c[2] + half*1.1}, bevel)
	}
	at(3.3, 5.35, 0.29, "brick", 0.008)
	at(5.16, 5.24, 0.325, "brick", 0.01)
	at(5.35, 5.44, 0.36, "flag", 0.015)
	for _, k := range [2]float64{-0.13, 0.13} {
		s.tube("tile", 16, vec{0.9, 0.85, 0.8}, []vec{{c[0], 5.43, c[2] + k}, {c[0], 5.70, c[2] + k}, {c[0], 5.70, c[2] + k}, {c[0], 5.76, c[2] + k}, {c[0], 5.76, c[2] + k}, {c[0], 5.6, c[2] + k}},
			[]float64{0.10, 0.085, 0.105, 0.105, 0.075, 0.07})
	}
}

// inside is what the open door shows: floorboards, ceiling, a rug, a table with
// a lamp.
func inside(s solid) {
	x, z := houseHalf-wallThick, houseFront-wallThick
	const boards = 22
	for i := range boards {
		w := 2 * x / boards
		s.block(block{material: "floor", c: vec{-x + (float64(i)+0.5)*w, floorTop - 0.02, 0}, h: vec{w/2 - 0.0015, 0.02, z}, q: noTurn, bevel: 0.003, tint: white, seed: i})
	}
	s.wall("timber", vec{-x, wallTop - 0.06, -z}, vec{x, wallTop, z}, 0)
	for i := range 4 {
		zz := -1.7 + 1.13*float64(i)
		s.wall("timber", vec{-x, wallTop - 0.20, zz - 0.07}, vec{x, wallTop - 0.06, zz + 0.07}, 0.01)
	}
	s.wall("rug", vec{-0.5, floorTop, -1.3}, vec{1.6, floorTop + 0.012, 0.9}, 0.005)
	s.wall("linen", vec{-0.40, floorTop, -1.2}, vec{1.5, floorTop + 0.0135, 0.8}, 0.005)
	s.wall("rug", vec{-0.35, floorTop, -1.15}, vec{1.45, floorTop + 0.015, 0.75}, 0.005)
	t := vec{0.7, 0, -1.75}
	s.wall("board", vec{t[0] - 0.6, floorTop + 0.70, t[2] - 0.35}, vec{t[0] + 0.6, floorTop + 0.74, t[2] + 0.35}, 0.008)
	for k := range 4 {
		px, pz := t[0]+0.52*(float64(k&1)*2-1), t[2]+0.28*(float64(k>>1)*2-1)
		s.wall("board", vec{px - 0.03, floorTop, pz - 0.03}, vec{px + 0.03, floorTop + 0.70, pz + 0.03}, 0.006)
	}
	y := floorTop + 0.74
	s.tube("brass", 14, white, []vec{{t[0], y, t[2]}, {t[0], y, t[2]}, {t[0], y + 0.02, t[2]}, {t[0], y + 0.05, t[2]}, {t[0], y + 0.16, t[2]}}, []float64{0, 0.07, 0.07, 0.018, 0.018})
	s.tube("lamp", 16, white, []vec{{t[0], y + 0.14, t[2]}, {t[0], y + 0.16, t[2]}, {t[0], y + 0.22, t[2]}, {t[0], y + 0.30, t[2]}, {t[0], y + 0.30, t[2]}}, []float64{0, 0.05, 0.085, 0.06, 0})
}

// door is the leaf in its own frame: the hinge line is x = 0, it hangs along +X
// and its outer face looks to +Z. A turn about +Y opens it into the house.
func door() solid {
	s := solid{}
	const w, h, t = doorWide - 0.04, doorHigh - 0.02, 0.022
	const planks = 6
	for i := range planks {
		pw := w / planks
		s.block(block{material: "paint", c: vec{(float64(i) + 0.5) * pw, h / 2, 0}, h: vec{pw/2 - 0.001, h / 2, t}, q: noTurn, bevel: 0.006, tint: white, seed: i * 17})
	}
	for _, y := range [3]float64{0.22, 1.05, 1.86} {
		s.wall("paint", vec{0.03, y - 0.07, -t - 0.022}, vec{w - 0.03, y + 0.07, -t + 0.002}, 0.006)
	}
	for _, y := range [2]float64{0.30, 1.78} { // iron straps
		s.wall("iron", vec{0.01, y - 0.024, t - 0.002}, vec{w * 0.72, y + 0.024, t + 0.006}, 0.003)
		s.tube("iron", 10, white, []vec{{0.004, y - 0.05, t}, {0.004, y - 0.05, t}, {0.004, y + 0.05, t}, {0.004, y + 0.05, t}}, []float64{0, 0.014, 0.014, 0})
		for i := range 4 {
			x := 0.10 + 0.17*float64(i)
			s.tube("iron", 8, white, []vec{{x, y, t + 0.004}, {x, y, t + 0.012}, {x, y, t + 0.012}}, []float64{0.011, 0.007, 0})
		}
	}
	// A small window.
	const cx, cy = w / 2, 1.56
	for _, k := range [2]float64{-1, 1} {
		s.box("timber", vec{cx + k*0.135, cy, t + 0.004}, vec{0.018, 0.16, 0.012}, 0.004)
		s.box("timber", vec{cx, cy + k*0.145, t + 0.004}, vec{0.14, 0.018, 0.012}, 0.004)
	}
	s.box("glass", vec{cx, cy, 0}, vec{0.125, 0.135, t + 0.003}, 0)
	s.box("timber", vec{cx, cy, t + 0.004}, vec{0.009, 0.13, 0.007}, 0.002)
	s.box("timber", vec{cx, cy, t + 0.004}, vec{0.12, 0.009, 0.007}, 0.002)
	for _, k := range [2]float64{-1, 1} { // handles
		x, y := w-0.075, 1.0
		s.box("brass", vec{x, y, k * (t + 0.003)}, vec{0.024, 0.085, 0.004}, 0.003)
		a := vec{x, y + 0.03, k * t}
		b := vec{x, y + 0.03, k * (t + 0.055)}
		s.tube("brass", 10, white, []vec{a, b, b}, []float64{0.010, 0.010, 0})
		s.tube("brass", 10, white, []vec{{x + 0.012, y + 0.03, k * (t + 0.05)}, {x + 0.012, y + 0.03, k * (t + 0.05)}, {x - 0.10, y + 0.03, k * (t + 0.05)}, {x - 0.115, y + 0.028, k * (t + 0.045)}}, []float64{0, 0.0105, 0.009, 0})
	}
	return s
}
