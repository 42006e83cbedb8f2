package gpu_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

func bytesOf[T any](v ...T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(zero)))
}

// samplePipeline draws the screen from a sampled image, mirrored and scaled by a uniform.
func samplePipeline(t testing.TB, dev *gpu.Device, format gpu.Format) *gpu.Pipeline {
	t.Helper()
	set := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "sample", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 1, Kind: gpu.UniformRange, Stages: gpu.FragmentStage},
	}}))(t)
	layout := must(dev.NewLayout(gpu.LayoutDesc{Name: "sample", Sets: []*gpu.SetLayout{set}}))(t)
	return must(dev.NewGraphics(gpu.GraphicsDesc{
		Name: "sample", Layout: layout, Vertex: shader(t, "full.vert"), Fragment: shader(t, "sample.frag"),
		Color: []gpu.ColorOutput{{Format: format}},
	}))(t)
}

// chain draws a triangle into a transient, passes it through n mirrorings, and to the screen.
func chain(t testing.TB, dev *gpu.Device, d *drawing, n int) {
	t.Helper()
	const format = framegraph.RGBA8Unorm
	triangle, mirror := trianglePipeline(t, dev, format), samplePipeline(t, dev, format)
	nearest := must(dev.Sampler(gpu.SamplerDesc{Mag: gpu.Nearest, Min: gpu.Nearest, U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true}))(t)
	d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
		w, h := d.target.Size()
		image := g.CreateImage("triangle", framegraph.ImageDesc{Format: format, Width: w, Height: h})
		g.AddPass("triangle", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			image = b.ColorAttachment(image, framegraph.Clear(0, 0, 0, 1))
			return func(c framegraph.Context) {
				gpu.From(c).BindPipeline(triangle)
				gpu.From(c).Draw(3, 1, 0, 0)
			}
		})
		for i := range n {
			to := screen
			if i < n-1 {
				to = g.CreateImage("mirrored", framegraph.ImageDesc{Format: format, Width: w, Height: h})
			}
			from := image
			g.AddPass("mirror", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
				b.Sample(from, framegraph.FragmentShader)
				to = b.ColorAttachment(to, framegraph.DontCare)
				return func(c framegraph.Context) {
					cmd := gpu.From(c)
					scale := cmd.Alloc(16, 0)
					copy(scale.Bytes, bytesOf[float32](1, 1, 1, 1))
					cmd.BindPipeline(mirror)
					cmd.Bind(0, gpu.Tex(0, cmd.Image(from), nearest), gpu.Uniform(1, scale))
					cmd.Draw(3, 1, 0, 0)
				}
			})
			image = to
		}
	}
}

func TestTransientSampled(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 64, 64, gpu.Overlapped)
	chain(t, dev, d, 1)
	for range 3 {
		d.frame()
	}
	pixels := must(d.target.Pixels())(t)
	for _, want := range []struct {
		x, y  int
		color [4]byte
	}{{63, 2, [4]byte{246, 8, 2, 255}}, {62, 61, [4]byte{6, 245, 6, 255}}, {3, 62, [4]byte{6, 8, 241, 255}}, {3, 3, [4]byte{0, 0, 0, 255}}} {
		if got := pixel(pixels, 64, want.x, want.y); !near(got, want.color, 40) {
			t.Errorf("%d,%d: %v, want about %v", want.x, want.y, got, want.color)
		}
	}
}

// Aliasing, merging, reordering and the mode change what runs how, never a picture.
func TestOptionsChangeNoPicture(t *testing.T) {
	dev := gputest.Open(t)
	var first []byte
	memory := map[bool]uint64{}
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		for _, options := range []framegraph.Options{{}, {NoAlias: true}, {NoMerge: true}, {NoReorder: true}, {NoCull: true}} {
			d := newDrawing(t, dev, 60, 44, mode)
			d.caps.Options = options
			chain(t, dev, d, 6)
			for range 4 {
				d.frame()
			}
			memory[options.NoAlias] = dev.Memory().Transient
			pixels := must(d.target.Pixels())(t)
			if first == nil {
				first = pixels
			} else if !bytes.Equal(first, pixels) {
				t.Errorf("%v, %+v: another picture", mode, options)
			}
			d.exec.Release()
			d.target.Release()
			if err := dev.WaitIdle(); err != nil {
				t.Fatal(err)
			}
			if n := dev.Memory().Transient; n != 0 {
				t.Errorf("%v, %+v: %d bytes of transients after the executor's release", mode, options, n)
			}
		}
	}
	if memory[false] >= memory[true] {
		t.Errorf("transients take %d bytes aliased, %d apart", memory[false], memory[true])
	}
}

