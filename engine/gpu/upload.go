package gpu

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// stagingBytes is the size of the buffer that uploads pass through; larger data goes in pieces.
const stagingBytes = 8 << 20

// Upload gathers copies to the device and submits them together. Get it from [Device.NewUpload]; one at a time.
type Upload struct {
	d       *Device
	staging *Buffer
	used    int
	begun   bool
	open    []*Image // in the transfer layout until Flush
	err     error    // the first; everything after does nothing
}

// NewUpload starts a batch. The batch before must have been flushed.
func (d *Device) NewUpload() *Upload {
	u := &d.upload
	if u.d == nil {
		u.d = d
		u.staging, u.err = d.newBuffer(BufferDesc{Name: "staging", Size: stagingBytes}, hostWrites)
		if u.err != nil {
			u.d = nil
		}
	} else if u.begun {
		u.err = errors.New("gpu: a new upload began before the one before it was flushed")
	}
	return u
}

// begin orders the batch after what frames in flight still read.
func (u *Upload) begin() {
	if !u.begun {
		u.begun = true
		u.d.once.barrier()
	}
}

// room in the staging buffer for n bytes, at most stagingBytes; submits what is there when it is full.
func (u *Upload) room(n int) (int, error) {
	at := (u.used + 15) &^ 15
	if at+n > stagingBytes {
		if err := u.submit(); err != nil {
			return 0, err
		}
		at = 0
	}
	u.used = at + n
	u.d.staged += n
	return at, nil
}

// submit runs what was gathered and waits.
func (u *Upload) submit() error {
	u.used = 0
	err := u.d.once.run(u.d)
	if err != nil {
		u.err = err
	}
	return err
}

// Buffer copies data to dst from offset bytes on. Data may be reused after the call.
func (u *Upload) Buffer(dst *Buffer, offset int, data []byte) error {
	if u.err != nil {
		return u.err
	}
	if offset < 0 || offset+len(data) > dst.desc.Size {
		return fmt.Errorf("gpu: uploading %d bytes at %d into buffer %s of %d bytes", len(data), offset, dst.desc.Name, dst.desc.Size)
	}
	u.begin()
	for len(data) > 0 {
		n := min(len(data), stagingBytes)
		at, err := u.room(n)
		if err != nil {
			return err
		}
		copy(u.staging.Bytes()[at:], data[:n])
		region := [1]vk.BufferCopy{{SrcOffset: vk.DeviceSize(at), DstOffset: vk.DeviceSize(offset), Size: vk.DeviceSize(n)}}
		u.d.once.stream.CmdCopyBuffer(u.staging.handle, dst.handle, region[:])
		data, offset = data[n:], offset+n
	}
	return nil
}

// Image copies one level of one layer: tightly packed rows from the top (of blocks, in a compressed format). Data may be
// reused after the call.
func (u *Upload) Image(dst *Image, mip, layer int, data []byte) error {
	if u.err != nil {
		return u.err
	}
	if mip < 0 || mip >= dst.desc.Mips || layer < 0 || layer >= dst.desc.Layers {
		return fmt.Errorf("gpu: uploading level %d of layer %d into image %s, which has %d levels and %d layers", mip, layer, dst.desc.Name, dst.desc.Mips, dst.desc.Layers)
	}
	w, h := mipSize(dst.desc.Width, dst.desc.Height, mip)
	edge, bytes := texelBlock(dst.desc.Format)
	if want := levelBytes(dst.desc.Format, w, h); want == 0 || len(data) != want {
		return fmt.Errorf("gpu: uploading %d bytes into level %d of image %s; %d×%d of format %d takes %d", len(data), mip, dst.desc.Name, w, h, dst.desc.Format, want)
	}
	u.begin()
	u.take(dst)
	row := (w + edge - 1) / edge * bytes
	if row > stagingBytes {
		return fmt.Errorf("gpu: a row of image %s takes %d bytes, more than an upload's %d", dst.desc.Name, row, stagingBytes)
	}
	for y := 0; y < h; { // rows at a time, as many as fit
		rows := min((h-y+edge-1)/edge, stagingBytes/row)
		n := rows * row
		at, err := u.room(n)
		if err != nil {
			return err
		}
		copy(u.staging.Bytes()[at:], data[:n])
		u.copyRows(dst, mip, layer, at, y, w, min(rows*edge, h-y))
		data, y = data[n:], y+rows*edge
	}
	return nil
}

func (u *Upload) copyRows(dst *Image, mip, layer, at, y, w, rows int) {
	o := &u.d.once
	region := vk.New[vk.BufferImageCopy2](&o.arena)
	region.BufferOffset = vk.DeviceSize(at)
	region.ImageSubresource = vk.ImageSubresourceLayers{
		AspectMask: vk.ImageAspectFlags(dst.desc.Format.Aspect()), MipLevel: uint32(mip), BaseArrayLayer: uint32(layer), LayerCount: 1,
	}
	region.ImageOffset.Y = int32(y)
	region.ImageExtent = vk.Extent3D{Width: uint32(w), Height: uint32(rows), Depth: 1}
	info := vk.New[vk.CopyBufferToImageInfo2](&o.arena)
	info.SrcBuffer, info.DstImage = u.staging.handle, dst.handle
	info.DstImageLayout = vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
	info.RegionCount, info.PRegions = 1, region
	o.stream.CmdCopyBufferToImage2(info)
}

