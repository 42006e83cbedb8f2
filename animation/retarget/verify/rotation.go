package verify

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// quat is a unit quaternion x, y, z, w. Everything here is measured in double
// precision, so that what is found is the files', not the ruler's.
type quat [4]float64

type vec [3]float64

var identity = quat{0, 0, 0, 1}

func (q quat) conj() quat { return quat{-q[0], -q[1], -q[2], q[3]} }

func (q quat) mul(r quat) quat {
	return quat{
		q[3]*r[0] + q[0]*r[3] + q[1]*r[2] - q[2]*r[1],
		q[3]*r[1] + q[1]*r[3] + q[2]*r[0] - q[0]*r[2],
		q[3]*r[2] + q[2]*r[3] + q[0]*r[1] - q[1]*r[0],
		q[3]*r[3] - q[0]*r[0] - q[1]*r[1] - q[2]*r[2],
	}
}

func (q quat) dot(r quat) float64 { return q[0]*r[0] + q[1]*r[1] + q[2]*r[2] + q[3]*r[3] }

func (q quat) unit() quat {
	l := math.Sqrt(q.dot(q))
	if l == 0 {
		return identity
	}
	return quat{q[0] / l, q[1] / l, q[2] / l, q[3] / l}
}

// degrees is how far the rotation turns, 0 to 180. The arctangent keeps small
// angles, which an arccosine near 1 would lose.
func (q quat) degrees() float64 {
	return 2 * math.Atan2(math.Sqrt(q[0]*q[0]+q[1]*q[1]+q[2]*q[2]), math.Abs(q[3])) * 180 / math.Pi
}

// between is the angle from q to r in degrees.
func between(q, r quat) float64 { return q.conj().mul(r).degrees() }

func (q quat) rotate(v vec) vec {
	u := vec{q[0], q[1], q[2]}
	t := u.cross(v).mul(2)
	return v.add(t.mul(q[3])).add(u.cross(t))
}

func (v vec) add(w vec) vec     { return vec{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }
func (v vec) sub(w vec) vec     { return vec{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }
func (v vec) mul(s float64) vec { return vec{v[0] * s, v[1] * s, v[2] * s} }
func (v vec) dot(w vec) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }
func (v vec) len() float64      { return math.Sqrt(v.dot(v)) }
func (v vec) cross(w vec) vec {
	return vec{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// unit is v of length 1; 0 stays 0.
func (v vec) unit() vec {
	if l := v.len(); l > 0 {
		return v.mul(1 / l)
	}
	return v
}

// degreesTo is the angle between two directions.
func (v vec) degreesTo(w vec) float64 {
	return math.Atan2(v.cross(w).len(), v.dot(w)) * 180 / math.Pi
}

func place(m *mgl32.Mat4) vec { return vec{float64(m[12]), float64(m[13]), float64(m[14])} }

// through is a point brought through an affine matrix.
func through(m *mgl32.Mat4, p vec) vec {
	var out vec
	for i := range 3 {
		out[i] = float64(m[i])*p[0] + float64(m[4+i])*p[1] + float64(m[8+i])*p[2] + float64(m[12+i])
	}
	return out
}

// rotationOf is the rotation in a matrix that may scale, evenly or not, and
// mirror. Of a mirroring one it is the rotation of the matrix's negative, which
// differs from any other choice by a constant turn of the joint. It is not there
// where the matrix flattens.
func rotationOf(m *mgl32.Mat4) (quat, bool) {
	x := vec{float64(m[0]), float64(m[1]), float64(m[2])}
	y := vec{float64(m[4]), float64(m[5]), float64(m[6])}
	z := vec{float64(m[8]), float64(m[9]), float64(m[10])}
	lx, ly, lz := x.len(), y.len(), z.len()
	if !(lx > 0 && ly > 0 && lz > 0) || min(lx, ly, lz) < 1e-4*max(lx, ly, lz) {
		return identity, false
	}
	x, y, z = x.mul(1/lx), y.mul(1/ly), z.mul(1/lz)
	det := x.dot(y.cross(z))
	if math.Abs(det) < 1e-3 {
		return identity, false
	}
	if det < 0 {
		x, y, z = x.mul(-1), y.mul(-1), z.mul(-1)
	}
	// Sheared: the nearest rotation, by averaging with the inverse transpose, whose
	// columns are the cross products (Higham, polar decomposition by Newton's steps).
	for range 30 {
		off := max(math.Abs(x.dot(y)), math.Abs(y.dot(z)), math.Abs(z.dot(x)), math.Abs(x.dot(x)-1), math.Abs(y.dot(y)-1), math.Abs(z.dot(z)-1))
		if off < 1e-6 {
			break
		}
		d := 1 / x.dot(y.cross(z))
		x, y, z = x.add(y.cross(z).mul(d)).mul(0.5), y.add(z.cross(x).mul(d)).mul(0.5), z.add(x.cross(y).mul(d)).mul(0.5)
	}
	return fromColumns(x, y, z), true
}

// fromColumns is the quaternion of a rotation matrix (Shepperd 1978: the largest
// element first, so that nothing small is divided by).
func fromColumns(x, y, z vec) quat {
	m00, m11, m22 := x[0], y[1], z[2]
	var q quat
	switch t := m00 + m11 + m22; {
	case t >= m00 && t >= m11 && t >= m22:
		q = quat{y[2] - z[1], z[0] - x[2], x[1] - y[0], 1 + t}
	case m00 >= m11 && m00 >= m22:
		q = quat{1 + m00 - m11 - m22, x[1] + y[0], z[0] + x[2], y[2] - z[1]}
	case m11 >= m22:
		q = quat{x[1] + y[0], 1 + m11 - m00 - m22, y[2] + z[1], z[0] - x[2]}
	default:
		q = quat{z[0] + x[2], y[2] + z[1], 1 + m22 - m00 - m11, x[1] - y[0]}
	}
	return q.unit()
}

// middle is the rotation from which the given ones differ least in sum of angles
// (the geometric median, by Weiszfeld's iteration from the mean): a fault in a few
// frames does not move it, as it would the mean.
func middle(qs []quat) quat {
	if len(qs) == 0 {
		return identity
	}
	var sum quat
	for _, q := range qs {
		sum = plus(sum, q, qs[0], 1)
	}
	at := sum.unit()
	worst := 0.0
	for _, q := range qs {
		worst = max(worst, between(at, q))
	}
	if worst < 0.01 {
		return at
	}
	for range 24 {
		var next quat
		for _, q := range qs {
			next = plus(next, q, at, 1/(between(at, q)+1e-4))
		}
		next = next.unit()
		step := between(at, next)
		if at = next; step < 1e-5 {
			break
		}
	}
	return at
}

// plus adds w of q to a sum, on the same half of the sphere as near.
func plus(sum, q, near quat, w float64) quat {
	if q.dot(near) < 0 {
		w = -w
	}
	return quat{sum[0] + w*q[0], sum[1] + w*q[1], sum[2] + w*q[2], sum[3] + w*q[3]}
}
