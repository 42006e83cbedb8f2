package gpu_test

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// A pass of 1,000 draws, each with push constants or a set of its own, recorded, replayed and driven: what a frame costs
// the CPU besides the drawing (the triangles lie outside the screen).
func BenchmarkPass1000Draws(b *testing.B) {
	dev := must(gpu.Open(gpu.Options{CacheDir: b.TempDir()}))(b)
	defer dev.Close()
	for _, kind := range []string{"push", "bind"} {
		b.Run(kind, func(b *testing.B) {
			d := newDrawing(b, dev, 16, 16, gpu.Overlapped)
			set := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "steps", Bindings: []gpu.Binding{{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.FragmentStage}}}))(b)
			pipeline := must(dev.NewGraphics(gpu.GraphicsDesc{
				Name: "draws", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{set}, Push: 16}))(b),
				Vertex: shader(b, "full.vert"), Fragment: shader(b, "heavy.frag"), Color: []gpu.ColorOutput{{Format: d.target.Format()}},
			}))(b)
			push := make([]byte, 16)
			var record framegraph.Record = func(c framegraph.Context) {
				cmd := gpu.From(c)
				cmd.BindPipeline(pipeline)
				cmd.SetScissor(0, 0, 0, 0)
				r := cmd.Alloc(4, 0)
				*(*[4]byte)(r.Bytes) = [4]byte{}
				cmd.Bind(0, gpu.StorageBytes(0, r))
				for range 1000 {
					if kind == "push" {
						cmd.PushConstants(0, push)
					} else {
						cmd.Bind(0, gpu.StorageBytes(0, r))
					}
					cmd.Draw(3, 1, 0, 0)
				}
			}
			var screen framegraph.Image
			declare := func(x *framegraph.Builder) framegraph.Record {
				x.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
				return record
			}
			d.declare = func(g *framegraph.Graph, s framegraph.Image) {
				screen = s
				g.AddPass("draws", framegraph.Graphics, declare)
			}
			for range 4 {
				d.frame()
			}
			b.ReportAllocs()
			var recorded float64
			for b.Loop() {
				d.frame()
				recorded += d.exec.Timings()[0].Record
			}
			b.ReportMetric(recorded/float64(b.N)*1e9/1000, "ns/draw-recorded")
		})
	}
}
