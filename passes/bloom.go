package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Bloom lets what is brighter than the display can show shine over its surroundings. Three compute passes pick out what
// shines, at a quarter of the picture's size, and blur it along each axis, there and back; a fourth pass lays it over the
// color image, behind the transparent pass. With Off it declares nothing.
type Bloom struct {
	Off bool

	f                  *Frame
	bright, blur, down *gpu.Pipeline
	over               *gpu.Pipeline
	sampler            *gpu.Sampler
	shining, wide      framegraph.Image
	records            [4]framegraph.Record
}

// NewBloom makes the passes; AddTo adds them.
func NewBloom(f *Frame) (p *Bloom, err error) {
	p = &Bloom{f: f}
	p.records = [4]framegraph.Record{p.pick, p.across, p.along, p.draw}
	build := func(into **gpu.Pipeline, s gpu.Shader) {
		if err == nil {
			*into, err = NewCompute(f, s)
		}
	}
	build(&p.bright, stage("bloom_bright.comp"))
	build(&p.blur, stage("bloom_blur.comp", bit(false)))
	build(&p.down, stage("bloom_blur.comp", bit(true)))
	if err == nil {
		// Depth is attached, though nothing is tested: so the pass shares a rendering scope with those behind it.
		p.over, err = newFullscreen(f, stage("bloom.frag"), gpu.Depth{Format: DepthFormat}, gpu.ColorOutput{Format: ColorFormat, Blend: gpu.Screen})
	}
	if err == nil {
		p.sampler, err = f.Library.Device.Sampler(gpu.SamplerDesc{U: gpu.ClampToEdge, V: gpu.ClampToEdge, NoMips: true})
	}
	return p, err
}

// AddTo adds the passes to an engine.
func (p *Bloom) AddTo(e Adder) (err error) {
	add := func(name string, kind framegraph.Kind, declare func(*framegraph.Builder) framegraph.Record) {
		if err == nil {
			err = e.AddPass("transparent", name, kind, declare)
		}
	}
	add("bloom bright", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
		if p.Off {
			return nil
		}
		p.shining, p.wide = p.quarter("bright"), p.quarter("bright, blurred across")
		return p.step(b, 0, p.f.Color, &p.shining)
	})
	add("bloom across", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
		return p.step(b, 1, p.shining, &p.wide)
	})
	add("bloom down", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
		return p.step(b, 2, p.wide, &p.shining)
	})
	add("bloom", framegraph.Graphics, p.Declare)
	return err
}

// quarter is an image of a quarter of the picture's size.
func (p *Bloom) quarter(name string) framegraph.Image {
	return p.f.Graph.CreateImage(name, framegraph.ImageDesc{Format: framegraph.RGBA16Float, Size: framegraph.Relative(p.f.Color, 0.25)})
}

// step declares a compute pass from one image into another.
func (p *Bloom) step(b *framegraph.Builder, n int, from framegraph.Image, into *framegraph.Image) framegraph.Record {
	if p.Off {
		return nil
	}
	b.Sample(from, framegraph.ComputeShader)
	*into = b.StorageWriteImage(*into, framegraph.ComputeShader)
	return p.records[n]
}

func (p *Bloom) pick(ctx framegraph.Context)   { p.run(gpu.From(ctx), p.bright, p.f.Color, p.shining) }
func (p *Bloom) across(ctx framegraph.Context) { p.run(gpu.From(ctx), p.blur, p.shining, p.wide) }
func (p *Bloom) along(ctx framegraph.Context)  { p.run(gpu.From(ctx), p.down, p.wide, p.shining) }

func (p *Bloom) run(c *gpu.Commands, pipeline *gpu.Pipeline, from, into framegraph.Image) {
	c.BindPipeline(pipeline)
	c.Bind(1, gpu.Tex(0, c.Image(from), p.sampler), gpu.StorageImage(1, c.Image(into), gpu.View{}))
	c.Dispatch(Groups(p.f.Width, 32), Groups(p.f.Height, 32), 1)
}

// Declare draws the glow over the color image.
func (p *Bloom) Declare(b *framegraph.Builder) framegraph.Record {
	if p.Off {
		return nil
	}
	b.Sample(p.shining, framegraph.FragmentShader)
	b.DepthReadOnly(p.f.Depth)
	p.f.Color = b.ColorAttachment(p.f.Color, framegraph.Load)
	return p.records[3]
}

func (p *Bloom) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	c.BindPipeline(p.over)
	c.Bind(1, gpu.Tex(0, c.Image(p.shining), p.sampler))
	c.Draw(3, 1, 0, 0)
}

// Release frees the pipelines.
func (p *Bloom) Release() { p.bright.Release(); p.blur.Release(); p.down.Release(); p.over.Release() }
