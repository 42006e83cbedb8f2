package gpu

import "github.com/bindpose/bindpose/framegraph"

const ringBytes = 1 << 20

// ring hands out mapped memory for one frame. It grows by blocks; a frame that needed several gets one of their size
// the next time, so that a steady frame has one block and allocates nothing.
type ring struct {
	d      *Device
	blocks []*Buffer
	used   int // bytes of the last block
}

// reset makes all bytes free. The frame that used them is done.
func (r *ring) reset() {
	r.used = 0
	if len(r.blocks) <= 1 {
		return
	}
	total := 0
	for _, b := range r.blocks {
		total += b.desc.Size
		b.Release()
	}
	clear(r.blocks)
	r.blocks = r.blocks[:0]
	if b, err := r.block(total); err == nil { // otherwise alloc says so
		r.blocks = append(r.blocks, b)
	}
}

func (r *ring) block(n int) (*Buffer, error) {
	return r.d.newBuffer(BufferDesc{
		Name: "frame ring", Size: n,
		Usage: framegraph.BufferUniform | framegraph.BufferStorage | framegraph.BufferVertex | framegraph.BufferIndex | framegraph.BufferIndirect,
	}, hostWrites)
}

func (r *ring) alloc(n, align int) (Range, error) {
	align = max(align, 16, r.d.props.Limits.UniformAlign, r.d.props.Limits.StorageAlign)
	if len(r.blocks) > 0 {
		b := r.blocks[len(r.blocks)-1]
		if at := (r.used + align - 1) &^ (align - 1); at+n <= b.desc.Size {
			r.used = at + n
			return b.Range(at, n), nil
		}
	}
	size := ringBytes
	if len(r.blocks) > 0 {
		size = 2 * r.blocks[len(r.blocks)-1].desc.Size
	}
	for size < n {
		size *= 2
	}
	b, err := r.block(size)
	if err != nil {
		return Range{}, err
	}
	r.blocks = append(r.blocks, b)
	r.used = n
	return b.Range(0, n), nil
}
