package vrm

import (
	"github.com/bindpose/bindpose/animation/humanoid"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Avatar is what a VRM file says of its model.
type Avatar struct {
	Version     string // "0.x" or "1.0"
	Meta        Meta
	Bones       humanoid.Bones
	Expressions []Expression
	LookAt      LookAt
	Springs     []Spring
	Colliders   []Collider
}

// Meta is about the avatar as a work. Permissions are as the file words them, by
// the names of VRM 1.0 where it has one.
type Meta struct {
	Name, Version, Copyright string
	Authors                  []string
	LicenseURL               string
	Thumbnail                int32 // an image of the model, -1 for none
	Permissions              map[string]string
}

// Expression is a face: morph targets and material changes, weighted together.
type Expression struct {
	Name   string // happy, blink, aa … or the author's own
	Preset bool
	// Binary expressions are on or off, without between.
	Binary    bool
	Morphs    []MorphBind
	Materials []MaterialBind
	UVs       []UVBind
	// OverrideBlink, OverrideLookAt and OverrideMouth are none, block or blend.
	OverrideBlink, OverrideLookAt, OverrideMouth string

	strokes []stroke
	unshown bool
}

// MorphBind is a morph target's part in an expression.
type MorphBind struct {
	Joint  int32 // the node that carries the mesh
	Target int32
	Weight float32 // 0 to 1
}

// MaterialBind changes a material's colour.
type MaterialBind struct {
	Material int32
	Type     string // color, emissionColor, shadeColor, …
	Value    mgl32.Vec4
}

// UVBind moves all textures of a material, as KHR_texture_transform does: at
// weight 1 by this scale and offset, which stand in the material's own's place.
type UVBind struct {
	Material      int32
	Scale, Offset mgl32.Vec2
}

// LookAt is how eyes follow a point.
type LookAt struct {
	ByExpression bool       // by expressions lookUp … instead of eye bones
	Offset       mgl32.Vec3 // from the head bone to between the eyes, metres
	Inner, Outer Range      // horizontal
	Down, Up     Range
}

// Range maps how far a target is aside, degrees, to how far eyes turn, degrees, or
// to an expression's weight.
type Range struct{ InputMax, OutputScale float32 }

// Spring is a chain of joints that swings, root first.
type Spring struct {
	Name      string
	Center    int32 // the joint in whose space motion counts; -1: the world
	Joints    []SpringJoint
	Colliders []int32 // indices into Avatar.Colliders
}

// SpringJoint is one joint of a chain. The last one's tail is only a place.
type SpringJoint struct {
	Joint                      int32
	HitRadius, Stiffness, Drag float32
	GravityPower               float32
	GravityDir                 mgl32.Vec3
}

// Collider is a sphere, or a capsule where Tail differs from Offset, in a joint's
// space, that springs stay out of.
type Collider struct {
	Joint        int32
	Offset, Tail mgl32.Vec3
	Radius       float32
}
