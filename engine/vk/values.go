package vk

import (
	"bytes"
	"unsafe"
)

// Bool converts to C's VkBool32.
func Bool(b bool) Bool32 {
	if b {
		return TRUE
	}
	return FALSE
}

// Versions of the API, as MakeAPIVersion makes them.
const (
	API_VERSION_1_0 uint32 = 1 << 22
	API_VERSION_1_1 uint32 = 1<<22 | 1<<12
	API_VERSION_1_2 uint32 = 1<<22 | 2<<12
	API_VERSION_1_3 uint32 = 1<<22 | 3<<12
)

// MakeAPIVersion packs a version as VK_MAKE_API_VERSION does, with variant 0.
func MakeAPIVersion(major, minor, patch uint32) uint32 { return major<<22 | minor<<12 | patch }

// APIVersion unpacks what MakeAPIVersion packs.
func APIVersion(v uint32) (major, minor, patch uint32) {
	return v >> 22 & 0x7F, v >> 12 & 0x3FF, v & 0xFFF
}

// ClearColor is a ClearValue of floating-point or normalised colour.
func ClearColor(r, g, b, a float32) ClearValue {
	var v ClearValue
	v.ClearColor(r, g, b, a)
	return v
}

// ClearDepth is a ClearValue of depth and stencil.
func ClearDepth(depth float32, stencil uint32) ClearValue {
	var v ClearValue
	v.ClearDepth(depth, stencil)
	return v
}

// ClearColor makes v hold a floating-point or normalised colour.
func (v *ClearValue) ClearColor(r, g, b, a float32) {
	var c ClearColorValue
	c.SetFloat32([4]float32{r, g, b, a})
	v.SetColor(c)
}

// ClearDepth makes v hold depth and stencil.
func (v *ClearValue) ClearDepth(depth float32, stencil uint32) {
	v.SetDepthStencil(ClearDepthStencilValue{depth, stencil})
}

// Bytes is the memory of s, without a copy: for push constants, specialisation constants and query results. T must hold no
// pointers.
func Bytes[T any](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// String reads a NUL-terminated array such as PhysicalDeviceProperties.DeviceName.
func String(b []byte) string {
	if n := bytes.IndexByte(b, 0); n >= 0 {
		b = b[:n]
	}
	return string(b)
}

// GoString copies a C string; nil is "".
func GoString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// cString is s with a NUL, or nil for an empty string that may be absent.
func cString(s string, optional bool) []byte {
	if s == "" && optional {
		return nil
	}
	return append([]byte(s), 0)
}
