package vk

import (
	"testing"
	"unsafe"
)

func TestArenaSetsTypes(t *testing.T) {
	var a Arena
	defer a.Free()
	if got := New[ImageCreateInfo](&a).SType; got != STRUCTURE_TYPE_IMAGE_CREATE_INFO {
		t.Errorf("New: SType %d", got)
	}
	for i, s := range MakeSlice[SubmitInfo2](&a, 3) {
		if s.SType != STRUCTURE_TYPE_SUBMIT_INFO_2 {
			t.Errorf("MakeSlice: element %d has SType %d", i, s.SType)
		}
	}
	p := Slice(&a, BufferMemoryBarrier2{Size: 5}, BufferMemoryBarrier2{Size: 6})
	for i, b := range unsafe.Slice(p, 2) {
		if b.SType != STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2 || b.Size != DeviceSize(5+i) {
			t.Errorf("Slice: element %d is %+v", i, b)
		}
	}
	if *Slice[float32](&a, 0.5) != 0.5 {
		t.Error("Slice of a plain value")
	}
	if Slice[uint32](&a) != nil || MakeSlice[uint32](&a, 0) != nil || CStrings(&a) != nil {
		t.Error("nothing must be nil")
	}
}

func TestArenaStrings(t *testing.T) {
	var a Arena
	defer a.Free()
	if got := GoString(CString(&a, "Bindpose ✓")); got != "Bindpose ✓" {
		t.Errorf("got %q", got)
	}
	list := unsafe.Slice(CStrings(&a, "one", "", "three"), 3)
	for i, want := range []string{"one", "", "three"} {
		if got := GoString(list[i]); got != want {
			t.Errorf("string %d is %q, want %q", i, got, want)
		}
	}
	if GoString(nil) != "" || String([]byte{'a', 0, 'b'}) != "a" || String([]byte("ab")) != "ab" {
		t.Error("reading C strings")
	}
}

// TestArenaReuse fills several chunks with a pattern, resets, and finds zeroed, aligned memory that does not overlap.
func TestArenaReuse(t *testing.T) {
	var a Arena
	defer a.Free()
	sizes := []int{1, 24, 1000, arenaChunk - 8, 7, arenaChunk * 3, 64, arenaChunk}
	chunks := 0
	for round := range 3 {
		a.Reset()
		var all [][]byte
		for _, n := range sizes {
			s := MakeSlice[byte](&a, n)
			if uintptr(unsafe.Pointer(&s[0]))%16 != 0 {
				t.Fatalf("%d bytes are not aligned", n)
			}
			for i, b := range s {
				if b != 0 {
					t.Fatalf("round %d: byte %d of %d is %d, not 0", round, i, n, b)
				}
			}
			all = append(all, s)
		}
		for i, s := range all {
			for j := range s {
				s[j] = byte(i + 1)
			}
		}
		for i, s := range all {
			for j, b := range s {
				if b != byte(i+1) {
					t.Fatalf("allocation %d overlaps %d at byte %d", i, b-1, j)
				}
			}
		}
		if round > 0 && len(a.chunks) != chunks {
			t.Errorf("round %d took %d chunks, the one before %d", round, len(a.chunks), chunks)
		}
		chunks = len(a.chunks)
	}
}
