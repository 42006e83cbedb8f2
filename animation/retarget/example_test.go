package retarget_test

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// stick is a rig of four joints in a row, so long each.
func stick(length float32) *animation.Skeleton {
	s := &animation.Skeleton{}
	for j := range 4 {
		x := animation.Identity()
		x.Translation = mgl32.Vec3{0, length, 0}
		s.Names, s.Parents, s.Rest = append(s.Names, fmt.Sprint("link", j)), append(s.Parents, int32(j-1)), append(s.Rest, x)
	}
	return s
}

// A clip of a short stick bends a long one.
func Example() {
	short, long := stick(1), stick(3)
	bend := &animation.Clip{Name: "bend", Duration: 1, Tracks: []animation.Track{{
		Joint: 1, Path: animation.Rotation, Width: 4, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 0, 0, 0.70710678, 0.70710678},
	}}}
	source, err := retarget.NewRig(short, retarget.RigOptions{})
	if err != nil {
		panic(err)
	}
	target, err := retarget.NewRig(long, retarget.RigOptions{})
	if err != nil {
		panic(err)
	}
	pairs, err := retarget.NewMap(source, target)
	if err != nil {
		panic(err)
	}
	r, err := retarget.New(pairs, retarget.Options{})
	if err != nil {
		panic(err)
	}
	clip, err := r.Bake(bend)
	if err != nil {
		panic(err)
	}
	pose, err := animation.ReferenceOf(clip, long, 1)
	if err != nil {
		panic(err)
	}
	model := make([]mgl32.Mat4, long.Len())
	pose.ToModel(long, model)
	fmt.Printf("%.0f\n", model[3].Col(3).Vec3())
	// Output: [-6 6 0]
}
