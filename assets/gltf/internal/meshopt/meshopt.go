// Package meshopt unpacks what EXT_meshopt_compression packs, with the library
// meshoptimizer that the extension is defined by.
//
//	err := meshopt.Decode(dst, packed, meshopt.Attributes, stride, meshopt.Octahedral)
//
// The library's own bounds checks hold for packed; what it takes on trust (the
// element's size) is checked here. Nothing is kept in C.
package meshopt

// #cgo LDFLAGS: -lmeshoptimizer
// #include <meshoptimizer.h>
import "C"

import (
	"errors"
	"fmt"
	"unsafe"
)

// Mode is how the elements are packed.
type Mode uint8

// The modes of EXT_meshopt_compression.
const (
	Attributes Mode = iota
	Triangles       // indices of 2 or 4 bytes, three a triangle
	Indices         // indices of 2 or 4 bytes in any order
)

// Filter is what is undone after unpacking.
type Filter uint8

// The filters of EXT_meshopt_compression.
const (
	None Filter = iota
	Octahedral
	Quaternion
	Exponential
)

var errMalformed = errors.New("the packed bytes are malformed")

// Decode fills dst with elements of stride bytes, which is all of dst.
func Decode(dst, packed []byte, mode Mode, stride int, filter Filter) error {
	if stride <= 0 || len(dst)%stride != 0 {
		return fmt.Errorf("%d bytes are no number of elements of %d", len(dst), stride)
	}
	count := len(dst) / stride
	if mode == Attributes {
		if stride > 256 || stride%4 != 0 {
			return fmt.Errorf("an attribute takes %d bytes; packed are multiples of 4 up to 256", stride)
		}
	} else {
		if stride != 2 && stride != 4 || mode == Triangles && count%3 != 0 {
			return fmt.Errorf("%d indices of %d bytes; packed are indices of 2 or 4 bytes", count, stride)
		}
		if filter != None {
			return errors.New("indices have no filter")
		}
	}
	switch filter {
	case None, Exponential:
	case Octahedral:
		if stride != 4 && stride != 8 {
			return fmt.Errorf("the octahedral filter is for 4 or 8 bytes, not %d", stride)
		}
	case Quaternion:
		if stride != 8 {
			return fmt.Errorf("the quaternion filter is for 8 bytes, not %d", stride)
		}
	}
	if count == 0 {
		return nil
	}
	if len(packed) == 0 {
		return errMalformed
	}
	to := unsafe.Pointer(unsafe.SliceData(dst))
	from, n := (*C.uchar)(unsafe.SliceData(packed)), C.size_t(len(packed))
	status := C.int(-1)
	switch mode {
	case Attributes:
		status = C.meshopt_decodeVertexBuffer(to, C.size_t(count), C.size_t(stride), from, n)
	case Triangles:
		status = C.meshopt_decodeIndexBuffer(to, C.size_t(count), C.size_t(stride), from, n)
	case Indices:
		status = C.meshopt_decodeIndexSequence(to, C.size_t(count), C.size_t(stride), from, n)
	}
	if status != 0 {
		return errMalformed
	}
	switch filter {
	case Octahedral:
		C.meshopt_decodeFilterOct(to, C.size_t(count), C.size_t(stride))
	case Quaternion:
		C.meshopt_decodeFilterQuat(to, C.size_t(count), C.size_t(stride))
	case Exponential:
		C.meshopt_decodeFilterExp(to, C.size_t(count), C.size_t(stride))
	}
	return nil
}
