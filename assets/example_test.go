package assets_test

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A floor of ten metres by ten, made in Go rather than read from a file, for
// scene.Scene.SpawnModel or a scene.MeshRenderer.
func ExampleModel() {
	grey := assets.DefaultMaterial()
	grey.BaseColor, grey.Metallic, grey.Roughness = mgl32.Vec4{0.5, 0.5, 0.5, 1}, 0, 0.8
	up := mgl32.Vec3{0, 1, 0}
	floor := &assets.Model{
		Name: "floor",
		Skeleton: &animation.Skeleton{ // every node of the model; here there is one
			Names: []string{"floor"}, Parents: []int32{-1}, Rest: []animation.Transform{animation.Identity()},
		},
		Nodes:  []assets.Node{{Mesh: 0, Skin: -1, Camera: -1, Light: -1, InScene: true}}, // what it carries; -1: nothing
		Scenes: []assets.Scene{{Roots: []int32{0}}},
		Meshes: []assets.Mesh{{Primitives: []assets.Primitive{{
			Material:  0,
			Positions: []mgl32.Vec3{{-5, 0, 5}, {5, 0, 5}, {5, 0, -5}, {-5, 0, -5}},
			Normals:   []mgl32.Vec3{up, up, up, up},
			Indices:   []uint32{0, 1, 2, 0, 2, 3}, // counter-clockwise, seen from the front
		}}}},
		Materials: []assets.Material{grey},
	}
	bounds, err := floor.Bounds(animation.NewPose(floor.Skeleton))
	fmt.Println(bounds.Min, bounds.Max, err)
	// Output: [-5 0 -5] [5 0 5] <nil>
}
