package ground_test

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A mannequin is put on a hillside, without a scene.
func Example() {
	data, _ := demoassets.Files.ReadFile("mannequin.glb")
	model, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	soles, err := model.Soles()
	if err != nil {
		fmt.Println(err)
		return
	}
	hillside := ground.Func(func(x, z float32) float32 { return 5 + 0.2*x })
	stance, err := ground.NewStance(hillside, soles)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := animation.NewAnimator(model.Skeleton, model.Skins, model.Clips)
	a.Modify(stance)
	a.World = mgl32.Translate3D(2, 0, 0)
	if err := a.Update(1.0 / 60); err != nil {
		fmt.Println(err)
		return
	}
	for i := range soles {
		fmt.Println(soles[i].Name, soles[i].Len(), "vertices")
	}
	fmt.Printf("raise the entity by %.2f m and the body by %.3f m\n", stance.Rise, stance.Lift)
	// Output:
	// left 36 vertices
	// right 36 vertices
	// raise the entity by 5.40 m and the body by 0.027 m
}
