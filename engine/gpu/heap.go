package gpu

// heap hands out spans of one block of memory: first fit in a list of free spans kept in order of offset, so that a
// freed span merges with its neighbours. It knows sizes only; the block it speaks of is its owner's.
type heap struct {
	size uint64
	used uint64
	free []span // ascending, disjoint, never touching
}

// span is the bytes from offset up to offset+size.
type span struct{ offset, size uint64 }

func newHeap(size uint64) *heap {
	return &heap{size: size, free: []span{{0, size}}}
}

// alloc takes size bytes at a multiple of align (a power of two).
func (h *heap) alloc(size, align uint64) (offset uint64, ok bool) {
	for i, f := range h.free {
		start := (f.offset + align - 1) &^ (align - 1)
		end := f.offset + f.size
		if start > end || end-start < size || start < f.offset {
			continue
		}
		before := span{f.offset, start - f.offset}
		after := span{start + size, end - start - size}
		switch {
		case before.size == 0 && after.size == 0:
			h.free = append(h.free[:i], h.free[i+1:]...)
		case before.size == 0:
			h.free[i] = after
		case after.size == 0:
			h.free[i] = before
		default:
			h.free = append(h.free, span{})
			copy(h.free[i+2:], h.free[i+1:])
			h.free[i], h.free[i+1] = before, after
		}
		h.used += size
		return start, true
	}
	return 0, false
}

// release gives back what alloc handed out.
func (h *heap) release(offset, size uint64) {
	i, n := 0, len(h.free)
	for i < n { // binary search for the first free span after offset
		m := (i + n) / 2
		if h.free[m].offset < offset {
			i = m + 1
		} else {
			n = m
		}
	}
	h.used -= size
	joinsPrev := i > 0 && h.free[i-1].offset+h.free[i-1].size == offset
	joinsNext := i < len(h.free) && offset+size == h.free[i].offset
	switch {
	case joinsPrev && joinsNext:
		h.free[i-1].size += size + h.free[i].size
		h.free = append(h.free[:i], h.free[i+1:]...)
	case joinsPrev:
		h.free[i-1].size += size
	case joinsNext:
		h.free[i] = span{offset, size + h.free[i].size}
	default:
		h.free = append(h.free, span{})
		copy(h.free[i+1:], h.free[i:])
		h.free[i] = span{offset, size}
	}
}

// empty says whether nothing is handed out.
func (h *heap) empty() bool { return h.used == 0 }
