package main

import (
	_ "embed"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/passes"
	"github.com/bindpose/bindpose/shaders"
)

//go:embed outline.frag.spv
var outlineShader []byte

// outline is a pass of the program's own: it draws ink over the lit picture
// wherever depth folds or breaks.
type outline struct {
	images   *passes.Frame
	pipeline *gpu.Pipeline
	sampler  *gpu.Sampler
	record   framegraph.Record // kept, so that a steady frame allocates nothing
}

func newOutline(e *engine.Engine) (*outline, error) {
	p := &outline{images: e.Images(), sampler: e.Library.Nearest}
	p.record = p.draw
	set, err := e.Device.NewSetLayout(gpu.SetLayoutDesc{Name: "outline", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage},
	}})
	if err != nil {
		return nil, err
	}
	layout, err := e.Device.NewLayout(gpu.LayoutDesc{Name: "outline", Sets: []*gpu.SetLayout{set}})
	if err != nil {
		return nil, err
	}
	p.pipeline, err = e.Device.NewGraphics(gpu.GraphicsDesc{
		Name: "outline", Layout: layout,
		Vertex:   gpu.Shader{Name: "fullscreen.vert", Code: shaders.Code("fullscreen.vert")},
		Fragment: gpu.Shader{Name: "outline.frag", Code: outlineShader},
		Color:    []gpu.ColorOutput{{Format: passes.ColorFormat, Blend: gpu.AlphaBlend}},
	})
	return p, err
}

// declare samples depth and writes the picture. The new version of the picture
// takes the old one's place: what is declared later draws on it.
func (p *outline) declare(b *framegraph.Builder) framegraph.Record {
	b.Sample(p.images.Depth, framegraph.FragmentShader)
	p.images.Color = b.ColorAttachment(p.images.Color, framegraph.Load)
	return p.record
}

func (p *outline) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	c.BindPipeline(p.pipeline)
	c.Bind(0, gpu.Tex(0, c.Image(p.images.Depth), p.sampler))
	c.Draw(3, 1, 0, 0)
}

// release frees the pipeline. The set layout and the sampler are the device's.
func (p *outline) release() { p.pipeline.Release() }
