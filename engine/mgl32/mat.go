package mgl32

// Mat3 and Mat4 are column-major matrices: m[rows*col+row].
type (
	Mat3 [9]float32
	Mat4 [16]float32
)

// Ident3 returns the 3×3 identity.
func Ident3() Mat3 { return Mat3{1, 0, 0, 0, 1, 0, 0, 0, 1} }

// Ident4 returns the 4×4 identity.
func Ident4() Mat4 { return Mat4{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1} }

// Col returns column c.
func (m Mat3) Col(c int) Vec3 { return Vec3{m[3*c], m[3*c+1], m[3*c+2]} }

// Mul3 is the product m·n: n is applied first.
func (m Mat3) Mul3(n Mat3) Mat3 {
	var r Mat3
	for c := range 3 {
		for i := range 3 {
			r[3*c+i] = m[i]*n[3*c] + m[3+i]*n[3*c+1] + m[6+i]*n[3*c+2]
		}
	}
	return r
}

// Mul3x1 applies m to the column v.
func (m Mat3) Mul3x1(v Vec3) Vec3 {
	return Vec3{
		m[0]*v[0] + m[3]*v[1] + m[6]*v[2],
		m[1]*v[0] + m[4]*v[1] + m[7]*v[2],
		m[2]*v[0] + m[5]*v[1] + m[8]*v[2],
	}
}

// Transpose swaps rows and columns.
func (m Mat3) Transpose() Mat3 {
	return Mat3{m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]}
}

// Det is the determinant.
func (m Mat3) Det() float32 { return m.Col(0).Dot(m.Col(1).Cross(m.Col(2))) }

// Inv returns the inverse, or the zero matrix where there is none.
func (m Mat3) Inv() Mat3 {
	a, b, c := m.Col(0), m.Col(1), m.Col(2)
	bc, ca, ab := b.Cross(c), c.Cross(a), a.Cross(b)
	det := a.Dot(bc)
	if det == 0 {
		return Mat3{}
	}
	s := 1 / det
	return Mat3{
		bc[0] * s, ca[0] * s, ab[0] * s,
		bc[1] * s, ca[1] * s, ab[1] * s,
		bc[2] * s, ca[2] * s, ab[2] * s,
	}
}

// Mat4 puts m into the upper left of an identity.
func (m Mat3) Mat4() Mat4 {
	return Mat4{m[0], m[1], m[2], 0, m[3], m[4], m[5], 0, m[6], m[7], m[8], 0, 0, 0, 0, 1}
}

// Col returns column c.
func (m Mat4) Col(c int) Vec4 { return Vec4{m[4*c], m[4*c+1], m[4*c+2], m[4*c+3]} }

// Row returns row r.
func (m Mat4) Row(r int) Vec4 { return Vec4{m[r], m[4+r], m[8+r], m[12+r]} }

// At returns the element at row r, column c.
func (m Mat4) At(r, c int) float32 { return m[4*c+r] }

// Mat3 is the upper left 3×3 part.
func (m Mat4) Mat3() Mat3 {
	return Mat3{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]}
}

// Mul4 is the product m·n: n is applied first.
func (m Mat4) Mul4(n Mat4) Mat4 {
	var r Mat4
	for c := 0; c < 16; c += 4 {
		a, b, d, e := n[c], n[c+1], n[c+2], n[c+3]
		r[c] = m[0]*a + m[4]*b + m[8]*d + m[12]*e
		r[c+1] = m[1]*a + m[5]*b + m[9]*d + m[13]*e
		r[c+2] = m[2]*a + m[6]*b + m[10]*d + m[14]*e
		r[c+3] = m[3]*a + m[7]*b + m[11]*d + m[15]*e
	}
	return r
}

