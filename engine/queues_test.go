package engine_test

import (
	"image"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
	"github.com/bindpose/bindpose/internal/golden"
)

// The engine's frame with both effects is the same bit for bit where ambient
// occlusion runs on a queue beside the shadow map, while effects come and go.
func TestQueuesChangeNoFrame(t *testing.T) {
	var want []*image.NRGBA
	for _, o := range []engine.Options{
		{Mode: gpu.Overlapped, Queues: gpu.OneQueue},
		{Mode: gpu.Overlapped, Queues: gpu.SplitQueues},
		{Mode: gpu.Overlapped, Queues: gpu.SplitQueues, Workers: 3},
		{Mode: gpu.Serialised, Queues: gpu.SplitQueues},
	} {
		e, ssao, bloom := shapes(t, o)
		before := uint64(0)
		for n := range 12 {
			ssao.Off, bloom.Off = n%4 == 3, n/2%2 == 1
			enginetest.Frames(t, e, 1, 1.0/60)
			subs := e.Device.Submissions()
			if o.Mode == gpu.Overlapped {
				for _, p := range hazard.Check(gputest.Executed(t, e.Plan(), subs, before)) {
					t.Errorf("frame %d, %+v: %v", n, o, p)
				}
			}
			before = subs[len(subs)-1].Value
			if o.Queues == gpu.SplitQueues && o.Mode == gpu.Overlapped && !ssao.Off {
				beside, waits := 0, 0
				for _, s := range subs {
					if s.Queue == framegraph.ComputeQueue {
						beside += len(s.Steps)
					}
					for _, w := range s.Waits {
						if w.Queue != s.Queue {
							waits++
						}
					}
				}
				if beside != 2 || waits < 2 {
					t.Errorf("frame %d: %d passes ran on the compute queue, with %d waits between queues", n, beside, waits)
				}
			}
			picture := enginetest.Picture(t, e)
			if len(want) <= n {
				want = append(want, picture)
				continue
			}
			golden.Same(t, picture, want[n])
		}
		e.Close()
	}
}
