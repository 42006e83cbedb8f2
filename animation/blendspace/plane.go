package blendspace

import (
	"fmt"
	"math"
	"sort"
)

// Plane is a blend space of two dimensions.
type Plane struct {
	points    []Point
	index     []int // by point: the sample it was given as
	triangles [][3]int
	// hull is the outline, edge by edge; of points on one line it is all there is.
	hull [][2]int
}

// MaxSamples is how many samples a Plane may have.
const MaxSamples = 256

// NewPlane returns the space of samples at these points, in any order.
func NewPlane(at []Point) (*Plane, error) {
	if len(at) == 0 || len(at) > MaxSamples {
		return nil, fmt.Errorf("%w: %d of them, from 1 to %d are needed", ErrSamples, len(at), MaxSamples)
	}
	p := &Plane{index: make([]int, len(at))}
	for i, x := range at {
		for _, c := range x {
			if math.IsNaN(float64(c)) || math.IsInf(float64(c), 0) {
				return nil, fmt.Errorf("%w: sample %d lies at %v", ErrSamples, i, x)
			}
		}
		p.index[i] = i
	}
	sort.Slice(p.index, func(a, b int) bool {
		x, y := at[p.index[a]], at[p.index[b]]
		return x[0] < y[0] || x[0] == y[0] && x[1] < y[1]
	})
	for k, i := range p.index {
		if k > 0 && p.points[k-1] == at[i] {
			return nil, fmt.Errorf("%w: samples %d and %d lie at %v", ErrSamples, p.index[k-1], i, at[i])
		}
		p.points = append(p.points, at[i])
	}
	p.triangulate()
	return p, nil
}

// Triangles are the triangulation, by the samples' indices as they were given.
func (p *Plane) Triangles() [][3]int {
	out := make([][3]int, len(p.triangles))
	for i, t := range p.triangles {
		for c := range t {
			out[i][c] = p.index[t[c]]
		}
	}
	return out
}

// triangulate builds the Delaunay triangulation: points from left to right are
// joined to the part of the outline that they see, then edges are flipped until
// no triangle's circle holds another point (Lawson 1977). Signs are exact, so it
// ends, and of points on one circle the order alone decides.
func (p *Plane) triangulate() {
	n := len(p.points)
	e := make([]exact, n)
	for i, x := range p.points {
		e[i] = exactly(x)
	}
	// first is the first point off the line through the first two.
	first := 2
	for first < n && orient(e[0], e[1], e[first]) == 0 {
		first++
	}
	if first >= n {
		for i := 1; i < n; i++ {
			p.hull = append(p.hull, [2]int{i - 1, i})
		}
		return
	}
	var hull []int // counter-clockwise
	left := orient(e[0], e[1], e[first]) > 0
	for i := 1; i < first; i++ {
		p.add(e, i-1, i, first)
	}
	for i := range first {
		hull = append(hull, i)
	}
	if !left {
		for i, j := 0, len(hull)-1; i < j; i, j = i+1, j-1 {
			hull[i], hull[j] = hull[j], hull[i]
		}
	}
	hull = append(hull, first)
	for i := first + 1; i < n; i++ {
		m := len(hull)
		sees := func(k int) bool { return orient(e[hull[k%m]], e[hull[(k+1)%m]], e[i]) < 0 }
		start := 0
		for !sees(start) || sees(start+m-1) {
			start++
		}
		end := start
		for sees(end) {
			p.add(e, hull[end%m], hull[(end+1)%m], i)
			end++
		}
		next := []int{i}
		for k := end; k <= start+m; k++ {
			next = append(next, hull[k%m])
		}
		hull = next
	}
	for k := range hull {
		p.hull = append(p.hull, [2]int{hull[k], hull[(k+1)%len(hull)]})
	}
	p.flip(e)
}

func (p *Plane) add(e []exact, a, b, c int) {
	if orient(e[a], e[b], e[c]) < 0 {
		a, b = b, a
	}
	p.triangles = append(p.triangles, [3]int{a, b, c})
}

func (p *Plane) flip(e []exact) {
	for again := true; again; {
		again = false
		edges := map[[2]int][2]int{} // of a directed edge: triangle, corner before it
		for t, tri := range p.triangles {
			for c := range 3 {
				edges[[2]int{tri[(c+1)%3], tri[(c+2)%3]}] = [2]int{t, c}
			}
		}
		touched := map[int]bool{}
		for t := range p.triangles {
			for c := range 3 {
				if touched[t] {
					break
				}
				a, b := p.triangles[t][(c+1)%3], p.triangles[t][(c+2)%3]
				other, ok := edges[[2]int{b, a}]
				if !ok || touched[other[0]] {
					continue
				}
				x, y := p.triangles[t][c], p.triangles[other[0]][other[1]]
				if inCircle(e[x], e[a], e[b], e[y]) {
					p.triangles[t], p.triangles[other[0]] = [3]int{x, a, y}, [3]int{x, y, b}
					touched[t], touched[other[0]], again = true, true, true
				}
			}
		}
	}
}

// Weights appends the samples that play at a point to out, at most three, and
// returns it. A NaN counts as 0.
func (p *Plane) Weights(at Point, out []Weight) []Weight {
	x, y := float64(at[0]), float64(at[1])
	if math.IsNaN(x) {
		x = 0
	}
	if math.IsNaN(y) {
		y = 0
	}
	if len(p.points) == 1 {
		return append(out, Weight{p.index[0], 1})
	}
	for _, t := range p.triangles {
		a, b, c := p.points[t[0]], p.points[t[1]], p.points[t[2]]
		area := cross(a, b, float64(c[0]), float64(c[1]))
		wa, wb, wc := cross(b, c, x, y)/area, cross(c, a, x, y)/area, cross(a, b, x, y)/area
		if wa >= 0 && wb >= 0 && wc >= 0 {
			return p.append(out, 1/(wa+wb+wc), [3]float64{wa, wb, wc}, t)
		}
	}
	best, bestU, bestD := 0, 0.0, math.Inf(1)
	for i, h := range p.hull {
		a, b := p.points[h[0]], p.points[h[1]]
		dx, dy := float64(b[0])-float64(a[0]), float64(b[1])-float64(a[1])
		u := min(max(((x-float64(a[0]))*dx+(y-float64(a[1]))*dy)/(dx*dx+dy*dy), 0), 1)
		d := math.Hypot(x-float64(a[0])-u*dx, y-float64(a[1])-u*dy)
		if d < bestD {
			best, bestU, bestD = i, u, d
		}
	}
	h := p.hull[best]
	return p.append(out, 1, [3]float64{1 - bestU, bestU, 0}, [3]int{h[0], h[1], 0})
}

func (p *Plane) append(out []Weight, k float64, w [3]float64, t [3]int) []Weight {
	for c := range w {
		if w[c] > 0 {
			out = append(out, Weight{p.index[t[c]], float32(w[c] * k)})
		}
	}
	return out
}

// cross is twice the area of a, b and x, y, positive counter-clockwise.
func cross(a, b Point, x, y float64) float64 {
	ax, ay := float64(a[0]), float64(a[1])
	return (float64(b[0])-ax)*(y-ay) - (float64(b[1])-ay)*(x-ax)
}
