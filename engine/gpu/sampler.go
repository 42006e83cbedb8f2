package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
)

// Sampler says how an image is sampled; it lives as long as the device.
type Sampler struct {
	handle vk.Sampler
	desc   SamplerDesc
}

// Sampler of that description; equal descriptions give the same one.
func (d *Device) Sampler(desc SamplerDesc) (*Sampler, error) {
	if s := d.samplers[desc]; s != nil {
		return s, nil
	}
	info := vk.SamplerCreateInfo{SType: vk.STRUCTURE_TYPE_SAMPLER_CREATE_INFO}
	info.MagFilter, info.MinFilter = desc.Mag.vk(), desc.Min.vk()
	info.MipmapMode = vk.SAMPLER_MIPMAP_MODE_LINEAR
	if desc.Mip == Nearest || desc.NoMips {
		info.MipmapMode = vk.SAMPLER_MIPMAP_MODE_NEAREST
	}
	info.AddressModeU, info.AddressModeV = desc.U.vk(), desc.V.vk()
	info.AddressModeW = info.AddressModeV
	if desc.Anisotropy > 1 && d.props.Has.Anisotropy {
		info.AnisotropyEnable = vk.TRUE
		info.MaxAnisotropy = min(desc.Anisotropy, d.props.Limits.MaxAnisotropy)
	}
	if desc.Compare != CompareNone {
		info.CompareEnable = vk.TRUE
		info.CompareOp = desc.Compare.vk()
	}
	info.MaxLod = vk.LOD_CLAMP_NONE
	switch {
	case desc.NoMips:
		info.MaxLod = 0
	case desc.MaxLod > 0:
		info.MaxLod = desc.MaxLod
	}
	info.BorderColor = vk.BORDER_COLOR_FLOAT_OPAQUE_BLACK
	if desc.WhiteBorder {
		info.BorderColor = vk.BORDER_COLOR_FLOAT_OPAQUE_WHITE
	}
	h, err := vk.CreateSampler(d.handle, &info)
	if err != nil {
		return nil, fmt.Errorf("gpu: making a sampler: %w", d.check(err))
	}
	s := &Sampler{handle: h, desc: desc}
	d.samplers[desc] = s
	d.setups = append(d.setups, func() { vk.DestroySampler(d.handle, h) })
	d.drain()
	return s, nil
}

func (f Filter) vk() vk.Filter {
	if f == Nearest {
		return vk.FILTER_NEAREST
	}
	return vk.FILTER_LINEAR
}

func (w Wrap) vk() vk.SamplerAddressMode {
	switch w {
	case MirroredRepeat:
		return vk.SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
	case ClampToEdge:
		return vk.SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE
	case ClampToBorder:
		return vk.SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
	}
	return vk.SAMPLER_ADDRESS_MODE_REPEAT
}

// vk of CompareNone is always: the test is off.
func (c CompareOp) vk() vk.CompareOp {
	switch c {
	case Never:
		return vk.COMPARE_OP_NEVER
	case Less:
		return vk.COMPARE_OP_LESS
	case Equal:
		return vk.COMPARE_OP_EQUAL
	case LessEqual:
		return vk.COMPARE_OP_LESS_OR_EQUAL
	case Greater:
		return vk.COMPARE_OP_GREATER
	case NotEqual:
		return vk.COMPARE_OP_NOT_EQUAL
	case GreaterEqual:
		return vk.COMPARE_OP_GREATER_OR_EQUAL
	}
	return vk.COMPARE_OP_ALWAYS
}
