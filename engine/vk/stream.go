package vk

/*
#include "loader.h"
#include "replay.h"
#cgo noescape bpvk_replay
#cgo nocallback bpvk_replay

static void replay_active(uintptr_t cb, const void *stream, size_t words) {
	bpvk_replay(bpvk_active(), cb, stream, words);
}
#cgo noescape replay_active
#cgo nocallback replay_active
*/
import "C"

import "unsafe"

// streamWords is a new stream's size in 8-byte words.
const streamWords = 1024

// Stream is a list of vkCmd* calls, written by Go without cgo and replayed into a command buffer by one C call.
//
// Slices, fixed arrays and pointer-free structs are copied into it. A struct that has a pNext chain (DependencyInfo,
// RenderingInfo, a label) is kept by its address: it must lie in an Arena and stay unchanged until Replay has returned.
//
// The zero value works. A Stream belongs to one goroutine at a time.
type Stream struct {
	buf []uint64
	n   int // words written
}

// Reset empties the stream and keeps its memory.
func (s *Stream) Reset() { s.n = 0 }

// Empty reports whether nothing is recorded.
func (s *Stream) Empty() bool { return s.n == 0 }

// Size is the number of bytes recorded.
func (s *Stream) Size() int { return s.n * 8 }

// Replay calls every recorded command for cb, in order. The stream keeps them: a second Replay repeats them.
func (s *Stream) Replay(cb CommandBuffer) {
	if s.n > 0 {
		C.replay_active(C.uintptr_t(cb), unsafe.Pointer(unsafe.SliceData(s.buf)), C.size_t(s.n))
	}
}

// replayInto replays into a given table (a *bpvk_table), for tests and benchmarks.
func (s *Stream) replayInto(table unsafe.Pointer, cb CommandBuffer) {
	if s.n > 0 {
		C.bpvk_replay((*C.bpvk_table)(table), C.uintptr_t(cb), unsafe.Pointer(unsafe.SliceData(s.buf)), C.size_t(s.n))
	}
}

// room makes room for a record. Its memory is not zeroed.
func (s *Stream) room(words int) unsafe.Pointer {
	at := s.n
	if at+words > len(s.buf) {
		s.grow(words)
	}
	s.n = at + words
	return unsafe.Pointer(&s.buf[at])
}

//go:noinline
func (s *Stream) grow(words int) {
	buf := make([]uint64, max(streamWords, 2*len(s.buf), s.n+words))
	copy(buf, s.buf[:s.n])
	s.buf = buf
}

// put copies size bytes to at and returns where the next array goes. It copies bytes, not values: structs that hold C
// pointers must not meet the collector's write barriers here.
func put(at, from unsafe.Pointer, size int) unsafe.Pointer {
	copy(unsafe.Slice((*byte)(at), size), unsafe.Slice((*byte)(from), size))
	return unsafe.Add(at, (size+7)&^7)
}
