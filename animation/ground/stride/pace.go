package stride

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Rate is how fast the clip must be played for its soles to stand while the body
// goes at a speed, in metres a second: clip seconds a second, for Player.Speed or a
// machine's parameter. It is 0 for a clip that does not step.
func (r *Report) Rate(speed float32) float32 {
	if !r.Steps || r.Speed == 0 {
		return 0
	}
	return float32(float64(speed) / r.Speed)
}

// Walk returns the clip as one whose entity walks at the measured speed along the
// measured heading: a joint without a translation of its own, such as the root,
// carries the motion (animation.WalkRootAlong), and Clip.Speed is the measured one.
// A clip that takes the body along already has that motion extracted from the joint
// instead. One that does not step is an error that wraps animation.ErrClip.
func Walk(clip *animation.Clip, s *animation.Skeleton, joint int32, r Report) (*animation.Clip, error) {
	if !r.Steps {
		return nil, fmt.Errorf("%w %q: it does not walk: %s", animation.ErrClip, clip.Name, r.Why)
	}
	var out *animation.Clip
	var err error
	if r.InPlace {
		out, err = animation.WalkRootAlong(clip, s, joint, r.Velocity())
	} else {
		out, err = animation.ExtractRoot(clip, s, joint, animation.RootAxes{X: true, Z: true})
	}
	if err != nil {
		return nil, err
	}
	out.Speed = float32(r.Speed)
	return out, nil
}

// Velocity is how the body must go for its soles to stand: metres a second, model
// space.
func (r *Report) Velocity() mgl32.Vec3 { return r.Heading.Mul(float32(r.Speed)) }
