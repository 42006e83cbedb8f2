package scene

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Entity is a thing in a scene: a place, and what components make of it. A nil
// component is one that the entity does not have.
//
// Make entities with Scene.Spawn. Components may be set and changed at any time
// between frames; scripts are picked up by the next Scene.RunScripts, bodies by
// the next Scene.StepPhysics.
type Entity struct {
	Name   string
	Local  animation.Transform // in the parent's space, or the world's
	Hidden bool                // neither this entity nor its children are drawn

	Mesh     *MeshRenderer
	Animator *animation.Animator
	// RootMotion lets Scene.Animate move the entity as its animator's clips walk.
	RootMotion bool
	// Stance keeps the feet on the ground; see Stand.
	Stance *ground.Stance
	// Attachment hangs the entity on a joint of its parent's animator instead of
	// the parent's origin: Local is in the attachment's space. It is where the
	// joint is in the same frame.
	Attachment *animation.Attachment
	Body       *RigidBody
	Collider   *Collider
	Light      *Light
	Camera     *Camera
	// Scripts are *script.Lua, or values with some of the methods of
	// script.Starter, script.Updater and script.ContactHandler.
	Scripts []any

	id     uint32
	scene  *Scene
	parent *Entity
	world  mgl32.Mat4
	hidden bool // here or above
}

// ID is the entity's number in its scene, from 1. No number is used twice.
func (e *Entity) ID() uint32 { return e.id }

// Parent is the entity that this one moves with, or nil.
func (e *Entity) Parent() *Entity { return e.parent }

// World is world space from the entity's space, as of the last
// Scene.UpdateWorld.
func (e *Entity) World() mgl32.Mat4 { return e.world }

// WorldPosition is the entity's origin in the world.
func (e *Entity) WorldPosition() mgl32.Vec3 { return e.world.Col(3).Vec3() }

// Place is what World will be after the next Scene.UpdateWorld, and visible what
// Visible will report.
func (e *Entity) Place() (world mgl32.Mat4, visible bool) {
	if e.parent == nil {
		return e.Local.Mat4(), !e.Hidden
	}
	parent, visible := e.parent.Place()
	return e.under(parent), visible && !e.Hidden
}

// Visible reports whether neither the entity nor one above it is hidden,
// nor removed.
func (e *Entity) Visible() bool { return !e.hidden }

// update computes the entity's matrix from its parent's.
func (e *Entity) update() {
	if e.parent == nil {
		e.world, e.hidden = e.Local.Mat4(), e.Hidden
		return
	}
	e.world, e.hidden = e.under(e.parent.world), e.Hidden || e.parent.hidden
}

// under is the entity's matrix where its parent's is world.
func (e *Entity) under(world mgl32.Mat4) mgl32.Mat4 {
	local := e.Local.Mat4()
	if a := e.Attachment; a != nil && e.parent.Animator != nil {
		local = a.Matrix(e.parent.Animator.Model()).Mul4(local)
	}
	return world.Mul4(local)
}

// setWorld moves the entity to a place in the world, whatever its parent's.
func (e *Entity) setWorld(position mgl32.Vec3, rotation mgl32.Quat) {
	if e.parent == nil {
		e.Local.Translation, e.Local.Rotation = position, rotation
		return
	}
	scale := e.Local.Scale
	local := e.parent.world.Inv().Mul4(mgl32.Compose(position, rotation, mgl32.Vec3{1, 1, 1}))
	e.Local.Translation, e.Local.Rotation, _ = local.Decompose()
	e.Local.Scale = scale
}

// rotation is the entity's rotation in the world.
func (e *Entity) rotation() mgl32.Quat {
	q := e.Local.Rotation
	for c, p := e, e.parent; p != nil; c, p = p, p.parent {
		if c.Attachment != nil && p.Animator != nil {
			joint := c.Attachment.Matrix(p.Animator.Model())
			_, turn, _ := joint.Decompose()
			q = turn.Mul(q)
		}
		q = p.Local.Rotation.Mul(q)
	}
	return q.Normalize()
}
