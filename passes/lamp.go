package passes

import (
	"sync"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// Lamp adds the light of one of render.Frame's lamps, where its map lets it
// through, to the G-buffer's emissive image. So lamps are lit one after another,
// and their maps share their memory.
type Lamp struct {
	frame  *Frame
	lamp   int
	lights *LampLights
	record framegraph.Record
}

// LampLights are the pipelines that all lamps share, each built when it is first
// needed.
type LampLights struct {
	lock  sync.Mutex // lamps may be recorded at once
	built map[lampVariant]*gpu.Pipeline
	build func(lampVariant) (*gpu.Pipeline, error)
}

// lampVariant is what selects a pipeline.
type lampVariant struct{ coats, spot bool }

// NewLampLights makes none yet.
func NewLampLights(f *Frame) (*LampLights, error) {
	d := f.Library.Device
	desc := gpu.SetLayoutDesc{Name: "lamp", Bindings: []gpu.Binding{
		{Slot: 0, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 1, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 2, Kind: gpu.Texture, Stages: gpu.FragmentStage},
		{Slot: 3, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.FarDepth},
		{Slot: 4, Kind: gpu.Texture, Stages: gpu.FragmentStage, StandIn: gpu.FarDepth},
		{Slot: 5, Kind: gpu.StorageRange, Stages: gpu.VertexStage},
	}}
	set, err := d.NewSetLayout(desc)
	if err != nil {
		return nil, err
	}
	layout, err := d.NewLayout(gpu.LayoutDesc{Name: "lamp", Sets: []*gpu.SetLayout{f.Library.FrameSet, set}})
	if err != nil {
		return nil, err
	}
	p := &LampLights{built: map[lampVariant]*gpu.Pipeline{}}
	p.build = func(v lampVariant) (*gpu.Pipeline, error) {
		return d.NewGraphics(gpu.GraphicsDesc{
			Name: "lamp", Layout: layout, Vertex: stage("lamp.vert"), Fragment: stage("lamp.frag", bit(v.coats), bit(v.spot)),
			// The polygon lies where the lamp's light ends, so what is farther is
			// not shaded.
			Depth: gpu.Depth{Format: DepthFormat, Compare: gpu.Less},
			Color: []gpu.ColorOutput{{Format: EmissiveFormat, Blend: gpu.Additive, NoAlpha: true}},
		})
	}
	return p, nil
}

func (p *LampLights) pipeline(v lampVariant) (*gpu.Pipeline, error) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if x := p.built[v]; x != nil {
		return x, nil
	}
	x, err := p.build(v)
	if err == nil {
		p.built[v] = x
	}
	return x, err
}

// Release frees the pipelines.
func (p *LampLights) Release() {
	for _, x := range p.built {
		x.Release()
	}
}

// NewLamp makes the pass of the lamp of that index.
func NewLamp(f *Frame, lights *LampLights, lamp int) *Lamp {
	p := &Lamp{frame: f, lamp: lamp, lights: lights}
	p.record = p.draw
	return p
}

// Declare reads the G-buffer and the lamp's shadow map, and adds to the emissive
// image.
func (p *Lamp) Declare(b *framegraph.Builder) framegraph.Record {
	f := p.frame
	for _, image := range [...]framegraph.Image{f.BaseColor, f.Normal, f.Material, f.Depth} {
		b.Sample(image, framegraph.FragmentShader)
	}
	if shadow := f.LampMaps[p.lamp]; shadow.Valid() {
		b.Sample(shadow, framegraph.FragmentShader)
	}
	b.DepthReadOnly(f.Depth)
	f.Emissive = b.ColorAttachment(f.Emissive, framegraph.Load)
	return p.record
}

func (p *Lamp) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	f := p.frame
	l := &f.Draw.Lamps()[p.lamp]
	if !l.Lights() {
		return
	}
	pipeline, err := p.lights.pipeline(lampVariant{f.Draw.Coats, l.Faces == 1})
	if err != nil {
		c.Fail(err)
		return
	}
	c.BindPipeline(pipeline)
	f.Draw.Bind(c)
	var shadow *gpu.Image // nil where the pass that draws it is left out
	if x := f.LampMaps[p.lamp]; x.Valid() {
		shadow = c.Image(x)
	}
	near := f.Library.Nearest
	c.Bind(1, gpu.Tex(0, c.Image(f.BaseColor), near), gpu.Tex(1, c.Image(f.Normal), near),
		gpu.Tex(2, c.Image(f.Material), near), gpu.Tex(3, c.Image(f.Depth), near),
		gpu.Tex(4, shadow, f.Library.ShadowSampler), gpu.StorageBytes(5, l.Record()))
	c.Draw(render.OutlineVertices, 1, 0, 0)
}
