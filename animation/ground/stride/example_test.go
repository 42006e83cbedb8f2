package stride_test

import (
	"fmt"
	"log"

	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/assets/gltf"
)

// How fast a walk is, and how fast to play it for another speed.
func ExampleJob() {
	model, err := gltf.Load("../../../demo/assets/mannequin.glb")
	if err != nil {
		log.Fatal(err)
	}
	soles, err := model.Soles() // once a model
	if err != nil {
		log.Fatal(err)
	}
	walk, err := model.Clip("walk")
	if err != nil {
		log.Fatal(err)
	}
	job := stride.Job{Clip: walk, Skeleton: model.Skeleton, Soles: soles}
	r, err := job.Run()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f m/s, %.2f m a stride, feet stand for %.0f %% of the time\n", r.Speed, r.Stride, 100*r.Feet[0].Duty)
	fmt.Printf("play it at %.2f for 1.05 m/s\n", r.Rate(1.05))
	// Output:
	// 1.40 m/s, 1.40 m a stride, feet stand for 60 % of the time
	// play it at 0.75 for 1.05 m/s
}