func TestComputeThenGraphics(t *testing.T) {
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		t.Run(mode.String(), func(t *testing.T) {
			dev := gputest.Open(t)
			d := newDrawing(t, dev, 64, 64, mode)
			fillSet := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "fill", Bindings: []gpu.Binding{
				{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.ComputeStage}, {Slot: 1, Kind: gpu.StorageTexture, Stages: gpu.ComputeStage},
			}}))(t)
			code := shader(t, "fill.comp")
			code.Const = map[uint32]uint32{0: 51}
			fill := must(dev.NewCompute(gpu.ComputeDesc{Name: "fill", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{fillSet}}))(t), Shader: code}))(t)
			drawSet := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "rows", Bindings: []gpu.Binding{
				{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.FragmentStage}, {Slot: 1, Kind: gpu.Texture, Stages: gpu.FragmentStage},
			}}))(t)
			draw := must(dev.NewGraphics(gpu.GraphicsDesc{
				Name: "rows", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{drawSet}}))(t),
				Vertex: shader(t, "full.vert"), Fragment: shader(t, "rows.frag"), Color: []gpu.ColorOutput{{Format: d.target.Format()}},
			}))(t)
			d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
				rows := g.CreateBuffer("rows", framegraph.BufferDesc{Bytes: 64 * 16})
				picture := g.CreateImage("picture", framegraph.ImageDesc{Format: framegraph.RGBA8Unorm, Width: 64, Height: 64})
				g.AddPass("fill", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
					rows = b.StorageWrite(rows, framegraph.ComputeShader)
					picture = b.StorageWriteImage(picture, framegraph.ComputeShader)
					rows, picture := rows, picture
					return func(c framegraph.Context) {
						cmd := gpu.From(c)
						cmd.BindPipeline(fill)
						cmd.Bind(0, gpu.StorageBytes(0, cmd.Buffer(rows)), gpu.StorageImage(1, cmd.Image(picture), gpu.View{}))
						cmd.Dispatch(1, 1, 1)
					}
				})
				g.AddPass("draw", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.StorageRead(rows, framegraph.FragmentShader)
					b.Sample(picture, framegraph.FragmentShader)
					b.ColorAttachment(screen, framegraph.DontCare)
					return func(c framegraph.Context) {
						cmd := gpu.From(c)
						cmd.BindPipeline(draw)
						cmd.Bind(0, gpu.StorageBytes(0, cmd.Buffer(rows)), gpu.Tex(1, cmd.Image(picture), nil))
						cmd.Draw(3, 1, 0, 0)
					}
				})
			}
			for range 3 {
				d.frame()
			}
			pixels := must(d.target.Pixels())(t)
			unorm := func(v float64) byte { return byte(math.Round(255 * v)) }
			if got, want := pixel(pixels, 64, 10, 40), [4]byte{unorm(40. / 63), unorm(51. / 255), 0, 255}; !near(got, want, 2) {
				t.Errorf("from the buffer: %v, want %v", got, want)
			}
			if got, want := pixel(pixels, 64, 50, 40), [4]byte{unorm(50. / 63), unorm(40. / 63), 255, 255}; !near(got, want, 3) {
				t.Errorf("from the image: %v, want %v", got, want)
			}
		})
	}
}

