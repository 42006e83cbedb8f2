package gpu

import (
	"fmt"
	"math/bits"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// Image is a 2D image, perhaps of several layers and mips.
type Image struct {
	d      *Device
	desc   ImageDesc
	handle vk.Image
	memory allocation // none for a swapchain's, and for a transient inside a heap
	owned  bool       // the handle is ours to destroy
	views  []imageView
	key    uint64
	layout framegraph.Layout // between frames and uploads

	general bool // all accesses find it in LayoutGeneral, see framegraph.Resource.Unified
}

// in is the layout that an access finds the image in, where exact is the best one for it.
func (m *Image) in(exact vk.ImageLayout) vk.ImageLayout {
	if m.general {
		return vk.IMAGE_LAYOUT_GENERAL
	}
	return exact
}

type imageView struct {
	view   View
	handle vk.ImageView
}

// NewImage makes an image. Its contents are undefined until uploaded or drawn.
func (d *Device) NewImage(desc ImageDesc) (*Image, error) {
	if desc.Samples <= 1 {
		desc.Usage |= framegraph.UsageTransferSrc | framegraph.UsageTransferDst
	}
	// What is only sampled and copied may be read on any queue, and gains nothing from belonging to one.
	const read = framegraph.UsageSampled | framegraph.UsageTransferSrc | framegraph.UsageTransferDst
	desc.shared = desc.Usage&^read == 0
	m, err := d.createImage(desc)
	if err != nil {
		return nil, err
	}
	req := vk.GetImageMemoryRequirements(d.handle, m.handle)
	if m.memory, err = d.memory.alloc(desc.Name, req, onDevice, false, false); err == nil {
		err = vk.BindImageMemory(d.handle, m.handle, m.memory.block.handle, vk.DeviceSize(m.memory.offset))
	}
	if err != nil {
		vk.DestroyImage(d.handle, m.handle)
		d.memory.release(&m.memory)
		d.drain()
		return nil, err
	}
	d.register(&m.key, m, nil)
	d.drain()
	return m, nil
}

// createImage makes the image without memory.
func (d *Device) createImage(desc ImageDesc) (*Image, error) {
	desc, err := d.checkImage(desc)
	if err != nil {
		return nil, err
	}
	info := d.imageInfo(desc)
	m := &Image{d: d, desc: desc, owned: true}
	if m.handle, err = vk.CreateImage(d.handle, &info); err != nil {
		d.drain()
		return nil, fmt.Errorf("gpu: making image %s (%d×%d, format %d): %w", desc.Name, desc.Width, desc.Height, desc.Format, d.check(err))
	}
	d.name(vk.OBJECT_TYPE_IMAGE, uint64(m.handle), desc.Name)
	return m, nil
}

func (d *Device) checkImage(desc ImageDesc) (ImageDesc, error) {
	limit := d.props.Limits.MaxImage2D
	if desc.Width <= 0 || desc.Height <= 0 || desc.Width > limit || desc.Height > limit {
		return desc, fmt.Errorf("gpu: image %s is %d×%d; this device takes 1 to %d a side", desc.Name, desc.Width, desc.Height, limit)
	}
	desc.Layers, desc.Samples = max(desc.Layers, 1), max(desc.Samples, 1)
	full := bits.Len(uint(max(desc.Width, desc.Height)))
	switch {
	case desc.Mips == FullMips:
		desc.Mips = full
	case desc.Mips > full:
		return desc, fmt.Errorf("gpu: image %s has %d mips; %d×%d has at most %d", desc.Name, desc.Mips, desc.Width, desc.Height, full)
	case desc.Mips < 1:
		desc.Mips = 1
	}
	if desc.Cube && (desc.Layers%6 != 0 || desc.Width != desc.Height) {
		return desc, fmt.Errorf("gpu: cube image %s is %d×%d with %d layers; a cube is square and has six", desc.Name, desc.Width, desc.Height, desc.Layers)
	}
	return desc, nil
}

func (d *Device) imageInfo(desc ImageDesc) vk.ImageCreateInfo {
	info := vk.ImageCreateInfo{SType: vk.STRUCTURE_TYPE_IMAGE_CREATE_INFO}
	info.ImageType = vk.IMAGE_TYPE_2D
	info.Format = vk.Format(desc.Format)
	info.Extent = vk.Extent3D{Width: uint32(desc.Width), Height: uint32(desc.Height), Depth: 1}
	info.MipLevels = uint32(desc.Mips)
	info.ArrayLayers = uint32(desc.Layers)
	info.Samples = vk.SampleCountFlags(desc.Samples)
	info.Tiling = vk.IMAGE_TILING_OPTIMAL
	info.Usage = vk.ImageUsageFlags(desc.Usage)
	info.SharingMode, info.QueueFamilyIndexCount, info.PQueueFamilyIndices = d.sharing(desc.shared)
	if desc.Cube || desc.Layers%6 == 0 && desc.Width == desc.Height && desc.Samples <= 1 {
		info.Flags = vk.IMAGE_CREATE_CUBE_COMPATIBLE_BIT
	}
	return info
}

// Desc as the image was made, with defaults filled in.
func (m *Image) Desc() ImageDesc { return m.desc }

// Shape of the image as the frame graph describes it, for Graph.ImportImage.
func (m *Image) Shape() framegraph.ImageDesc {
	s := &m.desc
	return framegraph.ImageDesc{Format: s.Format, Width: s.Width, Height: s.Height, Mips: s.Mips, Layers: s.Layers, Samples: s.Samples}
}

// Import says how the image enters and leaves a graph, for Graph.ImportImage. The layout of arrive must be the one that
// the image is in: LayoutUndefined (contents aren't wanted), LayoutReadOnly after an upload, or what it last left in.
func (m *Image) Import(arrive, leave framegraph.State) framegraph.Import {
	return framegraph.Import{Key: m.key, Arrive: arrive, Leave: leave}
}

// normal fills in the zeros of a view of m.
func (m *Image) normal(v View) View {
	if v.Mips == 0 {
		v.Mips = m.desc.Mips - v.Mip
	}
	if v.Layers == 0 {
		v.Layers = m.desc.Layers - v.Layer
	}
	if v.As == ShapeNatural {
		switch {
		case m.desc.Cube && v.Layers == 6:
			v.As = ShapeCube
		case v.Layers > 1:
			v.As = ShapeArray
		default:
			v.As = Shape2D
		}
	}
	return v
}

// view of a part of m, made at its first use and kept.
func (m *Image) view(v View) (vk.ImageView, error) {
	v = m.normal(v)
	for i := range m.views {
		if m.views[i].view == v {
			return m.views[i].handle, nil
		}
	}
	info := vk.ImageViewCreateInfo{SType: vk.STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO}
	info.Image = m.handle
	info.Format = vk.Format(m.desc.Format)
	switch v.As {
	case ShapeCube:
		info.ViewType = vk.IMAGE_VIEW_TYPE_CUBE
	case ShapeArray:
		info.ViewType = vk.IMAGE_VIEW_TYPE_2D_ARRAY
	default:
		info.ViewType = vk.IMAGE_VIEW_TYPE_2D
	}
	aspect := m.desc.Format.Aspect()
	if v.depthOnly {
		aspect = framegraph.AspectDepth
	}
	info.SubresourceRange = vk.ImageSubresourceRange{
		AspectMask:   vk.ImageAspectFlags(aspect),
		BaseMipLevel: uint32(v.Mip), LevelCount: uint32(v.Mips),
		BaseArrayLayer: uint32(v.Layer), LayerCount: uint32(v.Layers),
	}
	h, err := vk.CreateImageView(m.d.handle, &info)
	if err != nil {
		return 0, fmt.Errorf("gpu: making a view of %s: %w", m.desc.Name, m.d.check(err))
	}
	m.d.name(vk.OBJECT_TYPE_IMAGE_VIEW, uint64(h), m.desc.Name)
	m.views = append(m.views, imageView{v, h})
	return h, nil
}

// Release destroys the image after the last frame that may use it. Releasing nil or twice does nothing.
func (m *Image) Release() {
	if m == nil || m.handle == 0 {
		return
	}
	delete(m.d.imports, m.key)
	for i := range m.views {
		m.d.discard(discardView, uint64(m.views[i].handle), allocation{})
	}
	if m.owned {
		m.d.discard(discardImage, uint64(m.handle), m.memory)
	}
	m.views, m.handle, m.memory = nil, 0, allocation{}
}

// CanSample says whether images of the format can be sampled with linear filtering.
func (d *Device) CanSample(f Format) bool {
	const need = vk.FORMAT_FEATURE_SAMPLED_IMAGE_BIT | vk.FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT
	return vk.GetPhysicalDeviceFormatProperties(d.physical, vk.Format(f)).OptimalTilingFeatures&need == need
}
