//go:build !amd64 || purego

package animation

import "github.com/bindpose/bindpose/engine/mgl32"

func lerpVecs(row0, row1 *float32, u float32, at *int32, n int, local *Transform) {
	lerpVecsGo(row0, row1, u, at, n, local)
}

func slerpQuats(row0, row1 *float32, s *slerpSeries, at *int32, blocks int, local *Transform) int {
	return slerpQuatsGo(row0, row1, s, at, blocks, local)
}

func lerpPoses(a, b, out *Transform, v, u float32, n int) { lerpPosesGo(a, b, out, v, u, n) }

func mulPalette(model *mgl32.Mat4, joints *int32, bind, out *mgl32.Mat4, n int) {
	mulPaletteGo(model, joints, bind, out, n)
}

func toModel(local *Transform, parents *int32, out *mgl32.Mat4, n int) int {
	return toModelGo(local, parents, out, n)
}
