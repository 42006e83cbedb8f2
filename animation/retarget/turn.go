package retarget

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Rotations of joints to model space are products of quaternions, not taken from
// matrices: a scale of 0, or of -1, loses nothing then. A joint below negative
// scales F = diag(±1) has the linear part Q·F with F gathered on the way; since
// Q·F·R = Q·(F·R·F)·F, the next rotation counts as F·R·F, which turns about the
// axis det(F)·F·v by the same angle.

// mirrored is F·q·F.
func mirrored(q mgl32.Quat, f mgl32.Vec3) mgl32.Quat {
	if d := f[0] * f[1] * f[2]; f != (mgl32.Vec3{1, 1, 1}) {
		q.V = q.V.MulVec(f.Mul(d))
	}
	return q
}

// signs gathers by joint the signs of its scale and of those above it.
func signs(s *animation.Skeleton, p *animation.Pose) []mgl32.Vec3 {
	out := make([]mgl32.Vec3, s.Len())
	for j, parent := range s.Parents {
		f := mgl32.Vec3{1, 1, 1}
		if parent >= 0 {
			f = out[parent]
		}
		for c, x := range p.Local[j].Scale {
			if x < 0 {
				f[c] = -f[c]
			}
		}
		out[j] = f
	}
	return out
}

// above are the signs that hold where joint j's own rotation applies.
func (r *Rig) above(j int32) mgl32.Vec3 {
	if p := r.Skeleton.Parents[j]; p >= 0 {
		return r.sign[p]
	}
	return mgl32.Vec3{1, 1, 1}
}

// rotations writes each joint's rotation to model space.
func (r *Rig) rotations(p *animation.Pose, out []mgl32.Quat) {
	for j, parent := range r.Skeleton.Parents {
		q := p.Local[j].Rotation
		if len(r.fixed) > 0 && !p.Moved[j] {
			if fixed, ok := r.fixed[int32(j)]; ok {
				q = fixed
			}
		}
		if parent >= 0 {
			q = out[parent].Mul(mirrored(q, r.sign[parent]))
		}
		out[j] = q
	}
}

// place is where a joint is in model space, and the mean scale there.
func (r *Rig) place(p *animation.Pose, j int32) (at mgl32.Vec3, scale float32) {
	scale = 1
	for ; j >= 0; j = r.Skeleton.Parents[j] {
		if m, ok := r.Skeleton.RestMatrix[j]; ok && !p.Moved[j] {
			at = mgl32.TransformCoordinate(at, m)
			continue
		}
		x := &p.Local[j]
		at = x.Rotation.Rotate(at.MulVec(x.Scale)).Add(x.Translation)
		scale *= float32(math.Cbrt(math.Abs(float64(x.Scale[0]) * float64(x.Scale[1]) * float64(x.Scale[2]))))
	}
	return at, scale
}

// placeBelow is where a joint is from another above it, in the space of that one's
// rotation, its scale counted.
func (r *Rig) placeBelow(p *animation.Pose, j, top int32) (at mgl32.Vec3) {
	for ; j != top; j = r.Skeleton.Parents[j] {
		if m, ok := r.Skeleton.RestMatrix[j]; ok && !p.Moved[j] {
			at = mgl32.TransformCoordinate(at, m)
			continue
		}
		x := &p.Local[j]
		at = x.Rotation.Rotate(at.MulVec(x.Scale)).Add(x.Translation)
	}
	return at.MulVec(p.Local[top].Scale)
}

// sizeAbove is the mean scale of what is above a joint at rest.
func (r *Rig) sizeAbove(j int32) float32 {
	p := r.Skeleton.Parents[j]
	if p < 0 {
		return 1
	}
	_, scale := r.place(r.base, p)
	return scale
}

// between is the shortest turn from one direction to another; side is the axis
// where they are opposite.
func between(from, to, side mgl32.Vec3) mgl32.Quat {
	from, to = from.Normalize(), to.Normalize()
	if from.Dot(to) < -0.9999 {
		return mgl32.QuatRotate(math.Pi, side)
	}
	return mgl32.QuatBetweenVectors(from, to)
}

// signedAngle is the angle about a unit axis from one vector to another, radians.
func signedAngle(from, to, axis mgl32.Vec3) float32 {
	from, to = flat(from, axis), flat(to, axis)
	return float32(math.Atan2(float64(from.Cross(to).Dot(axis)), float64(from.Dot(to))))
}

// flat is what of a vector lies across an axis.
func flat(v, axis mgl32.Vec3) mgl32.Vec3 { return v.Sub(axis.Mul(v.Dot(axis))) }

func finite(v mgl32.Vec3) bool {
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return false
		}
	}
	return true
}

// angleBetween is the angle of the turn from p to q in radians, exact where it is
// small.
func angleBetween(p, q mgl32.Quat) float32 {
	if p.Dot(q) < 0 {
		q = q.Scale(-1)
	}
	d := p.Add(q.Scale(-1)).Len() / 2
	return 4 * float32(math.Asin(float64(min(d, 1))))
}
