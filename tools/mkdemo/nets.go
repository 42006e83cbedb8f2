package main

import "sort"

// surface is a triangle mesh on the zero surface of a field. tri winds counter-
// clockwise seen from outside.
type surface struct {
	pos []vec
	nrm []vec
	tri [][3]int
}

// polygonise meshes f inside the box lo…hi by naive surface nets (Gibson 1998):
// a vertex a cell that the surface crosses, a quad a grid edge it crosses.
// With half, f must be symmetric in x and only x ≥ 0 is meshed: the first cells
// straddle x = 0 and their vertices lie on it exactly, so the half and its
// mirror image share their seam.
func polygonise(f field, lo, hi vec, h float64, half bool) surface {
	if half {
		lo[0] = -h / 2
	}
	var n [3]int
	for i := range n {
		n[i] = int((hi[i]-lo[i])/h) + 2
	}
	at := func(i, j, k int) vec {
		return vec{lo[0] + float64(i)*h, lo[1] + float64(j)*h, lo[2] + float64(k)*h}
	}
	index := func(i, j, k int) int { return (i*n[1]+j)*n[2] + k }
	val := make([]float64, n[0]*n[1]*n[2])
	for i := range n[0] {
		for j := range n[1] {
			for k := range n[2] {
				val[index(i, j, k)] = f(at(i, j, k))
			}
		}
	}
	var s surface
	cell := make([]int, len(val))
	for i := range n[0] - 1 {
		for j := range n[1] - 1 {
			for k := range n[2] - 1 {
				cell[index(i, j, k)] = -1
				var sum vec
				crossings := 0
				for axis := range 3 {
					for c := range 4 {
						var o [3]int
						o[(axis+1)%3], o[(axis+2)%3] = c&1, c>>1
						e := o
						e[axis] = 1
						a := val[index(i+o[0], j+o[1], k+o[2])]
						b := val[index(i+e[0], j+e[1], k+e[2])]
						if (a < 0) == (b < 0) {
							continue
						}
						t := a / (a - b)
						sum = sum.add(at(i+o[0], j+o[1], k+o[2]).lerp(at(i+e[0], j+e[1], k+e[2]), t))
						crossings++
					}
				}
				if crossings == 0 {
					continue
				}
				p := sum.mul(1 / float64(crossings))
				if half && i == 0 {
					p[0] = 0
				}
				cell[index(i, j, k)] = len(s.pos)
				s.pos = append(s.pos, p)
			}
		}
	}
	var quads [][4]int
	for i := range n[0] - 1 {
		for j := range n[1] - 1 {
			for k := range n[2] - 1 {
				o := [3]int{i, j, k}
				for axis := range 3 {
					b, c := (axis+1)%3, (axis+2)%3
					if o[b] == 0 || o[c] == 0 {
						continue
					}
					e := o
					e[axis]++
					v0, v1 := val[index(i, j, k)], val[index(e[0], e[1], e[2])]
					if (v0 < 0) == (v1 < 0) {
						continue
					}
					var q [4]int
					for m, d := range [4][2]int{{1, 1}, {0, 1}, {0, 0}, {1, 0}} {
						w := o
						w[b] -= d[0]
						w[c] -= d[1]
						q[m] = cell[index(w[0], w[1], w[2])]
					}
					if v0 >= 0 {
						q[1], q[3] = q[3], q[1]
					}
					quads = append(quads, q)
				}
			}
		}
	}
	s.relax(f, quads, 14)
	for _, q := range quads {
		if s.pos[q[0]].sub(s.pos[q[2]]).len() <= s.pos[q[1]].sub(s.pos[q[3]]).len() {
			s.tri = append(s.tri, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
		} else {
			s.tri = append(s.tri, [3]int{q[0], q[1], q[3]}, [3]int{q[1], q[2], q[3]})
		}
	}
	s.nrm = make([]vec, len(s.pos))
	for i, p := range s.pos {
		if s.nrm[i] = gradient(f, p); half {
			s.nrm[i] = seamNormal(f, p)
		}
	}
	return s
}

// relax evens the quads out along the surface and keeps them on it.
func (s *surface) relax(f field, quads [][4]int, rounds int) {
	next := make([]map[int]bool, len(s.pos))
	for _, q := range quads {
		for m := range 4 {
			a, b := q[m], q[(m+1)%4]
			for _, e := range [2][2]int{{a, b}, {b, a}} {
				if next[e[0]] == nil {
					next[e[0]] = map[int]bool{}
				}
				next[e[0]][e[1]] = true
			}
		}
	}
	near := make([][]int, len(s.pos))
	for i, m := range next {
		for j := range m {
			near[i] = append(near[i], j)
		}
		sort.Ints(near[i])
	}
	for range rounds {
		moved := make([]vec, len(s.pos))
		for i, p := range s.pos {
			var mean vec
			for _, j := range near[i] {
				mean = mean.add(s.pos[j])
			}
			q := p
			if len(near[i]) > 0 {
				q = p.lerp(mean.mul(1/float64(len(near[i]))), 0.6)
			}
			q = settle(f, q)
			if p[0] == 0 {
				q[0] = 0
			}
			moved[i] = q
		}
		s.pos = moved
	}
}
