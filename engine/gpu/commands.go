package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// Commands records one pass. Get it from [From] inside a record closure; it is valid only there. Mistakes (a slot that
// isn't there, a released buffer) end the frame's Execute with an error that names the pass.
type Commands struct {
	e    *Executor
	f    *Frame
	s    *vk.Stream
	a    *vk.Arena // as long as the frame
	plan *framegraph.Plan
	step int

	pipeline *Pipeline
	w, h     int // extent of the attachments
	err      error
	counts   counts
}

// counts of what a pass recorded.
type counts struct{ draws, dispatches, triangles, vertices int }

// From is the command recorder behind a record closure's context; nil if the context is another executor's, a test's
// fake one for instance.
func From(c framegraph.Context) *Commands {
	cmd, _ := c.(*Commands)
	return cmd
}

// Pass is the name of the pass being recorded.
func (c *Commands) Pass() string { return c.plan.Steps[c.step].Name }

// Plan is the plan being executed.
func (c *Commands) Plan() *framegraph.Plan { return c.plan }

// Step is the pass's place in Plan().Steps.
func (c *Commands) Step() int { return c.step }

// Device that runs the pass.
func (c *Commands) Device() *Device { return c.e.d }

// Frame the pass belongs to; its ring is [Frame.Alloc].
func (c *Commands) Frame() *Frame { return c.f }

// Alloc is the frame's [Frame.Alloc].
func (c *Commands) Alloc(n, align int) Range { return c.f.Alloc(n, align) }

// Stream that the commands are written to, for those that have no method here. It must not record barriers or begin
// rendering, and what it records isn't counted.
func (c *Commands) Stream() *vk.Stream { return c.s }

// Fail ends the frame's execution with an error that names the pass, after the closure returns. The first one counts.
func (c *Commands) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// Image behind a handle of the graph: a transient or an imported one.
func (c *Commands) Image(h framegraph.Image) *Image {
	if i := h.Index(); i >= 0 && i < len(c.e.images) && c.e.images[i] != nil {
		return c.e.images[i]
	}
	c.Fail(fmt.Errorf("gpu: an image handle names no image of this plan: declare the access before recording"))
	return c.e.d.standIns.images[White]
}

// Buffer behind a handle of the graph, whole.
func (c *Commands) Buffer(h framegraph.Buffer) Range {
	if i := h.Index(); i >= 0 && i < len(c.e.buffers) && c.e.buffers[i] != nil {
		return c.e.buffers[i].Range(0, -1)
	}
	c.Fail(fmt.Errorf("gpu: a buffer handle names no buffer of this plan: declare the access before recording"))
	return c.e.d.standIns.zeros.Range(0, -1)
}

// Extent of the attachments the pass draws into, in pixels; 0, 0 outside a graphics pass.
func (c *Commands) Extent() (w, h int) { return c.w, c.h }

// BindPipeline makes p current. BindSet, Bind and PushConstants use its layout.
func (c *Commands) BindPipeline(p *Pipeline) {
	if p == nil || p.handle == 0 {
		c.Fail(fmt.Errorf("gpu: binding a pipeline that is nil or was released"))
		return
	}
	c.pipeline = p
	c.s.CmdBindPipeline(p.point, p.handle)
}

// current pipeline; a mistake if there is none.
func (c *Commands) current(what string) *Pipeline {
	if c.pipeline == nil {
		c.Fail(fmt.Errorf("gpu: %s before BindPipeline", what))
	}
	return c.pipeline
}

// BindSet binds a persistent set, with an offset in bytes for each of its dynamic bindings in slot order.
func (c *Commands) BindSet(set int, s *Set, dynamic ...uint32) {
	p := c.current("BindSet")
	switch {
	case p == nil:
	case s == nil || s.handle == 0:
		c.Fail(fmt.Errorf("gpu: binding a set that is nil or was released to set %d of pipeline %s", set, p.name))
	case len(dynamic) != s.layout.dynamic:
		c.Fail(fmt.Errorf("gpu: set %s takes %d dynamic offsets, not %d", s.layout.name, s.layout.dynamic, len(dynamic)))
	default:
		c.usedValues(s.values)
		sets := [1]vk.DescriptorSet{s.handle}
		c.s.CmdBindDescriptorSets(p.point, p.layout.handle, uint32(set), sets[:], dynamic)
	}
}

var zeroOffsets [16]uint32

