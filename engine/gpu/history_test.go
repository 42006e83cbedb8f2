package gpu_test

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

// unormByte is how an 8-bit UNORM format stores v.
func unormByte(v float64) byte { return byte(math.Round(255 * v)) }

// Each frame writes half of the red that the frame before left: 1, then 1/2, 1/4, …
func TestHistory(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		t.Run(mode.String(), func(t *testing.T) {
			dev := gputest.Open(t)
			d := newDrawing(t, dev, 16, 16, mode)
			const format = framegraph.RGBA16Float
			halve, show := samplePipeline(t, dev, format), samplePipeline(t, dev, d.target.Format())
			side, use, extra := 16, true, false
			fade := func(c framegraph.Context, p *gpu.Pipeline, from framegraph.Image, red float32) {
				cmd := gpu.From(c)
				scale := cmd.Alloc(16, 0)
				copy(scale.Bytes, bytesOf(red, 1, 1, 1))
				cmd.BindPipeline(p)
				cmd.Bind(0, gpu.Tex(0, cmd.Image(from), nil), gpu.Uniform(1, scale))
				cmd.Draw(3, 1, 0, 0)
			}
			d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
				desc := framegraph.ImageDesc{Format: format, Width: side, Height: side}
				if !use {
					g.AddPass("bare", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
						b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
						return nil
					})
					return
				}
				last, next := g.HistoryImage("faded", desc, framegraph.Clear(1, 0.5, 0.25, 1))
				g.AddPass("halve", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.Sample(last, framegraph.FragmentShader)
					next = b.ColorAttachment(next, framegraph.DontCare)
					return func(c framegraph.Context) { fade(c, halve, last, 0.5) }
				})
				if extra { // another plan: the value must outlive it, and here be found by a copy first
					copied := g.CreateImage("copied", desc)
					g.AddPass("copy", framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
						b.SideEffect()
						b.TransferReadImage(last)
						to := b.TransferWriteImage(copied)
						return func(c framegraph.Context) {
							gpu.From(c).CopyImage(gpu.From(c).Image(to), gpu.From(c).Image(last))
						}
					})
				}
				g.AddPass("show", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.Sample(next, framegraph.FragmentShader)
					screen = b.ColorAttachment(screen, framegraph.DontCare)
					return func(c framegraph.Context) { fade(c, show, next, 1) }
				})
			}
			want := 1.0
			check := func(what string) {
				t.Helper()
				d.frame()
				want /= 2
				if got, want := pixel(must(d.target.Pixels())(t), 16, 8, 8), ([4]byte{unormByte(want), unormByte(0.5), unormByte(0.25), 255}); !near(got, want, 1) {
					t.Errorf("%s: %v, want %v", what, got, want)
				}
			}
			for range 4 {
				check("a steady frame")
			}
			extra = true
			check("another plan")
			check("another plan again")
			extra = false
			check("the first plan")
			use = false
			d.frame()
			use, want = true, 1
			check("after a frame without it")
			check("and one more")
			side, want = 8, 1
			check("another size")
		})
	}
}

// A buffer's history counts frames by copies: each frame's is what the last one held.
func TestHistoryBuffer(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 8, 8, gpu.Overlapped)
	out := must(dev.NewBuffer(gpu.BufferDesc{Name: "out", Size: 16, Host: true}))(t)
	d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
		last, next := g.HistoryBuffer("value", framegraph.BufferDesc{Bytes: 16}, 7)
		seen := g.ImportBuffer("out", framegraph.BufferDesc{Bytes: 16}, out.Import(framegraph.State{}, framegraph.State{}))
		g.AddPass("fill", framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
			b.TransferRead(last)
			seen = b.TransferWrite(seen)
			to := seen
			next = b.TransferWrite(next)
			return func(c framegraph.Context) {
				cmd := gpu.From(c)
				cmd.CopyBuffer(cmd.Buffer(to), cmd.Buffer(last))
				cmd.FillBuffer(cmd.Buffer(next), 100+uint32(cmd.Frame().Index()))
			}
		})
		g.AddPass("read", framegraph.Transfer, func(b *framegraph.Builder) framegraph.Record {
			b.HostReadBuffer(seen)
			return nil
		})
		g.AddPass("screen", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
			return nil
		})
	}
	for i, want := range []byte{7, 100, 101} {
		d.frame()
		if err := dev.WaitIdle(); err != nil {
			t.Fatal(err)
		}
		if got := out.Bytes()[0]; got != want {
			t.Errorf("frame %d: %d, want %d", i, got, want)
		}
	}
}

