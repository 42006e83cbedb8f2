package scene

import (
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// MeshRenderer draws a model, or a part of one, at its entity.
type MeshRenderer struct {
	Model *assets.Model
	// Root names the node whose subtree is drawn, with the entity in the node's
	// place: so a door's hinge is the entity's origin. "" draws the default
	// scene.
	Root string
	// Without names nodes whose subtrees are left out.
	Without []string
	// NoShadow keeps the mesh out of the shadow pass.
	NoShadow bool
}

// Light shines from its entity along the entity's -Z. One of which another number
// than its range is NaN or infinite, its place among them, lights nothing.
type Light struct {
	Kind      assets.LightKind
	Color     mgl32.Vec3 // linear
	Intensity float32    // lux for a directional light, candela for others
	Range     float32    // metres; 0 or infinite: unbounded
	// InnerCone and OuterCone are a spot's half angles, radians.
	InnerCone, OuterCone float32
	// Shadows lets a point or spot light cast shadows: what lies between it and a
	// surface keeps its light away. A frame has render.MaxLamps such lights at
	// most; more, and what is transparent, are lit without. A directional light
	// casts none: the sun of the Environment does.
	Shadows bool
	// Of ties the light to one of its parent's model: Scene.Animate sets it as the
	// parent's animator has it.
	Of *ModelLight
}

// ModelLight names a light of a model.
type ModelLight struct {
	Model *assets.Model
	Index int32
}

// NewLight returns a light of a model as a component, at rest.
func NewLight(m *assets.Model, index int32) *Light {
	l := &Light{Of: &ModelLight{m, index}}
	l.set(&m.Lights[index])
	return l
}

func (l *Light) set(x *assets.Light) {
	l.Kind, l.Color, l.Intensity, l.Range = x.Kind, x.Color, x.Intensity, x.Range
	l.InnerCone, l.OuterCone = x.InnerCone, x.OuterCone
}

// follow sets an entity's light as its parent's animator has it.
func (e *Entity) follow() {
	of := e.Light.Of
	if of == nil || len(of.Model.Properties) == 0 || e.parent == nil || e.parent.Animator == nil {
		return
	}
	if weights := e.parent.Animator.Pose().Weights; len(weights) == len(of.Model.Skeleton.MorphWeights) {
		x := of.Model.LightAt(of.Index, weights)
		e.Light.set(&x)
	}
}

// Camera looks along its entity's -Z, +Y up.
type Camera struct {
	YFov      float32 // radians
	Near, Far float32 // metres
}

// DefaultCamera sees 45° from 5 cm to 500 m.
func DefaultCamera() *Camera { return &Camera{YFov: mgl32.DegToRad(45), Near: 0.05, Far: 500} }

// View is the matrix from the world to the view space of a camera at e.
func (e *Entity) View() mgl32.Mat4 {
	return mgl32.Compose(e.WorldPosition(), e.rotation(), mgl32.Vec3{1, 1, 1}).Inv()
}

// LookAt turns the entity, at the world position eye, so that its -Z points at
// target and its +Y as near to world up as it can.
func (e *Entity) LookAt(eye, target mgl32.Vec3) {
	up := mgl32.Vec3{0, 1, 0}
	if d := target.Sub(eye).Normalize(); d.Cross(up).LenSqr() < 1e-8 {
		up = mgl32.Vec3{0, 0, -1}
	}
	r := mgl32.LookAtV(eye, target, up).Mat3().Transpose()
	e.setWorld(eye, r.Quat())
}
