package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Geometry fills the G-buffer with the opaque surfaces. Vertices are skinned on
// the way, with the palettes that render.Frame uploaded.
type Geometry struct {
	frame  *Frame
	meshes meshes
	bind   func(*gpu.Commands)
	record framegraph.Record
}

// NewGeometry makes the pass.
func NewGeometry(f *Frame) (*Geometry, error) {
	d := f.Library.Device
	layout, err := d.NewLayout(gpu.LayoutDesc{
		Name: "geometry", Sets: []*gpu.SetLayout{f.Library.FrameSet, f.Library.MaterialSet},
	})
	if err != nil {
		return nil, err
	}
	p := &Geometry{frame: f, bind: f.Draw.Bind}
	p.record = p.draw
	p.meshes = meshes{device: d, desc: func(v variant) gpu.GraphicsDesc {
		return gpu.GraphicsDesc{
			Name: "geometry", Layout: layout,
			Vertex: v.vertexShader("geometry"), Fragment: v.surfaceShader("geometry.frag"),
			Inputs: render.Streams(v.influences, true), Topology: v.topology, Cull: v.cull(),
			Depth: gpu.Depth{Format: DepthFormat, Compare: gpu.Greater, Write: true},
			Color: []gpu.ColorOutput{
				{Format: BaseColorFormat}, {Format: NormalFormat}, {Format: MaterialFormat},
				{Format: EmissiveFormat, NoRed: !v.glow, NoGreen: !v.glow, NoBlue: !v.glow, NoAlpha: !v.glow},
			},
		}
	}}
	return p, nil
}

// Declare writes the G-buffer. Only depth needs clearing: where it stays 0, the
// lighting pass reads nothing else.
func (p *Geometry) Declare(b *framegraph.Builder) framegraph.Record {
	f := p.frame
	f.BaseColor = b.ColorAttachment(f.BaseColor, framegraph.DontCare)
	f.Normal = b.ColorAttachment(f.Normal, framegraph.DontCare)
	f.Material = b.ColorAttachment(f.Material, framegraph.DontCare)
	f.Emissive = b.ColorAttachment(f.Emissive, framegraph.DontCare)
	f.Depth = b.DepthAttachment(f.Depth, framegraph.ClearDepth(0))
	return p.record
}

func (p *Geometry) draw(ctx framegraph.Context) {
	p.meshes.draw(gpu.From(ctx), p.frame.Draw.Opaque, p.frame.glows(), p.bind)
}

// Release frees the pipelines.
func (p *Geometry) Release() { p.meshes.release() }
