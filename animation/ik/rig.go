package ik

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Rig is what every job works on: one entity's pose and its matrices.
type Rig struct {
	Skeleton *animation.Skeleton
	Pose     *animation.Pose
	Model    []mgl32.Mat4 // of the pose: model space from joint space, by joint
}

// validate checks the rig and that each joint lies above the next.
func (r *Rig) validate(what string, chain ...int32) error {
	if r.Skeleton == nil || r.Pose == nil {
		return fmt.Errorf("%w: %s needs a skeleton and a pose", animation.ErrJob, what)
	}
	if err := r.Pose.Fits(r.Skeleton); err != nil {
		return err
	}
	if len(r.Model) != r.Skeleton.Len() {
		return fmt.Errorf("%w: %s: %d matrices for %d joints", animation.ErrJob, what, len(r.Model), r.Skeleton.Len())
	}
	return r.validateChain(what, chain)
}

func (r *Rig) validateChain(what string, chain []int32) error {
	for i, j := range chain {
		if j < 0 || int(j) >= r.Skeleton.Len() {
			return fmt.Errorf("%w: %s: joint %d of a skeleton of %d", animation.ErrJob, what, j, r.Skeleton.Len())
		}
		if i == 0 {
			continue
		}
		up := r.Skeleton.Parents[j]
		for up > chain[i-1] {
			up = r.Skeleton.Parents[up]
		}
		if up != chain[i-1] {
			return fmt.Errorf("%w: %s: joint %d (%q) is not above joint %d (%q)", animation.ErrJob, what,
				chain[i-1], r.Skeleton.Names[chain[i-1]], j, r.Skeleton.Names[j])
		}
	}
	return nil
}

func finite(what string, vectors ...mgl32.Vec3) error {
	for _, v := range vectors {
		if x := v[0] + v[1] + v[2]; x-x != 0 {
			return fmt.Errorf("%w: %s at %v", animation.ErrJob, what, v)
		}
	}
	return nil
}

func weight(what string, w float32) error {
	if !(w >= 0 && w <= 1) {
		return fmt.Errorf("%w: %s of weight %v", animation.ErrJob, what, w)
	}
	return nil
}

func (r *Rig) at(j int32) mgl32.Vec3 { return r.Model[j].Col(3).Vec3() }

// turn rotates a joint about its own place by a rotation in model space. Matrices
// are left as they are.
func (r *Rig) turn(j int32, q mgl32.Quat) {
	if up := r.Skeleton.Parents[j]; up >= 0 {
		_, g, s := r.Model[up].Decompose()
		q = g.Conjugate().Mul(q).Mul(g)
		if s[0] < 0 { // mirrored along x: the other two components change sides
			q.V[1], q.V[2] = -q.V[1], -q.V[2]
		}
	}
	x := &r.Pose.Local[j]
	x.Rotation = q.Mul(x.Rotation).Normalize()
	r.Pose.Moved[j] = true
}

// Turn rotates a joint about its own place by a rotation in model space, and makes
// its matrix and those below it anew. Scales above it should be uniform; they may
// mirror.
func (r *Rig) Turn(j int32, q mgl32.Quat) {
	r.turn(j, q)
	r.Pose.ToModelBelow(r.Skeleton, j, r.Model)
}

// refresh makes the matrices of the joints from above to below anew.
func (r *Rig) refresh(above, below int32) {
	if below != above {
		r.refresh(above, r.Skeleton.Parents[below])
	}
	r.Pose.ToModelOf(r.Skeleton, below, r.Model)
}

// mix sets a joint's rotation to u of what it is now and the rest of what it was.
func (r *Rig) mix(j int32, was mgl32.Quat, u float32) {
	x := &r.Pose.Local[j]
	x.Rotation = mgl32.QuatNlerp(was, x.Rotation, u)
}

// part is a rotation cut to a share of its angle and to a limit, and the angle
// that it turns by.
func part(q mgl32.Quat, share, limit float32) (mgl32.Quat, float32) {
	if q.W < 0 {
		q = q.Scale(-1)
	}
	l := q.V.Len()
	if l == 0 {
		return mgl32.QuatIdent(), 0
	}
	angle := 2 * float32(math.Atan2(float64(l), float64(q.W)))
	turn := min(angle*share, limit)
	sin, cos := math.Sincos(float64(turn) / 2)
	return mgl32.Quat{W: float32(cos), V: q.V.Mul(float32(sin) / l)}, turn
}

// between is the shortest rotation from one direction to another; of a vector
// without length it is none.
func between(from, to mgl32.Vec3) mgl32.Quat {
	if from.LenSqr() < 1e-16 || to.LenSqr() < 1e-16 {
		return mgl32.QuatIdent()
	}
	return mgl32.QuatBetweenVectors(from, to)
}

// across is v without its part along the unit vector axis.
func across(v, axis mgl32.Vec3) mgl32.Vec3 { return v.Sub(axis.Mul(v.Dot(axis))) }

// about is the rotation about the unit vector axis that brings from nearest to to,
// and none where either lies along the axis.
func about(axis, from, to mgl32.Vec3) mgl32.Quat {
	a, b := across(from, axis), across(to, axis)
	if a.LenSqr() < 1e-10*max(from.LenSqr(), 1e-6) || b.LenSqr() < 1e-10*max(to.LenSqr(), 1e-6) {
		return mgl32.QuatIdent()
	}
	angle := math.Atan2(float64(axis.Dot(a.Cross(b))), float64(a.Dot(b)))
	return mgl32.QuatRotate(float32(angle), axis)
}

// anyAcross is a unit vector at a right angle to v.
func anyAcross(v mgl32.Vec3) mgl32.Vec3 {
	axis := mgl32.Vec3{1, 0, 0}
	if v[0]*v[0] > v[1]*v[1] {
		axis = mgl32.Vec3{0, 1, 0}
	}
	return v.Cross(axis).Normalize()
}
