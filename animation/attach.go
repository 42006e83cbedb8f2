package animation

import "github.com/bindpose/bindpose/engine/mgl32"

// Attachment hangs a thing on a joint: a sword in a hand.
type Attachment struct {
	Joint  int32
	Offset Transform // of the thing in the joint's space
}

// Attach returns an attachment to the first joint of a name, without an offset.
func Attach(s *Skeleton, joint string) (Attachment, bool) {
	j := s.Joint(joint)
	return Attachment{int32(j), Identity()}, j >= 0
}

// Matrix is model space from the thing's space, of the model-space matrices of one
// pose. Asked after the pose of a frame is done (Animator.Update, and whatever IK
// follows), the thing moves in the same frame as the joint; multiply the entity's
// matrix from the left. An attachment to no joint stays at Offset.
func (a Attachment) Matrix(model []mgl32.Mat4) mgl32.Mat4 {
	if a.Joint < 0 || int(a.Joint) >= len(model) {
		return a.Offset.Mat4()
	}
	return model[a.Joint].Mul4(a.Offset.Mat4())
}

// ToModelBelow writes the matrices of a joint and of all below it anew, for whoever
// changed its local transform after ToModel.
func (p *Pose) ToModelBelow(s *Skeleton, joint int32, out []mgl32.Mat4) {
	p.ToModelOf(s, joint, out)
	for j := joint + 1; int(j) < s.Len(); j++ {
		up := s.Parents[j]
		for up > joint {
			up = s.Parents[up]
		}
		if up == joint {
			p.ToModelOf(s, j, out)
		}
	}
}

// ToModelOf writes the matrix of one joint anew, from its parent's.
func (p *Pose) ToModelOf(s *Skeleton, joint int32, out []mgl32.Mat4) {
	up := s.Parents[joint]
	m, rigid := s.RestMatrix[joint]
	switch {
	case rigid && !p.Moved[joint]:
	case up >= 0:
		p.Local[joint].under(&out[up], &out[joint])
		return
	default:
		m = p.Local[joint].Mat4()
	}
	if up >= 0 {
		m = out[up].Mul4(m)
	}
	out[joint] = m
}
