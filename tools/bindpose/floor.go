package main

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// floorModel is a disc of radius 1 that fades out towards its edge: a floor for
// models to stand on and throw a shadow on.
func floorModel() *assets.Model {
	const rings, sides = 12, 64
	p := assets.Primitive{}
	for r := range rings + 1 {
		for s := range sides {
			t := float64(r) / rings
			a := 2 * math.Pi * float64(s) / sides
			p.Positions = append(p.Positions, mgl32.Vec3{float32(t * math.Sin(a)), 0, float32(t * math.Cos(a))})
			p.Normals = append(p.Normals, mgl32.Vec3{0, 1, 0})
			fade := 1 - t*t
			p.Colors = append(p.Colors, mgl32.Vec4{1, 1, 1, float32(fade * fade * 0.9)})
		}
	}
	for r := range rings {
		for s := range sides {
			a, b := uint32(r*sides+s), uint32(r*sides+(s+1)%sides)
			p.Indices = append(p.Indices, a, a+sides, b, b, a+sides, b+sides)
		}
	}
	m := assets.DefaultMaterial()
	m.Name = "floor"
	m.BaseColor = mgl32.Vec4{0.19, 0.195, 0.205, 1}
	m.Metallic, m.Roughness = 0, 0.9
	m.Alpha = assets.Blend
	return &assets.Model{
		Name: "floor",
		Skeleton: &animation.Skeleton{
			Names: []string{"floor"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()},
		},
		Nodes:     []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}},
		Scenes:    []assets.Scene{{Roots: []int32{0}}},
		Meshes:    []assets.Mesh{{Name: "floor", Primitives: []assets.Primitive{p}}},
		Materials: []assets.Material{m},
	}
}
