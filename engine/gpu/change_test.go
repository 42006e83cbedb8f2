package gpu_test

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

// A graph that changes its structure, its size and its mode from frame to frame stays right, and its memory bounded.
func TestChangingGraph(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 48, 48, gpu.Overlapped)
	short, long := *d, *d
	chain(t, dev, &short, 2)
	chain(t, dev, &long, 5)
	var after []uint64
	for round := range 12 {
		if round%4 == 3 {
			if err := d.target.Resize(32+16*(round%3), 48); err != nil {
				t.Fatal(err)
			}
		}
		d.exec.SetMode([]gpu.Mode{gpu.Overlapped, gpu.Serialised}[round/2%2])
		short.frame()
		if w, _ := d.target.Size(); pixel(must(d.target.Pixels())(t), w, 1, 2)[0] < 180 {
			t.Fatalf("round %d, mirrored twice: the top left isn't red", round)
		}
		long.frame()
		if w, _ := d.target.Size(); pixel(must(d.target.Pixels())(t), w, w-1, 2)[0] < 180 {
			t.Fatalf("round %d, mirrored five times: the top right isn't red", round)
		}
		after = append(after, dev.Memory().Reserved)
	}
	if after[len(after)-1] > after[3] {
		t.Errorf("memory grows: %d bytes reserved after 4 rounds, %d after 12", after[3], after[len(after)-1])
	}
}

// A depth image with a stencil plane is an attachment whole, and is sampled by its depth alone.
func TestDepthStencilSampled(t *testing.T) {
	dev := gputest.Open(t)
	caps := dev.Caps()
	format := framegraph.D32FloatS8Uint
	if !caps.Supports(format, framegraph.UsageDepthAttachment|framegraph.UsageSampled) {
		t.Skip("the device has no such format")
	}
	d := newDrawing(t, dev, 16, 16, gpu.Overlapped)
	mirror := samplePipeline(t, dev, d.target.Format())
	nearest := must(dev.Sampler(gpu.SamplerDesc{Mag: gpu.Nearest, Min: gpu.Nearest, NoMips: true}))(t)
	d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
		depth := g.CreateImage("depth", framegraph.ImageDesc{Format: format, Width: 16, Height: 16})
		g.AddPass("clear", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			depth = b.DepthAttachment(depth, framegraph.ClearDepth(1))
			return func(framegraph.Context) {}
		})
		g.AddPass("show", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.Sample(depth, framegraph.FragmentShader)
			b.ColorAttachment(screen, framegraph.DontCare)
			depth := depth
			return func(c framegraph.Context) {
				cmd := gpu.From(c)
				scale := cmd.Alloc(16, 0)
				copy(scale.Bytes, bytesOf[float32](1, 1, 1, 1))
				cmd.BindPipeline(mirror)
				cmd.Bind(0, gpu.Tex(0, cmd.Image(depth), nearest), gpu.Uniform(1, scale))
				cmd.Draw(3, 1, 0, 0)
			}
		})
	}
	d.frame()
	if got := pixel(must(d.target.Pixels())(t), 16, 8, 8); got[0] != 255 {
		t.Errorf("%v, want a red of 255", got)
	}
}
