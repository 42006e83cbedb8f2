package animation_test

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// door is a skeleton of one joint, and a clip that opens it by 60° in a second.
func door() (*animation.Skeleton, *animation.Clip) {
	s := &animation.Skeleton{
		Names: []string{"hinge"}, Parents: []int32{-1},
		Rest: []animation.Transform{animation.Identity()},
	}
	open := mgl32.QuatRotate(mgl32.DegToRad(60), mgl32.Vec3{0, 1, 0}).XYZW()
	c := &animation.Clip{Name: "open", Duration: 1, Tracks: []animation.Track{{
		Joint: 0, Path: animation.Rotation, Width: 4,
		Times:  []float32{0, 1},
		Values: append([]float32{0, 0, 0, 1}, open[:]...),
	}}}
	return s, c
}

// An Animator takes one entity from clip to matrices, frame by frame.
func ExampleAnimator() {
	skeleton, open := door()
	a := animation.NewAnimator(skeleton, nil, []*animation.Clip{open})
	a.Loop = animation.Once
	if err := a.PlayName("open", 0); err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		if err := a.Update(0.5); err != nil {
			fmt.Println(err)
			return
		}
		handle := mgl32.TransformCoordinate(mgl32.Vec3{1, 0, 0}, a.Model()[0])
		fmt.Printf("%.1f s: handle at x %.2f, z %.2f, done %v\n", a.Time(), handle.X(), handle.Z(), a.Done())
	}
	// Output:
	// 0.5 s: handle at x 0.87, z -0.50, done false
	// 1.0 s: handle at x 0.50, z -0.87, done true
	// 1.0 s: handle at x 0.50, z -0.87, done true
}

// Jobs are the parts of an Animator; their buffers are the caller's.
func ExampleSamplingJob() {
	skeleton, open := door()
	job := animation.SamplingJob{
		Clip: open, Skeleton: skeleton,
		Cursors: make([]int32, len(open.Tracks)),
		Out:     animation.NewPose(skeleton),
	}
	for _, job.Time = range []float32{-1, 0.25, 7} {
		if err := job.Run(); err != nil {
			fmt.Println(err)
			return
		}
		x := job.Out.Local[0].Rotation.Rotate(mgl32.Vec3{1, 0, 0})
		fmt.Printf("%5.2f s: x %.2f, z %.2f\n", job.Time, x.X(), x.Z())
	}
	// Output:
	// -1.00 s: x 1.00, z 0.00
	//  0.25 s: x 0.97, z -0.26
	//  7.00 s: x 0.50, z -0.87
}
