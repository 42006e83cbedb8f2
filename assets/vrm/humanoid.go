package vrm

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/humanoid"
)

// Humanoid maps VRM 1.0 bone names, such as leftUpperArm, to joints of a
// skeleton.
type Humanoid = humanoid.Bones

// Required are the bones that a VRM must have (VRMC_vrm 1.0, humanoid.md).
var Required = humanoid.Required

// LooksHuman is humanoid.LooksHuman.
func LooksHuman(s *animation.Skeleton) bool { return humanoid.LooksHuman(s) }

// Guess is humanoid.Guess.
func Guess(s *animation.Skeleton) Humanoid { return humanoid.Guess(s) }
