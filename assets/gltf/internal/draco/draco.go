// Package draco unpacks the meshes of KHR_draco_mesh_compression with Google's
// Draco library.
//
//	faces, points, err := draco.Sizes(packed) // judge them before unpacking
//	mesh, err := draco.Open(packed)
//	defer mesh.Close()
//	indices := mesh.Indices()
//	err = mesh.Attribute(id, 5126, dst)
//
// A Mesh is memory of C's that Close frees.
package draco

// #cgo CXXFLAGS: -std=c++17 -O2
// #cgo LDFLAGS: -ldraco
// #include "draco.h"
import "C"

import (
	"errors"
	"unsafe"
)

var errMalformed = errors.New("the Draco mesh is malformed")

// Mesh is an unpacked mesh of triangles.
type Mesh struct{ c *C.draco_mesh }

// Sizes tells what a packed mesh says of its own size, points at most, so that
// it can be refused before memory is given to it.
func Sizes(packed []byte) (faces, points uint64, err error) {
	if len(packed) == 0 {
		return 0, 0, errMalformed
	}
	var s C.draco_sizes
	if C.bp_draco_sizes((*C.uint8_t)(unsafe.SliceData(packed)), C.size_t(len(packed)), &s) != 0 {
		return 0, 0, errMalformed
	}
	return uint64(s.faces), uint64(s.points), nil
}

// Open unpacks a mesh.
func Open(packed []byte) (*Mesh, error) {
	if len(packed) == 0 {
		return nil, errMalformed
	}
	c := C.bp_draco_open((*C.uint8_t)(unsafe.SliceData(packed)), C.size_t(len(packed)))
	if c == nil {
		return nil, errMalformed
	}
	return &Mesh{c}, nil
}

// Close frees the mesh.
func (m *Mesh) Close() { C.bp_draco_close(m.c); m.c = nil }

// Faces and Points are the mesh's triangles and vertices.
func (m *Mesh) Faces() int  { return int(C.bp_draco_faces(m.c)) }
func (m *Mesh) Points() int { return int(C.bp_draco_points(m.c)) }

// Indices fills out, three a face.
func (m *Mesh) Indices(out []uint32) error {
	if len(out) != 3*m.Faces() {
		return errMalformed
	}
	if len(out) > 0 {
		C.bp_draco_indices(m.c, (*C.uint32_t)(unsafe.SliceData(out)))
	}
	return nil
}

// Components is how many an element of the attribute has, 0 where there is none
// of that id.
func (m *Mesh) Components(id uint32) int { return int(C.bp_draco_components(m.c, C.uint32_t(id))) }

// Attribute fills out with an attribute's elements, tightly, converted to a GL
// component type.
func (m *Mesh) Attribute(id uint32, gl int32, out []byte) error {
	if len(out) == 0 || C.bp_draco_attribute(m.c, C.uint32_t(id), C.int(gl), unsafe.Pointer(unsafe.SliceData(out)), C.size_t(len(out))) != 0 {
		return errMalformed
	}
	return nil
}
