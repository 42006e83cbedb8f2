package main

import (
	_ "embed"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/passes"
)

//go:generate go run github.com/bindpose/bindpose/tools/bindpose shaders .

//go:embed trail.comp.spv
var trailShader []byte

// Trail lets what moves leave a trail that blurs and fades. With Off it declares
// nothing, and the next trail begins anew.
type Trail struct {
	Off bool

	frame      *passes.Frame
	pipeline   *gpu.Pipeline
	last, next framegraph.Image
	record     framegraph.Record
}

// AddTrail makes the pass and adds it to an engine, which frees it when it is
// closed.
func AddTrail(e passes.Adder) (p *Trail, err error) {
	p = &Trail{frame: e.Images()}
	p.record = p.dispatch
	if p.pipeline, err = passes.NewCompute(p.frame, gpu.Shader{Name: "trail.comp", Code: trailShader}); err != nil {
		return nil, err
	}
	return p, e.AddPass("transparent", "trail", framegraph.Compute, p.Declare)
}

// Declare reads and writes the color image, and hands what it mixed to the next
// frame.
func (p *Trail) Declare(b *framegraph.Builder) framegraph.Record {
	if p.Off {
		return nil
	}
	f := p.frame
	p.last, p.next = f.Graph.HistoryImage("trail", framegraph.ImageDesc{
		Format: framegraph.RGBA16Float, Width: f.Width, Height: f.Height,
	}, framegraph.Clear(0, 0, 0, 0))
	b.Sample(p.last, framegraph.ComputeShader)
	p.next = b.StorageWriteImage(p.next, framegraph.ComputeShader)
	b.StorageReadImage(f.Color, framegraph.ComputeShader)
	f.Color = b.StorageWriteImage(f.Color, framegraph.ComputeShader)
	return p.record
}

func (p *Trail) dispatch(ctx framegraph.Context) {
	c := gpu.From(ctx)
	c.BindPipeline(p.pipeline)
	c.Bind(1, gpu.StorageImage(0, c.Image(p.frame.Color), gpu.View{}), gpu.Tex(1, c.Image(p.last), p.frame.Library.Nearest),
		gpu.StorageImage(2, c.Image(p.next), gpu.View{}))
	c.Dispatch(passes.Groups(p.frame.Width, 8), passes.Groups(p.frame.Height, 8), 1)
}
