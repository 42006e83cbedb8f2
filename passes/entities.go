package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Entities writes which entity each pixel shows: an image of scene.Entity.ID, 0 where there is none, of format R32Uint and
// the picture's size. It stands behind the geometry pass and is for passes that pick or highlight; where none of them
// reads the image, the pass is culled. It draws the opaque surfaces once more.
type Entities struct {
	Image framegraph.Image // of this frame, once the pass is declared

	f      *Frame
	meshes meshes
	bind   func(*gpu.Commands)
	record framegraph.Record
}

// NewEntities makes the pass; AddTo adds it.
func NewEntities(f *Frame) (*Entities, error) {
	d := f.Library.Device
	set, err := textureSet(d, "entities", 1)
	if err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "entities", Sets: []*gpu.SetLayout{f.Library.FrameSet, set}})
	if err != nil {
		return nil, err
	}
	p := &Entities{f: f, bind: f.Draw.Bind}
	p.record = p.draw
	p.meshes = meshes{device: d, desc: func(v variant) gpu.GraphicsDesc {
		return gpu.GraphicsDesc{
			Name: "entities", Layout: layout, Vertex: v.vertexShader("entities"), Fragment: stage("entities.frag"),
			Inputs: render.Streams(v.influences, false), Topology: v.topology, Cull: v.cull(),
			Color: []gpu.ColorOutput{{Format: framegraph.R32Uint}},
		}
	}}
	return p, nil
}

// AddTo adds the pass to an engine.
func (p *Entities) AddTo(e Adder) error {
	return e.AddPass("geometry", "entities", framegraph.Graphics, p.Declare)
}

// Declare writes the image.
func (p *Entities) Declare(b *framegraph.Builder) framegraph.Record {
	b.HostRead(p.f.Uploaded)
	b.Sample(p.f.Depth, framegraph.FragmentShader)
	p.Image = p.f.Graph.CreateImage("entities", framegraph.ImageDesc{
		Format: framegraph.R32Uint, Size: framegraph.Relative(p.f.Depth, 1),
	})
	p.Image = b.ColorAttachment(p.Image, framegraph.ClearInts(0, 0, 0, 0))
	return p.record
}

func (p *Entities) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	last := none
	for i := range p.f.Draw.Opaque {
		b := &p.f.Draw.Opaque[i]
		if b.Count == 0 {
			continue
		}
		v := variant{
			influences: b.Primitive.Influences, dual: b.Primitive.Dual, topology: b.Primitive.Topology,
			doubleSided: b.Primitive.Material.DoubleSided, mirrored: b.Mirrored && b.Primitive.Topology == gpu.Triangles,
		}
		if v != last {
			if !p.meshes.use(c, v, p.bind) {
				return
			}
			c.Bind(1, gpu.Tex(0, c.Image(p.f.Depth), p.f.Library.Nearest))
			last = v
		}
		drawBatch(c, b, b.First, b.Count)
	}
}

// Release frees the pipelines.
func (p *Entities) Release() { p.meshes.release() }
