package animation

import "github.com/bindpose/bindpose/engine/mgl32"

// Transform is a local transform: scale first, then rotation, then translation
// (glTF 2.0 §3.5.3). Metres; Rotation is a unit quaternion.
type Transform struct {
	Translation mgl32.Vec3
	Rotation    mgl32.Quat
	Scale       mgl32.Vec3
}

// Identity returns the transform that changes nothing.
func Identity() Transform {
	return Transform{Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}}
}

// Mat4 is the transform as a matrix, parent space from local space.
func (t Transform) Mat4() mgl32.Mat4 { return mgl32.Compose(t.Translation, t.Rotation, t.Scale) }

// Skeleton is a hierarchy of joints. It is immutable and shared by every entity
// that plays on it.
//
// Of a model file it holds every node, not only those that a skin names: clips
// move any node, and several skins may share joints. Joints are in an order in
// which a parent comes before its children, so one forward loop takes a pose
// from local to model space.
type Skeleton struct {
	Names   []string    // by joint; may be empty or repeat
	Parents []int32     // by joint; -1 for a root; always less than the joint's own index
	Rest    []Transform // by joint, in parent space

	// RestMatrix holds, for the few joints whose rest is a matrix that no
	// Transform expresses (shear), that matrix. Nil where there is none. It
	// stands in for Rest until a clip moves the joint.
	RestMatrix map[int32]mgl32.Mat4

	// MorphWeights are the rest weights of the morph targets of the meshes on
	// all joints, one after another. MorphOffset[j] is where joint j's begin;
	// MorphOffset has one entry more than there are joints. Nil without morphs.
	//
	// From that last entry on stand numbers of no joint that clips move too: see
	// AddProperty.
	MorphWeights []float32
	MorphOffset  []int32
}

// Len is the number of joints.
func (s *Skeleton) Len() int { return len(s.Parents) }

// Joint returns the index of the first joint of that name, or -1.
func (s *Skeleton) Joint(name string) int {
	for i, n := range s.Names {
		if n == name {
			return i
		}
	}
	return -1
}

// Skin binds a mesh to joints of a Skeleton. It is immutable and shared.
type Skin struct {
	Name        string
	Joints      []int32      // by palette slot: the joint of the Skeleton
	InverseBind []mgl32.Mat4 // by palette slot: joint space at binding from mesh space; never nil

	// Bound is the mesh's world matrix at binding as the file tells it, for
	// checks; nil where it tells none, as glTF.
	Bound *mgl32.Mat4
}
