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

// textured is a quad's unlit material and its picture: red left, green right.
func textured(t *testing.T, size int) *assets.Model {
	t.Helper()
	p := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			c := color.NRGBA{255, 0, 0, 255}
			if x >= size/2 {
				c = color.NRGBA{0, 255, 0, 255}
			}
			p.SetNRGBA(x, y, c)
		}
	}
	var data bytes.Buffer
	if err := png.Encode(&data, p); err != nil {
		t.Fatal(err)
	}
	material := unlit(mgl32.Vec4{1, 1, 1, 1})
	material.BaseColorMap.Texture = 0
	m := quad(material)
	m.Images = []assets.Image{{Name: "halves", Data: data.Bytes()}}
	m.Textures = []assets.Texture{{Image: 0, Mipmaps: true, WrapU: assets.ClampToEdge, WrapV: assets.ClampToEdge}}
	return m
}

// A quad of two triangles, drawn far smaller than its picture, shows the same
// mip level on both sides of its diagonal and along its edges. Where a driver
// reads zeros from storage buffers in the pixels of a 2×2 quad that a triangle
// does not cover, texture coordinates computed from one jump there, and the
// seam shows the smallest mip: the mean of the halves. That is why materials
// are a uniform buffer.
func TestNoSeamWhereTrianglesMeet(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 48, Height: 48})
	e.Show.NoAntialias = true
	e.Scene.Environment.Shadows = false
	m := textured(t, 512)
	x := e.Scene.SpawnModel("quad", m, nil)
	camera(e, mgl32.Vec3{0, 0, 3.3}, mgl32.Vec3{})
	for _, turn := range []float32{0, 7, 31} { // degrees: the diagonal crosses pixels differently
		x.Local.Rotation = mgl32.QuatRotate(mgl32.DegToRad(turn), mgl32.Vec3{0, 1, 0})
		enginetest.Frames(t, e, 2, 0)
		p := enginetest.Picture(t, e)
		red, green := 0, 0
		for y := range 48 {
			for i := range 48 {
				// The colours meet in the middle; a few texels of the mip used mix.
				c := at(p, i, y)
				switch {
				case c.R > 150 && c.G < 40 && c.B < 40:
					red++
				case c.G > 150 && c.R < 40 && c.B < 40:
					green++
				case c.B > 90: // the sky
				case i < 21 || i > 27:
					t.Fatalf("turned by %v°: pixel %d,%d is %v, neither half's colour", turn, i, y, c)
				}
			}
		}
		if red < 300 || green < 300 {
			t.Errorf("turned by %v°: %d red and %d green pixels", turn, red, green)
		}
	}
}
