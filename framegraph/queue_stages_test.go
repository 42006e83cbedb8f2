package framegraph_test

import (
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

// A barrier on a queue names only stages that a family which does nothing else supports (Vulkan 1.3 §7.1.2, table of supported
// stages; VUID-vkCmdPipelineBarrier2-srcStageMask-03849).
func TestBarriersSuitTheirQueue(t *testing.T) {
	stages := map[fg.Queue]fg.Stage{
		fg.ComputeQueue:  fg.ComputeShader | fg.AllTransfer | fg.DrawIndirect | fg.HostStage | fg.AllCommands,
		fg.TransferQueue: fg.AllTransfer | fg.HostStage | fg.AllCommands,
	}
	g := fg.New()
	beside := 0
	for seed := range seeds(400) {
		randomGraph(g, seed)
		for _, caps := range []fg.Caps{{AsyncCompute: true, AsyncTransfer: true}, {AsyncTransfer: true}, {AsyncCompute: true, Options: fg.Options{NoReorder: true}}} {
			p := compile(t, g, caps)
			for i := range p.Steps {
				s := &p.Steps[i]
				allowed, ok := stages[s.Queue]
				if !ok {
					continue
				}
				beside++
				check := func(src, dst fg.Stage) {
					if (src|dst)&^allowed != 0 {
						t.Errorf("seed %d: step %s on the %s queue has a barrier of stages %#x to %#x", seed, s.Name, s.Queue, src, dst)
					}
				}
				for _, batch := range []fg.Barriers{s.Before, s.After} {
					for _, b := range batch.Memory {
						check(b.SrcStage, b.DstStage)
					}
					for _, b := range batch.Buffers {
						check(b.SrcStage, b.DstStage)
					}
					for _, b := range batch.Images {
						check(b.SrcStage, b.DstStage)
					}
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if beside < 100 {
		t.Errorf("only %d steps run beside the graphics queue", beside)
	}
}

// A queue that waited for another in the frame before, behind all that it did to a resource, need not wait for that frame's end
// as well; one that didn't must.
func TestAWaitOfTheFrameBeforeIsRemembered(t *testing.T) {
	for _, waits := range []bool{false, true} {
		g := fg.New()
		out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
		a, busy, lit := g.CreateImage("a", color64), g.CreateImage("busy", color64), g.CreateImage("lit", color64)
		rows, sums := g.CreateBuffer("rows", fg.BufferDesc{Bytes: 256}), g.CreateBuffer("sums", fg.BufferDesc{Bytes: 256})
		pass(g, "first", fg.Compute, func(b *fg.Builder) {
			a = b.StorageWriteImage(a, fg.ComputeShader)
			b.Async()
		})
		draws(g, "meanwhile", func(b *fg.Builder) { busy = b.ColorAttachment(busy, fg.DontCare) })
		draws(g, "reads", func(b *fg.Builder) {
			b.Sample(a, fg.FragmentShader)
			rows = b.StorageWrite(rows, fg.FragmentShader)
			lit = b.ColorAttachment(lit, fg.DontCare)
		})
		if waits {
			pass(g, "second", fg.Compute, func(b *fg.Builder) {
				b.StorageRead(rows, fg.ComputeShader)
				sums = b.StorageWrite(sums, fg.ComputeShader)
				b.Async()
			})
		}
		draws(g, "meanwhile again", func(b *fg.Builder) {
			b.Sample(busy, fg.FragmentShader)
			lit = b.ColorAttachment(lit, fg.Load)
		})
		draws(g, "out", func(b *fg.Builder) {
			b.Sample(lit, fg.FragmentShader)
			if waits {
				b.StorageRead(sums, fg.FragmentShader)
			}
			out = b.ColorAttachment(out, fg.DontCare)
		})
		p := compile(t, g, fg.Caps{AsyncCompute: true, Options: fg.Options{NoReorder: true}})
		for i := range p.Steps {
			s := &p.Steps[i]
			if s.Name != "first" {
				continue
			}
			if s.Queue != fg.ComputeQueue {
				t.Errorf("%q runs on the %s queue", s.Name, s.Queue)
			}
			if waits && len(s.Waits) != 0 || !waits && (len(s.Waits) != 1 || s.Waits[0].Value != 0) {
				t.Errorf("second waits in the frame before: %v; first waits for %v", waits, s.Waits)
			}
		}
		for _, x := range hazard.Check(p) {
			t.Error(x)
		}
		for _, x := range hazard.Needless(p) {
			t.Error(x)
		}
	}
}
