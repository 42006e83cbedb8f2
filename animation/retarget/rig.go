package retarget

import (
	"errors"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrRig is wrapped by the error of a skeleton that cannot be a Rig.
var ErrRig = errors.New("retarget: bad rig")

// Rig is a skeleton with which joint is which bone of a body, and the pose that
// all rigs have in common. It is immutable and shared.
type Rig struct {
	Skeleton *animation.Skeleton
	// Kind is whose names the joints bear: "vrm", "mixamo", "unreal", "cc4",
	// "rigify", "cmu", "kaykit", "humanik", "biped"; "hierarchy" where the bones
	// were found without names, "" where no body was found.
	Kind string
	// Bones are joints by the bone names of VRM 1.0: hips, leftUpperArm and so on,
	// and further ones of chains with a number, as spine2.
	Bones map[string]int32
	// Reference is the pose that motion is counted from: of a person arms
	// stretched sideways, palms down, legs straight down, soles on the floor.
	Reference *animation.Pose
	// Hips carries the body and Root, above it or the same, all of the character.
	// -1 where there is none.
	Hips, Root int32
	// Up, Left and Forward are unit vectors of model space, as the body has them in
	// the reference pose.
	Up, Left, Forward mgl32.Vec3
	HipHeight         float32 // metres along Up from the floor to the hips in the reference pose
	LimbLength        float32 // metres: of legs and arms and what is between, hips to neck
	Floor             float32 // metres along Up at which the soles are in the reference pose
}

// RigOptions is what a file tells about its skeleton. The zero value is nothing.
type RigOptions struct {
	Bones map[string]int32 // by VRM 1.0 name; nil: they are found by names, hierarchy and place
	// Pose is what the reference pose is made of; nil is the rest pose. Give the
	// pose of binding where a file rests in the middle of a motion.
	Pose *animation.Pose
	// Soles are points of the mesh that are lowest at rest, by the joint that they
	// hang on and in its space; nil: the floor is at the lowest foot or toe joint.
	Sole *float32 // metres along Up at which the lowest vertex is in Pose
}
