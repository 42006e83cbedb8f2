package vk

/*
#include "loader.h"
#include "replay.h"
#cgo noescape bpvk_replay
#cgo nocallback bpvk_replay

static void replay_active(uintptr_t cb, const void *stream, size_t size) {
	bpvk_replay(bpvk_active(), cb, stream, size);
}
#cgo noescape replay_active
#cgo nocallback replay_active
*/
import "C"

import "unsafe"

// streamSize is a new stream's size in bytes.
const streamSize = 8 << 10

// Stream is a list of vkCmd* calls, written by Go without cgo and replayed into a command buffer by one C call.
//
// Slices, fixed arrays and pointer-free structs are copied into it. A struct that has a pNext chain (DependencyInfo,
// RenderingInfo, a label) is kept by its address: it must lie in an Arena and stay unchanged until Replay has returned.
//
// The zero value works. A Stream belongs to one goroutine at a time.
type Stream struct {
	base unsafe.Pointer // Go memory
	size int            // of it, in bytes
	n    int            // bytes written
}

// Reset empties the stream and keeps its memory.
func (s *Stream) Reset() { s.n = 0 }

// Empty reports whether nothing is recorded.
func (s *Stream) Empty() bool { return s.n == 0 }

// Size is the number of bytes recorded.
func (s *Stream) Size() int { return s.n }

// Replay calls every recorded command for cb, in order. The stream keeps them: a second Replay repeats them.
func (s *Stream) Replay(cb CommandBuffer) {
	if s.n > 0 {
		C.replay_active(C.uintptr_t(cb), s.base, C.size_t(s.n))
	}
}

// replayInto replays into a given table (a *bpvk_table), for tests and benchmarks.
func (s *Stream) replayInto(table unsafe.Pointer, cb CommandBuffer) {
	if s.n > 0 {
		C.bpvk_replay((*C.bpvk_table)(table), C.uintptr_t(cb), s.base, C.size_t(s.n))
	}
}

// room makes room for a record of size bytes, a multiple of 8. Its memory is not zeroed.
// (It is small enough to be inlined into every Cmd method.)
func (s *Stream) room(size int) unsafe.Pointer {
	at := s.n
	s.n += size
	if s.n > s.size {
		s.grow()
	}
	return unsafe.Add(s.base, at)
}

// grow makes the memory hold s.n bytes and keeps what was written.
//
//go:noinline
func (s *Stream) grow() {
	// Words, for their alignment; without pointers, so that the collector does not look inside.
	words := make([]uint64, max(streamSize, 2*s.size, s.n)/8)
	base := unsafe.Pointer(unsafe.SliceData(words))
	copy(unsafe.Slice((*byte)(base), s.size), unsafe.Slice((*byte)(s.base), s.size))
	s.base, s.size = base, len(words)*8
}

// put copies size bytes to at and returns where the next array goes. It copies bytes, not values: structs that hold C
// pointers must not meet the collector's write barriers here.
func put(at, from unsafe.Pointer, size int) unsafe.Pointer {
	copy(unsafe.Slice((*byte)(at), size), unsafe.Slice((*byte)(from), size))
	return unsafe.Add(at, (size+7)&^7)
}
