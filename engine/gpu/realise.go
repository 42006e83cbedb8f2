package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// realise gives a plan's transients their images, buffers and memory.
func (e *Executor) realise(p *framegraph.Plan) error {
	e.drop()
	d := e.d
	for i := range p.Heaps {
		h := &p.Heaps[i]
		granule := uint64(max(d.props.Limits.BufferImageGranule, 1))
		req := vk.MemoryRequirements{Size: (max(h.Bytes, 1) + granule - 1) &^ (granule - 1), Alignment: max(h.Align, granule), MemoryTypeBits: h.Types}
		if req.MemoryTypeBits == 0 {
			req.MemoryTypeBits = ^uint32(0)
		}
		a, err := d.memory.alloc("frame graph", req, onDevice, false, true)
		if err != nil {
			return err
		}
		e.heaps = append(e.heaps, a)
	}
	e.images = make([]*Image, len(p.Resources))
	e.buffers = make([]*Buffer, len(p.Resources))
	e.ours = make([]bool, len(p.Resources))
	for i := range p.Resources {
		res := &p.Resources[i]
		if res.Origin != framegraph.Transient || res.First < 0 {
			continue
		}
		e.ours[i] = true
		var err error
		switch {
		case res.IsImage:
			e.images[i], err = e.transientImage(res)
		case res.IsBuffer:
			e.buffers[i], err = e.transientBuffer(res)
		}
		if err != nil {
			return fmt.Errorf("resource %s: %w", res.Name, err)
		}
	}
	if err := e.remember(p); err != nil {
		return err
	}
	d.drain()
	e.serial, e.unmoved = p.Serial, true
	return nil
}

// move brings the transients that keep their layout from frame to frame into it, once.
func (e *Executor) move(f *Frame, p *framegraph.Plan) {
	for i := range p.Resources {
		if res := &p.Resources[i]; res.Origin == framegraph.Transient && e.images[i] != nil && res.Arrive.Layout != framegraph.LayoutUndefined {
			e.moveHistory(f, e.images[i], framegraph.LayoutUndefined, res.Arrive.Layout)
		}
	}
}

// imageOf is how a transient image is described to the device.
func imageOf(res *framegraph.Resource) ImageDesc {
	m := &res.Image
	return ImageDesc{
		Name: res.Name, Width: m.Width, Height: m.Height, Layers: max(m.Layers, 1), Mips: max(m.Mips, 1), Samples: max(m.Samples, 1),
		Format: m.Format, Usage: res.ImageUsage, shared: res.Shared,
	}
}

func (e *Executor) transientImage(res *framegraph.Resource) (*Image, error) {
	d := e.d
	m, err := d.createImage(imageOf(res))
	if err != nil {
		return nil, err
	}
	m.general = res.Unified
	req := vk.GetImageMemoryRequirements(d.handle, m.handle)
	block, offset, err := e.place(res, req)
	if err == nil {
		err = d.check(vk.BindImageMemory(d.handle, m.handle, block, vk.DeviceSize(offset)))
	}
	if err != nil {
		vk.DestroyImage(d.handle, m.handle)
		return nil, err
	}
	return m, nil
}

func (e *Executor) transientBuffer(res *framegraph.Resource) (*Buffer, error) {
	d := e.d
	b := &Buffer{d: d, desc: BufferDesc{Name: res.Name, Size: int(res.Buffer.Bytes), Usage: res.BufferUsage}}
	var err error
	if b.handle, err = d.createBuffer(b.desc.Size, b.desc.Usage); err != nil {
		return nil, err
	}
	req := vk.GetBufferMemoryRequirements(d.handle, b.handle)
	block, offset, err := e.place(res, req)
	if err == nil {
		err = d.check(vk.BindBufferMemory(d.handle, b.handle, block, vk.DeviceSize(offset)))
	}
	if err != nil {
		vk.DestroyBuffer(d.handle, b.handle)
		return nil, err
	}
	d.name(vk.OBJECT_TYPE_BUFFER, uint64(b.handle), res.Name)
	return b, nil
}

// place is where in its heap the plan put a transient, checked against what the device asks.
func (e *Executor) place(res *framegraph.Resource, req vk.MemoryRequirements) (vk.DeviceMemory, uint64, error) {
	if res.Heap < 0 || res.Heap >= len(e.heaps) {
		return 0, 0, fmt.Errorf("gpu: the plan gives it no memory")
	}
	h := &e.heaps[res.Heap]
	offset := h.offset + res.Offset
	if res.Bytes < req.Size || offset%req.Alignment != 0 || res.Offset+req.Size > h.size || req.MemoryTypeBits>>h.block.typ&1 == 0 {
		return 0, 0, fmt.Errorf("gpu: the plan's memory doesn't suit it (%d bytes at %d, needed are %d aligned to %d): compile the graph with Device.Caps", res.Bytes, res.Offset, req.Size, req.Alignment)
	}
	return h.block.handle, offset, nil
}

