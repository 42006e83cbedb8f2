package fbx

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// The loader computes in float64, and rounds once, at the end.
type (
	vec3 [3]float64
	quat [4]float64  // x, y, z, w
	mat  [12]float64 // affine, three columns and the translation
)

func (a vec3) add(b vec3) vec3    { return vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec3) sub(b vec3) vec3    { return vec3{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec3) mul(s float64) vec3 { return vec3{a[0] * s, a[1] * s, a[2] * s} }
func (a vec3) times(b vec3) vec3  { return vec3{a[0] * b[0], a[1] * b[1], a[2] * b[2]} }
func (a vec3) dot(b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec3) len() float64       { return math.Sqrt(a.dot(a)) }
func (a vec3) single() mgl32.Vec3 { return mgl32.Vec3{float32(a[0]), float32(a[1]), float32(a[2])} }
func (a vec3) cross(b vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// unit is a of length 1, or a itself where it has none.
func (a vec3) unit() vec3 {
	l := a.len()
	if !(l > 0) || math.IsInf(l, 0) {
		return a
	}
	return a.mul(1 / l)
}

var ones = vec3{1, 1, 1}

func (a quat) mul(b quat) quat {
	return quat{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
		a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

func (a quat) conj() quat         { return quat{-a[0], -a[1], -a[2], a[3]} }
func (a quat) neg() quat          { return quat{-a[0], -a[1], -a[2], -a[3]} }
func (a quat) dot(b quat) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3] }
func (a quat) single() mgl32.Quat {
	return mgl32.QuatXYZW(float32(a[0]), float32(a[1]), float32(a[2]), float32(a[3]))
}

func (a quat) unit() quat {
	l := math.Sqrt(a.dot(a))
	if !(l > 0) || math.IsInf(l, 0) {
		return quat{0, 0, 0, 1}
	}
	return quat{a[0] / l, a[1] / l, a[2] / l, a[3] / l}
}

func (a quat) rotate(v vec3) vec3 {
	u := vec3{a[0], a[1], a[2]}
	t := u.cross(v).mul(2)
	return v.add(t.mul(a[3])).add(u.cross(t))
}

func slerp(a, b quat, t float64) quat {
	d := a.dot(b)
	if d < 0 {
		b, d = b.neg(), -d
	}
	wa, wb := 1-t, t
	if d < 1-1e-9 {
		angle := math.Acos(min(d, 1))
		s := math.Sin(angle)
		wa, wb = math.Sin((1-t)*angle)/s, math.Sin(t*angle)/s
	}
	return quat{wa*a[0] + wb*b[0], wa*a[1] + wb*b[1], wa*a[2] + wb*b[2], wa*a[3] + wb*b[3]}.unit()
}

// euler is the rotation of three angles in degrees, applied one after another
// in the order that RotationOrder numbers: XYZ turns about X first. Spheric XYZ
// (6) counts as XYZ (Autodesk FBX SDK, FbxEuler::EOrder).
func euler(degrees vec3, order int64) quat {
	var q [3]quat
	for i, d := range degrees {
		s, c := math.Sincos(d * math.Pi / 360)
		q[i] = quat{0, 0, 0, c}
		q[i][i] = s
	}
	a := [3]int{0, 1, 2}
	if order > 0 && int(order) < len(eulerOrders) {
		a = eulerOrders[order]
	}
	return q[a[2]].mul(q[a[1]]).mul(q[a[0]])
}

var eulerOrders = [...][3]int{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}}

// transform is scale, then rotation, then translation.
type transform struct {
	t vec3
	q quat
	s vec3
}

var identity = transform{q: quat{0, 0, 0, 1}, s: ones}

func (x transform) mat() mat {
	c0, c1, c2 := x.q.rotate(vec3{x.s[0], 0, 0}), x.q.rotate(vec3{0, x.s[1], 0}), x.q.rotate(vec3{0, 0, x.s[2]})
	return mat{c0[0], c0[1], c0[2], c1[0], c1[1], c1[2], c2[0], c2[1], c2[2], x.t[0], x.t[1], x.t[2]}
}

func identityMat() mat { return mat{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0} }

func (m *mat) col(i int) vec3 { return vec3{m[3*i], m[3*i+1], m[3*i+2]} }
func (m *mat) vector(v vec3) vec3 {
	return m.col(0).mul(v[0]).add(m.col(1).mul(v[1])).add(m.col(2).mul(v[2]))
}
func (m *mat) point(v vec3) vec3 { return m.vector(v).add(m.col(3)) }
func (m *mat) det() float64      { return m.col(0).dot(m.col(1).cross(m.col(2))) }

func (m mat) mul(n mat) mat {
	var out mat
	for i := range 3 {
		c := m.vector(n.col(i))
		copy(out[3*i:], c[:])
	}
	c := m.point(n.col(3))
	copy(out[9:], c[:])
	return out
}

// cofactors carries normals: the inverse transpose times the determinant.
func (m *mat) cofactors() mat {
	a, b, c := m.col(0), m.col(1), m.col(2)
	x, y, z := b.cross(c), c.cross(a), a.cross(b)
	return mat{x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]}
}

// inverse is false where there is none.
func (m mat) inverse() (mat, bool) {
	d := m.det()
	if !(math.Abs(d) > 1e-60) || math.IsInf(d, 0) {
		return identityMat(), false
	}
	k := m.cofactors()
	var out mat
	for i := range 3 {
		for j := range 3 {
			out[3*i+j] = k[3*j+i] / d
		}
	}
	t := m.col(3)
	back := out.vector(t).mul(-1)
	copy(out[9:], back[:])
	return out, true
}

func (m mat) single() mgl32.Mat4 {
	f := func(i int) float32 { return float32(m[i]) }
	return mgl32.Mat4{f(0), f(1), f(2), 0, f(3), f(4), f(5), 0, f(6), f(7), f(8), 0, f(9), f(10), f(11), 1}
}

func (m *mat) finite() bool {
	for _, x := range m {
		if math.IsNaN(x) || math.Abs(x) > 1e30 {
			return false
		}
	}
	return true
}
