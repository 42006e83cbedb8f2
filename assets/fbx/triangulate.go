package fbx

import "math"

// triangulator cuts polygons into triangles. Its slices are reused.
type triangulator struct {
	flat  [][2]float64
	next  []int32
	prev  []int32
	work  int64 // steps left before it settles for fans
	where []vec3
}

// newTriangulator may spend steps in the order of the file's size on concave
// polygons, whose cutting costs the square of their corners.
func newTriangulator(corners int) *triangulator {
	return &triangulator{work: 20_000_000 + 50*int64(corners)}
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
		// Cut where both triangles face as the whole does, and of two good
		// cuts along the shorter diagonal's tie the first.
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
	t.next, t.prev = t.next[:0], t.prev[:0]
	for i := range n {
		t.next = append(t.next, int32((i+1)%n))
		t.prev = append(t.prev, int32((i+n-1)%n))
	}
	left, at, misses := n, int32(0), 0
	for left > 3 {
		a, c := t.prev[at], t.next[at]
		if misses >= left || t.ear(a, at, c) {
			// Where no corner is an ear, the polygon crosses itself, and any
			// does.
			f(a, at, c)
			t.next[a], t.prev[c] = c, a
			left--
			misses = 0
			at = c
			if t.work > 0 && left%2 == 0 {
				at = t.next[c] // keeps triangles from fanning out of one corner
			}
			continue
		}
		misses++
		at = c
	}
	f(t.prev[at], at, t.next[at])
}

func (t *triangulator) ear(a, b, c int32) bool {
	if t.work <= 0 {
		return true
	}
	if t.side(a, b, c) <= 0 {
		return false
	}
	for i := t.next[c]; i != a; i = t.next[i] {
		t.work--
		p := t.flat[i]
		if p == t.flat[a] || p == t.flat[b] || p == t.flat[c] {
			continue
		}
		if t.side(a, b, i) >= 0 && t.side(b, c, i) >= 0 && t.side(c, a, i) >= 0 {
			return false
		}
	}
	return true
}
