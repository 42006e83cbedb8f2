package physics

// #cgo CPPFLAGS: -I/usr/include/bullet -I/usr/local/include/bullet
// #cgo CXXFLAGS: -std=c++17 -O2
// #cgo LDFLAGS: -lBulletDynamics -lBulletCollision -lLinearMath
// #cgo noescape bp_world_new
// #cgo nocallback bp_world_new
// #cgo noescape bp_world_gravity
// #cgo nocallback bp_world_gravity
// #cgo noescape bp_body_add
// #cgo nocallback bp_body_add
// #cgo nocallback bp_body_remove
// #cgo noescape bp_body_set_velocity
// #cgo nocallback bp_body_set_velocity
// #cgo noescape bp_body_velocity
// #cgo nocallback bp_body_velocity
// #cgo noescape bp_body_impulse
// #cgo nocallback bp_body_impulse
// #cgo noescape bp_body_teleport
// #cgo nocallback bp_body_teleport
// #cgo nocallback bp_body_wake
// #cgo noescape bp_kinematic
// #cgo nocallback bp_kinematic
// #cgo nocallback bp_step
// #cgo noescape bp_contacts
// #cgo nocallback bp_contacts
// #cgo noescape bp_transforms
// #cgo nocallback bp_transforms
// #cgo noescape bp_rays
// #cgo nocallback bp_rays
// #include "shim.h"
import "C"

import "unsafe"

// The batches cross into C as they lie in Go's memory, so the layouts must be
// the same: a difference here makes an array length negative, or not zero.
var (
	_ = [unsafe.Sizeof(Transform{}) - C.sizeof_bp_transform]struct{}{}
	_ = [C.sizeof_bp_transform - unsafe.Sizeof(Transform{})]struct{}{}
	_ = [unsafe.Sizeof(Contact{}) - C.sizeof_bp_contact]struct{}{}
	_ = [C.sizeof_bp_contact - unsafe.Sizeof(Contact{})]struct{}{}
	_ = [unsafe.Sizeof(Ray{}) - C.sizeof_bp_ray]struct{}{}
	_ = [C.sizeof_bp_ray - unsafe.Sizeof(Ray{})]struct{}{}
	_ = [unsafe.Sizeof(Hit{}) - C.sizeof_bp_hit]struct{}{}
	_ = [C.sizeof_bp_hit - unsafe.Sizeof(Hit{})]struct{}{}
)

// liveObjects counts worlds and bodies in C memory, for the leak test.
func liveObjects() int { return int(C.bp_live()) }
