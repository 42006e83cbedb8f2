package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// Buffer is device memory with a use. See [Device.NewBuffer].
type Buffer struct {
	d      *Device
	desc   BufferDesc
	handle vk.Buffer
	memory allocation
	key    uint64
}

// NewBuffer makes a buffer. Its contents are undefined.
func (d *Device) NewBuffer(desc BufferDesc) (*Buffer, error) {
	where := onDevice
	if desc.Host {
		where = hostWrites
	}
	return d.newBuffer(desc, where)
}

func (d *Device) newBuffer(desc BufferDesc, where place) (*Buffer, error) {
	if desc.Size <= 0 {
		return nil, fmt.Errorf("gpu: buffer %s of %d bytes; a buffer has at least one", desc.Name, desc.Size)
	}
	b := &Buffer{d: d, desc: desc}
	var err error
	if b.handle, err = d.createBuffer(desc.Size, desc.Usage|framegraph.BufferTransferSrc|framegraph.BufferTransferDst); err != nil {
		return nil, fmt.Errorf("gpu: making buffer %s of %d bytes: %w", desc.Name, desc.Size, err)
	}
	req := vk.GetBufferMemoryRequirements(d.handle, b.handle)
	if b.memory, err = d.memory.alloc(desc.Name, req, where, true, false); err == nil {
		err = vk.BindBufferMemory(d.handle, b.handle, b.memory.block.handle, vk.DeviceSize(b.memory.offset))
	}
	if err != nil {
		vk.DestroyBuffer(d.handle, b.handle)
		d.memory.release(&b.memory)
		d.drain()
		return nil, err
	}
	d.register(&b.key, nil, b)
	d.name(vk.OBJECT_TYPE_BUFFER, uint64(b.handle), desc.Name)
	d.drain()
	return b, nil
}

func (d *Device) createBuffer(n int, usage BufferUsage) (vk.Buffer, error) {
	info := vk.BufferCreateInfo{SType: vk.STRUCTURE_TYPE_BUFFER_CREATE_INFO}
	info.Size = vk.DeviceSize(n)
	info.Usage = vk.BufferUsageFlags(usage)
	info.SharingMode, info.QueueFamilyIndexCount, info.PQueueFamilyIndices = d.sharing(true) // that costs a buffer nothing
	h, err := vk.CreateBuffer(d.handle, &info)
	return h, d.check(err)
}

// Size in bytes, as described.
func (b *Buffer) Size() int { return b.desc.Size }

// Bytes of a Host buffer as the CPU has them mapped (coherent: no flush); nil for others.
func (b *Buffer) Bytes() []byte { return b.memory.bytes(b.desc.Size) }

// Range of n bytes from offset; n below 0 is the rest.
func (b *Buffer) Range(offset, n int) Range {
	if n < 0 {
		n = b.desc.Size - offset
	}
	r := Range{Buffer: b, Offset: offset, Size: n}
	if all := b.Bytes(); all != nil {
		r.Bytes = all[offset : offset+n : offset+n]
	}
	return r
}

// Import says how the buffer enters and leaves a graph, for Graph.ImportBuffer.
func (b *Buffer) Import(arrive, leave framegraph.State) framegraph.Import {
	return framegraph.Import{Key: b.key, Arrive: arrive, Leave: leave}
}

// Release destroys the buffer after the last frame that may use it. Releasing nil or twice does nothing.
func (b *Buffer) Release() {
	if b == nil || b.handle == 0 {
		return
	}
	delete(b.d.imports, b.key)
	b.d.discard(discardBuffer, uint64(b.handle), b.memory)
	b.handle, b.memory = 0, allocation{}
}

// imported is a resource that a graph may name by key.
type imported struct {
	image  *Image
	buffer *Buffer
}

// register gives a resource its key.
func (d *Device) register(key *uint64, m *Image, b *Buffer) {
	d.lastKey++
	*key = d.lastKey
	d.imports[*key] = imported{m, b}
}
