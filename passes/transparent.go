package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Transparent draws the blended surfaces over the lit picture, from back to
// front, tested against depth and not written to it.
type Transparent struct {
	frame  *Frame
	meshes meshes
	bind   func(*gpu.Commands)
	record framegraph.Record
}

// NewTransparent makes the pass.
func NewTransparent(f *Frame) (*Transparent, error) {
	d := f.Library.Device
	shadow, err := d.NewSetLayout(gpu.SetLayoutDesc{Name: "shadow map", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.FarDepth},
	}})
	if err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{
		Name: "transparent", Sets: []*gpu.SetLayout{f.Library.FrameSet, f.Library.MaterialSet, shadow},
	})
	if err != nil {
		return nil, err
	}
	p := &Transparent{frame: f}
	p.record = p.draw
	p.bind = func(c *gpu.Commands) {
		f.Draw.Bind(c)
		c.Bind(2, gpu.Tex(0, f.shadowMap(c), f.Library.ShadowSampler))
	}
	p.meshes = meshes{device: d, desc: func(v variant) gpu.GraphicsDesc {
		return gpu.GraphicsDesc{
			Name: "transparent", Layout: layout,
			Vertex: v.vertexShader("geometry"), Fragment: v.surfaceShader("transparent.frag"),
			Inputs: render.Streams(v.influences, true), Topology: v.topology, Cull: v.cull(),
			Depth: gpu.Depth{Format: DepthFormat, Compare: gpu.Greater},
			Color: []gpu.ColorOutput{{Format: ColorFormat, Blend: gpu.AlphaBlend}},
		}
	}}
	return p, nil
}

// Declare reads depth and the shadow map, and writes the color image.
func (p *Transparent) Declare(b *framegraph.Builder) framegraph.Record {
	f := p.frame
	b.DepthReadOnly(f.Depth)
	if f.Shadow.Valid() {
		b.Sample(f.Shadow, framegraph.FragmentShader)
	}
	f.Color = b.ColorAttachment(f.Color, framegraph.Load)
	return p.record
}

func (p *Transparent) draw(ctx framegraph.Context) {
	p.meshes.draw(gpu.From(ctx), p.frame.Draw.Blended, false, p.bind)
}

// Release frees the pipelines.
func (p *Transparent) Release() { p.meshes.release() }
