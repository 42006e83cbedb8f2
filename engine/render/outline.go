package render

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

const (
	outlineSlabs   = 6 // directions in which the outline is as narrow as the ball
	outlineCorners = 2*outlineSlabs + 4
	// OutlineVertices are those of the outline's triangles.
	OutlineVertices = 3 * (outlineCorners - 2)
)

// outline is a polygon around the picture of a ball, and the depth of the ball's far
// end. seen is false where the ball lies outside the picture.
func (g *Globals) outline(b ball, into *[outlineCorners / 2]mgl32.Vec4) (far float32, seen bool) {
	at := g.View.Mul4x1(b.center.Vec4(1))
	depth, r := float64(-at[2]), float64(b.radius)
	if depth+r <= 0 {
		return 0, false
	}
	end := g.Projection.Mul4x1(mgl32.Vec4{0, 0, -float32(depth + r), 1})
	if far = end[2] / end[3]; !(far > 0) {
		far = 0
	}
	shape := polygon{n: 4, at: [outlineCorners][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}}
	if d2 := depth*depth - r*r; depth > r && d2 > 1e-9*depth*depth {
		x, y := float64(g.Projection[0]), float64(g.Projection[5])
		for k := range outlineSlabs {
			sin, cos := math.Sincos(math.Pi * float64(k) / outlineSlabs)
			// A plane through the eye that appears as the line cos·x + sin·y = v touches
			// the ball where |n·c - v·depth| = r·|(n, v)|, n being what the projection
			// makes of the line's normal.
			nx, ny := cos*x, sin*y
			nc, n2 := nx*float64(at[0])+ny*float64(at[1]), nx*nx+ny*ny
			half := math.Sqrt(max(nc*nc*depth*depth-d2*(nc*nc-r*r*n2), 0)) / d2
			middle := nc * depth / d2
			shape.clip(cos, sin, middle+half)
			shape.clip(-cos, -sin, half-middle)
		}
	}
	if shape.n < 3 {
		return far, false
	}
	for i := range into {
		p, q := shape.at[min(2*i, shape.n-1)], shape.at[min(2*i+1, shape.n-1)]
		into[i] = mgl32.Vec4{float32(p[0]), float32(p[1]), float32(q[0]), float32(q[1])}
	}
	return far, true
}

// polygon is a convex one in the picture.
type polygon struct {
	at [outlineCorners][2]float64
	n  int
}

// clip keeps what lies where x·nx + y·ny ≤ most.
func (o *polygon) clip(nx, ny, most float64) {
	in := *o
	o.n = 0
	keep := func(p [2]float64) {
		if o.n < len(o.at) {
			o.at[o.n] = p
			o.n++
		}
	}
	for i := range in.n {
		p, q := in.at[i], in.at[(i+1)%in.n]
		d, e := most-p[0]*nx-p[1]*ny, most-q[0]*nx-q[1]*ny
		if d >= 0 {
			keep(p)
		}
		if d >= 0 != (e >= 0) {
			t := d / (d - e)
			keep([2]float64{p[0] + t*(q[0]-p[0]), p[1] + t*(q[1]-p[1])})
		}
	}
}
