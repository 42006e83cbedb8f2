package gpu

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
)

// place says who reads and writes a piece of memory.
type place uint8

const (
	onDevice   place = iota // the device alone
	hostWrites              // the CPU writes, the device reads
	hostReads               // the device writes, the CPU reads
)

const (
	firstBlock = 16 << 20
	largeBlock = 256 << 20
)

// memory sub-allocates device memory from blocks. Buffers and images never share a block, so that
// bufferImageGranularity need not be looked at between neighbours.
type memory struct {
	d       *Device
	types   []vk.MemoryType
	heaps   []vk.MemoryHeap
	pools   [32][2]pool // by memory type, and linear (buffers) or not
	stats   ledger
	limit   uint64 // a test's bound on what blocks may take together; 0: none
	blocked uint64 // bytes of all blocks
}

type pool struct {
	blocks []*block
	next   uint64 // size of the next block
}

// block is one VkDeviceMemory.
type block struct {
	handle    vk.DeviceMemory
	heap      *heap
	mapped    unsafe.Pointer
	typ       uint32
	linear    bool
	dedicated bool
}

// allocation is a piece of a block. The zero allocation is none.
type allocation struct {
	block        *block
	offset, size uint64
	entry        *ledgerEntry
	transient    bool
}

func (a *allocation) bytes(n int) []byte {
	if a.block == nil || a.block.mapped == nil {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(a.block.mapped, a.offset)), n)
}

func newMemory(d *Device) *memory {
	m := &memory{d: d, stats: ledger{entries: map[string]*ledgerEntry{}}}
	props := vk.GetPhysicalDeviceMemoryProperties(d.physical)
	m.types = append(m.types, props.MemoryTypes[:props.MemoryTypeCount]...)
	m.heaps = append(m.heaps, props.MemoryHeaps[:props.MemoryHeapCount]...)
	return m
}

// preferences are the property flags a place must have, and those it would like, best first.
func (p place) preferences() (must vk.MemoryPropertyFlags, like []vk.MemoryPropertyFlags) {
	const visible = vk.MEMORY_PROPERTY_HOST_VISIBLE_BIT | vk.MEMORY_PROPERTY_HOST_COHERENT_BIT
	switch p {
	case hostWrites:
		return visible, []vk.MemoryPropertyFlags{vk.MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}
	case hostReads:
		return visible, []vk.MemoryPropertyFlags{vk.MEMORY_PROPERTY_HOST_CACHED_BIT, 0}
	}
	return 0, []vk.MemoryPropertyFlags{vk.MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0}
}

// alloc finds memory of what the resource called name asks for.
func (m *memory) alloc(name string, req vk.MemoryRequirements, p place, linear, transient bool) (allocation, error) {
	must, like := p.preferences()
	var tried uint32
	suits := false
	for _, want := range like {
		for t := range m.types {
			bit := uint32(1) << t
			if req.MemoryTypeBits&bit == 0 || tried&bit != 0 || m.types[t].PropertyFlags&(must|want) != must|want {
				continue
			}
			tried |= bit
			suits = true
			a, err := m.allocFrom(uint32(t), req, linear)
			if err == nil {
				a.transient = transient
				a.entry = m.stats.add(name, a.size, transient)
				return a, nil
			}
			if !outOfMemory(err) {
				return allocation{}, fmt.Errorf("gpu: allocating memory for %s: %w", name, m.d.check(err))
			}
		}
	}
	if !suits {
		return allocation{}, fmt.Errorf("gpu: no memory type of %s suits %s", m.d.props.Name, name)
	}
	return allocation{}, fmt.Errorf("gpu: out of device memory: %s needs %s, %s are in use; close other programs, or use smaller textures or fewer of them: %w",
		name, size(req.Size), size(m.stats.persistent+m.stats.transient), ErrOutOfMemory)
}

// ErrOutOfMemory is what an allocation returns that the device has no memory for.
var ErrOutOfMemory = errors.New("out of device memory")

