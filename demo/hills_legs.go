package demo

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// stretch is a modifier that lengthens legs by moving the joints at their bones' ends.
type stretch struct {
	by     *float32
	joints []int32
}

// Modify is called by the animator, before the stance puts the soles down.
func (s *stretch) Modify(_ float32, a *animation.Animator) error {
	if *s.by == 1 {
		return nil
	}
	pose := a.Pose()
	for _, j := range s.joints {
		pose.Local[j].Translation = a.Skeleton().Rest[j].Translation.Mul(*s.by)
		pose.Moved[j] = true
	}
	pose.ToModel(a.Skeleton(), a.Model())
	return nil
}

// fill is a modifier that draws stretched legs without gaps: what hangs on a bone of
// a leg is lengthened along the bone, after the stance has put the feet down. Only
// matrices in model space change, so that what is below the bone keeps its shape.
type fill struct {
	by    *float32
	bones []filled
}

// filled is a bone: from its joint to the one where it ends.
type filled struct {
	joint int32
	along mgl32.Vec3 // in the joint's space, of length 1
	hangs []int32    // what moves with the bone and is not below its end, the joint itself too
}

func newFill(legs *stretch, s *animation.Skeleton) *fill {
	f := &fill{by: legs.by}
	for _, end := range legs.joints {
		joint := s.Parents[end]
		b := filled{joint: joint, along: s.Rest[end].Translation.Normalize()}
		for j := range int32(s.Len()) {
			up := j
			for up >= 0 && up != joint && up != end {
				up = s.Parents[up]
			}
			if up == joint {
				b.hangs = append(b.hangs, j)
			}
		}
		f.bones = append(f.bones, b)
	}
	return f
}

// Modify is called by the animator.
func (f *fill) Modify(_ float32, a *animation.Animator) error {
	if *f.by == 1 {
		return nil
	}
	model := a.Model()
	for _, b := range f.bones {
		m := model[b.joint]
		longer := m.Mul4(alongScale(b.along, *f.by)).Mul4(m.Inv())
		for _, j := range b.hangs {
			model[j] = longer.Mul4(model[j])
		}
	}
	return nil
}

// alongScale scales by k along a direction of length 1: 1 + (k−1)·d·dᵀ.
func alongScale(d mgl32.Vec3, k float32) mgl32.Mat4 {
	m := mgl32.Ident4()
	for col := range 3 {
		for row := range 3 {
			m[4*col+row] += (k - 1) * d[row] * d[col]
		}
	}
	return m
}
