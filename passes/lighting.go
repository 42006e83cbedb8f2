package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Lighting turns the G-buffer into light, tone-maps it, and writes it over the
// background.
type Lighting struct {
	frame    *Frame
	pipeline *gpu.Pipeline
	record   framegraph.Record
}

// NewLighting makes the pass.
func NewLighting(f *Frame) (*Lighting, error) {
	d := f.Library.Device
	p := &Lighting{frame: f}
	p.record = p.draw
	set, err := d.NewSetLayout(gpu.SetLayoutDesc{Name: "G-buffer", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 1, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 2, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 3, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 4, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.FarDepth},
		{Slot: 5, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.FarDepth},
	}})
	if err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "lighting", Sets: []*gpu.SetLayout{f.Library.FrameSet, set}})
	if err != nil {
		return nil, err
	}
	p.pipeline, err = d.NewGraphics(gpu.GraphicsDesc{
		Name: "lighting", Layout: layout, Vertex: stage("fullscreen.vert"), Fragment: stage("lighting.frag"),
		// The triangle lies at the far plane, so the test passes where geometry is
		// and the background is not shaded.
		Depth: gpu.Depth{Format: DepthFormat, Compare: gpu.Less},
		Color: []gpu.ColorOutput{{Format: ColorFormat}},
	})
	return p, err
}

// Declare reads the G-buffer and the shadow map, and writes the color image.
func (p *Lighting) Declare(b *framegraph.Builder) framegraph.Record {
	f := p.frame
	for _, image := range [...]framegraph.Image{f.BaseColor, f.Normal, f.Material, f.Emissive, f.Depth} {
		b.Sample(image, framegraph.FragmentShader)
	}
	if f.Shadow.Valid() {
		b.Sample(f.Shadow, framegraph.FragmentShader)
	}
	b.DepthReadOnly(f.Depth)
	f.Color = b.ColorAttachment(f.Color, framegraph.Load)
	return p.record
}

func (p *Lighting) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	f := p.frame
	near := f.Library.Nearest
	c.BindPipeline(p.pipeline)
	f.Draw.Bind(c)
	c.Bind(1, gpu.Tex(0, c.Image(f.BaseColor), near), gpu.Tex(1, c.Image(f.Normal), near),
		gpu.Tex(2, c.Image(f.Material), near), gpu.Tex(3, c.Image(f.Emissive), near),
		gpu.Tex(4, c.Image(f.Depth), near), gpu.Tex(5, f.shadowMap(c), f.Library.ShadowSampler))
	c.Draw(3, 1, 0, 0)
}

// shadowMap is the shadow map, or nil where nothing casts shadows.
func (f *Frame) shadowMap(c *gpu.Commands) *gpu.Image {
	if !f.Shadow.Valid() {
		return nil
	}
	return c.Image(f.Shadow)
}

// Release frees the pipeline.
func (p *Lighting) Release() { p.pipeline.Release() }
