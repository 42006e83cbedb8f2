package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// descriptors makes descriptor sets. A set is never freed: it goes back to its layout and is handed out again, so a
// steady frame makes none.
type descriptors struct {
	d       *Device
	pools   []vk.DescriptorPool
	left    int // sets that the last pool may still give
	layouts []*SetLayout

	arena   vk.Arena
	writes  []vk.WriteDescriptorSet
	images  []vk.DescriptorImageInfo
	buffers []vk.DescriptorBufferInfo
}

const (
	poolSets   = 256
	writeBatch = 64
)

func (x *descriptors) open(d *Device) {
	x.d = d
	x.writes = vk.MakeSlice[vk.WriteDescriptorSet](&x.arena, writeBatch)
	x.images = vk.MakeSlice[vk.DescriptorImageInfo](&x.arena, writeBatch)
	x.buffers = vk.MakeSlice[vk.DescriptorBufferInfo](&x.arena, writeBatch)
}

func (x *descriptors) close() {
	for _, p := range x.pools {
		vk.DestroyDescriptorPool(x.d.handle, p)
	}
	x.pools, x.left = nil, 0
	x.arena.Free()
}

// reset lets a frame in flight hand out its sets anew.
func (x *descriptors) reset(frame int) {
	for _, l := range x.layouts {
		l.perFrame[frame].used = 0
	}
}

func (x *descriptors) newPool() error {
	d := x.d
	defer d.arena.Reset()
	info := vk.New[vk.DescriptorPoolCreateInfo](&d.arena)
	info.MaxSets = poolSets
	sizes := vk.MakeSlice[vk.DescriptorPoolSize](&d.arena, 6)
	for k := range sizes {
		sizes[k] = vk.DescriptorPoolSize{Type: Kind(k).vk(), DescriptorCount: poolSets * 4}
	}
	sizes[Texture].DescriptorCount = poolSets * 8
	info.PoolSizeCount, info.PPoolSizes = uint32(len(sizes)), &sizes[0]
	p, err := vk.CreateDescriptorPool(d.handle, info)
	if err != nil {
		return d.check(err)
	}
	x.pools, x.left = append(x.pools, p), poolSets
	return nil
}

// take a set of the layout, a used one or a new one.
func (x *descriptors) take(l *SetLayout) (vk.DescriptorSet, error) {
	if n := len(l.free); n > 0 {
		s := l.free[n-1]
		l.free = l.free[:n-1]
		return s, nil
	}
	var last error
	for range 2 {
		if x.left == 0 || last != nil {
			if err := x.newPool(); err != nil {
				return 0, fmt.Errorf("gpu: making a descriptor pool: %w", err)
			}
		}
		info := vk.New[vk.DescriptorSetAllocateInfo](&x.d.arena)
		info.DescriptorPool = x.pools[len(x.pools)-1]
		info.DescriptorSetCount = 1
		info.PSetLayouts = vk.Slice(&x.d.arena, l.handle)
		sets, err := vk.AllocateDescriptorSets(x.d.handle, info)
		x.d.arena.Reset()
		if err == nil {
			x.left--
			x.d.name(vk.OBJECT_TYPE_DESCRIPTOR_SET, uint64(sets[0]), l.name)
			return sets[0], nil
		}
		last = err // most likely the pool has no room: once more with a new one
	}
	return 0, fmt.Errorf("gpu: making a descriptor set of %s: %w", l.name, x.d.check(last))
}

// write the descriptors of a set whose values differ from what it holds; held nil writes all.
func (x *descriptors) write(l *SetLayout, set vk.DescriptorSet, values, held []Value) error {
	n := 0
	for i := range l.slots {
		s := &l.slots[i]
		for e := range s.Count {
			at := s.first + e
			if held != nil && held[at] == values[at] {
				continue
			}
			if n == writeBatch {
				vk.UpdateDescriptorSets(x.d.handle, x.writes[:n], nil)
				n = 0
			}
			if err := x.fill(n, l, s, e, set, &values[at]); err != nil {
				return err
			}
			n++
		}
	}
	if n > 0 {
		vk.UpdateDescriptorSets(x.d.handle, x.writes[:n], nil)
	}
	return nil
}

