package ground

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// FootIK bends legs.
type FootIK struct{}

func (f *FootIK) plan(s *Stance, a *animation.Animator, world *mgl32.Mat4, dt, size float32) float32 {
	return 0
}
func (f *FootIK) bend(s *Stance, a *animation.Animator, world *mgl32.Mat4, dt, size float32) error {
	return nil
}
