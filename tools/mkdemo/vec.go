package main

import "math"

// vec is a point or direction in metres, right-handed, +Y up. The tool works in
// float64 so that the float32 it writes is rounded once.
type vec [3]float64

func (a vec) add(b vec) vec             { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec             { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(s float64) vec         { return vec{a[0] * s, a[1] * s, a[2] * s} }
func (a vec) scale(b vec) vec           { return vec{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec) dot(b vec) float64         { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) len() float64              { return math.Sqrt(a.dot(a)) }
func (a vec) lerp(b vec, t float64) vec { return a.add(b.sub(a).mul(t)) }
func (a vec) mirror() vec               { return vec{-a[0], a[1], a[2]} }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit returns a at length 1; the zero vector stays zero.
func (a vec) unit() vec {
	l := a.len()
	if l == 0 {
		return vec{}
	}
	return a.mul(1 / l)
}

// quat is a unit quaternion in glTF's order x, y, z, w.
type quat [4]float64

var noTurn = quat{0, 0, 0, 1}

// turn rotates by degrees about a unit axis.
func turn(axis vec, degrees float64) quat {
	s, c := math.Sincos(degrees * math.Pi / 360)
	return quat{axis[0] * s, axis[1] * s, axis[2] * s, c}
}

func rotX(d float64) quat { return turn(vec{1, 0, 0}, d) }
func rotY(d float64) quat { return turn(vec{0, 1, 0}, d) }
func rotZ(d float64) quat { return turn(vec{0, 0, 1}, d) }

// mul turns by b first, then by a.
func (a quat) mul(b quat) quat {
	return quat{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
		a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

func (a quat) inv() quat { return quat{-a[0], -a[1], -a[2], a[3]} }

func (a quat) dot(b quat) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] }

func (a quat) unit() quat {
	l := math.Sqrt(a.dot(a))
	return quat{a[0] / l, a[1] / l, a[2] / l, a[3] / l}
}

func (a quat) rotate(v vec) vec {
	u := vec{a[0], a[1], a[2]}
	t := u.cross(v).mul(2)
	return v.add(t.mul(a[3])).add(u.cross(t))
}

// mirror is the rotation seen in a mirror across the plane x = 0.
func (a quat) mirror() quat { return quat{a[0], -a[1], -a[2], a[3]} }

// frameQuat is the rotation whose matrix has the orthonormal columns x, y, z.
func frameQuat(x, y, z vec) quat {
	tr := x[0] + y[1] + z[2]
	var q quat
	switch {
	case tr > 0:
		s := 2 * math.Sqrt(tr+1)
		q = quat{(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4}
	case x[0] > y[1] && x[0] > z[2]:
		s := 2 * math.Sqrt(1+x[0]-y[1]-z[2])
		q = quat{s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s}
	case y[1] > z[2]:
		s := 2 * math.Sqrt(1+y[1]-x[0]-z[2])
		q = quat{(y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s}
	default:
		s := 2 * math.Sqrt(1+z[2]-x[0]-y[1])
		q = quat{(z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s}
	}
	return q.unit()
}

func clamp(x, lo, hi float64) float64 { return min(max(x, lo), hi) }

func mix(a, b, t float64) float64 { return a + (b-a)*t }

// ramp goes smoothly from 0 at a to 1 at b.
func ramp(a, b, x float64) float64 {
	t := clamp((x-a)/(b-a), 0, 1)
	return t * t * (3 - 2*t)
}
