//go:build !purego

package animation

import "github.com/bindpose/bindpose/engine/mgl32"

// The vector kernels use SSE2 alone, which every amd64 processor has, so that
// there is nothing to detect and every machine computes the same bits: each
// product and sum is that of the kernel in plain Go, in the same order.

//go:noescape
func lerpVecs(row0, row1 *float32, u float32, at *int32, n int, local *Transform)

//go:noescape
func slerpQuats(row0, row1 *float32, s *slerpSeries, at *int32, blocks int, local *Transform) int

//go:noescape
func lerpPoses(a, b, out *Transform, v, u float32, n int)

//go:noescape
func mulPalette(model *mgl32.Mat4, joints *int32, bind, out *mgl32.Mat4, n int)

//go:noescape
func toModel(local *Transform, parents *int32, out *mgl32.Mat4, n int) int
