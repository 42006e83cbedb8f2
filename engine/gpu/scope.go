package gpu

import (
	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// beginScope begins rendering where a step's scope begins. When Serialised each step of a merged scope is a submission
// of its own, so the scope is left and entered again, with contents kept between.
func (e *Executor) beginScope(w *recorder, p *framegraph.Plan, i int) error {
	step := &p.Steps[i]
	scope := &p.Scopes[step.Scope]
	w.cmd.w, w.cmd.h = scope.Width, scope.Height
	first, last := step.ScopeBegin, step.ScopeEnd
	if e.mode == Overlapped {
		last = true
	}
	if first || e.mode == Serialised {
		a := w.arena
		if !first {
			e.everything(w)
		}
		info := vk.New[vk.RenderingInfo](a)
		info.RenderArea = vk.Rect2D{
			Offset: vk.Offset2D{X: int32(scope.X), Y: int32(scope.Y)},
			Extent: vk.Extent2D{Width: uint32(scope.Width), Height: uint32(scope.Height)},
		}
		info.LayerCount = uint32(max(scope.Layers, 1))
		if n := len(scope.Color); n > 0 {
			colors := vk.MakeSlice[vk.RenderingAttachmentInfo](a, n)
			for c := range scope.Color {
				if err := e.attachment(&colors[c], &scope.Color[c], first, last); err != nil {
					return err
				}
			}
			info.ColorAttachmentCount, info.PColorAttachments = uint32(n), &colors[0]
		}
		if scope.Depth.Image >= 0 {
			depth := vk.New[vk.RenderingAttachmentInfo](a)
			if err := e.attachment(depth, &scope.Depth, first, last); err != nil {
				return err
			}
			aspect := e.images[scope.Depth.Image].desc.Format.Aspect()
			if aspect&framegraph.AspectDepth != 0 {
				info.PDepthAttachment = depth
			}
			if aspect&framegraph.AspectStencil != 0 {
				info.PStencilAttachment = depth
			}
		}
		w.stream.CmdBeginRendering(info)
	}
	// Each pass finds these as if it were alone in its scope.
	w.cmd.SetViewport(float32(scope.X), float32(scope.Y), float32(scope.Width), float32(scope.Height))
	w.cmd.SetScissor(scope.X, scope.Y, scope.Width, scope.Height)
	return nil
}

func (e *Executor) attachment(out *vk.RenderingAttachmentInfo, at *framegraph.Attachment, first, last bool) error {
	if at.Image < 0 {
		return nil // an output that goes nowhere
	}
	layers := max(at.Layers, 1)
	shape := Shape2D
	if layers > 1 {
		shape = ShapeArray
	}
	e.d.lock()
	defer e.d.unlock()
	h, err := e.images[at.Image].view(View{Mip: at.Mip, Mips: 1, Layer: at.Layer, Layers: layers, As: shape})
	if err != nil {
		return err
	}
	out.ImageView = h
	out.ImageLayout = vk.ImageLayout(at.Layout)
	out.LoadOp, out.StoreOp = vk.AttachmentLoadOp(at.Load), vk.AttachmentStoreOp(at.Store)
	if !first {
		out.LoadOp = vk.ATTACHMENT_LOAD_OP_LOAD
	}
	if !last && at.Store != framegraph.StoreNone {
		out.StoreOp = vk.ATTACHMENT_STORE_OP_STORE
	}
	if to := &at.Resolve; to.On && last {
		v, err := e.images[to.Image].view(View{Mip: to.Mip, Mips: 1, Layer: to.Layer, Layers: layers, As: shape})
		if err != nil {
			return err
		}
		out.ResolveMode = vk.RESOLVE_MODE_SAMPLE_ZERO_BIT
		if to.Average {
			out.ResolveMode = vk.RESOLVE_MODE_AVERAGE_BIT
		}
		out.ResolveImageView, out.ResolveImageLayout = v, vk.ImageLayout(to.Layout)
	}
	out.ClearValue = vk.ClearValue(at.Clear)
	return nil
}

func fullBarrier(a *vk.Arena) *vk.MemoryBarrier2 {
	b := vk.New[vk.MemoryBarrier2](a)
	b.SrcStageMask, b.DstStageMask = vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT, vk.PIPELINE_STAGE_2_ALL_COMMANDS_BIT
	b.SrcAccessMask = vk.ACCESS_2_MEMORY_READ_BIT | vk.ACCESS_2_MEMORY_WRITE_BIT
	b.DstAccessMask = b.SrcAccessMask
	return b
}

// everything orders all that was recorded against all that will be.
func (e *Executor) everything(w *recorder) {
	dep := vk.New[vk.DependencyInfo](w.arena)
	dep.MemoryBarrierCount, dep.PMemoryBarriers = 1, fullBarrier(w.arena)
	w.stream.CmdPipelineBarrier2(dep)
}

// barriers records one batch; release says that it gives images to another queue.
func (e *Executor) barriers(w *recorder, batch *framegraph.Barriers, release bool) {
	a := w.arena
	dep := vk.New[vk.DependencyInfo](a)
	if n := len(batch.Memory); n > 0 {
		list := vk.MakeSlice[vk.MemoryBarrier2](a, n)
		for i := range list {
			b, out := &batch.Memory[i], &list[i]
			out.SrcStageMask, out.SrcAccessMask = vk.PipelineStageFlags2(b.SrcStage), vk.AccessFlags2(b.SrcAccess)
			out.DstStageMask, out.DstAccessMask = vk.PipelineStageFlags2(b.DstStage), vk.AccessFlags2(b.DstAccess)
		}
		dep.MemoryBarrierCount, dep.PMemoryBarriers = uint32(n), &list[0]
	}
	if n := len(batch.Buffers); n > 0 {
		list := vk.MakeSlice[vk.BufferMemoryBarrier2](a, n)
		for i := range list {
			b, out := &batch.Buffers[i], &list[i]
			out.SrcStageMask, out.SrcAccessMask = vk.PipelineStageFlags2(b.SrcStage), vk.AccessFlags2(b.SrcAccess)
			out.DstStageMask, out.DstAccessMask = vk.PipelineStageFlags2(b.DstStage), vk.AccessFlags2(b.DstAccess)
			out.SrcQueueFamilyIndex, out.DstQueueFamilyIndex = vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED
			out.Buffer = e.buffers[b.Buffer].handle
			out.Size = vk.WHOLE_SIZE
		}
		dep.BufferMemoryBarrierCount, dep.PBufferMemoryBarriers = uint32(n), &list[0]
	}
	if n := len(batch.Images); n > 0 {
		list := vk.MakeSlice[vk.ImageMemoryBarrier2](a, n)
		n = 0
		for i := range batch.Images {
			b, out := &batch.Images[i], &list[n]
			src, dst, record := crossing(e.family(b.From), e.family(b.To), release)
			if !record {
				continue
			}
			n++
			out.SrcStageMask, out.SrcAccessMask = vk.PipelineStageFlags2(b.SrcStage), vk.AccessFlags2(b.SrcAccess)
			out.DstStageMask, out.DstAccessMask = vk.PipelineStageFlags2(b.DstStage), vk.AccessFlags2(b.DstAccess)
			out.OldLayout, out.NewLayout = vk.ImageLayout(b.OldLayout), vk.ImageLayout(b.NewLayout)
			out.SrcQueueFamilyIndex, out.DstQueueFamilyIndex = src, dst
			out.Image = e.images[b.Image].handle
			out.SubresourceRange = vk.ImageSubresourceRange{
				AspectMask:   vk.ImageAspectFlags(b.Aspect),
				BaseMipLevel: uint32(b.Mip), LevelCount: uint32(b.Mips),
				BaseArrayLayer: uint32(b.Layer), LayerCount: uint32(b.Layers),
			}
		}
		dep.ImageMemoryBarrierCount, dep.PImageMemoryBarriers = uint32(n), &list[0]
	}
	if dep.MemoryBarrierCount+dep.BufferMemoryBarrierCount+dep.ImageMemoryBarrierCount == 0 {
		return
	}
	w.stream.CmdPipelineBarrier2(dep)
}
