// Package mgl32 holds the float32 vectors, quaternions and matrices that every
// other package computes with. Its names follow those of mathgl's mgl32, which
// Go graphics programmers know.
//
// Vectors are columns and matrices are column-major: Mat4{…}[4*col+row], so a
// product reads right to left, as in parent.Mul4(local).Mul4x1(v). The frame is
// right-handed with +Y up; units are metres, radians and seconds. Clip space is
// Vulkan's (Y down) with reversed depth: 1 at the near plane, 0 at the far one.
//
// All types are plain arrays or structs of float32. They hold no pointers,
// compare with ==, copy by assignment, and can be written to GPU memory as they
// lie in memory.
package mgl32
