package mgl32

import "math"

// Quat is the quaternion W + V·(i, j, k). Rotations are unit quaternions; the
// zero Quat is no rotation, QuatIdent is the identity.
type Quat struct {
	W float32
	V Vec3
}

// QuatIdent returns the rotation that turns nothing.
func QuatIdent() Quat { return Quat{W: 1} }

// QuatXYZW builds a quaternion from glTF's order of components.
func QuatXYZW(x, y, z, w float32) Quat { return Quat{W: w, V: Vec3{x, y, z}} }

// XYZW returns the components in glTF's order.
func (q Quat) XYZW() Vec4 { return Vec4{q.V[0], q.V[1], q.V[2], q.W} }

// QuatRotate turns by angle (radians, right-handed) about axis (unit length).
func QuatRotate(angle float32, axis Vec3) Quat {
	s, c := math.Sincos(float64(angle) / 2)
	return Quat{W: float32(c), V: axis.Mul(float32(s))}
}

// QuatBetweenVectors is the shortest rotation that takes the direction from to
// the direction to. Of opposite directions it turns about any axis across.
func QuatBetweenVectors(from, to Vec3) Quat {
	from, to = from.Normalize(), to.Normalize()
	d := from.Dot(to)
	if d < -0.999999 {
		axis := Vec3{1, 0, 0}.Cross(from)
		if axis.LenSqr() < 1e-8 {
			axis = Vec3{0, 1, 0}.Cross(from)
		}
		return QuatRotate(math.Pi, axis.Normalize())
	}
	return Quat{W: 1 + d, V: from.Cross(to)}.Normalize()
}

// Mul composes rotations: q.Mul(r) turns by r first, then by q.
func (q Quat) Mul(r Quat) Quat {
	return Quat{
		W: q.W*r.W - q.V.Dot(r.V),
		V: r.V.Mul(q.W).Add(q.V.Mul(r.W)).Add(q.V.Cross(r.V)),
	}
}

func (q Quat) Add(r Quat) Quat      { return Quat{q.W + r.W, q.V.Add(r.V)} }
func (q Quat) Scale(s float32) Quat { return Quat{q.W * s, q.V.Mul(s)} }
func (q Quat) Dot(r Quat) float32   { return q.W*r.W + q.V.Dot(r.V) }
func (q Quat) Len() float32         { return sqrt(q.Dot(q)) }
func (q Quat) Conjugate() Quat      { return Quat{q.W, q.V.Mul(-1)} }

// Inverse undoes q; for a unit quaternion it is the conjugate.
func (q Quat) Inverse() Quat { return q.Conjugate().Scale(1 / q.Dot(q)) }

// Normalize returns q at length 1. The zero quaternion becomes the identity.
func (q Quat) Normalize() Quat {
	l := q.Len()
	if l == 0 {
		return QuatIdent()
	}
	return q.Scale(1 / l)
}

// Rotate turns the vector v by the unit quaternion q.
func (q Quat) Rotate(v Vec3) Vec3 {
	t := q.V.Cross(v).Mul(2)
	return v.Add(t.Mul(q.W)).Add(q.V.Cross(t))
}

// Mat3 is the rotation matrix of the unit quaternion q.
func (q Quat) Mat3() Mat3 {
	w, x, y, z := q.W, q.V[0], q.V[1], q.V[2]
	return Mat3{
		1 - 2*(y*y+z*z), 2 * (x*y + w*z), 2 * (x*z - w*y),
		2 * (x*y - w*z), 1 - 2*(x*x+z*z), 2 * (y*z + w*x),
		2 * (x*z + w*y), 2 * (y*z - w*x), 1 - 2*(x*x+y*y),
	}
}

// Mat4 is the rotation matrix of the unit quaternion q.
func (q Quat) Mat4() Mat4 { return q.Mat3().Mat4() }

// QuatNlerp blends linearly along the shorter arc and normalises.
func QuatNlerp(a, b Quat, t float32) Quat {
	if a.Dot(b) < 0 {
		b = b.Scale(-1)
	}
	return a.Scale(1 - t).Add(b.Scale(t)).Normalize()
}

// QuatSlerp blends at constant angular speed along the shorter arc
// (glTF 2.0 appendix C.4). Nearly equal rotations are blended linearly.
func QuatSlerp(a, b Quat, t float32) Quat {
	d := a.Dot(b)
	if d < 0 {
		b, d = b.Scale(-1), -d
	}
	if d > 0.9995 {
		return a.Scale(1 - t).Add(b.Scale(t)).Normalize()
	}
	theta := math.Acos(float64(d))
	s := math.Sin(theta)
	wa := float32(math.Sin((1-float64(t))*theta) / s)
	wb := float32(math.Sin(float64(t)*theta) / s)
	return a.Scale(wa).Add(b.Scale(wb)).Normalize()
}
