package mgl32

import "math"

// Translate3D moves by (x, y, z).
func Translate3D(x, y, z float32) Mat4 {
	return Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}
}

// Scale3D scales along the axes.
func Scale3D(x, y, z float32) Mat4 {
	return Mat4{x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}
}

// HomogRotate3D turns by angle (radians) about axis (unit length).
func HomogRotate3D(angle float32, axis Vec3) Mat4 { return QuatRotate(angle, axis).Mat4() }

// Compose is translation · rotation · scale, the order of a glTF node
// (glTF 2.0 §3.5.3).
func Compose(t Vec3, r Quat, s Vec3) Mat4 {
	m := r.Mat3()
	return Mat4{
		m[0] * s[0], m[1] * s[0], m[2] * s[0], 0,
		m[3] * s[1], m[4] * s[1], m[5] * s[1], 0,
		m[6] * s[2], m[7] * s[2], m[8] * s[2], 0,
		t[0], t[1], t[2], 1,
	}
}

// Decompose splits m into translation, rotation and scale so that Compose gives
// it back. A mirrored matrix gets a negative X scale; shear is lost.
func (m Mat4) Decompose() (t Vec3, r Quat, s Vec3) {
	t = Vec3{m[12], m[13], m[14]}
	x, y, z := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	s = Vec3{x.Len(), y.Len(), z.Len()}
	if x.Dot(y.Cross(z)) < 0 {
		s[0] = -s[0]
	}
	div := func(v Vec3, l float32) Vec3 {
		if l == 0 {
			return v
		}
		return v.Mul(1 / l)
	}
	x, y, z = div(x, s[0]), div(y, s[1]), div(z, s[2])
	r = Mat3{x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]}.Quat()
	return t, r, s
}

// Quat is the rotation of the orthonormal matrix m (Shepperd's method: the
// largest component first, so that no small number is divided by).
func (m Mat3) Quat() Quat {
	tr := m[0] + m[4] + m[8]
	var q Quat
	switch {
	case tr > 0:
		s := 2 * sqrt(tr+1)
		q = Quat{s / 4, Vec3{(m[5] - m[7]) / s, (m[6] - m[2]) / s, (m[1] - m[3]) / s}}
	case m[0] > m[4] && m[0] > m[8]:
		s := 2 * sqrt(1+m[0]-m[4]-m[8])
		q = Quat{(m[5] - m[7]) / s, Vec3{s / 4, (m[1] + m[3]) / s, (m[6] + m[2]) / s}}
	case m[4] > m[8]:
		s := 2 * sqrt(1+m[4]-m[0]-m[8])
		q = Quat{(m[6] - m[2]) / s, Vec3{(m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s}}
	default:
		s := 2 * sqrt(1+m[8]-m[0]-m[4])
		q = Quat{(m[1] - m[3]) / s, Vec3{(m[6] + m[2]) / s, (m[5] + m[7]) / s, s / 4}}
	}
	return q.Normalize()
}

// TransformCoordinate applies m to the point v, dividing by w.
func TransformCoordinate(v Vec3, m Mat4) Vec3 {
	r := m.Mul4x1(v.Vec4(1))
	if r[3] == 1 || r[3] == 0 {
		return r.Vec3()
	}
	return r.Vec3().Mul(1 / r[3])
}

// TransformNormal applies the rotation and scale of m to the direction v.
func TransformNormal(v Vec3, m Mat4) Vec3 { return m.Mat3().Mul3x1(v) }

// LookAtV is the view matrix of an eye that looks at center: world to view
// space, in which the eye looks along -Z.
func LookAtV(eye, center, up Vec3) Mat4 {
	f := center.Sub(eye).Normalize()
	s := f.Cross(up.Normalize()).Normalize()
	u := s.Cross(f)
	return Mat4{
		s[0], u[0], -f[0], 0,
		s[1], u[1], -f[1], 0,
		s[2], u[2], -f[2], 0,
		-s.Dot(eye), -u.Dot(eye), f.Dot(eye), 1,
	}
}

// Perspective is view to clip space with fovy (radians) from bottom to top.
// Clip space is Vulkan's: Y down, depth reversed (near 1, far 0).
func Perspective(fovy, aspect, near, far float32) Mat4 {
	f := float32(1 / math.Tan(float64(fovy)/2))
	d := near / (far - near)
	return Mat4{
		f / aspect, 0, 0, 0,
		0, -f, 0, 0,
		0, 0, d, -1,
		0, 0, d * far, 0,
	}
}

// Ortho is the parallel projection of a box in view space; near and far are
// distances in front of the eye. Clip space is Vulkan's with reversed depth.
func Ortho(left, right, bottom, top, near, far float32) Mat4 {
	return Mat4{
		2 / (right - left), 0, 0, 0,
		0, -2 / (top - bottom), 0, 0,
		0, 0, 1 / (far - near), 0,
		-(right + left) / (right - left), (top + bottom) / (top - bottom), far / (far - near), 1,
	}
}

// DegToRad turns degrees into radians, RadToDeg radians into degrees.
func DegToRad(a float32) float32 { return a * math.Pi / 180 }

// RadToDeg turns radians into degrees.
func RadToDeg(a float32) float32 { return a * 180 / math.Pi }