// resolve looks the imported resources up by their keys.
func (e *Executor) resolve(p *framegraph.Plan) error {
	for i := range p.Resources {
		res := &p.Resources[i]
		if res.Origin != framegraph.Imported || res.First < 0 {
			continue
		}
		got := e.d.imports[res.Key]
		e.images[i], e.buffers[i] = got.image, got.buffer
		switch {
		case res.IsImage && got.image == nil, res.IsBuffer && got.buffer == nil:
			return fmt.Errorf("resource %s: gpu: it is imported under a key that names nothing alive: make the import with Image.Import or Buffer.Import each frame", res.Name)
		case res.IsImage:
			if m := &got.image.desc; m.Format != res.Image.Format || m.Width != res.Image.Width || m.Height != res.Image.Height {
				return fmt.Errorf("resource %s: gpu: it is declared as %d×%d in format %d and is %d×%d in format %d: declare it with Image.Shape",
					res.Name, res.Image.Width, res.Image.Height, res.Image.Format, m.Width, m.Height, m.Format)
			}
			if missing := res.ImageUsage &^ got.image.desc.Usage; missing != 0 {
				return fmt.Errorf("resource %s: gpu: the image was made without the usage %#x that the graph needs", res.Name, missing)
			}
		case res.IsBuffer:
			const always = framegraph.BufferTransferSrc | framegraph.BufferTransferDst
			if missing := res.BufferUsage &^ (got.buffer.desc.Usage | always); missing != 0 {
				return fmt.Errorf("resource %s: gpu: the buffer was made without the usage %#x that the graph needs", res.Name, missing)
			}
			if uint64(got.buffer.desc.Size) < res.Buffer.Bytes {
				return fmt.Errorf("resource %s: gpu: it is declared with %d bytes and has %d", res.Name, res.Buffer.Bytes, got.buffer.desc.Size)
			}
		}
	}
	return nil
}

// drop the transients after the last frame that may use them.
func (e *Executor) drop() {
	for i := range e.ours {
		if e.ours[i] {
			e.images[i].Release()
			e.buffers[i].Release()
		}
	}
	for _, h := range e.heaps { // after what lies in them: the trash keeps this order
		e.d.discard(discardMemory, 0, h)
	}
	e.images, e.buffers, e.ours, e.heaps, e.serial = nil, nil, nil, nil, 0
}

// Caps is what the device can do, for Graph.Compile.
func (d *Device) Caps() framegraph.Caps {
	return framegraph.Caps{
		Sizer:        d.requirements,
		Supports:     d.supports,
		Granularity:  uint64(max(d.props.Limits.BufferImageGranule, 1)),
		MaxImageSize: d.props.Limits.MaxImage2D,

		MaxColorAttachments: d.props.Limits.MaxColorAttachments,
		MaxSamples:          d.props.Limits.MaxSamples,
		SampleCounts:        d.props.Limits.SampleCounts,
		UnifiedLayouts:      d.props.IsCPU, // no compression, no tiles

		AsyncCompute:  d.queues[framegraph.ComputeQueue].opened,
		AsyncTransfer: d.queues[framegraph.TransferQueue].opened,
	}
}

// requirements of a transient.
func (d *Device) requirements(res *framegraph.Resource) framegraph.Requirements {
	defer d.arena.Reset()
	out := vk.New[vk.MemoryRequirements2](&d.arena)
	if res.IsImage {
		create := vk.New[vk.ImageCreateInfo](&d.arena)
		*create = d.imageInfo(imageOf(res))
		info := vk.New[vk.DeviceImageMemoryRequirements](&d.arena)
		info.PCreateInfo = create
		vk.GetDeviceImageMemoryRequirements(d.handle, info, out)
	} else {
		create := vk.New[vk.BufferCreateInfo](&d.arena)
		create.Size, create.Usage = res.Buffer.Bytes, vk.BufferUsageFlags(res.BufferUsage)
		create.SharingMode, create.QueueFamilyIndexCount, create.PQueueFamilyIndices = d.sharing(true)
		info := vk.New[vk.DeviceBufferMemoryRequirements](&d.arena)
		info.PCreateInfo = create
		vk.GetDeviceBufferMemoryRequirements(d.handle, info, out)
	}
	r := &out.MemoryRequirements
	return framegraph.Requirements{Bytes: r.Size, Align: r.Alignment, Types: r.MemoryTypeBits}
}

// supports says whether images of a format may have a usage.
func (d *Device) supports(f framegraph.Format, u framegraph.ImageUsage) bool {
	has := vk.GetPhysicalDeviceFormatProperties(d.physical, vk.Format(f)).OptimalTilingFeatures
	for _, need := range [...]struct {
		usage   ImageUsage
		feature vk.FormatFeatureFlags
	}{
		{framegraph.UsageSampled, vk.FORMAT_FEATURE_SAMPLED_IMAGE_BIT},
		{framegraph.UsageStorage, vk.FORMAT_FEATURE_STORAGE_IMAGE_BIT},
		{framegraph.UsageColorAttachment, vk.FORMAT_FEATURE_COLOR_ATTACHMENT_BIT},
		{framegraph.UsageDepthAttachment, vk.FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT},
	} {
		if u&need.usage != 0 && has&need.feature == 0 {
			return false
		}
	}
	return true
}