func (x *descriptors) fill(n int, l *SetLayout, s *slot, element int, set vk.DescriptorSet, v *Value) error {
	w := &x.writes[n]
	w.DstSet = set
	w.DstBinding = uint32(s.Slot)
	w.DstArrayElement = uint32(element)
	w.DescriptorCount = 1
	w.DescriptorType = s.Kind.vk()
	w.PImageInfo, w.PBufferInfo = nil, nil
	switch v.kind {
	case Texture, StorageTexture:
		if v.image == nil || v.image.handle == 0 {
			return fmt.Errorf("gpu: set %s, binding %d: no image was given, or it was released", l.name, s.Slot)
		}
		part := v.view
		part.depthOnly = v.image.desc.Format.Aspect() == framegraph.AspectDepth|framegraph.AspectStencil
		h, err := v.image.view(part)
		if err != nil {
			return err
		}
		info := &x.images[n]
		info.ImageView, info.ImageLayout = h, vk.IMAGE_LAYOUT_GENERAL
		if v.kind == Texture {
			info.ImageLayout = v.image.in(vk.IMAGE_LAYOUT_READ_ONLY_OPTIMAL)
			info.Sampler = v.sampler.handle
		}
		w.PImageInfo = info
	default:
		if v.buffer == nil || v.buffer.handle == 0 {
			return fmt.Errorf("gpu: set %s, binding %d: no buffer was given, or it was released", l.name, s.Slot)
		}
		info := &x.buffers[n]
		info.Buffer = v.buffer.handle
		info.Offset, info.Range = vk.DeviceSize(v.offset), vk.DeviceSize(v.size)
		w.PBufferInfo = info
	}
	return nil
}

// resolve lays the given values over the stand-ins, one for each descriptor in slot order, into out.
func (l *SetLayout) resolve(out []Value, given []Value) error {
	copy(out, l.initial)
	for i := range given {
		v := &given[i]
		s := l.slot(int(v.slot))
		if s == nil {
			return fmt.Errorf("gpu: set layout %s has no binding %d", l.name, v.slot)
		}
		if !v.fits(s.Kind) {
			return fmt.Errorf("gpu: set layout %s: binding %d is given a value of another kind", l.name, v.slot)
		}
		if int(v.element) >= s.Count {
			return fmt.Errorf("gpu: set layout %s: binding %d has %d elements, not %d", l.name, v.slot, s.Count, v.element+1)
		}
		at := s.first + int(v.element)
		if v.kind == Texture {
			if v.image == nil {
				continue
			}
			if f := v.image.desc.Format; f.IsInteger() != s.Whole {
				return fmt.Errorf("gpu: set layout %s: binding %d is %s, which image %s is not", l.name, v.slot, texels(s.Whole), v.image.desc.Name)
			}
			out[at] = *v
			if v.sampler == nil {
				out[at].sampler = l.initial[at].sampler
			}
			continue
		}
		if v.kind != StorageTexture && v.size == 0 {
			continue // nothing to read: an empty range isn't a descriptor
		}
		out[at] = *v
	}
	return nil
}

func (l *SetLayout) slot(n int) *slot {
	for i := range l.slots {
		if l.slots[i].Slot == n {
			return &l.slots[i]
		}
	}
	return nil
}

// frameSets are the sets that Bind made of one layout in one frame in flight, in the order it was called. A frame's nth
// call meets the set of two frames ago and writes only what differs.
type frameSets struct {
	sets []vk.DescriptorSet
	held [][]Value
	used int
}

// bindable is a set that holds the given values for this frame.
func (l *SetLayout) bindable(frame int, given []Value) (vk.DescriptorSet, error) {
	x := &l.d.desc
	f := &l.perFrame[frame]
	scratch := l.d.scratchValues(l.count)
	if err := l.resolve(scratch, given); err != nil {
		return 0, err
	}
	if f.used == len(f.sets) {
		s, err := x.take(l)
		if err != nil {
			return 0, err
		}
		f.sets = append(f.sets, s)
		f.held = append(f.held, make([]Value, l.count))
	}
	set, held := f.sets[f.used], f.held[f.used]
	if err := x.write(l, set, scratch, held); err != nil {
		return 0, err
	}
	copy(held, scratch)
	f.used++
	return set, nil
}

// scratchValues is room for n values, valid until the next call.
func (d *Device) scratchValues(n int) []Value {
	if n > len(d.scratch) {
		d.scratch = make([]Value, n)
	}
	return d.scratch[:n]
}

// Set is a persistent descriptor set, of a material for instance.
type Set struct {
	layout *SetLayout
	handle vk.DescriptorSet
	values []Value // keeps what it names alive
}

// NewSet makes a set. Bindings without a value get their stand-in. What it names must outlive it.
func (d *Device) NewSet(l *SetLayout, values ...Value) (*Set, error) {
	s := &Set{layout: l, values: make([]Value, l.count)}
	if err := l.resolve(s.values, values); err != nil {
		return nil, err
	}
	var err error
	if s.handle, err = d.desc.take(l); err != nil {
		return nil, err
	}
	if err := d.desc.write(l, s.handle, s.values, nil); err != nil {
		l.free = append(l.free, s.handle)
		return nil, err
	}
	d.drain()
	return s, nil
}

// Release gives the set back after the last frame that may use it. Releasing nil or twice does nothing.
func (s *Set) Release() {
	if s == nil || s.handle == 0 {
		return
	}
	d := s.layout.d
	d.trash.items = append(d.trash.items, discarded{frame: d.frameNo, kind: discardSet, handle: uint64(s.handle), set: s.layout})
	s.handle = 0
}
