package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Antialias smooths the edges of the color image on its way to the backbuffer.
// With Off it copies.
type Antialias struct {
	Off bool

	frame        *Frame
	smooth, copy *gpu.Pipeline
	sampler      *gpu.Sampler
	record       framegraph.Record
}

// NewAntialias makes the pass for a backbuffer of the given format.
func NewAntialias(f *Frame, backbuffer framegraph.Format) (*Antialias, error) {
	d := f.Library.Device
	p := &Antialias{frame: f}
	p.record = p.draw
	set, err := textureSet(d, "antialias", 1)
	if err != nil {
		return nil, err
	}
	if p.sampler, err = d.Sampler(gpu.SamplerDesc{U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true}); err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "antialias", Sets: []*gpu.SetLayout{set}})
	if err != nil {
		return nil, err
	}
	decode := bit(gpu.IsSRGB(backbuffer))
	desc := gpu.GraphicsDesc{
		Name: "antialias", Layout: layout, Vertex: stage("fullscreen.vert"),
		Fragment: stage("antialias.frag", bit(true), decode), Color: []gpu.ColorOutput{{Format: backbuffer}},
	}
	if p.smooth, err = d.NewGraphics(desc); err != nil {
		return nil, err
	}
	desc.Fragment = stage("antialias.frag", bit(false), decode)
	p.copy, err = d.NewGraphics(desc)
	return p, err
}

// Declare reads the color image and writes the backbuffer.
func (p *Antialias) Declare(b *framegraph.Builder) framegraph.Record {
	b.Sample(p.frame.Color, framegraph.FragmentShader)
	p.frame.Backbuffer = b.ColorAttachment(p.frame.Backbuffer, framegraph.DontCare)
	return p.record
}

func (p *Antialias) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	if p.Off {
		c.BindPipeline(p.copy)
	} else {
		c.BindPipeline(p.smooth)
	}
	c.Bind(0, gpu.Tex(0, c.Image(p.frame.Color), p.sampler))
	c.Draw(3, 1, 0, 0)
}

// Release frees the pipelines.
func (p *Antialias) Release() { p.smooth.Release(); p.copy.Release() }
