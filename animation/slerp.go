package animation

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// slerp turns from a to b (x, y, z, w) along the shorter arc at constant speed
// (glTF 2.0 appendix C.4) and returns unit length.
//
// Keys of a motion lie close together, so the ratios sin(uθ)/sin(θ) come from
// their hypergeometric series about θ = 0 (DLMF 15.4.16 with z = θ/2, a = 1+u),
//
//	sin(uθ)/sin θ = u · Σ Π_{i≥1} (i²-u²)/(i(2i+1)) · (1-cos θ)
//
// whose terms shrink at least by (1-cos θ)/2 each. Four of them are right to
// float32 where cos θ > 0.97, that is for turns up to 28°; eight up to 83°.
func slerp(ax, ay, az, aw, bx, by, bz, bw, u float32) mgl32.Quat {
	cos := ax*bx + ay*by + az*bz + aw*bw
	sign := float32(1)
	if cos < 0 {
		cos, sign = -cos, -1
	}
	var wa, wb float32
	switch x := 1 - cos; {
	case x < 0.03:
		wa, wb = sinRatioNear(1-u, x), sinRatioNear(u, x)
	case x < 0.25:
		wa, wb = sinRatio(1-u, x), sinRatio(u, x)
	default:
		theta := math.Acos(float64(cos))
		s := 1 / math.Sin(theta)
		wa = float32(math.Sin((1-float64(u))*theta) * s)
		wb = float32(math.Sin(float64(u)*theta) * s)
	}
	wb *= sign
	x, y, z, w := wa*ax+wb*bx, wa*ay+wb*by, wa*az+wb*bz, wa*aw+wb*bw
	return unit(x, y, z, w)
}

// unit returns the quaternion at length 1. One that is nearly so, as nearly all
// are, is spared the root and the division by the series of 1/√(1+d).
func unit(x, y, z, w float32) mgl32.Quat {
	l := x*x + y*y + z*z + w*w
	var s float32
	if d := l - 1; d*d < 1e-5 {
		s = 1 - d*(0.5-0.375*d)
	} else if l > 0 {
		s = 1 / float32(math.Sqrt(float64(l)))
	} else {
		return mgl32.QuatIdent()
	}
	return mgl32.Quat{W: w * s, V: mgl32.Vec3{x * s, y * s, z * s}}
}

// sinRatioNear is sin(u·θ)/sin(θ) where x = 1-cos(θ) < 0.03 and u in [0, 1].
func sinRatioNear(u, x float32) float32 {
	v := u * u
	r := 1 + (16-v)*(1.0/(4*9))*x
	r = 1 + (9-v)*(1.0/(3*7))*x*r
	r = 1 + (4-v)*(1.0/(2*5))*x*r
	r = 1 + (1-v)*(1.0/(1*3))*x*r
	return u * r
}

// sinRatio is sin(u·θ)/sin(θ) where x = 1-cos(θ) < 0.25 and u in [0, 1].
func sinRatio(u, x float32) float32 {
	v := u * u
	r := 1 + (64-v)*x*(1.0/(8*17))
	r = 1 + (49-v)*x*(1.0/(7*15))*r
	r = 1 + (36-v)*x*(1.0/(6*13))*r
	r = 1 + (25-v)*x*(1.0/(5*11))*r
	r = 1 + (16-v)*x*(1.0/(4*9))*r
	r = 1 + (9-v)*x*(1.0/(3*7))*r
	r = 1 + (4-v)*x*(1.0/(2*5))*r
	r = 1 + (1-v)*x*(1.0/(1*3))*r
	return u * r
}

// nlerp is v·p + u·q along the shorter arc, of unit length.
func nlerp(p, q mgl32.Quat, v, u float32) mgl32.Quat {
	if p.W*q.W+p.V[0]*q.V[0]+p.V[1]*q.V[1]+p.V[2]*q.V[2] < 0 {
		u = -u
	}
	w, x, y, z := v*p.W+u*q.W, v*p.V[0]+u*q.V[0], v*p.V[1]+u*q.V[1], v*p.V[2]+u*q.V[2]
	l := (w*w + y*y) + (x*x + z*z) // in the order of the vector kernel
	if l == 0 {
		return mgl32.QuatIdent()
	}
	s := 1 / float32(math.Sqrt(float64(l)))
	return mgl32.Quat{W: w * s, V: mgl32.Vec3{x * s, y * s, z * s}}
}
