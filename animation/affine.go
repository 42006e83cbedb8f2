package animation

import "github.com/bindpose/bindpose/engine/mgl32"

// mulAffine writes a·b to out, which is neither: both with a bottom row of
// 0, 0, 0, 1. It is a third cheaper than a full product, and goes by pointer
// because a crowd's time is spent here.
func mulAffine(a, b, out *mgl32.Mat4) {
	a0, a1, a2 := a[0], a[1], a[2]
	a4, a5, a6 := a[4], a[5], a[6]
	a8, a9, a10 := a[8], a[9], a[10]

	x, y, z := b[0], b[1], b[2]
	out[0], out[1], out[2], out[3] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	x, y, z = b[4], b[5], b[6]
	out[4], out[5], out[6], out[7] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	x, y, z = b[8], b[9], b[10]
	out[8], out[9], out[10], out[11] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	x, y, z = b[12], b[13], b[14]
	out[12], out[13], out[14], out[15] = a0*x+a4*y+a8*z+a[12], a1*x+a5*y+a9*z+a[13], a2*x+a6*y+a10*z+a[14], 1
}

// under writes parent · t.Mat4() to out, without the matrix between.
func (t *Transform) under(parent, out *mgl32.Mat4) {
	w, i, j, k := t.Rotation.W, t.Rotation.V[0], t.Rotation.V[1], t.Rotation.V[2]
	i2, j2, k2 := i+i, j+j, k+k
	ii, jj, kk := i*i2, j*j2, k*k2
	ij, ik, jk := i*j2, i*k2, j*k2
	wi, wj, wk := w*i2, w*j2, w*k2

	a0, a1, a2 := parent[0], parent[1], parent[2]
	a4, a5, a6 := parent[4], parent[5], parent[6]
	a8, a9, a10 := parent[8], parent[9], parent[10]

	s := t.Scale[0]
	x, y, z := s*(1-jj-kk), s*(ij+wk), s*(ik-wj)
	out[0], out[1], out[2], out[3] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	s = t.Scale[1]
	x, y, z = s*(ij-wk), s*(1-ii-kk), s*(jk+wi)
	out[4], out[5], out[6], out[7] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	s = t.Scale[2]
	x, y, z = s*(ik+wj), s*(jk-wi), s*(1-ii-jj)
	out[8], out[9], out[10], out[11] = a0*x+a4*y+a8*z, a1*x+a5*y+a9*z, a2*x+a6*y+a10*z, 0
	x, y, z = t.Translation[0], t.Translation[1], t.Translation[2]
	out[12], out[13], out[14], out[15] = a0*x+a4*y+a8*z+parent[12], a1*x+a5*y+a9*z+parent[13], a2*x+a6*y+a10*z+parent[14], 1
}
