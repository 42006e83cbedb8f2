package script

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Entity is what a script may ask of an entity, and do to it. The scene
// implements it; values must be comparable, and equal for the same entity.
// Positions, rotations and scales are those of the entity's transform, metres.
type Entity interface {
	Name() string
	Position() mgl32.Vec3
	SetPosition(mgl32.Vec3)
	Rotation() mgl32.Quat
	SetRotation(mgl32.Quat)
	Scale() mgl32.Vec3
	SetScale(mgl32.Vec3)

	// SetVelocity (m/s) and ApplyImpulse (N·s, at the centre) fail for an
	// entity without a dynamic body.
	SetVelocity(mgl32.Vec3) error
	ApplyImpulse(mgl32.Vec3) error

	// PlayClip blends to a clip over fade seconds; SetClipSpeed scales its
	// time. They fail for an entity without an animator, or that clip.
	PlayClip(name string, fade float32) error
	SetClipSpeed(factor float32) error

	// SetParam sets a parameter of the entity's state machine, of any type: true
	// is 1. Fire sets a trigger. They fail for an entity without a machine, or
	// that parameter.
	SetParam(name string, value float64) error
	Fire(name string) error
}

// World is what lies around a script's entity. The scene implements it.
type World interface {
	// Find returns the entity of that name; false where there is none.
	Find(name string) (Entity, bool)
	// Log shows a script's message, under its entity's name.
	Log(entity, message string)
}

// Context is a script's view: its own entity, by embedding, and the world. It
// stays the same from Start on.
type Context struct {
	Entity
	world World
	time  *float64
}

// Find returns the entity of that name; false where there is none.
func (c *Context) Find(name string) (Entity, bool) { return c.world.Find(name) }

// Distance to the entity of that name, metres; false where there is none.
func (c *Context) Distance(name string) (float32, bool) {
	other, ok := c.world.Find(name)
	if !ok {
		return 0, false
	}
	return other.Position().Sub(c.Position()).Len(), true
}

// Log shows a message under the entity's name.
func (c *Context) Log(message string) { c.world.Log(c.Name(), message) }

// Time is the sum of the runner's updates so far, this one included, seconds.
func (c *Context) Time() float64 { return *c.time }

// Phase says how a contact stands. The values are those of physics.Phase.
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

// Contact is a touch as one of the two entities sees it.
type Contact struct {
	// Other is nil for a body without an entity.
	Other Entity
	// Point in world space; Normal, a unit vector, from Other to this entity.
	Point, Normal mgl32.Vec3
	// Impulse along the normal, N·s, over the frame.
	Impulse float32
	Phase   Phase
}

// A Starter is run once, before its first update.
type Starter interface {
	Start(*Context) error
}

// An Updater is run every frame, before physics; dt in seconds.
type Updater interface {
	Update(ctx *Context, dt float32) error
}

// A ContactHandler is run after physics for each of its entity's contacts.
type ContactHandler interface {
	Contact(*Context, Contact) error
}
