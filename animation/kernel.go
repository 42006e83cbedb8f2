package animation

import (
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// The kernels in plain Go: what every processor runs that has no vector kernel,
// and what the vector kernels are tested against. They take pointers to first
// elements, as those do.

// lerpVecsGo interpolates n vectors of four floats a row and writes the first
// three of each at its offset in bytes from local.
func lerpVecsGo(row0, row1 *float32, u float32, at *int32, n int, local *Transform) {
	a, b := unsafe.Slice(row0, 4*n), unsafe.Slice(row1, 4*n)
	for i, at := range unsafe.Slice(at, n) {
		out := (*mgl32.Vec3)(unsafe.Add(unsafe.Pointer(local), at))
		a, b := a[4*i:][:3], b[4*i:][:3]
		for c := range out {
			out[c] = a[c] + u*(b[c]-a[c])
		}
	}
}

// slerpQuatsGo interpolates blocks of four rotations as sinRatioNear does, and
// returns how many blocks are done: all, or those before one that it is not for.
func slerpQuatsGo(row0, row1 *float32, s *slerpSeries, at *int32, blocks int, local *Transform) int {
	u := s[1][4][0]
	a, b := unsafe.Slice(row0, 16*blocks), unsafe.Slice(row1, 16*blocks)
	offsets := unsafe.Slice(at, 4*blocks)
	for i := range blocks {
		a, b := a[16*i:][:16], b[16*i:][:16]
		for lane, at := range offsets[4*i:][:4] {
			q := (*mgl32.Quat)(unsafe.Add(unsafe.Pointer(local), at))
			*q = slerp(a[lane], a[4+lane], a[8+lane], a[12+lane], b[lane], b[4+lane], b[8+lane], b[12+lane], u)
		}
	}
	return blocks
}

// lerpPosesGo mixes n transforms, v = 1-u of a and u of b. The vector kernel wants
// a multiple of four.
func lerpPosesGo(a, b, out *Transform, v, u float32, n int) {
	la, lb, lo := unsafe.Slice(a, n), unsafe.Slice(b, n), unsafe.Slice(out, n)
	for i := range lo {
		x, y, z := &la[i], &lb[i], &lo[i]
		for c := range 3 {
			z.Translation[c] = v*x.Translation[c] + u*y.Translation[c]
			z.Scale[c] = v*x.Scale[c] + u*y.Scale[c]
		}
		z.Rotation = nlerp(x.Rotation, y.Rotation, v, u)
	}
}

// mulPaletteGo writes model[joints[i]] · bind[i] to out[i], for n slots; all are
// affine.
func mulPaletteGo(model *mgl32.Mat4, joints *int32, bind, out *mgl32.Mat4, n int) {
	binds, outs := unsafe.Slice(bind, n), unsafe.Slice(out, n)
	for i, j := range unsafe.Slice(joints, n) {
		m := (*mgl32.Mat4)(unsafe.Add(unsafe.Pointer(model), uintptr(j)*unsafe.Sizeof(*model)))
		mulAffine(m, &binds[i], &outs[i])
	}
}

// toModelGo writes out[parents[j]] · local[j] to out[j], for n joints, a root's
// local matrix alone. It returns how many are done: all, or those before one
// that does not come after its parent.
func toModelGo(local *Transform, parents *int32, out *mgl32.Mat4, n int) int {
	locals, outs := unsafe.Slice(local, n), unsafe.Slice(out, n)
	for j, parent := range unsafe.Slice(parents, n) {
		switch {
		case parent < 0:
			outs[j] = locals[j].Mat4()
		case int(parent) < j:
			locals[j].under(&outs[parent], &outs[j])
		default:
			return j
		}
	}
	return n
}
