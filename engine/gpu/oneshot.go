package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// oneShot runs commands outside a frame and waits for them: uploads and read-back.
type oneShot struct {
	pool   vk.CommandPool
	cb     vk.CommandBuffer
	one    [1]vk.CommandBuffer
	stream vk.Stream
	arena  vk.Arena
	value  uint64 // of the graphics queue's timeline, when the latest was done
}

func (o *oneShot) open(d *Device) error {
	var err error
	o.pool, o.cb, err = d.newCommandBuffer(framegraph.GraphicsQueue, "one-shot")
	return err
}

// newCommandBuffer makes a pool for a queue, with one command buffer in it.
func (d *Device) newCommandBuffer(q framegraph.Queue, name string) (vk.CommandPool, vk.CommandBuffer, error) {
	info := vk.CommandPoolCreateInfo{SType: vk.STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO}
	info.QueueFamilyIndex = d.queues[q].family
	pool, err := vk.CreateCommandPool(d.handle, &info)
	if err != nil {
		return 0, 0, fmt.Errorf("gpu: making a command pool: %w", d.check(err))
	}
	cb, err := d.commandBuffer(pool, name)
	if err != nil {
		vk.DestroyCommandPool(d.handle, pool)
		return 0, 0, err
	}
	return pool, cb, nil
}

// commandBuffer makes one more in a pool.
func (d *Device) commandBuffer(pool vk.CommandPool, name string) (vk.CommandBuffer, error) {
	alloc := vk.CommandBufferAllocateInfo{SType: vk.STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO}
	alloc.CommandPool = pool
	alloc.Level = vk.COMMAND_BUFFER_LEVEL_PRIMARY
	alloc.CommandBufferCount = 1
	cbs, err := vk.AllocateCommandBuffers(d.handle, &alloc)
	if err != nil {
		return 0, fmt.Errorf("gpu: making a command buffer: %w", d.check(err))
	}
	d.name(vk.OBJECT_TYPE_COMMAND_BUFFER, uint64(cbs[0]), name)
	return cbs[0], nil
}

func (d *Device) begin(cb vk.CommandBuffer) error {
	info := vk.CommandBufferBeginInfo{SType: vk.STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO}
	info.Flags = vk.COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT
	if err := vk.BeginCommandBuffer(cb, &info); err != nil {
		return fmt.Errorf("gpu: beginning a command buffer: %w", d.check(err))
	}
	return nil
}

// run replays what is in the stream, waits for it, and empties stream and arena.
func (o *oneShot) run(d *Device) error {
	defer func() {
		o.stream.Reset()
		o.arena.Reset()
	}()
	if err := d.check(vk.ResetCommandPool(d.handle, o.pool, 0)); err != nil {
		return fmt.Errorf("gpu: resetting a command pool: %w", err)
	}
	if err := d.begin(o.cb); err != nil {
		return err
	}
	o.stream.Replay(o.cb)
	if err := vk.EndCommandBuffer(o.cb); err != nil {
		d.drain()
		return fmt.Errorf("gpu: ending a command buffer: %w", d.check(err))
	}
	o.one[0] = o.cb
	var err error
	if o.value, err = d.send(framegraph.GraphicsQueue, o.one[:], nil, 0, 0); err != nil {
		return err
	}
	return d.waitFor(o.value)
}

func (o *oneShot) close(d *Device) {
	if o.pool != 0 {
		vk.DestroyCommandPool(d.handle, o.pool)
		o.pool = 0
	}
	o.arena.Free()
}

// barrier orders everything before against everything after.
func (o *oneShot) barrier() {
	dep := vk.New[vk.DependencyInfo](&o.arena)
	dep.MemoryBarrierCount, dep.PMemoryBarriers = 1, fullBarrier(&o.arena)
	o.stream.CmdPipelineBarrier2(dep)
}

// move changes the layout of some levels of all layers of m, after everything before and before everything after.
func (o *oneShot) move(m *Image, mip, mips int, from, to vk.ImageLayout) {
	b := vk.New[vk.ImageMemoryBarrier2](&o.arena)
	b.SrcStageMask, b.DstStageMask = vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT, vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT
	b.SrcAccessMask = vk.ACCESS_2_MEMORY_READ_BIT | vk.ACCESS_2_MEMORY_WRITE_BIT
	b.DstAccessMask = b.SrcAccessMask
	b.OldLayout, b.NewLayout = from, to
	b.SrcQueueFamilyIndex, b.DstQueueFamilyIndex = vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED
	b.Image = m.handle
	b.SubresourceRange = vk.ImageSubresourceRange{
		AspectMask:   vk.ImageAspectFlags(m.desc.Format.Aspect()),
		BaseMipLevel: uint32(mip), LevelCount: uint32(mips), LayerCount: uint32(m.desc.Layers),
	}
	dep := vk.New[vk.DependencyInfo](&o.arena)
	dep.ImageMemoryBarrierCount, dep.PImageMemoryBarriers = 1, b
	o.stream.CmdPipelineBarrier2(dep)
}
