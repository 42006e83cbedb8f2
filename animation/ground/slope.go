package ground

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Slope lays a body's length along the ground: five points along its heading, over
// its length as it is measured in the body's own frame. The ends set the pitch, and
// all five the height, so that none of them is pierced.
//
// A body that is pitched reaches less far, horizontally, by the cosine of its pitch,
// and so the ground is asked where the pitched body's points are: body and ground
// are measured with the same ruler.
type Slope struct {
	Ground  Ground
	At      mgl32.Vec3 // a point of the body, world
	Heading mgl32.Vec3 // unit, horizontal
	// Front and Back are how far the body reaches before and behind At along its own
	// axis, metres.
	Front, Back float32

	// Pitch says after Run by how much the front is to be higher, radians, and Height
	// how high At is to be, world; not Ok where there is no ground under an end.
	Pitch, Height float32
	Ok            bool
}

// Validate reports whether Run can work.
func (s *Slope) Validate() error {
	if s.Ground == nil || !(s.Front+s.Back > 0) {
		return fmt.Errorf("%w: a slope needs ground and a length, not %v m", animation.ErrJob, s.Front+s.Back)
	}
	x := s.At[0] + s.At[1] + s.At[2] + s.Front + s.Back
	if l := s.Heading.LenSqr() + s.Heading[1]*s.Heading[1]; !(l > 0.99 && l < 1.01) || x-x != 0 {
		return fmt.Errorf("%w: a slope at %v along %v", animation.ErrJob, s.At, s.Heading)
	}
	return nil
}

// slopePoints is at how many points along the body the ground sets its height.
const slopePoints = 5

// Run measures. It asks the ground some two dozen times and allocates nothing.
func (s *Slope) Run() error {
	if err := s.Validate(); err != nil {
		return err
	}
	s.Ok = false
	whole := s.Front + s.Back
	sin, cos := float32(0), float32(1)
	for range 8 {
		front, ok1 := s.under(s.Front * cos)
		back, ok2 := s.under(-s.Back * cos)
		if !ok1 || !ok2 {
			return nil
		}
		next := min(max((front-back)/whole, -0.95), 0.95)
		done := abs(next-sin) < 1e-4
		// The mean of two tries converges where the ground is wilder than its pitch.
		sin = (sin + 3*next) / 4
		cos = float32(math.Sqrt(float64(1 - sin*sin)))
		if done {
			break
		}
	}
	height := float32(math.Inf(-1))
	for i := range slopePoints {
		along := -s.Back + whole*float32(i)/(slopePoints-1)
		if h, ok := s.under(along * cos); ok {
			height = max(height, h-along*sin)
		}
	}
	s.Pitch, s.Height, s.Ok = float32(math.Asin(float64(sin))), height, true
	return nil
}

func (s *Slope) under(along float32) (float32, bool) {
	return height(s.Ground, s.At.Add(s.Heading.Mul(along)))
}