// Four samples a texel, resolved: the triangle's edge is neither its colour nor the background, and its inside is as without.
func TestResolve(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		t.Run(mode.String(), func(t *testing.T) {
			dev := gputest.Open(t)
			d := newDrawing(t, dev, 64, 64, mode)
			layout := must(dev.NewLayout(gpu.LayoutDesc{Name: "triangle"}))(t)
			const format = framegraph.RGBA8Srgb
			draw := func(samples int) *gpu.Pipeline {
				return must(dev.NewGraphics(gpu.GraphicsDesc{
					Name: "triangle", Layout: layout, Vertex: shader(t, "triangle.vert"), Fragment: shader(t, "triangle.frag"),
					Color: []gpu.ColorOutput{{Format: format}}, Samples: samples,
				}))(t)
			}
			one, four, show := draw(1), draw(4), samplePipeline(t, dev, d.target.Format())
			var pictures [2][]byte
			for i, samples := range []int{1, 4} {
				d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
					desc := framegraph.ImageDesc{Format: format, Width: 64, Height: 64}
					single := g.CreateImage("single", desc)
					desc.Samples = samples
					multi := g.CreateImage("multi", desc)
					pass := func(name string, resolve bool) {
						g.AddPass(name, framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
							switch {
							case samples == 1:
								single = b.ColorAttachment(single, framegraph.Clear(0, 0, 0, 1))
							case resolve:
								multi = b.ColorAttachment(multi, framegraph.Load)
								single = b.Resolve(multi, single)
							default:
								multi = b.ColorAttachment(multi, framegraph.Clear(0, 0, 0, 1))
							}
							return func(c framegraph.Context) {
								cmd := gpu.From(c)
								cmd.BindPipeline(map[int]*gpu.Pipeline{1: one, 4: four}[samples])
								cmd.Draw(3, 1, 0, 0)
							}
						})
					}
					pass("triangle", false)
					pass("again", true) // joins the scope, at whose end the samples are resolved
					g.AddPass("show", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
						b.Sample(single, framegraph.FragmentShader)
						screen = b.ColorAttachment(screen, framegraph.DontCare)
						return func(c framegraph.Context) {
							cmd := gpu.From(c)
							scale := cmd.Alloc(16, 0)
							copy(scale.Bytes, bytesOf[float32](1, 1, 1, 1))
							cmd.BindPipeline(show)
							cmd.Bind(0, gpu.Tex(0, cmd.Image(single), nil), gpu.Uniform(1, scale))
							cmd.Draw(3, 1, 0, 0)
						}
					})
				}
				for range 3 {
					d.frame()
				}
				pictures[i] = must(d.target.Pixels())(t)
			}
			edge := 0
			for y := range 64 {
				for x := range 64 {
					a, b := pixel(pictures[0], 64, x, y), pixel(pictures[1], 64, x, y)
					inside := x > 0 && x < 63 && y > 0 && y < 63
					for _, dx := range []int{-1, 0, 1} {
						inside = inside && x+dx >= 0 && x+dx < 64 && pixel(pictures[0], 64, x+dx, y) != [4]byte{0, 0, 0, 255}
					}
					switch {
					case inside && !near(a, b, 12):
						t.Fatalf("inside, at %d,%d: %v, without samples %v", x, y, b, a)
					case !near(a, b, 12):
						edge++
					}
				}
			}
			if edge < 32 || edge > 256 {
				t.Errorf("%d pixels differ, want about the 64 of the edge", edge)
			}
		})
	}
}
