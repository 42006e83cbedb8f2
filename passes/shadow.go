package passes

import (
	"unsafe"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Shadow draws depth as the sun sees it, over the ball that render.Frame chose.
type Shadow struct {
	frame   *Frame
	graph   *framegraph.Graph
	casters casters
	record  framegraph.Record
}

// casters draws surfaces that cast shadows into the map of one light.
type casters struct {
	meshes
	bind func(*gpu.Commands)
}

const matrixSize = int(unsafe.Sizeof(mgl32.Mat4{}))

// NewShadow makes the pass.
func NewShadow(f *Frame, g *framegraph.Graph) (*Shadow, error) {
	d := f.Library.Device
	layout, err := d.NewLayout(gpu.LayoutDesc{
		Name: "shadow", Sets: []*gpu.SetLayout{f.Library.FrameSet}, Push: matrixSize, PushStages: gpu.VertexStage,
	})
	if err != nil {
		return nil, err
	}
	masked, err := d.NewLayout(gpu.LayoutDesc{
		Name: "shadow of masked surfaces", Sets: []*gpu.SetLayout{f.Library.FrameSet, f.Library.MaterialSet},
		Push: matrixSize, PushStages: gpu.VertexStage,
	})
	if err != nil {
		return nil, err
	}
	p := &Shadow{frame: f, graph: g}
	p.casters.bind = f.Draw.Bind
	p.record = p.draw
	p.casters.device, p.casters.desc = d, func(v variant) gpu.GraphicsDesc {
		desc := gpu.GraphicsDesc{
			Name: "shadow", Layout: layout, Vertex: v.vertexShader("shadow"),
			Inputs: render.Streams(v.influences, v.mask), Cull: v.cull(),
			// Depth is reversed, so the bias pushes away from the sun by less.
			Depth: gpu.Depth{Format: ShadowFormat, Compare: gpu.Greater, Write: true, SlopeBias: -1.5, Bias: -1},
		}
		if v.mask {
			desc.Layout = masked
			desc.Vertex, desc.Fragment = v.vertexShader("shadow_masked"), v.surfaceShader("shadow_masked.frag")
		}
		return desc
	}
	return p, nil
}

// Declare writes a shadow map of its own.
func (p *Shadow) Declare(b *framegraph.Builder) framegraph.Record {
	size := render.ShadowSize(p.frame.Width, p.frame.Height)
	p.frame.Shadow = p.graph.CreateImage("shadow map", framegraph.ImageDesc{Format: ShadowFormat, Width: size, Height: size})
	p.frame.Shadow = b.DepthAttachment(p.frame.Shadow, framegraph.ClearDepth(0))
	return p.record
}

func (p *Shadow) draw(ctx framegraph.Context) {
	p.casters.draw(gpu.From(ctx), p.frame.Draw, render.Sun)
}

// draw draws what stands in a light's way.
func (p *casters) draw(c *gpu.Commands, f *render.Frame, light int) {
	matrix := f.LightMatrix(light)
	last := none
	for i := range f.Opaque {
		b := &f.Opaque[i]
		if b.NoShadow || b.Primitive.Topology != gpu.Triangles {
			continue
		}
		next := f.Casters(b, light, render.Casting{})
		if next.Count == 0 {
			continue
		}
		// Faces that a material hides from the light cast nothing: of a closed mesh
		// that is half the triangles, behind the other half.
		v := variant{
			influences: b.Primitive.Influences, dual: b.Primitive.Dual, doubleSided: b.Primitive.Material.DoubleSided, mirrored: b.Mirrored,
		}
		if b.Primitive.Material.Mask {
			v.mask, v.maps = true, b.Primitive.Maps
		}
		if v != last {
			if !p.use(c, v, p.bind) {
				return
			}
			c.PushConstants(0, unsafe.Slice((*byte)(unsafe.Pointer(matrix)), matrixSize))
			last = v
		}
		if v.mask {
			b.BindMaterial(c)
		}
		bindBatch(c, b)
		for next.Count > 0 {
			if b.Primitive.Indexed {
				c.DrawIndexed(next.End-next.Start, next.Count, next.Start, 0, next.First)
			} else {
				c.Draw(next.End-next.Start, next.Count, next.Start, next.First)
			}
			next = f.Casters(b, light, next)
		}
	}
}

// Release frees the pipelines.
func (p *Shadow) Release() { p.casters.release() }
