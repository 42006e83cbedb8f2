package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Lighting turns the G-buffer into light, tone-maps it, and writes it over the
// background.
type Lighting struct {
	frame  *Frame
	built  map[lightingVariant]*gpu.Pipeline // each built when it is first needed
	build  func(lightingVariant) (*gpu.Pipeline, error)
	record framegraph.Record
}

// lightingVariant is what a frame pays for only where it shows it: clear coats,
// which are lit once more, lights besides the sun, and surfaces that glow.
type lightingVariant struct{ coats, lights, glow bool }

// NewLighting makes the pass.
func NewLighting(f *Frame) (*Lighting, error) {
	d := f.Library.Device
	p := &Lighting{frame: f, built: map[lightingVariant]*gpu.Pipeline{}}
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
	p.build = func(v lightingVariant) (*gpu.Pipeline, error) {
		return d.NewGraphics(gpu.GraphicsDesc{
			Name: "lighting", Layout: layout, Vertex: stage("lighting.vert"), Fragment: stage("lighting.frag", bit(v.coats), bit(v.lights), bit(v.glow)),
			// The triangle lies at the far plane, so the test passes where geometry is
			// and the background is not shaded.
			Depth: gpu.Depth{Format: DepthFormat, Compare: gpu.Less},
			Color: []gpu.ColorOutput{{Format: ColorFormat}},
		})
	}
	_, err = p.pipeline(lightingVariant{})
	return p, err
}

func (p *Lighting) pipeline(v lightingVariant) (*gpu.Pipeline, error) {
	if x := p.built[v]; x != nil {
		return x, nil
	}
	x, err := p.build(v)
	if err == nil {
		p.built[v] = x
	}
	return x, err
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
	pipeline, err := p.pipeline(lightingVariant{f.Draw.Coats, f.Draw.Globals.Counts[0] > 0, f.glows()})
	if err != nil {
		c.Fail(err)
		return
	}
	c.BindPipeline(pipeline)
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

// Release frees the pipelines.
func (p *Lighting) Release() {
	for _, x := range p.built {
		x.Release()
	}
}
