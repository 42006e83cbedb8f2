package gpu

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// WindowDesc describes a swapchain.
type WindowDesc struct {
	// Size of the framebuffer in pixels now; 0, 0 while minimised. Called each frame.
	Size func() (w, h int)
	// VSync waits for the display. Without it the mailbox mode is taken where there is one, or else immediate.
	VSync bool
}

// Window is a target on the screen: a swapchain, made anew when the window's size changes.
type Window struct {
	d         *Device
	desc      WindowDesc
	swapchain vk.SwapchainKHR
	format    vk.SurfaceFormatKHR
	images    []*Image
	done      []vk.Semaphore // by image: its frame's work is done
	w, h      int
	asked     [2]int // what Size said when it was made
	stale     bool
	index     uint32 // of the acquired image

	arena    vk.Arena
	info     *vk.PresentInfoKHR
	semas    []vk.Semaphore    // one
	chains   []vk.SwapchainKHR // one
	indices  []uint32          // one
	released bool
}

// NewWindow makes the swapchain target of the surface that [Options.Surface] made. One at a time.
func (d *Device) NewWindow(desc WindowDesc) (*Window, error) {
	if d.surface == 0 {
		return nil, errors.New("gpu: the device was opened without a surface; give Options.Surface")
	}
	formats, err := vk.GetPhysicalDeviceSurfaceFormatsKHR(d.physical, d.surface)
	if err != nil || len(formats) == 0 {
		return nil, fmt.Errorf("gpu: the window's surface has no format: %w", d.check(err))
	}
	w := &Window{d: d, desc: desc, format: surfaceFormat(formats)}
	w.info = vk.New[vk.PresentInfoKHR](&w.arena)
	w.semas = vk.MakeSlice[vk.Semaphore](&w.arena, 1)
	w.chains = vk.MakeSlice[vk.SwapchainKHR](&w.arena, 1)
	w.indices = vk.MakeSlice[uint32](&w.arena, 1)
	w.info.WaitSemaphoreCount, w.info.PWaitSemaphores = 1, &w.semas[0]
	w.info.SwapchainCount, w.info.PSwapchains, w.info.PImageIndices = 1, &w.chains[0], &w.indices[0]
	d.owned[w] = struct{}{}
	if err := w.remake(); err != nil && !errors.Is(err, ErrNotReady) {
		w.Release()
		return nil, err
	}
	return w, nil
}

// surfaceFormat prefers a format that stores what passes write, since they write encoded colors; then one that encodes
// by itself, for which the last pass decodes.
func surfaceFormat(formats []vk.SurfaceFormatKHR) vk.SurfaceFormatKHR {
	best, rank := formats[0], 0
	for _, f := range formats {
		r := 0
		if f.ColorSpace == vk.COLOR_SPACE_SRGB_NONLINEAR_KHR {
			switch f.Format {
			case vk.FORMAT_B8G8R8A8_UNORM:
				r = 4
			case vk.FORMAT_R8G8B8A8_UNORM:
				r = 3
			case vk.FORMAT_B8G8R8A8_SRGB:
				r = 2
			case vk.FORMAT_R8G8B8A8_SRGB:
				r = 1
			}
		}
		if r > rank {
			best, rank = f, r
		}
	}
	return best
}

// remake the swapchain for the window's size now. ErrNotReady: it has none.
func (w *Window) remake() error {
	d := w.d
	cw, ch := w.desc.Size()
	if cw <= 0 || ch <= 0 {
		return ErrNotReady
	}
	caps, err := vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(d.physical, d.surface)
	if err != nil {
		return fmt.Errorf("gpu: asking for the window's size: %w", d.check(err))
	}
	extent := caps.CurrentExtent
	if extent.Width == 0xffffffff { // the swapchain decides
		extent.Width = min(max(uint32(cw), caps.MinImageExtent.Width), caps.MaxImageExtent.Width)
		extent.Height = min(max(uint32(ch), caps.MinImageExtent.Height), caps.MaxImageExtent.Height)
	}
	if extent.Width == 0 || extent.Height == 0 {
		return ErrNotReady
	}
	if err := d.WaitIdle(); err != nil {
		return err
	}
	info := vk.SwapchainCreateInfoKHR{SType: vk.STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR}
	info.Surface = d.surface
	info.MinImageCount = caps.MinImageCount + 1
	if caps.MaxImageCount > 0 {
		info.MinImageCount = min(info.MinImageCount, caps.MaxImageCount)
	}
	info.ImageFormat, info.ImageColorSpace = w.format.Format, w.format.ColorSpace
	info.ImageExtent = extent
	info.ImageArrayLayers = 1
	usage := vk.IMAGE_USAGE_COLOR_ATTACHMENT_BIT
	usage |= caps.SupportedUsageFlags & (vk.IMAGE_USAGE_TRANSFER_DST_BIT | vk.IMAGE_USAGE_TRANSFER_SRC_BIT)
	info.ImageUsage = usage
	info.PreTransform = caps.CurrentTransform
	info.CompositeAlpha = compositeAlpha(caps.SupportedCompositeAlpha)
	if info.PresentMode, err = w.presentMode(); err != nil {
		return err
	}
	info.Clipped = vk.TRUE
	info.OldSwapchain = w.swapchain
	made, err := vk.CreateSwapchainKHR(d.handle, &info)
	w.drop()
	if err != nil {
		d.drain()
		return fmt.Errorf("gpu: making the swapchain: %w", d.check(err))
	}
	w.swapchain = made
	w.w, w.h, w.asked, w.stale = int(extent.Width), int(extent.Height), [2]int{cw, ch}, false
	handles, err := vk.GetSwapchainImagesKHR(d.handle, made)
	if err != nil {
		return fmt.Errorf("gpu: listing the swapchain's images: %w", d.check(err))
	}
	for _, h := range handles {
		if err := w.add(h, ImageUsage(usage)); err != nil {
			return err
		}
	}
	d.drain()
	return nil
}

