package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Background fills the picture with the sky: a gradient, or where Picture is set
// an equirectangular picture.
type Background struct {
	Picture *gpu.Image

	frame    *Frame
	gradient *gpu.Pipeline
	picture  *gpu.Pipeline
	sampler  *gpu.Sampler
	record   framegraph.Record
}

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
	desc := gpu.GraphicsDesc{
		Name: "background", Layout: layout, Vertex: stage("fullscreen.vert"),
		Color: []gpu.ColorOutput{{Format: ColorFormat}},
	}
	desc.Fragment = stage("background.frag", bit(false))
	if p.gradient, err = d.NewGraphics(desc); err != nil {
		return nil, err
	}
	desc.Fragment = stage("background.frag", bit(true))
	p.picture, err = d.NewGraphics(desc)
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
		c.BindPipeline(p.picture)
	} else {
		c.BindPipeline(p.gradient)
	}
	p.frame.Draw.Bind(c)
	c.Bind(1, gpu.Tex(0, p.Picture, p.sampler))
	c.Draw(3, 1, 0, 0)
}

// Release frees the pipelines.
func (p *Background) Release() { p.gradient.Release(); p.picture.Release() }
