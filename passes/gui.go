package passes

import (
	"math"
	"unsafe"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/framegraph"
)

// GUI draws Dear ImGui's triangles over the backbuffer.
type GUI struct {
	frame    *Frame
	data     *gui.DrawData
	version  int // of the font atlas on the device
	pipeline *gpu.Pipeline
	font     *gpu.Image
	sampler  *gpu.Sampler
	record   framegraph.Record
	push     [16]byte
}

// NewGUI makes the pass for a backbuffer of the given format.
func NewGUI(f *Frame, backbuffer framegraph.Format) (*GUI, error) {
	d := f.Library.Device
	p := &GUI{frame: f, version: -1}
	p.record = p.draw
	var err error
	if p.sampler, err = d.Sampler(gpu.SamplerDesc{U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true}); err != nil {
		return nil, err
	}
	set, err := textureSet(d, "gui", 1)
	if err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "gui", Sets: []*gpu.SetLayout{set}, Push: len(p.push)})
	if err != nil {
		return nil, err
	}
	p.pipeline, err = d.NewGraphics(gpu.GraphicsDesc{
		Name: "gui", Layout: layout, Vertex: stage("gui.vert", bit(gpu.IsSRGB(backbuffer))), Fragment: stage("gui.frag"),
		Inputs: []gpu.VertexInput{{Stride: int(unsafe.Sizeof(gui.Vertex{})), Attributes: []gpu.Attribute{
			{Location: 0, Format: gpu.Float32x2},
			{Location: 1, Format: gpu.Float32x2, Offset: 8},
			{Location: 2, Format: gpu.Unorm8x4, Offset: 16},
		}}},
		Color: []gpu.ColorOutput{{Format: backbuffer, Blend: gpu.AlphaBlend}},
	})
	return p, err
}

// Show draws data this frame; nil draws nothing. The font atlas is uploaded when
// it is new.
func (p *GUI) Show(atlas gui.Atlas, data *gui.DrawData) error {
	p.data = data
	if data == nil || atlas.Version == p.version {
		return nil
	}
	font, err := p.frame.Library.Device.NewTexture("gui font", atlas.Width, atlas.Height, framegraph.R8Unorm, atlas.Alpha, false)
	if err != nil {
		return err
	}
	p.font.Release()
	p.font, p.version = font, atlas.Version
	return nil
}

// Declare writes the backbuffer.
func (p *GUI) Declare(b *framegraph.Builder) framegraph.Record {
	p.frame.Backbuffer = b.ColorAttachment(p.frame.Backbuffer, framegraph.Load)
	return p.record
}

func (p *GUI) draw(ctx framegraph.Context) {
	d := p.data
	if d == nil || d.IndexCount == 0 || d.Width <= 0 || d.Height <= 0 {
		return
	}
	c := gpu.From(ctx)
	vertices := c.Alloc(d.VertexCount*int(unsafe.Sizeof(gui.Vertex{})), 16)
	indices := c.Alloc(d.IndexCount*2, 16)
	d.CopyVertices(unsafe.Slice((*gui.Vertex)(unsafe.Pointer(&vertices.Bytes[0])), d.VertexCount))
	d.CopyIndices(unsafe.Slice((*uint16)(unsafe.Pointer(&indices.Bytes[0])), d.IndexCount))

	c.BindPipeline(p.pipeline)
	c.Bind(0, gpu.Tex(0, p.font, p.sampler))
	c.BindVertices(0, vertices)
	c.BindIndices(indices, 16)
	sx, sy := 2/d.Width, 2/d.Height
	for i, v := range [4]float32{sx, sy, -1 - d.X*sx, -1 - d.Y*sy} {
		*(*uint32)(unsafe.Pointer(&p.push[4*i])) = math.Float32bits(v)
	}
	c.PushConstants(0, p.push[:])
	for i := range d.Commands {
		cmd := &d.Commands[i]
		if cmd.ClipW <= 0 || cmd.ClipH <= 0 {
			continue
		}
		c.SetScissor(int(cmd.ClipX), int(cmd.ClipY), int(cmd.ClipW), int(cmd.ClipH))
		c.DrawIndexed(int(cmd.IndexCount), 1, int(cmd.IndexOffset), int(cmd.VertexOffset), 0)
	}
}

// Release frees the pipeline and the font.
func (p *GUI) Release() { p.pipeline.Release(); p.font.Release() }