// take brings an image into the transfer layout at its first use in the batch.
func (u *Upload) take(m *Image) {
	if slices.Contains(u.open, m) {
		return
	}
	u.d.once.move(m, 0, m.desc.Mips, vk.ImageLayout(m.layout), vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
	u.open = append(u.open, m)
}

// Mips fills levels 1 on of every layer from level 0 by linear blits (a box filter, in linear light for sRGB formats).
func (u *Upload) Mips(dst *Image) error {
	if u.err != nil {
		return u.err
	}
	const need = vk.FORMAT_FEATURE_BLIT_SRC_BIT | vk.FORMAT_FEATURE_BLIT_DST_BIT | vk.FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
	if vk.GetPhysicalDeviceFormatProperties(u.d.physical, vk.Format(dst.desc.Format)).OptimalTilingFeatures&need != need {
		return fmt.Errorf("gpu: image %s: this device can't scale format %d down; upload its mips", dst.desc.Name, dst.desc.Format)
	}
	u.begin()
	u.take(dst)
	o := &u.d.once
	for mip := 1; mip < dst.desc.Mips; mip++ {
		o.move(dst, mip-1, 1, vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL)
		blit(&o.stream, &o.arena, dst, mip, dst, mip-1, dst.desc.Layers)
	}
	if n := dst.desc.Mips - 1; n > 0 {
		o.move(dst, 0, n, vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
	}
	return nil
}

// blit scales a whole level onto another, linearly where colours are.
func blit(s *vk.Stream, a *vk.Arena, dst *Image, dstMip int, src *Image, srcMip, layers int) {
	r := vk.New[vk.ImageBlit2](a)
	aspect := vk.ImageAspectFlags(src.desc.Format.Aspect())
	r.SrcSubresource = vk.ImageSubresourceLayers{AspectMask: aspect, MipLevel: uint32(srcMip), LayerCount: uint32(layers)}
	r.DstSubresource = vk.ImageSubresourceLayers{AspectMask: aspect, MipLevel: uint32(dstMip), LayerCount: uint32(layers)}
	sw, sh := mipSize(src.desc.Width, src.desc.Height, srcMip)
	dw, dh := mipSize(dst.desc.Width, dst.desc.Height, dstMip)
	r.SrcOffsets[1] = vk.Offset3D{X: int32(sw), Y: int32(sh), Z: 1}
	r.DstOffsets[1] = vk.Offset3D{X: int32(dw), Y: int32(dh), Z: 1}
	info := vk.New[vk.BlitImageInfo2](a)
	info.SrcImage, info.DstImage = src.handle, dst.handle
	info.SrcImageLayout, info.DstImageLayout = src.in(vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL), dst.in(vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
	info.Filter = vk.FILTER_LINEAR
	if src.desc.Format.IsDepth() {
		info.Filter = vk.FILTER_NEAREST
	}
	info.RegionCount, info.PRegions = 1, r
	s.CmdBlitImage2(info)
}

// Flush submits the batch and waits. Images end readable by shaders (framegraph.LayoutReadOnly). The error is the first of
// the batch.
func (u *Upload) Flush() error {
	if u.d == nil {
		return u.err
	}
	if u.begun && u.err == nil {
		for _, m := range u.open {
			u.d.once.move(m, 0, m.desc.Mips, vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, vk.ImageLayout(framegraph.LayoutReadOnly))
			m.layout = framegraph.LayoutReadOnly
		}
		u.d.once.barrier()
		u.submit()
	}
	err := u.err
	u.d.once.stream.Reset()
	u.d.once.arena.Reset()
	clear(u.open)
	u.open, u.used, u.begun, u.err = u.open[:0], 0, false, nil
	return err
}

// NewTexture makes a sampled 2D image of one level's tightly packed pixels, with a whole chain of mips if mips.
func (d *Device) NewTexture(name string, w, h int, f Format, pixels []byte, mips bool) (*Image, error) {
	desc := ImageDesc{Name: name, Width: w, Height: h, Format: f, Usage: framegraph.UsageSampled}
	if mips {
		desc.Mips = FullMips
	}
	m, err := d.NewImage(desc)
	if err != nil {
		return nil, err
	}
	u := d.NewUpload()
	err = u.Image(m, 0, 0, pixels)
	if err == nil && mips {
		err = u.Mips(m)
	}
	if ferr := u.Flush(); err == nil {
		err = ferr
	}
	if err != nil {
		m.Release()
		return nil, err
	}
	return m, nil
}
