package gpu

import "github.com/bindpose/bindpose/engine/vk"

// trash keeps what was released until the last frame that may use it is done.
type trash struct{ items []discarded }

type discardKind uint8

const (
	discardBuffer discardKind = iota
	discardImage
	discardView
	discardPipeline
	discardMemory
	discardSet
	discardSwapchain
	discardSemaphore
	discardQueryPool
	discardCommandPool
)

// discarded is one object and what it occupied.
type discarded struct {
	frame  uint64 // the last frame that may use it
	kind   discardKind
	handle uint64
	memory allocation
	set    *SetLayout // that the set goes back to
}

// discard destroys an object after the frame being recorded, or the next one, is done.
func (d *Device) discard(kind discardKind, handle uint64, memory allocation) {
	if handle != 0 || memory.block != nil {
		d.trash.items = append(d.trash.items, discarded{frame: d.frameNo, kind: kind, handle: handle, memory: memory})
	}
}

// empty destroys what frames before the given one used last.
func (t *trash) empty(d *Device, before uint64) {
	n := 0
	for n < len(t.items) && t.items[n].frame < before {
		t.items[n].destroy(d)
		n++
	}
	if n > 0 {
		t.items = append(t.items[:0], t.items[n:]...)
	}
}

func (x *discarded) destroy(d *Device) {
	switch x.kind {
	case discardBuffer:
		vk.DestroyBuffer(d.handle, vk.Buffer(x.handle))
	case discardImage:
		vk.DestroyImage(d.handle, vk.Image(x.handle))
	case discardView:
		vk.DestroyImageView(d.handle, vk.ImageView(x.handle))
	case discardPipeline:
		vk.DestroyPipeline(d.handle, vk.Pipeline(x.handle))
	case discardSet:
		x.set.free = append(x.set.free, vk.DescriptorSet(x.handle))
	case discardSwapchain:
		vk.DestroySwapchainKHR(d.handle, vk.SwapchainKHR(x.handle))
	case discardSemaphore:
		vk.DestroySemaphore(d.handle, vk.Semaphore(x.handle))
	case discardQueryPool:
		vk.DestroyQueryPool(d.handle, vk.QueryPool(x.handle))
	case discardCommandPool:
		vk.DestroyCommandPool(d.handle, vk.CommandPool(x.handle))
	}
	if x.memory.block != nil {
		d.memory.release(&x.memory)
	}
}
