package mgl32

import "math"

// Vec2, Vec3 and Vec4 are column vectors.
type (
	Vec2 [2]float32
	Vec3 [3]float32
	Vec4 [4]float32
)

func sqrt(x float32) float32 { return float32(math.Sqrt(float64(x))) }

func (v Vec2) X() float32                  { return v[0] }
func (v Vec2) Y() float32                  { return v[1] }
func (v Vec2) Add(w Vec2) Vec2             { return Vec2{v[0] + w[0], v[1] + w[1]} }
func (v Vec2) Sub(w Vec2) Vec2             { return Vec2{v[0] - w[0], v[1] - w[1]} }
func (v Vec2) Mul(s float32) Vec2          { return Vec2{v[0] * s, v[1] * s} }
func (v Vec2) Dot(w Vec2) float32          { return v[0]*w[0] + v[1]*w[1] }
func (v Vec2) Len() float32                { return sqrt(v.Dot(v)) }
func (v Vec2) Vec3(z float32) Vec3         { return Vec3{v[0], v[1], z} }
func (v Vec2) Lerp(w Vec2, t float32) Vec2 { return v.Add(w.Sub(v).Mul(t)) }

func (v Vec3) X() float32          { return v[0] }
func (v Vec3) Y() float32          { return v[1] }
func (v Vec3) Z() float32          { return v[2] }
func (v Vec3) Add(w Vec3) Vec3     { return Vec3{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }
func (v Vec3) Sub(w Vec3) Vec3     { return Vec3{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }
func (v Vec3) Mul(s float32) Vec3  { return Vec3{v[0] * s, v[1] * s, v[2] * s} }
func (v Vec3) Dot(w Vec3) float32  { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }
func (v Vec3) LenSqr() float32     { return v.Dot(v) }
func (v Vec3) Len() float32        { return sqrt(v.Dot(v)) }
func (v Vec3) Vec2() Vec2          { return Vec2{v[0], v[1]} }
func (v Vec3) Vec4(w float32) Vec4 { return Vec4{v[0], v[1], v[2], w} }

// MulVec multiplies component by component.
func (v Vec3) MulVec(w Vec3) Vec3 { return Vec3{v[0] * w[0], v[1] * w[1], v[2] * w[2]} }

// Lerp returns v at t = 0 and w at t = 1.
func (v Vec3) Lerp(w Vec3, t float32) Vec3 { return v.Add(w.Sub(v).Mul(t)) }

// Cross returns the right-handed cross product.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{v[1]*w[2] - v[2]*w[1], v[2]*w[0] - v[0]*w[2], v[0]*w[1] - v[1]*w[0]}
}

// Normalize returns v at length 1. The zero vector stays zero.
func (v Vec3) Normalize() Vec3 {
	l := v.Len()
	if l == 0 {
		return Vec3{}
	}
	return v.Mul(1 / l)
}

// Min returns the smaller of each component, Max the larger.
func (v Vec3) Min(w Vec3) Vec3 { return Vec3{min(v[0], w[0]), min(v[1], w[1]), min(v[2], w[2])} }

// Max returns the larger of each component.
func (v Vec3) Max(w Vec3) Vec3 { return Vec3{max(v[0], w[0]), max(v[1], w[1]), max(v[2], w[2])} }

func (v Vec4) X() float32         { return v[0] }
func (v Vec4) Y() float32         { return v[1] }
func (v Vec4) Z() float32         { return v[2] }
func (v Vec4) W() float32         { return v[3] }
func (v Vec4) Add(w Vec4) Vec4    { return Vec4{v[0] + w[0], v[1] + w[1], v[2] + w[2], v[3] + w[3]} }
func (v Vec4) Sub(w Vec4) Vec4    { return Vec4{v[0] - w[0], v[1] - w[1], v[2] - w[2], v[3] - w[3]} }
func (v Vec4) Mul(s float32) Vec4 { return Vec4{v[0] * s, v[1] * s, v[2] * s, v[3] * s} }
func (v Vec4) Dot(w Vec4) float32 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] + v[3]*w[3] }
func (v Vec4) Len() float32       { return sqrt(v.Dot(v)) }
func (v Vec4) Vec3() Vec3         { return Vec3{v[0], v[1], v[2]} }
