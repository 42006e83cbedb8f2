package render

import (
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// Globals is struct Frame of shaders/frame.glsl: what every pass of a frame
// reads. Fields are laid out as std430 does.
type Globals struct {
	View, Projection, ViewProjection, InverseViewProjection mgl32.Mat4

	Shadow       mgl32.Mat4 // world to the shadow map's clip space
	Eye          mgl32.Vec4 // xyz world; w seconds
	SunDirection mgl32.Vec4 // xyz towards the sun; w 1 where it casts shadows
	SunColor     mgl32.Vec4
	SkyZenith    mgl32.Vec4
	SkyHorizon   mgl32.Vec4
	SkyGround    mgl32.Vec4
	Exposure     mgl32.Vec4 // exposure, shadow texel in metres, 1/shadow size, unused
	Viewport     mgl32.Vec4 // pixels, and 1/pixels
	Counts       [4]uint32  // lights of the lighting pass; all lights
}

// ShadowSize is the width and height of the shadow map, in texels, for a picture
// of so many pixels: the power of two above its longer side, from 512 to 2048,
// so that shadows are as sharp as the picture shows them.
func ShadowSize(width, height int) int {
	size := 512
	for size < 2048 && size < max(width, height) {
		size *= 2
	}
	return size
}

// lightRecord is struct Light of shaders/frame.glsl.
type lightRecord struct {
	Position, Direction, Color, Cone mgl32.Vec4
}

func (g *Globals) setCamera(camera *scene.Entity, width, height int) {
	c := camera.Camera
	if c == nil {
		c = scene.DefaultCamera()
	}
	w, h := float32(max(width, 1)), float32(max(height, 1))
	g.View = camera.View()
	g.Projection = mgl32.Perspective(c.YFov, w/h, c.Near, c.Far)
	g.ViewProjection = g.Projection.Mul4(g.View)
	g.InverseViewProjection = g.ViewProjection.Inv()
	eye := camera.WorldPosition()
	g.Eye = mgl32.Vec4{eye[0], eye[1], eye[2], g.Eye[3]}
	g.Viewport = mgl32.Vec4{w, h, 1 / w, 1 / h}
}

func (g *Globals) setEnvironment(e *scene.Environment) {
	g.SunDirection = e.ToSun.Normalize().Vec4(0)
	if e.Shadows {
		g.SunDirection[3] = 1
	}
	g.SunColor = e.Sun.Vec4(0)
	g.SkyZenith, g.SkyHorizon, g.SkyGround = e.SkyZenith.Vec4(0), e.SkyHorizon.Vec4(0), e.SkyGround.Vec4(0)
	g.Exposure[0] = e.Exposure
}

// setShadow points the shadow map at a ball. Its centre is moved to a whole
// texel, so that edges do not crawl when the ball moves.
func (g *Globals) setShadow(center mgl32.Vec3, radius float32) {
	radius = max(radius, 0.1)
	toSun := g.SunDirection.Vec3()
	up := mgl32.Vec3{0, 1, 0}
	if toSun.Cross(up).LenSqr() < 1e-6 {
		up = mgl32.Vec3{0, 0, 1}
	}
	size := float32(ShadowSize(int(g.Viewport[0]), int(g.Viewport[1])))
	texel := 2 * radius / size
	turn := mgl32.LookAtV(mgl32.Vec3{}, toSun.Mul(-1), up)
	at := turn.Mul4x1(center.Vec4(1)).Vec3()
	for i := range at {
		at[i] = float32(math.Floor(float64(at[i]/texel))) * texel
	}
	// In light space the sun looks along -Z from two radii in front of the ball.
	view := mgl32.Translate3D(-at[0], -at[1], -at[2]-2*radius).Mul4(turn)
	g.Shadow = mgl32.Ortho(-radius, radius, -radius, radius, 0, 4*radius).Mul4(view)
	g.Exposure[1], g.Exposure[2] = texel, 1/size
}

// record packs a light at its entity.
func record(e *scene.Entity) lightRecord {
	l := e.Light
	world := e.World()
	direction := mgl32.TransformNormal(mgl32.Vec3{0, 0, -1}, world).Normalize()
	r := lightRecord{
		Position:  e.WorldPosition().Vec4(l.Range),
		Direction: direction.Vec4(0),
		Color:     l.Color.Mul(l.Intensity).Vec4(0),
	}
	switch l.Kind {
	case assets.Point:
		r.Direction[3] = 1
	case assets.Spot:
		r.Direction[3] = 2
		inner, outer := math.Cos(float64(l.InnerCone)), math.Cos(float64(l.OuterCone))
		scale := 1 / max(inner-outer, 1e-3) // KHR_lights_punctual's reference code
		r.Cone = mgl32.Vec4{float32(scale), float32(-outer * scale), 0, 0}
	}
	return r
}

// SeesSun reports whether the sun's disc is in the picture, or near its edge.
func (g *Globals) SeesSun() bool {
	c := g.ViewProjection.Mul4x1(g.SunDirection.Vec3().Vec4(0))
	reach := c[3] * 1.1
	return c[3] > 0 && c[0] > -reach && c[0] < reach && c[1] > -reach && c[1] < reach
}
