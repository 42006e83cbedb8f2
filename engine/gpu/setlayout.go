package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
)

// SetLayout is a descriptor set layout. It lives as long as the device.
type SetLayout struct {
	d        *Device
	handle   vk.DescriptorSetLayout
	name     string
	slots    []slot
	count    int                // descriptors in all slots
	dynamic  int                // those with dynamic offsets
	free     []vk.DescriptorSet // given back, ready for reuse
	initial  []Value            // stand-ins of all descriptors
	perFrame [framesInFlight]frameSets
}

// slot is a binding, and where its descriptors stand among all of the set's.
type slot struct {
	Binding
	first int
}

// NewSetLayout makes a descriptor set layout.
func (d *Device) NewSetLayout(desc SetLayoutDesc) (*SetLayout, error) {
	l := &SetLayout{d: d, name: desc.Name}
	defer d.arena.Reset()
	bindings := vk.MakeSlice[vk.DescriptorSetLayoutBinding](&d.arena, len(desc.Bindings))
	for i, b := range desc.Bindings {
		b.Count = max(b.Count, 1)
		if b.Stages == 0 {
			return nil, fmt.Errorf("gpu: set layout %s: binding %d names no shader stage", desc.Name, b.Slot)
		}
		for _, s := range l.slots {
			if s.Slot == b.Slot {
				return nil, fmt.Errorf("gpu: set layout %s: binding %d is described twice", desc.Name, b.Slot)
			}
		}
		l.slots = append(l.slots, slot{b, l.count})
		l.count += b.Count
		if b.Kind == DynamicUniformRange || b.Kind == DynamicStorageRange {
			l.dynamic += b.Count
		}
		for e := range b.Count {
			l.initial = append(l.initial, d.standInValue(b).At(e))
		}
		bindings[i] = vk.DescriptorSetLayoutBinding{
			Binding: uint32(b.Slot), DescriptorType: b.Kind.vk(), DescriptorCount: uint32(b.Count), StageFlags: b.Stages.vk(),
		}
	}
	info := vk.New[vk.DescriptorSetLayoutCreateInfo](&d.arena)
	if len(bindings) > 0 {
		info.BindingCount, info.PBindings = uint32(len(bindings)), &bindings[0]
	}
	var err error
	l.handle, err = vk.CreateDescriptorSetLayout(d.handle, info)
	if err != nil {
		return nil, fmt.Errorf("gpu: making set layout %s: %w", desc.Name, d.check(err))
	}
	d.name(vk.OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, uint64(l.handle), desc.Name)
	d.setups = append(d.setups, func() { vk.DestroyDescriptorSetLayout(d.handle, l.handle) })
	d.desc.layouts = append(d.desc.layouts, l)
	d.drain()
	return l, nil
}

// standInValue is what a descriptor of b holds that is given nothing.
func (d *Device) standInValue(b Binding) Value {
	switch b.Kind {
	case Texture:
		s := d.standIns.sampler
		if b.StandIn == FarDepth {
			s = d.standIns.shadow
		}
		return Tex(b.Slot, d.standIns.images[b.StandIn], s)
	case StorageTexture:
		return Value{slot: int32(b.Slot), kind: StorageTexture} // must be given
	case UniformRange, DynamicUniformRange:
		return Uniform(b.Slot, Range{Buffer: d.standIns.zeros, Size: min(zeroBytes, 16<<10)})
	}
	return StorageBytes(b.Slot, Range{Buffer: d.standIns.zeros, Size: zeroBytes})
}

func (k Kind) vk() vk.DescriptorType {
	switch k {
	case StorageRange:
		return vk.DESCRIPTOR_TYPE_STORAGE_BUFFER
	case Texture:
		return vk.DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER
	case StorageTexture:
		return vk.DESCRIPTOR_TYPE_STORAGE_IMAGE
	case DynamicUniformRange:
		return vk.DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC
	case DynamicStorageRange:
		return vk.DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC
	}
	return vk.DESCRIPTOR_TYPE_UNIFORM_BUFFER
}

func (s Stages) vk() vk.ShaderStageFlags {
	var f vk.ShaderStageFlags
	if s&VertexStage != 0 {
		f |= vk.SHADER_STAGE_VERTEX_BIT
	}
	if s&FragmentStage != 0 {
		f |= vk.SHADER_STAGE_FRAGMENT_BIT
	}
	if s&ComputeStage != 0 {
		f |= vk.SHADER_STAGE_COMPUTE_BIT
	}
	return f
}

// Value is what a binding is given. Make it with [Uniform], [StorageBytes], [Tex], [TexView] or [StorageImage].
type Value struct {
	slot, element int32
	kind          Kind
	buffer        *Buffer
	offset, size  int
	image         *Image
	view          View
	sampler       *Sampler
}

// Uniform gives a [UniformRange] or [DynamicUniformRange] binding its range. An empty range is the stand-in.
func Uniform(slot int, r Range) Value {
	return Value{slot: int32(slot), kind: UniformRange, buffer: r.Buffer, offset: r.Offset, size: r.Size}
}

// StorageBytes gives a [StorageRange] or [DynamicStorageRange] binding its range. An empty range is the stand-in.
func StorageBytes(slot int, r Range) Value {
	return Value{slot: int32(slot), kind: StorageRange, buffer: r.Buffer, offset: r.Offset, size: r.Size}
}

// Tex gives a [Texture] binding an image, whole, and a sampler. A nil image is the binding's stand-in; a nil sampler is
// the zero [SamplerDesc].
func Tex(slot int, m *Image, s *Sampler) Value {
	return Value{slot: int32(slot), kind: Texture, image: m, sampler: s}
}

// TexView gives a [Texture] binding a part of an image.
func TexView(slot int, m *Image, v View, s *Sampler) Value {
	return Value{slot: int32(slot), kind: Texture, image: m, view: v, sampler: s}
}

// StorageImage gives a [StorageTexture] binding one level of an image.
func StorageImage(slot int, m *Image, v View) Value {
	v.Mips = 1
	return Value{slot: int32(slot), kind: StorageTexture, image: m, view: v}
}

// At is the same value for element i of an array binding.
func (v Value) At(i int) Value {
	v.element = int32(i)
	return v
}

// fits says whether a value may be given to a binding.
func (v *Value) fits(k Kind) bool {
	switch k {
	case DynamicUniformRange:
		k = UniformRange
	case DynamicStorageRange:
		k = StorageRange
	}
	return v.kind == k
}
