package physics

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Body names a body of one world. Zero names none. The number of a removed body
// is not used again, so keeping one is safe.
type Body uint64

// Index is the body's place in its world, small and used again after removal:
// good for looking up what belongs to a body in a slice.
func (b Body) Index() int { return int(uint32(b)) }

// Motion says what moves a body.
type Motion uint32

const (
	// Static bodies never move.
	Static Motion = iota
	// Dynamic bodies are moved by gravity, impulses and what they touch.
	Dynamic
	// Kinematic bodies go where [World.SetKinematic] puts them, and push.
	Kinematic
)

func (m Motion) String() string {
	switch m {
	case Static:
		return "static"
	case Dynamic:
		return "dynamic"
	case Kinematic:
		return "kinematic"
	}
	return fmt.Sprintf("Motion(%d)", uint32(m))
}

// ErrNoBody is returned for the number of a body that was removed, or never was.
var ErrNoBody = errors.New("no such body")

// ErrMotion is returned where a body's [Motion] does not allow what was asked.
var ErrMotion = errors.New("body does not move that way")

// BodyDesc describes a body to add. The zero value of each field but Shape is
// valid for a static body; [NewBodyDesc] fills in an ordinary material.
type BodyDesc struct {
	Shape  Shape
	Motion Motion

	// Position in world space, metres, and Rotation; the zero Quat is none.
	Position mgl32.Vec3
	Rotation mgl32.Quat

	// Mass of a dynamic body, kg; ignored for the others.
	Mass float32
	// Friction and Restitution, 0 and up. What holds between two bodies is the
	// product of theirs: a ball bounces only off a floor that bounces too.
	Friction, Restitution float32
	// LinearDamping and AngularDamping are the share of its velocity that a
	// body loses in a second, 0 to 1.
	LinearDamping, AngularDamping float32

	// Velocity (m/s) and AngularVelocity (rad/s, world axes) that a dynamic
	// body starts with.
	Velocity, AngularVelocity mgl32.Vec3

	// Trigger makes a sensor: it reports contacts with dynamic and kinematic
	// bodies and pushes nothing.
	Trigger bool
	// Continuous sweeps a fast body along its path, so that it does not pass
	// through a thin wall between two steps. It costs a cast a step.
	Continuous bool
}

// NewBodyDesc describes a body of ordinary material, with mass 1 kg, friction
// 0.7, and damping enough for a heap to come to rest.
func NewBodyDesc(motion Motion, shape Shape) BodyDesc {
	return BodyDesc{Shape: shape, Motion: motion, Mass: 1, Friction: 0.7, LinearDamping: 0.02, AngularDamping: 0.05}
}

// check returns the first fault, naming its field, and the unit rotation.
func (d *BodyDesc) check() (mgl32.Quat, error) {
	if err := d.Shape.check(); err != nil {
		return mgl32.Quat{}, err
	}
	if d.Motion > Kinematic {
		return mgl32.Quat{}, fmt.Errorf("the Motion is %v: must be static, dynamic or kinematic", d.Motion)
	}
	if d.Shape.Kind == PlaneShape && d.Motion != Static {
		return mgl32.Quat{}, fmt.Errorf("the Motion is %v: a plane must be static", d.Motion)
	}
	rotation, err := checkRotation("Rotation", d.Rotation)
	if err != nil {
		return rotation, err
	}
	if err := checkVec("Position", d.Position, maxPosition); err != nil {
		return rotation, err
	}
	if d.Motion == Dynamic && !within(d.Mass, minMass, maxMass) {
		return rotation, fmt.Errorf("the Mass is %v: a dynamic body's must be between %v and %v kg", d.Mass, minMass, maxMass)
	}
	for _, f := range [...]struct {
		name   string
		x, max float32
	}{
		{"Friction", d.Friction, 1e3}, {"Restitution", d.Restitution, 1e3},
		{"LinearDamping", d.LinearDamping, 1}, {"AngularDamping", d.AngularDamping, 1},
	} {
		if !within(f.x, 0, f.max) {
			return rotation, fmt.Errorf("%s is %v: must be between 0 and %v", f.name, f.x, f.max)
		}
	}
	if err := checkVec("Velocity", d.Velocity, maxSpeed); err != nil {
		return rotation, err
	}
	return rotation, checkVec("AngularVelocity", d.AngularVelocity, maxSpeed)
}

func floats(v mgl32.Vec3) [3]C.float {
	return [3]C.float{C.float(v[0]), C.float(v[1]), C.float(v[2])}
}

