package passes

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// LampShadow draws depth as one of render.Frame's lamps sees it: a point light's
// map is six tiles, one for each way, a spot's is one.
type LampShadow struct {
	frame   *Frame
	lamp    int
	name    string
	casters *casters // the sun's
	record  framegraph.Record
}

// NewLampShadow makes the pass of the lamp of that index. It draws with the
// pipelines of the sun's.
func NewLampShadow(f *Frame, sun *Shadow, lamp int) *LampShadow {
	p := &LampShadow{frame: f, lamp: lamp, name: fmt.Sprintf("lamp map %d", lamp+1), casters: &sun.casters}
	p.record = p.draw
	return p
}

// Declare writes a shadow map of its own.
func (p *LampShadow) Declare(b *framegraph.Builder) framegraph.Record {
	w, h := p.frame.Draw.Lamps()[p.lamp].MapSize()
	into := &p.frame.LampMaps[p.lamp]
	*into = p.frame.Graph.CreateImage(p.name, framegraph.ImageDesc{Format: ShadowFormat, Width: w, Height: h})
	*into = b.DepthAttachment(*into, framegraph.ClearDepth(0))
	return p.record
}

func (p *LampShadow) draw(ctx framegraph.Context) {
	c := gpu.From(ctx)
	l := &p.frame.Draw.Lamps()[p.lamp]
	for face := range l.Faces {
		if !l.Draws(face) {
			continue
		}
		// The tiles lie as shaders/lamp.glsl reads them.
		x, y := face%3*l.Tile, face/3*l.Tile
		c.SetViewport(float32(x), float32(y), float32(l.Tile), float32(l.Tile))
		c.SetScissor(x, y, l.Tile, l.Tile)
		p.casters.draw(c, p.frame.Draw, render.LampFace(p.lamp, face))
	}
}
