package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// ReadBuffer copies n bytes from offset into new memory, after all work submitted so far.
func (d *Device) ReadBuffer(b *Buffer, offset, n int) ([]byte, error) {
	if offset < 0 || n < 0 || offset+n > b.desc.Size {
		return nil, fmt.Errorf("gpu: reading %d bytes at %d of buffer %s of %d bytes", n, offset, b.desc.Name, b.desc.Size)
	}
	if n == 0 {
		return nil, nil
	}
	return d.readInto(b.desc.Name, n, func(o *oneShot, into *Buffer) {
		region := [1]vk.BufferCopy{{SrcOffset: vk.DeviceSize(offset), Size: vk.DeviceSize(n)}}
		o.stream.CmdCopyBuffer(b.handle, into.handle, region[:])
	})
}

// ReadImage copies one level of one layer, tightly packed rows from the top, after all work submitted so far. The image
// stays in its layout. Of depth formats the depth plane is read.
func (d *Device) ReadImage(m *Image, mip, layer int) ([]byte, error) {
	if mip < 0 || mip >= m.desc.Mips || layer < 0 || layer >= m.desc.Layers || m.desc.Samples > 1 {
		return nil, fmt.Errorf("gpu: image %s (%d levels, %d layers, %d samples): level %d of layer %d can't be read", m.desc.Name, m.desc.Mips, m.desc.Layers, m.desc.Samples, mip, layer)
	}
	if m.layout == framegraph.LayoutUndefined {
		return nil, fmt.Errorf("gpu: image %s has no contents to read: nothing was uploaded or drawn", m.desc.Name)
	}
	w, h := mipSize(m.desc.Width, m.desc.Height, mip)
	n := levelBytes(m.desc.Format, w, h)
	if n == 0 {
		return nil, fmt.Errorf("gpu: image %s: format %d can't be read back", m.desc.Name, m.desc.Format)
	}
	return d.readInto(m.desc.Name, n, func(o *oneShot, into *Buffer) {
		layout := vk.ImageLayout(m.layout)
		o.move(m, 0, m.desc.Mips, layout, vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
		region := vk.New[vk.BufferImageCopy2](&o.arena)
		region.ImageSubresource = vk.ImageSubresourceLayers{
			AspectMask: vk.ImageAspectFlags(m.desc.Format.Aspect()), MipLevel: uint32(mip), BaseArrayLayer: uint32(layer), LayerCount: 1,
		}
		region.ImageExtent = vk.Extent3D{Width: uint32(w), Height: uint32(h), Depth: 1}
		info := vk.New[vk.CopyImageToBufferInfo2](&o.arena)
		info.SrcImage, info.DstBuffer = m.handle, into.handle
		info.SrcImageLayout = vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL
		info.RegionCount, info.PRegions = 1, region
		o.stream.CmdCopyImageToBuffer2(info)
		o.move(m, 0, m.desc.Mips, vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, layout)
	})
}

// readInto runs copies into a buffer of n bytes and gives its contents.
func (d *Device) readInto(name string, n int, record func(o *oneShot, into *Buffer)) ([]byte, error) {
	if d.upload.begun {
		return nil, fmt.Errorf("gpu: reading %s back inside an upload; flush it first", name)
	}
	into, err := d.newBuffer(BufferDesc{Name: "read-back", Size: n}, hostReads)
	if err != nil {
		return nil, err
	}
	o := &d.once
	o.barrier()
	record(o, into)
	host := vk.New[vk.MemoryBarrier2](&o.arena)
	host.SrcStageMask, host.SrcAccessMask = vk.PIPELINE_STAGE_2_ALL_TRANSFER_BIT, vk.ACCESS_2_TRANSFER_WRITE_BIT
	host.DstStageMask, host.DstAccessMask = vk.PIPELINE_STAGE_2_HOST_BIT, vk.ACCESS_2_HOST_READ_BIT
	dep := vk.New[vk.DependencyInfo](&o.arena)
	dep.MemoryBarrierCount, dep.PMemoryBarriers = 1, host
	o.stream.CmdPipelineBarrier2(dep)
	if err := o.run(d); err != nil {
		into.Release()
		return nil, fmt.Errorf("gpu: reading %s back: %w", name, err)
	}
	out := make([]byte, n)
	copy(out, into.Bytes())
	// The device is done with it: no frame was told of it.
	vk.DestroyBuffer(d.handle, into.handle)
	delete(d.imports, into.key)
	d.memory.release(&into.memory)
	into.handle = 0
	return out, nil
}