func (w *Window) add(h vk.Image, usage ImageUsage) error {
	d := w.d
	m := &Image{d: d, handle: h, desc: ImageDesc{
		Name: "backbuffer", Width: w.w, Height: w.h, Layers: 1, Mips: 1, Samples: 1, Format: Format(w.format.Format), Usage: usage,
	}}
	d.register(&m.key, m, nil)
	d.name(vk.OBJECT_TYPE_IMAGE, uint64(h), "backbuffer")
	w.images = append(w.images, m)
	info := vk.SemaphoreCreateInfo{SType: vk.STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO}
	s, err := vk.CreateSemaphore(d.handle, &info)
	if err != nil {
		return fmt.Errorf("gpu: making a semaphore: %w", d.check(err))
	}
	d.name(vk.OBJECT_TYPE_SEMAPHORE, uint64(s), "ready to present")
	w.done = append(w.done, s)
	return nil
}

// drop the swapchain and what came with it. The device is idle.
func (w *Window) drop() {
	d := w.d
	for _, m := range w.images {
		delete(d.imports, m.key)
		for _, v := range m.views {
			vk.DestroyImageView(d.handle, v.handle)
		}
		m.views, m.handle = nil, 0
	}
	for _, s := range w.done {
		vk.DestroySemaphore(d.handle, s)
	}
	if w.swapchain != 0 {
		vk.DestroySwapchainKHR(d.handle, w.swapchain)
	}
	w.images, w.done, w.swapchain = nil, nil, 0
}

func compositeAlpha(supported vk.CompositeAlphaFlagsKHR) vk.CompositeAlphaFlagsKHR {
	for _, a := range []vk.CompositeAlphaFlagsKHR{
		vk.COMPOSITE_ALPHA_OPAQUE_BIT_KHR, vk.COMPOSITE_ALPHA_INHERIT_BIT_KHR, vk.COMPOSITE_ALPHA_PRE_MULTIPLIED_BIT_KHR,
	} {
		if supported&a != 0 {
			return a
		}
	}
	return vk.COMPOSITE_ALPHA_POST_MULTIPLIED_BIT_KHR
}

func (w *Window) presentMode() (vk.PresentModeKHR, error) {
	if w.desc.VSync {
		return vk.PRESENT_MODE_FIFO_KHR, nil // every device has it
	}
	modes, err := vk.GetPhysicalDeviceSurfacePresentModesKHR(w.d.physical, w.d.surface)
	if err != nil {
		return 0, fmt.Errorf("gpu: listing the window's present modes: %w", w.d.check(err))
	}
	best := vk.PRESENT_MODE_FIFO_KHR
	for _, m := range modes {
		if m == vk.PRESENT_MODE_MAILBOX_KHR || m == vk.PRESENT_MODE_IMMEDIATE_KHR && best == vk.PRESENT_MODE_FIFO_KHR {
			best = m
		}
	}
	return best, nil
}

// Size in pixels of the swapchain; 0, 0 while minimised.
func (w *Window) Size() (int, int) {
	if cw, ch := w.desc.Size(); cw <= 0 || ch <= 0 {
		return 0, 0
	}
	return w.w, w.h
}

// Format of the swapchain's images.
func (w *Window) Format() Format { return Format(w.format.Format) }

// Release the swapchain.
func (w *Window) Release() {
	if w.released {
		return
	}
	w.released = true
	delete(w.d.owned, w)
	_ = w.d.WaitIdle() // lost or not, it goes
	w.drop()
	w.arena.Free()
}

func (w *Window) acquire(f *Frame) (*Image, error) {
	const patience = 1e9 // nanoseconds; a hidden window may give no image for long
	for try := 0; ; try++ {
		cw, ch := w.desc.Size()
		if cw <= 0 || ch <= 0 {
			return nil, ErrNotReady
		}
		if w.swapchain == 0 || w.stale || w.asked != [2]int{cw, ch} {
			if err := w.remake(); err != nil {
				return nil, err
			}
		}
		index, res, err := vk.AcquireNextImageKHR(w.d.handle, w.swapchain, patience, f.acquire, 0)
		switch {
		case errors.Is(err, vk.ERROR_OUT_OF_DATE_KHR):
			w.stale = true
			if try == 2 {
				return nil, ErrNotReady
			}
			continue
		case err != nil:
			return nil, fmt.Errorf("gpu: taking the window's next image: %w", w.d.check(err))
		case res == vk.TIMEOUT || res == vk.NOT_READY:
			return nil, ErrNotReady
		case res == vk.SUBOPTIMAL_KHR:
			w.stale = true // after this frame
		}
		w.index = index
		f.waits = true
		return w.images[index], nil
	}
}

func (w *Window) states() (arrive, leave framegraph.State) {
	return framegraph.Acquired, framegraph.PresentState
}

func (w *Window) presentSemaphore() vk.Semaphore { return w.done[w.index] }

func (w *Window) present(*Frame) error {
	w.semas[0], w.chains[0], w.indices[0] = w.done[w.index], w.swapchain, w.index
	res, err := vk.QueuePresentKHR(w.d.queues[framegraph.GraphicsQueue].handle, w.info)
	switch {
	case errors.Is(err, vk.ERROR_OUT_OF_DATE_KHR), err == nil && res == vk.SUBOPTIMAL_KHR:
		w.stale = true
	case err != nil:
		return fmt.Errorf("gpu: presenting: %w", w.d.check(err))
	}
	return nil
}
