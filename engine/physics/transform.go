package physics

// #include "shim.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// State is what a body is and does, as a set of bits.
type State uint32

// The bits of a [State]. One of the first three is always set.
const (
	StateStatic State = 1 << iota
	StateDynamic
	StateKinematic
	// StateAsleep marks a dynamic body that came to rest and costs nothing
	// until something touches it.
	StateAsleep
	StateTrigger
	// StateTouching marks a body in contact when the last step ended.
	StateTouching
)

// Has reports whether all the given bits are set.
func (s State) Has(bits State) bool { return s&bits == bits }

// Transform is where a body stands, in world space.
type Transform struct {
	Body     Body
	Position mgl32.Vec3
	Rotation mgl32.Quat
	// State is set where a transform is read, and ignored where it is given.
	State State
}

// Collider is a body's shape where it stands, for drawing.
type Collider struct {
	Transform
	Shape Shape
}

// Transforms appends every dynamic body's transform to dst, in the order of
// [Body.Index], blended between the last two steps. With room in dst it
// allocates nothing.
func (w *World) Transforms(dst []Transform) []Transform {
	if w.c == nil || w.dynamic == 0 {
		return dst
	}
	at := len(dst)
	dst = slices.Grow(dst, w.dynamic)[:at+w.dynamic]
	C.bp_transforms(w.c, C.float(w.Alpha()), 0, unsafe.Pointer(&dst[at]), C.int64_t(unsafe.Sizeof(dst[at])), C.int(w.dynamic))
	return dst
}

// Colliders appends every body's shape, transform and state to dst, in the
// order of [Body.Index]. With room in dst it allocates nothing.
func (w *World) Colliders(dst []Collider) []Collider {
	if w.c == nil || w.count == 0 {
		return dst
	}
	at := len(dst)
	dst = slices.Grow(dst, w.count)[:at+w.count]
	C.bp_transforms(w.c, C.float(w.Alpha()), 1, unsafe.Pointer(&dst[at]), C.int64_t(unsafe.Sizeof(dst[at])), C.int(w.count))
	for i := at; i < len(dst); i++ {
		dst[i].Shape = w.slots[dst[i].Body.Index()].shape
	}
	return dst
}

// SetKinematic says where kinematic bodies are to stand once the next steps
// have run. They move there evenly and push what is in their way with the
// velocity that this takes. A body not named stays; so does one already there.
// Rotations are brought to unit length in place.
// An error names the first wrong entry, and then none of them counts.
func (w *World) SetKinematic(poses []Transform) error {
	for i := range poses {
		p := &poses[i]
		s, err := w.find(p.Body)
		if err == nil && s.motion != Kinematic {
			err = fmt.Errorf("%w: it is %v, not kinematic", ErrMotion, s.motion)
		}
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return fmt.Errorf("set kinematic: poses[%d]: %w", i, err)
		}
	}
	if len(poses) > 0 {
		C.bp_kinematic(w.c, (*C.bp_transform)(unsafe.Pointer(&poses[0])), C.int(len(poses)))
	}
	return nil
}

// Teleport puts a dynamic or kinematic body elsewhere at once: it pushes nothing
// on the way and is not blended. A dynamic body keeps its velocity.
func (w *World) Teleport(t Transform) error {
	s, err := w.find(t.Body)
	if err == nil && s.motion == Static {
		err = fmt.Errorf("%w: it is static; remove and add it", ErrMotion)
	}
	if err == nil {
		err = t.check()
	}
	if err != nil {
		return fmt.Errorf("teleport: %w", err)
	}
	C.bp_body_teleport(w.c, (*C.bp_transform)(unsafe.Pointer(&t)))
	return nil
}

// check brings the rotation to unit length.
func (t *Transform) check() (err error) {
	if err = checkVec("Position", t.Position, maxPosition); err == nil {
		t.Rotation, err = checkRotation("Rotation", t.Rotation)
	}
	return err
}