// Bind binds a set of the current pipeline's layout made for this frame from values. Bindings without a value get their
// stand-in. Dynamic bindings get offset 0.
func (c *Commands) Bind(set int, values ...Value) {
	p := c.current("Bind")
	if p == nil {
		return
	}
	if set < 0 || set >= len(p.layout.desc.Sets) {
		c.Fail(fmt.Errorf("gpu: pipeline %s has no set %d: no shader of it declares a binding there, so leave Bind(%d, …) out", p.name, set, set))
		return
	}
	l := p.layout.desc.Sets[set]
	if c.e.heeds && !c.heed(p, set, values) {
		return
	}
	c.e.d.lock()
	h, err := l.bindable(c.f.slot, values)
	c.e.d.unlock()
	if err != nil {
		c.Fail(err)
		return
	}
	c.usedValues(values)
	sets := [1]vk.DescriptorSet{h}
	c.s.CmdBindDescriptorSets(p.point, p.layout.handle, uint32(set), sets[:], zeroOffsets[:min(l.dynamic, len(zeroOffsets))])
}

// BindVertices binds a vertex buffer range to an input slot.
func (c *Commands) BindVertices(slot int, r Range) {
	if !c.alive(r) {
		return
	}
	buffers, offsets := [1]vk.Buffer{r.Buffer.handle}, [1]vk.DeviceSize{vk.DeviceSize(r.Offset)}
	c.s.CmdBindVertexBuffers(uint32(slot), buffers[:], offsets[:])
}

// BindIndices binds an index buffer range of 16-bit or 32-bit indices.
func (c *Commands) BindIndices(r Range, bits int) {
	if !c.alive(r) {
		return
	}
	t := vk.INDEX_TYPE_UINT32
	if bits == 16 {
		t = vk.INDEX_TYPE_UINT16
	}
	c.s.CmdBindIndexBuffer(r.Buffer.handle, vk.DeviceSize(r.Offset), t)
}

func (c *Commands) alive(r Range) bool {
	if r.Buffer == nil || r.Buffer.handle == 0 {
		c.Fail(fmt.Errorf("gpu: a range has no buffer, or it was released"))
		return false
	}
	if c.e.audit.running {
		c.used(r.Buffer.desc.Name)
	}
	return true
}

// PushConstants writes push constants from offset bytes on; data is copied.
func (c *Commands) PushConstants(offset int, data []byte) {
	p := c.current("PushConstants")
	switch {
	case p == nil:
	case offset+len(data) > p.layout.desc.Push:
		c.Fail(fmt.Errorf("gpu: pipeline %s has %d bytes of push constants; %d were given at %d", p.name, p.layout.desc.Push, len(data), offset))
	default:
		c.s.CmdPushConstants(p.layout.handle, p.layout.push, uint32(offset), data)
	}
}

// SetViewport in pixels, depth 0..1.
func (c *Commands) SetViewport(x, y, w, h float32) {
	v := [1]vk.Viewport{{X: x, Y: y, Width: w, Height: h, MaxDepth: 1}}
	c.s.CmdSetViewport(0, v[:])
}

// SetScissor in pixels. What lies outside the attachments is cut off.
func (c *Commands) SetScissor(x, y, w, h int) {
	x1, y1 := max(x+w, 0), max(y+h, 0)
	x, y = max(x, 0), max(y, 0)
	r := [1]vk.Rect2D{{
		Offset: vk.Offset2D{X: int32(x), Y: int32(y)},
		Extent: vk.Extent2D{Width: uint32(max(x1-x, 0)), Height: uint32(max(y1-y, 0))},
	}}
	c.s.CmdSetScissor(0, r[:])
}

func (c *Commands) count(p *Pipeline, vertices, instances int) {
	c.counts.draws++
	c.counts.vertices += vertices * instances
	switch p.topology {
	case Triangles:
		c.counts.triangles += vertices / 3 * instances
	case TriangleStrip:
		c.counts.triangles += max(vertices-2, 0) * instances
	}
}

// Draw vertices, for each of the instances.
func (c *Commands) Draw(vertices, instances, firstVertex, firstInstance int) {
	p := c.current("Draw")
	if p == nil || vertices <= 0 || instances <= 0 {
		return
	}
	c.count(p, vertices, instances)
	c.s.CmdDraw(uint32(vertices), uint32(instances), uint32(firstVertex), uint32(firstInstance))
}

// DrawIndexed draws indices, for each of the instances; vertexOffset is added to each index.
func (c *Commands) DrawIndexed(indices, instances, firstIndex, vertexOffset, firstInstance int) {
	p := c.current("DrawIndexed")
	if p == nil || indices <= 0 || instances <= 0 {
		return
	}
	c.count(p, indices, instances)
	c.s.CmdDrawIndexed(uint32(indices), uint32(instances), uint32(firstIndex), int32(vertexOffset), uint32(firstInstance))
}

