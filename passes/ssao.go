package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// SSAO darkens the ambient light where surfaces near by hide the sky: corners, folds, the ground under things. It stands
// between geometry and lighting and needs nothing of either: two compute passes multiply the occlusion that the G-buffer
// holds. With Off it declares nothing.
type SSAO struct {
	Off bool

	f               *Frame
	estimate, apply *gpu.Pipeline
	occlusion       framegraph.Image
	recordIt, useIt framegraph.Record
}

// NewSSAO makes the passes; AddTo adds them.
func NewSSAO(f *Frame) (p *SSAO, err error) {
	p = &SSAO{f: f}
	p.recordIt, p.useIt = p.record, p.use
	if p.estimate, err = NewCompute(f, stage("ssao.comp")); err == nil {
		p.apply, err = NewCompute(f, stage("ssao_apply.comp"))
	}
	return p, err
}

// AddTo adds the passes to an engine.
func (p *SSAO) AddTo(e Adder) error {
	if err := e.AddPass("geometry", "ssao", framegraph.Compute, p.Declare); err != nil {
		return err
	}
	return e.AddPass("geometry", "ssao apply", framegraph.Compute, p.DeclareApply)
}

// Declare reads depth and normals and writes an image of the occlusion.
func (p *SSAO) Declare(b *framegraph.Builder) framegraph.Record {
	if p.Off {
		return nil
	}
	b.Async() // beside the shadow map, where the device can
	b.HostRead(p.f.Uploaded)
	b.Sample(p.f.Depth, framegraph.ComputeShader)
	b.Sample(p.f.Normal, framegraph.ComputeShader)
	p.occlusion = p.f.Graph.CreateImage("occlusion", framegraph.ImageDesc{
		Format: framegraph.RGBA16Float, Size: framegraph.Relative(p.f.Depth, 0.5),
	})
	p.occlusion = b.StorageWriteImage(p.occlusion, framegraph.ComputeShader)
	return p.recordIt
}

func (p *SSAO) record(ctx framegraph.Context) {
	c := gpu.From(ctx)
	c.BindPipeline(p.estimate)
	p.f.Draw.Bind(c)
	c.Bind(1, gpu.Tex(0, c.Image(p.f.Depth), p.f.Library.Nearest), gpu.Tex(1, c.Image(p.f.Normal), p.f.Library.Nearest),
		gpu.StorageImage(2, c.Image(p.occlusion), gpu.View{}))
	c.Dispatch(Groups(p.f.Width, 16), Groups(p.f.Height, 16), 1)
}

// DeclareApply multiplies the G-buffer's occlusion.
func (p *SSAO) DeclareApply(b *framegraph.Builder) framegraph.Record {
	if p.Off {
		return nil
	}
	b.Async()
	b.Sample(p.occlusion, framegraph.ComputeShader)
	b.StorageReadImage(p.f.Material, framegraph.ComputeShader)
	p.f.Material = b.StorageWriteImage(p.f.Material, framegraph.ComputeShader)
	return p.useIt
}

func (p *SSAO) use(ctx framegraph.Context) {
	c := gpu.From(ctx)
	c.BindPipeline(p.apply)
	c.Bind(1, gpu.Tex(0, c.Image(p.occlusion), p.f.Library.Nearest), gpu.StorageImage(1, c.Image(p.f.Material), gpu.View{}))
	c.Dispatch(Groups(p.f.Width, 16), Groups(p.f.Height, 16), 1)
}

// Release frees the pipelines.
func (p *SSAO) Release() { p.estimate.Release(); p.apply.Release() }
