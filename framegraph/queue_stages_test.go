package framegraph_test

import (
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
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