// DrawIndexedIndirect draws count records of VkDrawIndexedIndirectCommand (20 bytes each) from r. A device without
// multi-draw gets them one by one.
func (c *Commands) DrawIndexedIndirect(r Range, count int) {
	if c.current("DrawIndexedIndirect") == nil || count <= 0 || !c.alive(r) {
		return
	}
	c.counts.draws += count
	if c.e.d.props.Has.MultiDrawIndirect {
		c.s.CmdDrawIndexedIndirect(r.Buffer.handle, vk.DeviceSize(r.Offset), uint32(count), 20)
		return
	}
	for i := range count {
		c.s.CmdDrawIndexedIndirect(r.Buffer.handle, vk.DeviceSize(r.Offset+20*i), 1, 20)
	}
}

// onQueue says whether the pass's queue can do what; where it cannot, the pass fails.
func (c *Commands) onQueue(what string, can bool) bool {
	if !can {
		c.Fail(fmt.Errorf("gpu: %s on the %s queue, which cannot: leave Async out of the pass's declaration", what, c.plan.Steps[c.step].Queue))
	}
	return can
}

// Dispatch compute work groups.
func (c *Commands) Dispatch(x, y, z int) {
	if c.current("Dispatch") == nil || !c.onQueue("Dispatch", c.plan.Steps[c.step].Queue != framegraph.TransferQueue) || x <= 0 || y <= 0 || z <= 0 {
		return
	}
	c.counts.dispatches++
	c.s.CmdDispatch(uint32(x), uint32(y), uint32(z))
}

// DispatchIndirect dispatches the three group counts (uint32) at the start of r.
func (c *Commands) DispatchIndirect(r Range) {
	if c.current("DispatchIndirect") == nil || !c.onQueue("DispatchIndirect", c.plan.Steps[c.step].Queue != framegraph.TransferQueue) || !c.alive(r) {
		return
	}
	c.counts.dispatches++
	c.s.CmdDispatchIndirect(r.Buffer.handle, vk.DeviceSize(r.Offset))
}

// CopyBuffer copies src to the start of dst, which is at least as large.
func (c *Commands) CopyBuffer(dst, src Range) {
	if !c.alive(dst) || !c.alive(src) {
		return
	}
	region := [1]vk.BufferCopy{{SrcOffset: vk.DeviceSize(src.Offset), DstOffset: vk.DeviceSize(dst.Offset), Size: vk.DeviceSize(src.Size)}}
	c.s.CmdCopyBuffer(src.Buffer.handle, dst.Buffer.handle, region[:])
}

// FillBuffer sets the range to copies of value; offset and size are multiples of 4.
func (c *Commands) FillBuffer(r Range, value uint32) {
	if c.alive(r) {
		c.s.CmdFillBuffer(r.Buffer.handle, vk.DeviceSize(r.Offset), vk.DeviceSize(r.Size), value)
	}
}

// CopyImage copies level 0 of all layers; both have one size and compatible formats. The pass declares TransferReadImage
// and TransferWriteImage.
func (c *Commands) CopyImage(dst, src *Image) {
	a := c.a
	r := vk.New[vk.ImageCopy2](a)
	r.SrcSubresource = vk.ImageSubresourceLayers{AspectMask: vk.ImageAspectFlags(src.desc.Format.Aspect()), LayerCount: uint32(src.desc.Layers)}
	r.DstSubresource = vk.ImageSubresourceLayers{AspectMask: vk.ImageAspectFlags(dst.desc.Format.Aspect()), LayerCount: uint32(src.desc.Layers)}
	r.Extent = vk.Extent3D{Width: uint32(src.desc.Width), Height: uint32(src.desc.Height), Depth: 1}
	info := vk.New[vk.CopyImageInfo2](a)
	info.SrcImage, info.DstImage = src.handle, dst.handle
	info.SrcImageLayout, info.DstImageLayout = src.in(vk.IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL), dst.in(vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL)
	info.RegionCount, info.PRegions = 1, r
	c.s.CmdCopyImage2(info)
}

// Blit scales a level of src's layer 0 onto a level of dst's layer 0, filtered linearly (depth: nearest). The pass
// declares TransferReadImage and TransferWriteImage.
func (c *Commands) Blit(dst *Image, dstMip int, src *Image, srcMip int) {
	if c.onQueue("Blit", c.plan.Steps[c.step].Queue == framegraph.GraphicsQueue) {
		blit(c.s, c.a, dst, dstMip, src, srcMip, 1)
	}
}
