package passes

import (
	"unsafe"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Collider draws lines: render.Frame.Lines, hidden by what stands in front, and
// then render.Frame.Overlay over everything. It draws nothing where there are
// none.
type Collider struct {
	frame           *Frame
	hidden, overlay *gpu.Pipeline
	record          framegraph.Record
}

// NewCollider makes the pass.
func NewCollider(f *Frame) (*Collider, error) {
	d := f.Library.Device
	p := &Collider{frame: f}
	p.record = p.draw
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "collider", Sets: []*gpu.SetLayout{f.Library.FrameSet}})
	if err != nil {
		return nil, err
	}
	desc := gpu.GraphicsDesc{
		Name: "collider", Layout: layout, Vertex: stage("collider.vert"), Fragment: stage("collider.frag"),
		Inputs: []gpu.VertexInput{{Stride: int(unsafe.Sizeof(render.LineVertex{})), Attributes: []gpu.Attribute{
			{Location: 0, Format: gpu.Float32x3},
			{Location: 1, Format: gpu.Float32x4, Offset: 12},
		}}},
		Topology: gpu.Lines,
		Depth:    gpu.Depth{Format: DepthFormat, Compare: gpu.GreaterEqual},
		Color:    []gpu.ColorOutput{{Format: ColorFormat, Blend: gpu.AlphaBlend}},
	}
	if p.hidden, err = d.NewGraphics(desc); err != nil {
		return nil, err
	}
	desc.Depth.Compare = gpu.Always
	p.overlay, err = d.NewGraphics(desc)
	return p, err
}

// Declare reads depth and writes the color image.
func (p *Collider) Declare(b *framegraph.Builder) framegraph.Record {
	b.DepthReadOnly(p.frame.Depth)
	p.frame.Color = b.ColorAttachment(p.frame.Color, framegraph.Load)
	return p.record
}

func (p *Collider) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	p.lines(c, p.hidden, p.frame.Draw.Lines)
	p.lines(c, p.overlay, p.frame.Draw.Overlay)
}

func (p *Collider) lines(c *gpu.Commands, pipeline *gpu.Pipeline, lines []render.LineVertex) {
	if len(lines) == 0 {
		return
	}
	size := len(lines) * int(unsafe.Sizeof(lines[0]))
	vertices := c.Alloc(size, 16)
	copy(vertices.Bytes, unsafe.Slice((*byte)(unsafe.Pointer(&lines[0])), size))
	c.BindPipeline(pipeline)
	p.frame.Draw.Bind(c)
	c.BindVertices(0, vertices)
	c.Draw(len(lines), 1, 0, 0)
}

// Release frees the pipelines.
func (p *Collider) Release() { p.hidden.Release(); p.overlay.Release() }
