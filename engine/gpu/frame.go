package gpu

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// ErrNotReady is what [Device.BeginFrame] returns while its target can't be drawn to: a minimised window, or one that
// is just being resized. Skip the frame, poll events, try again.
var ErrNotReady = errors.New("gpu: the target can't be drawn to now")

// Frame is one frame being recorded. It is valid until [Frame.End].
type Frame struct {
	d      *Device
	slot   int // which of the frames in flight
	index  uint64
	lanes  [queueCount]lane
	out    outgoing
	ran    bool // a plan was executed
	stream vk.Stream
	arena  vk.Arena
	ring   ring

	allocated int // bytes handed out of the ring

	value uint64 // of the graphics queue's timeline, once submitted

	target     Target
	backbuffer *Image
	acquire    vk.Semaphore
	waits      bool // the next submission waits for acquire
	delivered  bool // a plan left the backbuffer ready to present
	err        error
}

func newFrame(d *Device, slot int) (*Frame, error) {
	f := &Frame{d: d, slot: slot}
	f.ring.d = d
	var err error
	info := vk.SemaphoreCreateInfo{SType: vk.STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO}
	if f.acquire, err = vk.CreateSemaphore(d.handle, &info); err != nil {
		return nil, fmt.Errorf("gpu: making a semaphore: %w", d.check(err))
	}
	d.name(vk.OBJECT_TYPE_SEMAPHORE, uint64(f.acquire), "acquired")
	return f, nil
}

func (f *Frame) close() {
	vk.DestroySemaphore(f.d.handle, f.acquire)
	for q := range f.lanes {
		vk.DestroyCommandPool(f.d.handle, f.lanes[q].pool) // 0: nothing happens
	}
	f.arena.Free()
}

// BeginFrame waits until the frame before the last is done on the device, and acquires the target's next image.
// Target may be nil: nothing is presented. [ErrNotReady]: skip this frame.
func (d *Device) BeginFrame(t Target) (*Frame, error) {
	if d.lost {
		return nil, ErrDeviceLost
	}
	if d.current != nil {
		return nil, errors.New("gpu: BeginFrame before the frame before was ended")
	}
	f := d.frames[d.frameNo%framesInFlight]
	if f.value != 0 {
		if err := d.waitFor(f.value); err != nil {
			return nil, err
		}
		d.trash.empty(d, f.index+1)
	}
	f.err, f.waits, f.delivered, f.ran = nil, false, false, false
	f.target, f.backbuffer = t, nil
	if t != nil {
		m, err := t.acquire(f)
		if err != nil {
			d.drain()
			return nil, err
		}
		f.backbuffer = m
	}
	f.index = d.frameNo
	d.current = f
	f.ring.reset()
	f.allocated = 0
	d.desc.reset(f.slot)
	f.arena.Reset()
	f.stream.Reset()
	if err := f.restart(); err != nil {
		d.current = nil
		return nil, err
	}
	return f, nil
}

// Index of the frame since the device was opened, from 0.
func (f *Frame) Index() uint64 { return f.index }

// Device the frame belongs to.
func (f *Frame) Device() *Device { return f.d }

// Backbuffer is the target's image of this frame; nil without a target.
func (f *Frame) Backbuffer() *Image { return f.backbuffer }

// Import says how the backbuffer enters and leaves a graph:
//
//	screen := graph.ImportImage("backbuffer", frame.Backbuffer().Shape(), frame.Import())
func (f *Frame) Import() framegraph.Import {
	arrive, leave := f.target.states()
	return f.backbuffer.Import(arrive, leave)
}

// Alloc takes n bytes of the frame's ring for uniform, storage, vertex or index data, aligned to align (a power of two; 0
// for what the device asks of such ranges, which any other is raised to). The bytes are valid for this frame only and
// hold leftovers. Where memory is short, the frame fails: its Execute or End says so.
func (f *Frame) Alloc(n, align int) Range {
	f.d.lock()
	defer f.d.unlock()
	r, err := f.ring.alloc(max(n, 1), align)
	if err != nil {
		f.fail(err)
		return Range{Buffer: f.d.standIns.zeros, Size: min(n, zeroBytes), Bytes: make([]byte, n)}
	}
	r.Size, r.Bytes = n, r.Bytes[:n:n]
	f.allocated += n
	return r
}

// uploaded is the bytes that went from the processor to the device so far: of the frame's ring, and of all uploads.
// Only differences within a frame mean something.
func (f *Frame) uploaded() int { return f.allocated + f.d.staged }

// fail keeps the frame's first error.
func (f *Frame) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// flush submits what is recorded, waits for it, and begins anew: what [Serialised] does after each pass.
func (f *Frame) flush() error {
	if err := f.submit(0); err != nil {
		return err
	}
	if err := f.d.waitFor(f.value); err != nil {
		return err
	}
	return f.restart()
}

// End submits what is left and presents. A frame whose Execute failed shows nothing of it, and End returns that error again.
func (f *Frame) End() error {
	d := f.d
	if d.current != f {
		return errors.New("gpu: End of a frame that isn't the current one")
	}
	d.current = nil
	d.frameNo++
	if d.lost {
		return ErrDeviceLost
	}
	failed := f.err
	if failed != nil {
		if err := f.restart(); err != nil {
			return err
		}
	}
	if f.target != nil && (failed != nil || !f.delivered) {
		if err := f.deliver(); err != nil {
			return err
		}
	}
	var present vk.Semaphore
	if f.target != nil {
		present = f.target.presentSemaphore()
	}
	if err := f.submit(present); err != nil {
		return err
	}
	if f.target != nil {
		if err := f.target.present(f); err != nil {
			return err
		}
	}
	d.drain()
	return failed
}

// deliver brings a backbuffer that nothing was drawn to into the layout that it leaves in.
func (f *Frame) deliver() error {
	_, leave := f.target.states()
	b := vk.New[vk.ImageMemoryBarrier2](&f.arena)
	b.SrcStageMask, b.DstStageMask = vk.PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT
	b.OldLayout, b.NewLayout = vk.ImageLayout(f.backbuffer.layout), vk.ImageLayout(leave.Layout)
	if _, window := f.target.(*Window); window {
		b.OldLayout = vk.IMAGE_LAYOUT_UNDEFINED
	}
	b.SrcQueueFamilyIndex, b.DstQueueFamilyIndex = vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED
	b.Image = f.backbuffer.handle
	b.SubresourceRange = vk.ImageSubresourceRange{AspectMask: vk.IMAGE_ASPECT_COLOR_BIT, LevelCount: 1, LayerCount: 1}
	dep := vk.New[vk.DependencyInfo](&f.arena)
	dep.ImageMemoryBarrierCount, dep.PImageMemoryBarriers = 1, b
	f.stream.Reset()
	f.stream.CmdPipelineBarrier2(dep)
	cb, err := f.open(framegraph.GraphicsQueue)
	if err != nil {
		return err
	}
	f.stream.Replay(cb)
	f.stream.Reset()
	f.backbuffer.layout = leave.Layout
	return nil
}
