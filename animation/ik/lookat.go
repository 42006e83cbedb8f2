package ik

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Looker is one joint of a LookAt's chain.
type Looker struct {
	Joint int32
	Share float32 // in [0, 1]: of the turn that is left when it comes to this joint
	Limit float32 // radians that it turns at most, from the pose it is given in
}

// LookAt turns a chain of joints, lowest first and the head last, so that a line
// fixed to the last meets a point.
type LookAt struct {
	Rig
	Chain   []Looker
	Target  mgl32.Vec3 // model space
	Forward mgl32.Vec3 // the direction of sight, in the last joint's space
	Offset  mgl32.Vec3 // where sight begins, in the last joint's space
	Weight  float32    // in [0, 1]: of every turn

	// Left is after Run the angle, in radians, by which sight still misses Target.
	Left float32
}

// Validate reports whether Run can work.
func (j *LookAt) Validate() error {
	if err := j.validate("look-at"); err != nil {
		return err
	}
	if len(j.Chain) == 0 {
		return fmt.Errorf("%w: look-at without joints", animation.ErrJob)
	}
	for i, l := range j.Chain {
		chain := [2]int32{l.Joint, l.Joint}
		if i > 0 {
			chain[0] = j.Chain[i-1].Joint
		}
		if err := j.validateChain("look-at", chain[min(i, 1)^1:]); err != nil {
			return err
		}
		if !(l.Share >= 0 && l.Share <= 1) || !(l.Limit >= 0) {
			return fmt.Errorf("%w: look-at: joint %d with share %v and limit %v", animation.ErrJob, l.Joint, l.Share, l.Limit)
		}
	}
	if err := finite("target of look-at", j.Target, j.Forward, j.Offset); err != nil {
		return err
	}
	return weight("look-at", j.Weight)
}

// Run turns the chain.
func (j *LookAt) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	head := j.Chain[len(j.Chain)-1].Joint
	for _, l := range j.Chain {
		q, ok := j.aim(l.Joint, head, j.Forward, j.Offset, j.Target)
		if !ok {
			continue
		}
		q, _ = part(q, l.Share, l.Limit)
		q, _ = part(q, j.Weight, math.Pi)
		j.turn(l.Joint, q)
		j.refresh(l.Joint, head)
	}
	j.Pose.ToModelBelow(j.Skeleton, j.Chain[0].Joint, j.Model)
	dir := mgl32.TransformNormal(j.Forward, j.Model[head])
	way := j.Target.Sub(mgl32.TransformCoordinate(j.Offset, j.Model[head]))
	_, j.Left = part(between(dir, way), 1, math.Pi)
	return nil
}