func outOfMemory(err error) bool {
	return errors.Is(err, vk.ERROR_OUT_OF_DEVICE_MEMORY) || errors.Is(err, vk.ERROR_OUT_OF_HOST_MEMORY) ||
		errors.Is(err, vk.ERROR_TOO_MANY_OBJECTS) || errors.Is(err, ErrOutOfMemory)
}

// allocFrom takes a piece of a block of memory type t, making a block where none has room.
func (m *memory) allocFrom(t uint32, req vk.MemoryRequirements, linear bool) (allocation, error) {
	which := 0
	if linear {
		which = 1
	}
	p := &m.pools[t][which]
	for _, b := range p.blocks {
		if !b.dedicated {
			if at, ok := b.heap.alloc(req.Size, req.Alignment); ok {
				return allocation{block: b, offset: at, size: req.Size}, nil
			}
		}
	}
	if p.next == 0 {
		p.next = firstBlock
	}
	if req.Size > p.next/2 {
		b, err := m.newBlock(t, req.Size, linear)
		if err != nil {
			return allocation{}, err
		}
		b.dedicated = true
		b.heap.alloc(req.Size, 1)
		p.blocks = append(p.blocks, b)
		return allocation{block: b, size: req.Size}, nil
	}
	for n := p.next; ; n /= 2 {
		b, err := m.newBlock(t, max(n, req.Size), linear)
		if err != nil {
			if outOfMemory(err) && n > req.Size {
				continue // a smaller block may still fit
			}
			return allocation{}, err
		}
		p.next = min(p.next*2, largeBlock)
		p.blocks = append(p.blocks, b)
		at, _ := b.heap.alloc(req.Size, req.Alignment)
		return allocation{block: b, offset: at, size: req.Size}, nil
	}
}

func (m *memory) newBlock(t uint32, n uint64, linear bool) (*block, error) {
	if m.limit > 0 && m.blocked+n > m.limit {
		return nil, ErrOutOfMemory
	}
	info := vk.MemoryAllocateInfo{SType: vk.STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO}
	info.AllocationSize = vk.DeviceSize(n)
	info.MemoryTypeIndex = t
	h, err := vk.AllocateMemory(m.d.handle, &info)
	if err != nil {
		return nil, err
	}
	b := &block{handle: h, heap: newHeap(n), typ: t, linear: linear}
	if m.types[t].PropertyFlags&vk.MEMORY_PROPERTY_HOST_VISIBLE_BIT != 0 && linear {
		if b.mapped, err = vk.MapMemory(m.d.handle, h, 0, vk.DeviceSize(vk.WHOLE_SIZE), 0); err != nil {
			vk.FreeMemory(m.d.handle, h)
			return nil, err
		}
	}
	m.blocked += n
	m.d.name(vk.OBJECT_TYPE_DEVICE_MEMORY, uint64(h), "block")
	return b, nil
}

// release gives back what alloc gave. An empty block goes back to the device, save the last of its pool.
func (m *memory) release(a *allocation) {
	b := a.block
	if b == nil {
		return
	}
	m.stats.remove(a.entry, a.size, a.transient)
	b.heap.release(a.offset, a.size)
	*a = allocation{}
	if !b.heap.empty() {
		return
	}
	which := 0
	if b.linear {
		which = 1
	}
	p := &m.pools[b.typ][which]
	if !b.dedicated && len(p.blocks) == 1 {
		return
	}
	for i := range p.blocks {
		if p.blocks[i] == b {
			p.blocks = append(p.blocks[:i], p.blocks[i+1:]...)
			break
		}
	}
	m.freeBlock(b)
}

func (m *memory) freeBlock(b *block) {
	m.blocked -= b.heap.size
	vk.FreeMemory(m.d.handle, b.handle) // unmaps it too
}

func (m *memory) close() {
	for t := range m.pools {
		for k := range m.pools[t] {
			for _, b := range m.pools[t][k].blocks {
				m.freeBlock(b)
			}
			m.pools[t][k].blocks = nil
		}
	}
}

// size in words: "12.0 MiB".
func size(n uint64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
}