// Mul4x1 applies m to the column v.
func (m Mat4) Mul4x1(v Vec4) Vec4 {
	return Vec4{
		m[0]*v[0] + m[4]*v[1] + m[8]*v[2] + m[12]*v[3],
		m[1]*v[0] + m[5]*v[1] + m[9]*v[2] + m[13]*v[3],
		m[2]*v[0] + m[6]*v[1] + m[10]*v[2] + m[14]*v[3],
		m[3]*v[0] + m[7]*v[1] + m[11]*v[2] + m[15]*v[3],
	}
}

// Add adds element by element.
func (m Mat4) Add(n Mat4) Mat4 {
	for i := range m {
		m[i] += n[i]
	}
	return m
}

// Mul scales every element.
func (m Mat4) Mul(s float32) Mat4 {
	for i := range m {
		m[i] *= s
	}
	return m
}

// Transpose swaps rows and columns.
func (m Mat4) Transpose() Mat4 {
	return Mat4{
		m[0], m[4], m[8], m[12],
		m[1], m[5], m[9], m[13],
		m[2], m[6], m[10], m[14],
		m[3], m[7], m[11], m[15],
	}
}

// cofactors returns the 2×2 minors that Det and Inv share, in float64 because
// a character scaled to centimetres otherwise loses digits.
func (m Mat4) cofactors() (s, c [6]float64) {
	a := func(i int) float64 { return float64(m[i]) }
	s = [6]float64{
		a(0)*a(5) - a(4)*a(1), a(0)*a(6) - a(4)*a(2), a(0)*a(7) - a(4)*a(3),
		a(1)*a(6) - a(5)*a(2), a(1)*a(7) - a(5)*a(3), a(2)*a(7) - a(6)*a(3),
	}
	c = [6]float64{
		a(8)*a(13) - a(12)*a(9), a(8)*a(14) - a(12)*a(10), a(8)*a(15) - a(12)*a(11),
		a(9)*a(14) - a(13)*a(10), a(9)*a(15) - a(13)*a(11), a(10)*a(15) - a(14)*a(11),
	}
	return s, c
}

func det4(s, c [6]float64) float64 {
	return s[0]*c[5] - s[1]*c[4] + s[2]*c[3] + s[3]*c[2] - s[4]*c[1] + s[5]*c[0]
}

// Det is the determinant.
func (m Mat4) Det() float32 { return float32(det4(m.cofactors())) }

// Inv returns the inverse, or the zero matrix where there is none.
func (m Mat4) Inv() Mat4 {
	s, c := m.cofactors()
	det := det4(s, c)
	if det == 0 {
		return Mat4{}
	}
	a := func(i int) float64 { return float64(m[i]) }
	f := func(x float64) float32 { return float32(x / det) }
	return Mat4{
		f(a(5)*c[5] - a(6)*c[4] + a(7)*c[3]), f(-a(1)*c[5] + a(2)*c[4] - a(3)*c[3]),
		f(a(13)*s[5] - a(14)*s[4] + a(15)*s[3]), f(-a(9)*s[5] + a(10)*s[4] - a(11)*s[3]),
		f(-a(4)*c[5] + a(6)*c[2] - a(7)*c[1]), f(a(0)*c[5] - a(2)*c[2] + a(3)*c[1]),
		f(-a(12)*s[5] + a(14)*s[2] - a(15)*s[1]), f(a(8)*s[5] - a(10)*s[2] + a(11)*s[1]),
		f(a(4)*c[4] - a(5)*c[2] + a(7)*c[0]), f(-a(0)*c[4] + a(1)*c[2] - a(3)*c[0]),
		f(a(12)*s[4] - a(13)*s[2] + a(15)*s[0]), f(-a(8)*s[4] + a(9)*s[2] - a(11)*s[0]),
		f(-a(4)*c[3] + a(5)*c[1] - a(6)*c[0]), f(a(0)*c[3] - a(1)*c[1] + a(2)*c[0]),
		f(-a(12)*s[3] + a(13)*s[1] - a(14)*s[0]), f(a(8)*s[3] - a(9)*s[1] + a(10)*s[0]),
	}
}
