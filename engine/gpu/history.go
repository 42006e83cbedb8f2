package gpu

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// history is a value that passes from frame to frame: two halves, of which one holds the last frame's value while the other
// takes this frame's.
type history struct {
	name    string
	image   framegraph.ImageDesc
	buffer  framegraph.BufferDesc
	images  [2]*Image
	buffers [2]*Buffer
	last    int    // the half that holds the last frame's value
	run     uint64 // the execution that used it last, 0 where it holds nothing
	kept    bool   // the plan being realised has it
}

func (h *history) release() {
	for i := range h.images {
		h.images[i].Release()
		h.buffers[i].Release()
	}
}

// remember finds the histories of a plan among those of the plan before, makes those that are new, and lets go of the rest.
func (e *Executor) remember(p *framegraph.Plan) error {
	for _, h := range e.histories {
		h.kept = false
	}
	e.past = make([]*history, len(p.Resources))
	for i := range p.Resources {
		last := &p.Resources[i]
		if last.Origin != framegraph.LastFrame || last.First < 0 && p.Resources[last.Pair].First < 0 {
			continue
		}
		h := e.historyOf(last)
		if h == nil {
			h = &history{name: last.Name, image: last.Image, buffer: last.Buffer}
			e.histories = append(e.histories, h)
			if err := e.d.makeHistory(h, last); err != nil {
				return fmt.Errorf("resource %s: %w", last.Name, err)
			}
		}
		h.kept = true
		e.past[i], e.past[last.Pair] = h, h
	}
	n := 0
	for _, h := range e.histories {
		if !h.kept {
			h.release()
			continue
		}
		e.histories[n] = h
		n++
	}
	clear(e.histories[n:])
	e.histories = e.histories[:n]
	return nil
}

func (e *Executor) historyOf(res *framegraph.Resource) *history {
	for _, h := range e.histories {
		if !h.kept && h.name == res.Name && h.image == res.Image && h.buffer == res.Buffer {
			return h
		}
	}
	return nil
}

// makeHistory makes both halves, fit for whatever the format can do: a plan that uses them otherwise must not lose the value.
func (d *Device) makeHistory(h *history, res *framegraph.Resource) error {
	var err error
	for i := range h.images {
		if res.IsBuffer {
			const all = framegraph.BufferUniform | framegraph.BufferStorage | framegraph.BufferIndex | framegraph.BufferVertex | framegraph.BufferIndirect
			if h.buffers[i], err = d.NewBuffer(BufferDesc{Name: h.name, Size: (int(h.buffer.Bytes) + 3) &^ 3, Usage: all}); err != nil {
				return err
			}
			continue
		}
		desc := imageOf(res)
		for _, u := range [...]framegraph.ImageUsage{framegraph.UsageTransferSrc, framegraph.UsageTransferDst, framegraph.UsageSampled, framegraph.UsageStorage, framegraph.UsageColorAttachment, framegraph.UsageDepthAttachment} {
			if d.supports(desc.Format, u) && (u != framegraph.UsageStorage || desc.Samples == 1) {
				desc.Usage |= u
			}
		}
		if h.images[i], err = d.NewImage(desc); err != nil {
			return err
		}
	}
	return nil
}

// recall gives each history's halves their places for this frame, and brings the last frame's value into the state the plan
// finds it in: where there is none, it gets its first one.
func (e *Executor) recall(f *Frame, p *framegraph.Plan, switched bool) {
	for i, h := range e.past {
		last := &p.Resources[i]
		if h == nil || last.Origin != framegraph.LastFrame {
			continue
		}
		e.images[i], e.buffers[i] = h.images[h.last], h.buffers[h.last]
		e.images[last.Pair], e.buffers[last.Pair] = h.images[1-h.last], h.buffers[1-h.last]
		if last.First < 0 {
			continue
		}
		m, b := e.images[i], e.buffers[i]
		switch {
		case h.run == e.runs-1 && h.run != 0:
			if switched && m != nil && m.layout != last.Arrive.Layout {
				e.moveHistory(f, m, m.layout, last.Arrive.Layout)
			}
		case b != nil:
			e.moveHistory(f, nil, 0, 0)
			f.stream.CmdFillBuffer(b.handle, 0, vk.WHOLE_SIZE, last.Start[0])
			e.moveHistory(f, nil, 0, 0)
		default:
			e.moveHistory(f, m, framegraph.LayoutUndefined, framegraph.LayoutTransferDst)
			all := [1]vk.ImageSubresourceRange{{AspectMask: vk.ImageAspectFlags(m.desc.Format.Aspect()), LevelCount: uint32(m.desc.Mips), LayerCount: uint32(m.desc.Layers)}}
			if m.desc.Format.IsDepth() {
				v := vk.ClearDepthStencilValue{Depth: math.Float32frombits(last.Start[0]), Stencil: last.Start[1]}
				f.stream.CmdClearDepthStencilImage(m.handle, vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &v, all[:])
			} else {
				v := vk.ClearColorValue(last.Start)
				f.stream.CmdClearColorImage(m.handle, vk.IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, &v, all[:])
			}
			e.moveHistory(f, m, framegraph.LayoutTransferDst, last.Arrive.Layout)
		}
	}
}

// moveHistory changes an image's layout, after everything before and before everything after; without an image it only
// keeps that order. It is for the rare frames that begin a history or another plan.
func (e *Executor) moveHistory(f *Frame, m *Image, from, to framegraph.Layout) {
	full := fullBarrier(&f.arena)
	dep := vk.New[vk.DependencyInfo](&f.arena)
	if m == nil {
		dep.MemoryBarrierCount, dep.PMemoryBarriers = 1, full
		f.stream.CmdPipelineBarrier2(dep)
		return
	}
	b := vk.New[vk.ImageMemoryBarrier2](&f.arena)
	b.SrcStageMask, b.SrcAccessMask, b.DstStageMask, b.DstAccessMask = full.SrcStageMask, full.SrcAccessMask, full.DstStageMask, full.DstAccessMask
	b.OldLayout, b.NewLayout = vk.ImageLayout(from), vk.ImageLayout(to)
	b.SrcQueueFamilyIndex, b.DstQueueFamilyIndex = vk.QUEUE_FAMILY_IGNORED, vk.QUEUE_FAMILY_IGNORED
	b.Image = m.handle
	b.SubresourceRange = vk.ImageSubresourceRange{AspectMask: vk.ImageAspectFlags(m.desc.Format.Aspect()), LevelCount: uint32(m.desc.Mips), LayerCount: uint32(m.desc.Layers)}
	dep.ImageMemoryBarrierCount, dep.PImageMemoryBarriers = 1, b
	f.stream.CmdPipelineBarrier2(dep)
	m.layout = to
}

// turn lets what this frame wrote be the next frame's last.
func (e *Executor) turn(p *framegraph.Plan) {
	for i, h := range e.past {
		last := &p.Resources[i]
		if h == nil || last.Origin != framegraph.LastFrame || last.First < 0 {
			continue
		}
		h.run = e.runs
		half := i
		if next := &p.Resources[last.Pair]; next.Turns {
			h.last = 1 - h.last
			half = last.Pair
		}
		if m := e.images[half]; m != nil {
			m.layout = p.Resources[half].Final.Layout
		}
	}
}

// forget all values: a frame failed, and its commands with it.
func (e *Executor) forget() {
	for _, h := range e.histories {
		h.run = 0
	}
}
