package enginetest

import (
	"image"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/internal/golden"
)

// Shapes fills an engine's empty scene with what a pass can be tried on, the same each time and needing no file: a red box
// before a blue one on a grey floor, in the afternoon's light, and a camera that sees them. It returns the boxes.
func Shapes(e *engine.Engine) (near, far *scene.Entity) {
	s := e.Scene
	s.Environment = scene.Afternoon()
	put := func(name string, half, at mgl32.Vec3, color mgl32.Vec4) *scene.Entity {
		x := s.SpawnModel(name, Box(half, color), nil)
		x.Local.Translation = at
		return x
	}
	put("floor", mgl32.Vec3{6, 0.1, 6}, mgl32.Vec3{0, -0.1, 0}, mgl32.Vec4{0.4, 0.4, 0.4, 1})
	near = put("near", mgl32.Vec3{0.5, 0.5, 0.5}, mgl32.Vec3{-0.5, 0.5, 0.8}, mgl32.Vec4{0.7, 0.1, 0.08, 1})
	far = put("far", mgl32.Vec3{0.7, 0.8, 0.5}, mgl32.Vec3{0.6, 0.8, -0.8}, mgl32.Vec4{0.1, 0.2, 0.7, 1})
	camera := s.Spawn("camera", nil)
	camera.Camera = scene.DefaultCamera()
	camera.LookAt(mgl32.Vec3{0.4, 1.9, 4.4}, mgl32.Vec3{0, 0.6, 0})
	s.Camera = camera
	s.UpdateWorld()
	return near, far
}

// Box is a model of a rough box with flat faces. half are half its sides, metres; color is linear.
func Box(half mgl32.Vec3, color mgl32.Vec4) *assets.Model {
	var p assets.Primitive
	for axis := range 3 {
		for _, sign := range [2]float32{1, -1} {
			u, v := (axis+1)%3, (axis+2)%3
			var normal mgl32.Vec3
			normal[axis] = sign
			first := uint32(len(p.Positions))
			for _, corner := range [4][2]float32{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				var at mgl32.Vec3
				at[axis], at[u], at[v] = sign*half[axis], corner[0]*half[u], corner[1]*half[v]
				p.Positions, p.Normals = append(p.Positions, at), append(p.Normals, normal)
			}
			winding := [6]uint32{0, 1, 2, 0, 2, 3}
			if sign < 0 {
				winding = [6]uint32{0, 2, 1, 0, 3, 2}
			}
			for _, i := range winding {
				p.Indices = append(p.Indices, first+i)
			}
		}
	}
	material := assets.DefaultMaterial()
	material.BaseColor, material.Metallic = color, 0
	return &assets.Model{
		Name: "box", Scenes: []assets.Scene{{Roots: []int32{0}}},
		Skeleton: &animation.Skeleton{
			Names: []string{"node"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()}, MorphOffset: []int32{0, 0},
		},
		Nodes:     []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}},
		Meshes:    []assets.Mesh{{Primitives: []assets.Primitive{p}}},
		Materials: []assets.Material{material},
	}
}

// Golden fails the test where a picture is not, within a few pixels, the one in testdata/golden/NAME.png beside the test.
// With BINDPOSE_GOLDEN=write it writes that file instead; look at it before you commit it.
func Golden(t testing.TB, name string, picture *image.NRGBA) {
	t.Helper()
	golden.Check(t, name, picture)
}

// Same fails the test where two pictures are not alike bit for bit, which two frames of one run can be.
func Same(t testing.TB, a, b *image.NRGBA) {
	t.Helper()
	golden.Same(t, a, b)
}
