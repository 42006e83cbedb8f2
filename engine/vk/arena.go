package vk

/*
#include <stdlib.h>
*/
import "C"

import "unsafe"

// arenaChunk is the least size of a chunk, in bytes.
const arenaChunk = 64 << 10

// Arena is C memory for structs that hold pointers. What is made in it lives until Reset or Free; nothing is freed alone.
// The zero value works. An Arena belongs to one goroutine at a time.
//
// Go's collector does not see into it: never store a pointer to Go memory there.
type Arena struct {
	chunks [][]byte // C memory
	chunk  int      // the one in use
	used   int      // bytes of it
}

// room returns size zeroed bytes, aligned to 16.
func (a *Arena) room(size int) unsafe.Pointer {
	for {
		if a.chunk < len(a.chunks) {
			c := a.chunks[a.chunk]
			if a.used+size <= len(c) {
				p := c[a.used : a.used+size]
				clear(p)
				a.used += (size + 15) &^ 15
				return unsafe.Pointer(unsafe.SliceData(p))
			}
			if a.chunk+1 < len(a.chunks) || a.used > 0 {
				a.chunk++
				a.used = 0
				continue
			}
		}
		n := max(arenaChunk, (size+15)&^15)
		a.chunks = append(a.chunks, unsafe.Slice((*byte)(C.malloc(C.size_t(n))), n))
		a.chunk, a.used = len(a.chunks)-1, 0
	}
}

// Reset makes the memory free for reuse. Everything made before is invalid.
func (a *Arena) Reset() { a.chunk, a.used = 0, 0 }

// Free gives the memory back to C. The arena is then empty and may be used again.
func (a *Arena) Free() {
	for _, c := range a.chunks {
		C.free(unsafe.Pointer(unsafe.SliceData(c)))
	}
	*a = Arena{}
}

// New makes a zeroed T; SType is set where T has one.
func New[T any](a *Arena) *T {
	var zero T
	p := (*T)(a.room(int(unsafe.Sizeof(zero))))
	setSType(p)
	return p
}

// Slice copies the values and returns the first one's address, nil for none. An SType left 0 is set.
func Slice[T any](a *Arena, values ...T) *T {
	return unsafe.SliceData(copySlice(a, values))
}

func copySlice[T any](a *Arena, values []T) []T {
	out := MakeSlice[T](a, len(values))
	for i := range out {
		out[i] = values[i]
		setSType(&out[i])
	}
	return out
}

// MakeSlice makes n zeroed values, SType set where T has one; nil for none.
func MakeSlice[T any](a *Arena, n int) []T {
	if n == 0 {
		return nil
	}
	var zero T
	s := unsafe.Slice((*T)(a.room(n*int(unsafe.Sizeof(zero)))), n)
	for i := range s {
		setSType(&s[i])
	}
	return s
}

func setSType[T any](p *T) {
	if s, ok := any(p).(interface{ Init() *T }); ok {
		s.Init()
	}
}

// CString copies s and ends it with NUL.
func CString(a *Arena, s string) *byte {
	p := unsafe.Slice((*byte)(a.room(len(s)+1)), len(s)+1)
	copy(p, s)
	return unsafe.SliceData(p)
}

// CStrings makes a C array of C strings, nil for none.
func CStrings(a *Arena, s ...string) **byte {
	p := MakeSlice[*byte](a, len(s))
	for i := range p {
		p[i] = CString(a, s[i])
	}
	return unsafe.SliceData(p)
}
