package gpu_test

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

func trianglePipeline(t testing.TB, dev *gpu.Device, format gpu.Format) *gpu.Pipeline {
	t.Helper()
	layout := must(dev.NewLayout(gpu.LayoutDesc{Name: "triangle"}))(t)
	p := must(dev.NewGraphics(gpu.GraphicsDesc{
		Name: "triangle", Layout: layout, Vertex: shader(t, "triangle.vert"), Fragment: shader(t, "triangle.frag"),
		Color: []gpu.ColorOutput{{Format: format}},
	}))(t)
	t.Cleanup(p.Release)
	return p
}

func TestTriangle(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		t.Run(mode.String(), func(t *testing.T) {
			dev := gputest.Open(t)
			d := newDrawing(t, dev, 64, 64, mode)
			pipeline := trianglePipeline(t, dev, d.target.Format())
			d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
				g.AddPass("triangle", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
					return func(c framegraph.Context) {
						cmd := gpu.From(c)
						cmd.BindPipeline(pipeline)
						cmd.Draw(3, 1, 0, 0)
					}
				})
			}
			for range 3 {
				d.frame()
			}
			pixels := must(d.target.Pixels())(t)
			// The corners are red (top left), green (bottom left), blue (bottom right); the top right is bare.
			for _, want := range []struct {
				x, y  int
				color [4]byte
				name  string
			}{
				{0, 2, [4]byte{245, 8, 2, 255}, "red corner"},
				{1, 61, [4]byte{6, 245, 6, 255}, "green corner"},
				{60, 62, [4]byte{6, 8, 241, 255}, "blue corner"},
				{60, 3, [4]byte{0, 0, 0, 255}, "bare corner"},
				{32, 20, [4]byte{0, 0, 0, 255}, "above the edge"},
			} {
				if got := pixel(pixels, 64, want.x, want.y); !near(got, want.color, 15) {
					t.Errorf("%s at %d,%d: %v, want about %v", want.name, want.x, want.y, got, want.color)
				}
			}
		})
	}
}
