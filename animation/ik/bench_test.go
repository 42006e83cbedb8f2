package ik

import (
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// BenchmarkTwoBone bends a leg with ten joints below its hip.
func BenchmarkTwoBone(b *testing.B) {
	r := limb(6, animation.Identity())
	job := TwoBone{Rig: *r, Start: bone(0), Mid: bone(1), End: bone(2), Pole: mgl32.Vec3{0, 0.5, 5}, HasPole: true, Weight: 1}
	x := float32(0)
	for b.Loop() {
		if x += 0.01; x > 1 {
			x = 0
		}
		job.Target = mgl32.Vec3{x, 1.2, 0}
		if err := job.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
