package gpu

import (
	"math/rand/v2"
	"testing"
)

// Whatever is asked and given back in whatever order, live spans never overlap, are aligned and inside the block, and
// when all are given back the block is whole again.
func TestHeapNeverOverlaps(t *testing.T) {
	for seed := uint64(0); seed < 20; seed++ {
		r := rand.New(rand.NewPCG(seed, 7))
		const size = 1 << 16
		h := newHeap(size)
		owner := make([]int, size) // byte → id of the live span
		type live struct {
			span
			id int
		}
		var spans []live
		var used uint64
		for id := 1; id < 3000; id++ {
			if len(spans) > 0 && r.IntN(5) < 2 {
				i := r.IntN(len(spans))
				s := spans[i]
				for b := s.offset; b < s.offset+s.size; b++ {
					if owner[b] != s.id {
						t.Fatalf("seed %d: byte %d of span %d belongs to %d", seed, b, s.id, owner[b])
					}
					owner[b] = 0
				}
				h.release(s.offset, s.size)
				used -= s.size
				spans[i] = spans[len(spans)-1]
				spans = spans[:len(spans)-1]
				continue
			}
			n, align := uint64(1+r.IntN(2000)), uint64(1)<<r.IntN(10)
			at, ok := h.alloc(n, align)
			if !ok {
				continue
			}
			if at%align != 0 || at+n > size {
				t.Fatalf("seed %d: %d bytes aligned to %d at %d", seed, n, align, at)
			}
			for b := at; b < at+n; b++ {
				if owner[b] != 0 {
					t.Fatalf("seed %d: byte %d given to %d and %d", seed, b, owner[b], id)
				}
				owner[b] = id
			}
			spans = append(spans, live{span{at, n}, id})
			used += n
			if h.used != used {
				t.Fatalf("seed %d: %d used, counted %d", seed, used, h.used)
			}
		}
		for _, s := range spans {
			h.release(s.offset, s.size)
		}
		if !h.empty() || len(h.free) != 1 || h.free[0] != (span{0, size}) {
			t.Fatalf("seed %d: not whole after all is freed: %v", seed, h.free)
		}
	}
}

func TestHeapSaysWhenFull(t *testing.T) {
	h := newHeap(100)
	if _, ok := h.alloc(101, 1); ok {
		t.Error("gave more than it has")
	}
	if _, ok := h.alloc(60, 1); !ok {
		t.Error("60 of 100 refused")
	}
	if _, ok := h.alloc(40, 64); ok {
		t.Error("40 at a multiple of 64 given where 36 fit")
	}
	if at, ok := h.alloc(40, 4); !ok || at != 60 {
		t.Errorf("the last 40: %d, %v", at, ok)
	}
}
