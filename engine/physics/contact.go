package physics

// #include "shim.h"
import "C"

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Phase says how a [Contact] stands.
type Phase uint32

// The phases of a contact.
const (
	ContactBegin Phase = iota
	ContactStay
	ContactEnd
)

func (p Phase) String() string {
	switch p {
	case ContactBegin:
		return "begin"
	case ContactStay:
		return "stay"
	case ContactEnd:
		return "end"
	}
	return fmt.Sprintf("Phase(%d)", uint32(p))
}

// Contact is a pair of bodies that touch, or did until now.
type Contact struct {
	// A has the lower Index. A body that was removed is named in the End of its
	// contacts and nowhere after.
	A, B Body
	// Point, in world space, is where they press hardest, or overlap most where
	// one is a trigger. Normal is a unit vector from B to A.
	Point, Normal mgl32.Vec3
	// Impulse along the normal, N·s, summed over the steps of the frame. Zero
	// for a trigger.
	Impulse float32
	Phase   Phase
}

// Contacts appends to dst what the last [World.Step] found: for every pair a
// Begin in the frame it first touches, a Stay in each frame it still does, an
// End once it no longer does (a touch shorter than a frame gets Begin and End).
// The order is that of the bodies' Index. A frame that ran no step has none,
// save the End of what was removed. With room in dst it allocates nothing.
func (w *World) Contacts(dst []Contact) []Contact {
	if w.c == nil || w.contacts == 0 {
		return dst
	}
	at := len(dst)
	dst = slices.Grow(dst, w.contacts)[:at+w.contacts]
	C.bp_contacts(w.c, (*C.bp_contact)(unsafe.Pointer(&dst[at])))
	return dst
}
