package engine_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// tilted is a quad whose normal map holds one normal, in tangent space: +X is
// right in the picture, +Y up (glTF 2.0 §3.9.3).
func tilted(t *testing.T, normal mgl32.Vec3, tangents bool) *assets.Model {
	t.Helper()
	n := normal.Normalize()
	c := func(f float32) uint8 { return uint8((f*0.5+0.5)*255 + 0.5) }
	p := image.NewNRGBA(image.Rect(0, 0, 4, 4))
	for y := range 4 {
		for x := range 4 {
			p.SetNRGBA(x, y, color.NRGBA{c(n[0]), c(n[1]), c(n[2]), 255})
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, p); err != nil {
		t.Fatal(err)
	}
	material := plain(mgl32.Vec4{0.6, 0.6, 0.6, 1})
	material.NormalMap.Texture = 0
	material.DoubleSided = true
	m := quad(material)
	m.Images = []assets.Image{{Name: "normal", Data: data.Bytes()}}
	m.Textures = []assets.Texture{{Image: 0, Mipmaps: true}}
	if tangents {
		m.Meshes[0].Primitives[0].Tangents = []mgl32.Vec4{{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}}
	}
	return m
}

// A normal map tilts the surface the way it says, with the file's tangents and
// with derived ones, mirrored, turned around, and seen from behind: the sun on
// the side it tilts to lights it most.
func TestNormalMapsTiltTheRightWay(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 16, Height: 16})
	e.Scene.Environment.Shadows = false
	camera(e, mgl32.Vec3{0, 0, 4}, mgl32.Vec3{})
	half := mgl32.QuatRotate(mgl32.DegToRad(180), mgl32.Vec3{0, 1, 0})
	one := mgl32.Vec3{1, 1, 1}
	for _, c := range []struct {
		name   string
		normal mgl32.Vec3 // in tangent space
		scale  mgl32.Vec3
		turn   mgl32.Quat
		tilt   mgl32.Vec3 // in the world, towards the camera's side
	}{
		{"right", mgl32.Vec3{1, 0, 1.2}, one, mgl32.QuatIdent(), mgl32.Vec3{1, 0, 0}},
		{"up", mgl32.Vec3{0, 1, 1.2}, one, mgl32.QuatIdent(), mgl32.Vec3{0, 1, 0}},
		{"mirrored across, right", mgl32.Vec3{1, 0, 1.2}, mgl32.Vec3{-1, 1, 1}, mgl32.QuatIdent(), mgl32.Vec3{-1, 0, 0}},
		{"mirrored across, up", mgl32.Vec3{0, 1, 1.2}, mgl32.Vec3{-1, 1, 1}, mgl32.QuatIdent(), mgl32.Vec3{0, 1, 0}},
		{"mirrored upside down, up", mgl32.Vec3{0, 1, 1.2}, mgl32.Vec3{1, -1, 1}, mgl32.QuatIdent(), mgl32.Vec3{0, -1, 0}},
		// From behind, what rises towards +X on the front falls towards it: the
		// back's normal is the front's, reversed (glTF 2.0 §3.9.5).
		// The turn takes the front's tilt to -X, and the reversal to +X.
		{"from behind, right", mgl32.Vec3{1, 0, 1.2}, one, half, mgl32.Vec3{1, 0, 0}},
		{"from behind, up", mgl32.Vec3{0, 1, 1.2}, one, half, mgl32.Vec3{0, -1, 0}},
	} {
		for _, tangents := range []bool{true, false} {
			x := e.Scene.SpawnModel("quad", tilted(t, c.normal, tangents), nil)
			x.Local.Scale, x.Local.Rotation = c.scale, c.turn
			bright := func(sun mgl32.Vec3) int {
				e.Scene.Environment.ToSun = sun.Normalize()
				enginetest.Frames(t, e, 1, 0)
				return int(at(enginetest.Picture(t, e), 6, 9).G) // off the diagonal
			}
			towards, away := bright(c.tilt.Add(mgl32.Vec3{0, 0, 1})), bright(c.tilt.Mul(-1).Add(mgl32.Vec3{0, 0, 1}))
			if towards < away+30 {
				t.Errorf("%s, tangents %v: %d lit from where it tilts to, %d from the other side", c.name, tangents, towards, away)
			}
			e.Scene.Remove(x)
		}
	}
}
