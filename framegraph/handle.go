package framegraph

// A handle names one version of one resource, in one frame's declarations. It is a small value, to be copied freely.
// Every write returns the handle of a new version and makes the older handles stale: declaring an access through a stale
// handle, or through one from before the last Reset, is a mistake that Compile reports. So who reads what needs no
// further word: a pass reads the version it holds. The zero handle names nothing.

// Image is a handle to an image or to a range of its mip levels and array layers.
type Image struct {
	index   int32 // resource index + 1
	version uint32
	frame   uint32
	span    span
}

// Buffer is a handle to a buffer.
type Buffer struct {
	index   int32
	version uint32
	frame   uint32
}

// CPU is a handle to something that only phases write: transforms, poses. It has no memory in the plan and causes no
// barriers; it orders phases and passes.
type CPU struct {
	index   int32
	version uint32
	frame   uint32
}

// Index is the image's place in Plan.Resources, −1 for the zero handle. It stays the same while the declarations do.
func (i Image) Index() int { return int(i.index) - 1 }

// Index is the buffer's place in Plan.Resources, −1 for the zero handle.
func (b Buffer) Index() int { return int(b.index) - 1 }

// Index is the resource's place in Plan.Resources, −1 for the zero handle.
func (c CPU) Index() int { return int(c.index) - 1 }

// Valid says whether i came from a graph; it may still be stale.
func (i Image) Valid() bool { return i.index > 0 }

// Valid says whether b came from a graph; it may still be stale.
func (b Buffer) Valid() bool { return b.index > 0 }

// Valid says whether c came from a graph; it may still be stale.
func (c CPU) Valid() bool { return c.index > 0 }

// span is a range of mip levels and array layers. A count of 0 means all of them.
type span struct {
	mip, mips     uint16
	layer, layers uint16
}

// Mip is the handle of one mip level, in all the layers i covers. The handle that a write through it returns covers the
// same level; Whole widens it.
func (i Image) Mip(level int) Image { return i.MipRange(level, 1) }

// MipRange is the handle of count mip levels from first.
func (i Image) MipRange(first, count int) Image {
	i.span.mip, i.span.mips = clamp16(first), clamp16(count)
	return i
}

// Layer is the handle of one array layer (or cube face), in all the mip levels i covers.
func (i Image) Layer(layer int) Image { return i.LayerRange(layer, 1) }

// LayerRange is the handle of count array layers from first.
func (i Image) LayerRange(first, count int) Image {
	i.span.layer, i.span.layers = clamp16(first), clamp16(count)
	return i
}

// Whole is the handle of all mip levels and array layers.
func (i Image) Whole() Image { i.span = span{}; return i }

// clamp16 keeps a wild number wild enough for validation to reject it.
func clamp16(n int) uint16 {
	if n < 0 || n > 0xffff {
		return 0xffff
	}
	return uint16(n)
}

// Pass is a handle to a declared phase or pass, for Builder.AfterPass.
type Pass struct {
	index int32
	frame uint32
}
