package walk_test

import (
	"fmt"
	"log"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground/walk"
	"github.com/bindpose/bindpose/assets/gltf"
)

// A body walks a second, without a clip.
func Example() {
	model, err := gltf.Load("../../../demo/assets/mannequin.glb")
	if err != nil {
		log.Fatal(err)
	}
	soles, err := model.Soles()
	if err != nil {
		log.Fatal(err)
	}
	body, err := walk.NewBody(model.Skeleton, soles)
	if err != nil {
		log.Fatal(err)
	}
	walker := walk.New(body)
	if err := walker.SetSpeed(1.2); err != nil {
		log.Fatal(err)
	}
	animator := animation.NewAnimator(model.Skeleton, model.Skins, nil)
	animator.Drive(walker)
	place := animation.Identity()
	for range 60 {
		if err := animator.Update(1.0 / 60); err != nil {
			log.Fatal(err)
		}
		place = animator.Motion().Apply(place)
	}
	fmt.Printf("%.2f m on\n", place.Translation[2])
	// Output:
	// 1.20 m on
}
