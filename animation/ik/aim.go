package ik

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Aim turns a joint so that a line fixed to it meets a point.
type Aim struct {
	Rig
	Joint   int32
	Target  mgl32.Vec3 // model space
	Forward mgl32.Vec3 // the line's direction, in the joint's space
	Offset  mgl32.Vec3 // where the line begins, in the joint's space: a muzzle, an eye
	// Up is a direction in the joint's space that points to Pole, a point in model
	// space, as far as Forward leaves it free; zero leaves the roll as it comes.
	Up, Pole mgl32.Vec3
	Weight   float32 // in [0, 1]

	// Reached says after Run whether the line meets Target. It cannot where Target
	// is nearer to the joint than the line is.
	Reached bool
}

// Validate reports whether Run can work.
func (j *Aim) Validate() error {
	if err := j.validate("aim"); err != nil {
		return err
	}
	chain := [1]int32{j.Joint}
	if err := j.validateChain("aim", chain[:]); err != nil {
		return err
	}
	if err := finite("target of aim", j.Target, j.Forward, j.Offset, j.Up, j.Pole); err != nil {
		return err
	}
	return weight("aim", j.Weight)
}

// Run turns the joint.
func (j *Aim) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	was := j.Pose.Local[j.Joint].Rotation
	q, ok := j.aim(j.Joint, j.Joint, j.Forward, j.Offset, j.Target)
	j.Reached = ok && j.Weight == 1
	if !ok || j.Weight == 0 {
		return nil
	}
	j.turn(j.Joint, q)
	if j.Up != (mgl32.Vec3{}) {
		j.refresh(j.Joint, j.Joint)
		axis := j.Target.Sub(j.at(j.Joint)).Normalize()
		up := mgl32.TransformNormal(j.Up, j.Model[j.Joint])
		j.turn(j.Joint, about(axis, up, j.Pole.Sub(j.at(j.Joint))))
	}
	if j.Weight < 1 {
		j.mix(j.Joint, was, j.Weight)
	}
	j.Pose.ToModelBelow(j.Skeleton, j.Joint, j.Model)
	return nil
}

// aim is the rotation, in model space about a joint's place, that brings a line
// fixed to a joint at or below it through a point. It is not ok where the point is
// nearer to the pivot than the line.
func (r *Rig) aim(pivot, joint int32, forward, offset, target mgl32.Vec3) (mgl32.Quat, bool) {
	at := r.at(pivot)
	way := target.Sub(at)
	dir := mgl32.TransformNormal(forward, r.Model[joint])
	if dir.LenSqr() < 1e-16 || way.LenSqr() < 1e-16 {
		return mgl32.QuatIdent(), false
	}
	dir = dir.Normalize()
	from := mgl32.TransformCoordinate(offset, r.Model[joint]).Sub(at)
	// Where the line leaves the sphere about the pivot on which the target lies.
	along := from.Dot(dir)
	root := along*along + way.LenSqr() - from.LenSqr()
	if root < 0 {
		return mgl32.QuatIdent(), false
	}
	hit := from.Add(dir.Mul(float32(math.Sqrt(float64(root))) - along))
	return between(hit, way), true
}