// Vertices from the ring and from a buffer, indexed, instanced, pushed about.
func TestMesh(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 64, 64, gpu.Overlapped)
	mesh := must(dev.NewGraphics(gpu.GraphicsDesc{
		Name: "mesh", Layout: must(dev.NewLayout(gpu.LayoutDesc{Name: "mesh", Push: 8, PushStages: gpu.VertexStage}))(t),
		Vertex: shader(t, "mesh.vert"), Fragment: shader(t, "triangle.frag"), Cull: gpu.CullBack,
		Inputs: []gpu.VertexInput{
			{Stride: 8, Attributes: []gpu.Attribute{{Location: 0, Format: gpu.Float32x2}}},
			{Stride: 4, Instance: true, Attributes: []gpu.Attribute{{Location: 1, Format: gpu.Unorm8x4}}},
		},
		Depth: gpu.Depth{Format: framegraph.D32Float, Compare: gpu.GreaterEqual, Write: true},
		Color: []gpu.ColorOutput{{Format: d.target.Format(), Blend: gpu.Additive}},
	}))(t)
	// A square of 10 pixels: seen from the front its corners go counter-clockwise.
	indices := bytesOf[uint16](0, 1, 2, 0, 2, 3)
	ib := must(dev.NewBuffer(gpu.BufferDesc{Name: "indices", Size: len(indices), Usage: framegraph.BufferIndex}))(t)
	u := dev.NewUpload()
	if err := errors.Join(u.Buffer(ib, 0, indices), u.Flush()); err != nil {
		t.Fatal(err)
	}
	d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
		depth := g.CreateImage("depth", framegraph.ImageDesc{Format: framegraph.D32Float, Size: framegraph.Relative(screen, 1)})
		g.AddPass("mesh", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
			b.ColorAttachment(screen, framegraph.Clear(0, 0, 0, 1))
			b.DepthAttachment(depth, framegraph.ClearDepth(0))
			return func(c framegraph.Context) {
				cmd := gpu.From(c)
				if w, h := cmd.Extent(); w != 64 || h != 64 {
					t.Errorf("extent %d×%d", w, h)
				}
				square, colors := cmd.Alloc(32, 0), cmd.Alloc(8, 4)
				copy(square.Bytes, bytesOf[float32](0, 0, 0, 10, 10, 10, 10, 0))
				copy(colors.Bytes, []byte{255, 0, 0, 255, 0, 255, 0, 255})
				cmd.BindPipeline(mesh)
				cmd.BindVertices(0, square)
				cmd.BindVertices(1, colors)
				cmd.BindIndices(ib.Range(0, -1), 16)
				cmd.PushConstants(0, bytesOf[float32](4, 4))
				cmd.DrawIndexed(6, 2, 0, 0, 0) // red and green, added
				cmd.PushConstants(0, bytesOf[float32](30, 4))
				cmd.DrawIndexed(6, 1, 0, 0, 1) // green
				cmd.SetScissor(-10, 40, 15, 100)
				cmd.PushConstants(0, bytesOf[float32](0, 40))
				cmd.DrawIndexed(6, 1, 0, 0, 0) // red, half cut off
			}
		})
	}
	d.frame()
	pixels := must(d.target.Pixels())(t)
	for _, want := range []struct {
		x, y  int
		color [4]byte
	}{
		{9, 9, [4]byte{255, 255, 0, 255}}, {35, 9, [4]byte{0, 255, 0, 255}}, {20, 9, [4]byte{0, 0, 0, 255}},
		{2, 45, [4]byte{255, 0, 0, 255}}, {7, 45, [4]byte{0, 0, 0, 255}}, {9, 16, [4]byte{0, 0, 0, 255}},
	} {
		if got := pixel(pixels, 64, want.x, want.y); got != want.color {
			t.Errorf("%d,%d: %v, want %v", want.x, want.y, got, want.color)
		}
	}
	rows := d.exec.Timings()
	for range 2 { // Overlapped: two frames later
		d.frame()
		rows = d.exec.Timings()
	}
	if len(rows) != 1 || rows[0].Name != "mesh" || rows[0].Draws != 3 || rows[0].Triangles != 8 || rows[0].Vertices != 24 {
		t.Errorf("rows %+v: want mesh with 3 draws, 8 triangles, 24 vertices", rows)
	}
}

// Errors in a frame name the pass, and the next frame works.
func TestPassMistakes(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 16, 16, gpu.Overlapped)
	pipeline := samplePipeline(t, dev, d.target.Format())
	released := must(dev.NewBuffer(gpu.BufferDesc{Name: "gone", Size: 64, Usage: framegraph.BufferVertex}))(t)
	gone := released.Range(0, -1)
	released.Release()
	for name, record := range map[string]func(cmd *gpu.Commands){
		"before BindPipeline": func(cmd *gpu.Commands) { cmd.Draw(3, 1, 0, 0) },
		"no set 3":            func(cmd *gpu.Commands) { cmd.BindPipeline(pipeline); cmd.Bind(3) },
		"no binding 7":        func(cmd *gpu.Commands) { cmd.BindPipeline(pipeline); cmd.Bind(0, gpu.Tex(7, nil, nil)) },
		"another kind":        func(cmd *gpu.Commands) { cmd.BindPipeline(pipeline); cmd.Bind(0, gpu.Tex(1, nil, nil)) },
		"was released":        func(cmd *gpu.Commands) { cmd.BindVertices(0, gone) },
		"names no image":      func(cmd *gpu.Commands) { cmd.Image(framegraph.Image{}) },
		"my own":              func(cmd *gpu.Commands) { cmd.Fail(errors.New("my own")) },
	} {
		t.Run(name, func(t *testing.T) {
			d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
				g.AddPass("outline", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
					b.ColorAttachment(screen, framegraph.Clear(1, 1, 1, 1))
					return func(c framegraph.Context) { record(gpu.From(c)) }
				})
			}
			if err := d.tryFrame(); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "pass outline") {
				t.Errorf("error %v should name pass outline and say %q", err, name)
			}
		})
	}
	t.Run("phase", func(t *testing.T) {
		d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
			g.AddPhase("scripts", func(b *framegraph.Builder) func() error {
				return func() error { return errors.New("nil entity") }
			})
		}
		if err := d.tryFrame(); err == nil || !strings.Contains(err.Error(), "phase scripts: nil entity") {
			t.Errorf("error %v should name the phase", err)
		}
	})
	t.Run("stand-ins", func(t *testing.T) {
		d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
			g.AddPass("bare", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
				b.ColorAttachment(screen, framegraph.Clear(1, 1, 1, 1))
				return func(c framegraph.Context) {
					cmd := gpu.From(c)
					cmd.BindPipeline(pipeline)
					cmd.Bind(0) // white times nothing
					cmd.Draw(3, 1, 0, 0)
				}
			})
		}
		d.frame()
		if got := pixel(must(d.target.Pixels())(t), 16, 8, 8); got != [4]byte{} {
			t.Errorf("%v, want zeros", got)
		}
	})
}
