package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Background fills the picture with the sky: a gradient, or where Picture is set
// an equirectangular picture.
type Background struct {
	Picture *gpu.Image

	frame       *Frame
	sky, sun    *gpu.Pipeline // without the sun's disc, and with it
	environment *gpu.Pipeline
	sampler     *gpu.Sampler
	record      framegraph.Record
}

// gridVertices is what background.vert draws: six for each cell of its grid.
const gridVertices = 8 * 120 * 6

// NewBackground makes the pass.
func NewBackground(f *Frame) (*Background, error) {
	d := f.Library.Device
	p := &Background{frame: f}
	p.record = p.draw
	set, err := textureSet(d, "background", 1)
	if err != nil {
		return nil, err
	}
	if p.sampler, err = d.Sampler(gpu.SamplerDesc{V: gpu.ClampToEdge, NoMips: true}); err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "background", Sets: []*gpu.SetLayout{f.Library.FrameSet, set}})
	if err != nil {
		return nil, err
	}
	build := func(into **gpu.Pipeline, vertex, fragment gpu.Shader) {
		if err == nil {
			*into, err = d.NewGraphics(gpu.GraphicsDesc{
				Name: "background", Layout: layout, Vertex: vertex, Fragment: fragment,
				Color: []gpu.ColorOutput{{Format: ColorFormat}},
			})
		}
	}
	build(&p.sky, stage("background.vert"), stage("background.frag", bit(false)))
	build(&p.sun, stage("background.vert"), stage("background.frag", bit(true)))
	build(&p.environment, stage("fullscreen.vert"), stage("environment.frag"))
	return p, err
}

// Declare writes the color image.
func (p *Background) Declare(b *framegraph.Builder) framegraph.Record {
	p.frame.Color = b.ColorAttachment(p.frame.Color, framegraph.DontCare)
	return p.record
}

func (p *Background) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	if p.Picture != nil {
		c.BindPipeline(p.environment)
		p.frame.Draw.Bind(c)
		c.Bind(1, gpu.Tex(0, p.Picture, p.sampler))
		c.Draw(3, 1, 0, 0)
		return
	}
	pipeline := p.sky
	if p.frame.Draw.Globals.SeesSun() {
		pipeline = p.sun
	}
	c.BindPipeline(pipeline)
	p.frame.Draw.Bind(c)
	c.Draw(gridVertices, 1, 0, 0)
}

// Release frees the pipelines.
func (p *Background) Release() { p.sky.Release(); p.sun.Release(); p.environment.Release() }
