package scene

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/physics"
)

// Collider is the shape that an entity collides with. An entity with a Collider
// and no RigidBody is a static obstacle.
type Collider struct {
	Shape physics.Shape
	// Offset is the shape's place in the entity's space. The entity's scale does
	// not scale the shape.
	Offset mgl32.Vec3
	// Trigger reports contacts and pushes nothing.
	Trigger bool
	// Friction and Restitution: see physics.BodyDesc.
	Friction, Restitution float32
}

// NewCollider is a collider of ordinary material.
func NewCollider(shape physics.Shape) *Collider { return &Collider{Shape: shape, Friction: 0.7} }

// RigidBody makes an entity's collider move: a dynamic body moves its entity, a
// kinematic body follows it and pushes. A dynamic body whose entity's Local is
// set by someone else is put there at once, and keeps its velocity.
type RigidBody struct {
	Motion physics.Motion
	Mass   float32 // kg, of a dynamic body
	// Velocity that a dynamic body starts with, m/s.
	Velocity mgl32.Vec3
}

// bodies keeps the physics world and the scene in step.
type bodies struct {
	world    *physics.World
	byBody   []*Entity // by Body.Index
	of       map[*Entity]*bound
	moves    []physics.Transform
	moved    []physics.Transform
	contacts []physics.Contact
	shapes   []physics.Collider
	report   physics.StepReport
}

// bound is an entity's body, and the components that it was made from: when
// they are replaced, the body is made anew.
type bound struct {
	body     physics.Body
	collider *Collider
	rigid    *RigidBody
	motion   physics.Motion
	local    animation.Transform // of a dynamic body's entity, as physics left it
	target   *physics.Transform  // of a dynamic body, during a step
	seen     bool
	failed   bool
}

func (p *bodies) init(w *physics.World) {
	p.world = w
	p.of = map[*Entity]*bound{}
}

// World is the scene's physics world, for rays and impulses.
func (s *Scene) World() *physics.World { return s.physics.world }

// PhysicsBody is the entity's body in the scene's physics world; 0 where it has none
// yet.
func (e *Entity) PhysicsBody() physics.Body {
	if e.scene == nil {
		return 0
	}
	if b := e.scene.physics.of[e]; b != nil {
		return b.body
	}
	return 0
}

// Colliders are the shapes of all bodies as of the last StepPhysics, for
// drawing. The slice is reused.
func (s *Scene) Colliders() []physics.Collider {
	s.physics.shapes = s.physics.world.Colliders(s.physics.shapes[:0])
	return s.physics.shapes
}

// StepPhysics moves the bodies on by dt seconds: kinematic ones follow their
// entities, and then the dynamic ones' new places are written to theirs, all in
// one batch. It reads entity matrices and leaves them up to date. The error of
// a body that cannot be made names its entity, once; the others go on.
func (s *Scene) StepPhysics(dt float32) error {
	s.UpdateWorld()
	p := &s.physics
	failed := p.sync(s)
	if err := p.world.SetKinematic(p.moves); err != nil && failed == nil {
		failed = err
	}
	report, err := p.world.Step(dt)
	if err != nil {
		return err
	}
	p.report = report
	p.moved = p.world.Transforms(p.moved[:0])
	for i := range p.moved {
		t := &p.moved[i]
		if e := p.entity(t.Body); e != nil {
			p.of[e].target = t
		}
	}
	// Parents first, so that a body below another is placed against where that
	// one is now.
	for _, e := range s.entities {
		if b := p.of[e]; b != nil && b.target != nil {
			t := b.target
			e.setWorld(t.Position.Sub(t.Rotation.Rotate(e.Collider.Offset)), t.Rotation)
			b.local, b.target = e.Local, nil
		}
		e.update()
	}
	p.contacts = p.world.Contacts(p.contacts[:0])
	return errors.Join(failed, s.scripts.deliver(p))
}

// sync makes and removes bodies as components come and go, and collects where
// the kinematic ones are to be.
func (p *bodies) sync(s *Scene) error {
	var failed error
	p.moves = p.moves[:0]
	for _, b := range p.of {
		b.seen = false
	}
	for _, e := range s.entities {
		if e.Collider == nil {
			continue
		}
		b := p.of[e]
		if b != nil && (b.collider != e.Collider || b.rigid != e.Body) {
			p.remove(e)
			b = nil
		}
		if b == nil {
			var err error
			if b, err = p.add(e); err != nil && failed == nil {
				failed = fmt.Errorf("entity %s: %w", e.Name, err)
			}
		}
		b.seen = true
		if b.failed || b.motion == physics.Static {
			continue
		}
		q := e.rotation()
		to := physics.Transform{Body: b.body, Position: e.WorldPosition().Add(q.Rotate(e.Collider.Offset)), Rotation: q}
		switch {
		case b.motion == physics.Dynamic && b.local.Translation == e.Local.Translation && b.local.Rotation == e.Local.Rotation:
		case !finite(&to):
			if failed == nil {
				failed = fmt.Errorf("entity %s: its place is not finite; its body stays where it was", e.Name)
			}
		case b.motion == physics.Kinematic:
			p.moves = append(p.moves, to)
		default:
			if err := p.world.Teleport(to); err != nil && failed == nil {
				failed = fmt.Errorf("entity %s: %w", e.Name, err)
			}
		}
	}
	for e, b := range p.of {
		if !b.seen {
			p.remove(e)
		}
	}
	return failed
}

func finite(t *physics.Transform) bool {
	sum := t.Rotation.W
	for i := range 3 {
		sum += t.Position[i] + t.Rotation.V[i]
	}
	return sum-sum == 0
}

// add makes a body. One that cannot be made is remembered as failed, so that it
// is told once.
func (p *bodies) add(e *Entity) (*bound, error) {
	b := &bound{collider: e.Collider, rigid: e.Body, local: e.Local}
	p.of[e] = b
	q := e.rotation()
	d := physics.NewBodyDesc(physics.Static, e.Collider.Shape)
	d.Position, d.Rotation = e.WorldPosition().Add(q.Rotate(e.Collider.Offset)), q
	d.Friction, d.Restitution, d.Trigger = e.Collider.Friction, e.Collider.Restitution, e.Collider.Trigger
	if e.Body != nil {
		d.Motion, d.Velocity = e.Body.Motion, e.Body.Velocity
		if e.Body.Mass != 0 {
			d.Mass = e.Body.Mass
		}
	}
	b.motion = d.Motion
	body, err := p.world.Add(d)
	if err != nil {
		b.failed = true
		return b, err
	}
	b.body = body
	for len(p.byBody) <= body.Index() {
		p.byBody = append(p.byBody, nil)
	}
	p.byBody[body.Index()] = e
	return b, nil
}

func (p *bodies) remove(e *Entity) {
	b := p.of[e]
	if b == nil {
		return
	}
	delete(p.of, e)
	if b.failed {
		return
	}
	// The body is one that add made and nothing else removes.
	if err := p.world.Remove(b.body); err == nil {
		p.byBody[b.body.Index()] = nil
	}
}
