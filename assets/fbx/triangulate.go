package fbx

import "math"

// triangulator cuts polygons into triangles. Its slices are reused.
type triangulator struct {
	flat [][2]float64
	next []int32
	prev []int32
	gone []bool
	work int64 // steps left before it settles for less than perfect triangles

	// Corners that turn the wrong way, the only ones that can lie in an ear,
	// in the cells of a grid over the polygon: lists by head and link.
	head, link []int32
	cells      int // a side
	corner     [2]float64
	perCell    [2]float64
}

// newTriangulator may spend steps in the order of the file's size on concave
// polygons, whose cutting costs the square of their corners at worst.
func newTriangulator(corners int) *triangulator {
	return &triangulator{work: 10_000_000 + 50*int64(corners)}
}

// cut calls f with triples of corners, numbered from 0, wound as the polygon is.
func (t *triangulator) cut(points []vec3, f func(a, b, c int32)) {
	n := len(points)
	switch {
	case n < 3:
		return
	case n == 3:
		f(0, 1, 2)
		return
	}
	// The normal after Newell, of concave polygons too.
	var normal vec3
	for i, p := range points {
		q := points[(i+1)%n]
		normal = normal.add(p.sub(points[0]).cross(q.sub(points[0])))
	}
	if n == 4 {
		// Cut where both triangles face as the whole does.
		side := func(a, b, c int) float64 {
			return points[b].sub(points[a]).cross(points[c].sub(points[a])).dot(normal)
		}
		if min(side(0, 1, 2), side(0, 2, 3)) >= 0 || min(side(1, 2, 3), side(1, 3, 0)) < 0 {
			f(0, 1, 2)
			f(0, 2, 3)
		} else {
			f(1, 2, 3)
			f(1, 3, 0)
		}
		return
	}
	t.project(points, normal)
	t.clip(n, f)
}

// project drops the axis that the normal points along most.
func (t *triangulator) project(points []vec3, normal vec3) {
	a, b := 0, 1
	x, y, z := math.Abs(normal[0]), math.Abs(normal[1]), math.Abs(normal[2])
	along := normal[2]
	switch {
	case x >= y && x >= z:
		a, b, along = 1, 2, normal[0]
	case y >= z:
		a, b, along = 2, 0, normal[1]
	}
	if along < 0 {
		a, b = b, a
	}
	t.flat = t.flat[:0]
	for _, p := range points {
		t.flat = append(t.flat, [2]float64{p[a], p[b]})
	}
}

func (t *triangulator) side(a, b, c int32) float64 {
	p, q, r := t.flat[a], t.flat[b], t.flat[c]
	return (q[0]-p[0])*(r[1]-p[1]) - (q[1]-p[1])*(r[0]-p[0])
}

// clip cuts off ears (Meisters 1975): corners whose triangle lies inside.
func (t *triangulator) clip(n int, f func(a, b, c int32)) {
	t.next, t.prev, t.gone = t.next[:0], t.prev[:0], t.gone[:0]
	for i := range n {
		t.next = append(t.next, int32((i+1)%n))
		t.prev = append(t.prev, int32((i+n-1)%n))
		t.gone = append(t.gone, false)
	}
	t.sort(n)
	left, at, misses := n, int32(0), 0
	for left > 3 {
		a, c := t.prev[at], t.next[at]
		if misses < left && !t.ear(a, at, c) {
			misses++
			at = c
			continue
		}
		// Where no corner is an ear the polygon crosses itself, and any does.
		f(a, at, c)
		t.next[a], t.prev[c] = c, a
		t.gone[at] = true
		left--
		misses = 0
		at = c
		if left%2 == 0 {
			at = t.next[c] // keeps triangles from fanning out of one corner
		}
	}
	f(t.prev[at], at, t.next[at])
}

// sort puts the corners that turn the wrong way into the grid.
func (t *triangulator) sort(n int) {
	lo, hi := t.flat[0], t.flat[0]
	for _, p := range t.flat {
		for c := range p {
			lo[c], hi[c] = min(lo[c], p[c]), max(hi[c], p[c])
		}
	}
	t.cells = min(max(int(math.Sqrt(float64(n))), 1), 256)
	t.corner = lo
	for c := range lo {
		t.perCell[c] = float64(t.cells) / max(hi[c]-lo[c], 1e-300)
	}
	t.head, t.link = t.head[:0], t.link[:0]
	for range t.cells * t.cells {
		t.head = append(t.head, -1)
	}
	for i := range int32(n) {
		t.link = append(t.link, -1)
		if t.side(t.prev[i], i, t.next[i]) > 0 {
			continue
		}
		cell := t.cell(t.flat[i])
		h := &t.head[cell[1]*t.cells+cell[0]]
		t.link[i] = *h
		*h = i
	}
}

func (t *triangulator) cell(p [2]float64) (c [2]int) {
	for i := range p {
		x := (p[i] - t.corner[i]) * t.perCell[i]
		if x > 0 { // false for what is not a number
			c[i] = min(int(min(x, 256)), t.cells-1)
		}
	}
	return c
}

func (t *triangulator) ear(a, b, c int32) bool {
	if t.work <= 0 {
		return true
	}
	if t.side(a, b, c) <= 0 {
		return false
	}
	p, q, r := t.flat[a], t.flat[b], t.flat[c]
	lo := t.cell([2]float64{min(p[0], q[0], r[0]), min(p[1], q[1], r[1])})
	hi := t.cell([2]float64{max(p[0], q[0], r[0]), max(p[1], q[1], r[1])})
	for y := lo[1]; y <= hi[1]; y++ {
		for x := lo[0]; x <= hi[0]; x++ {
			t.work--
			for link := &t.head[y*t.cells+x]; *link >= 0; {
				i := *link
				t.work--
				if t.gone[i] {
					*link = t.link[i]
					continue
				}
				link = &t.link[i]
				s := t.flat[i]
				if i == a || i == b || i == c || s == p || s == q || s == r {
					continue
				}
				if t.side(a, b, i) >= 0 && t.side(b, c, i) >= 0 && t.side(c, a, i) >= 0 {
					return false
				}
			}
		}
	}
	return true
}