func number(b bool) C.uint32_t {
	if b {
		return 1
	}
	return 0
}

// Add puts a body into the world. The error names the field that is wrong.
func (w *World) Add(d BodyDesc) (Body, error) {
	if w.c == nil {
		return 0, fmt.Errorf("add body: %w", ErrClosed)
	}
	q, err := d.check()
	if err != nil {
		return 0, fmt.Errorf("add body: %w", err)
	}
	extents := d.Shape.HalfExtents
	if d.Shape.Kind == PlaneShape {
		d.Shape.Normal = d.Shape.Normal.Normalize()
		extents = d.Shape.Normal
	}
	c := C.bp_body_desc{
		position: floats(d.Position), linear: floats(d.Velocity), angular: floats(d.AngularVelocity),
		rotation: [4]C.float{C.float(q.W), C.float(q.V[0]), C.float(q.V[1]), C.float(q.V[2])},
		extents:  floats(extents), radius: C.float(d.Shape.Radius), height: C.float(d.Shape.Height),
		mass: C.float(d.Mass), friction: C.float(d.Friction), restitution: C.float(d.Restitution),
		linear_damping: C.float(d.LinearDamping), angular_damping: C.float(d.AngularDamping),
		shape: C.uint32_t(d.Shape.Kind), motion: C.uint32_t(d.Motion),
		trigger: number(d.Trigger), continuous: number(d.Continuous),
	}
	body := Body(C.bp_body_add(w.c, &c))
	if body == 0 {
		return 0, errors.New("add body: out of memory")
	}
	if body.Index() == len(w.slots) {
		w.slots = append(w.slots, slot{})
	}
	w.slots[body.Index()] = slot{body: body, motion: d.Motion, shape: d.Shape}
	w.count++
	if d.Motion == Dynamic {
		w.dynamic++
	}
	return body, nil
}

// Remove takes a body out of the world and wakes what it touched. The next
// [World.Step] reports the end of its contacts.
func (w *World) Remove(b Body) error {
	s, err := w.find(b)
	if err != nil {
		return fmt.Errorf("remove: %w", err)
	}
	C.bp_body_remove(w.c, C.uint64_t(b))
	w.count--
	if s.motion == Dynamic {
		w.dynamic--
	}
	*s = slot{}
	return nil
}

// SetVelocity sets a dynamic body's velocity (m/s) and angular velocity (rad/s
// about world axes) and wakes it.
func (w *World) SetVelocity(b Body, linear, angular mgl32.Vec3) error {
	err := w.findDynamic(b)
	if err == nil {
		err = checkVec("linear", linear, maxSpeed)
	}
	if err == nil {
		err = checkVec("angular", angular, maxSpeed)
	}
	if err != nil {
		return fmt.Errorf("set velocity: %w", err)
	}
	l, a := floats(linear), floats(angular)
	C.bp_body_set_velocity(w.c, C.uint64_t(b), &l[0], &a[0])
	return nil
}

// Velocity returns a body's velocity (m/s) and angular velocity (rad/s about
// world axes). A kinematic body's is that of its last step.
func (w *World) Velocity(b Body) (linear, angular mgl32.Vec3, err error) {
	if _, err := w.find(b); err != nil {
		return linear, angular, fmt.Errorf("velocity: %w", err)
	}
	var l, a [3]C.float
	C.bp_body_velocity(w.c, C.uint64_t(b), &l[0], &a[0])
	for i := range 3 {
		linear[i], angular[i] = float32(l[i]), float32(a[i])
	}
	return linear, angular, nil
}

// ApplyImpulse changes a dynamic body's momentum by impulse (N·s) as if struck
// at the point at, in world space, and wakes it.
func (w *World) ApplyImpulse(b Body, impulse, at mgl32.Vec3) error {
	err := w.findDynamic(b)
	if err == nil {
		err = checkVec("impulse", impulse, maxMass)
	}
	if err == nil {
		err = checkVec("at", at, maxPosition)
	}
	if err != nil {
		return fmt.Errorf("apply impulse: %w", err)
	}
	i, p := floats(impulse), floats(at)
	C.bp_body_impulse(w.c, C.uint64_t(b), &i[0], &p[0])
	return nil
}

// Wake makes a sleeping body move again.
func (w *World) Wake(b Body) error {
	if err := w.findDynamic(b); err != nil {
		return fmt.Errorf("wake: %w", err)
	}
	C.bp_body_wake(w.c, C.uint64_t(b))
	return nil
}
