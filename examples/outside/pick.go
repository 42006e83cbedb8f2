package main

import (
	_ "embed"
	"encoding/binary"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/passes"
)

//go:embed pick.comp.spv
var pickShader []byte

// Picker reads back which entity is at a pixel.
type Picker struct {
	X, Y   int    // the pixel, from the top left
	Entity uint32 // scene.Entity.ID of what was there two frames ago; 0: nothing

	frame    *passes.Frame
	entities *passes.Entities
	pipeline *gpu.Pipeline
	buffer   *gpu.Buffer // two places, for the two frames that are in flight
	handle   framegraph.Buffer
	record   framegraph.Record
	question [12]byte
}

// AddPicker makes the pass and adds it to an engine, which frees it when it is
// closed.
func AddPicker(e passes.Adder) (p *Picker, err error) {
	p = &Picker{frame: e.Images()}
	p.record = p.dispatch
	d := p.frame.Library.Device
	if p.pipeline, err = passes.NewCompute(p.frame, gpu.Shader{Name: "pick.comp", Code: pickShader}); err != nil {
		return nil, err
	}
	if p.buffer, err = d.NewBuffer(gpu.BufferDesc{Name: "picked", Size: 8, Usage: framegraph.BufferStorage, Host: true}); err != nil {
		return nil, err
	}
	if p.entities, err = passes.NewEntities(p.frame); err != nil {
		return nil, err
	}
	if err := p.entities.AddTo(e); err != nil {
		return nil, err
	}
	if err := e.AddPass("geometry", "pick", framegraph.Compute, p.Declare); err != nil {
		return nil, err
	}
	return p, e.AddPass("geometry", "picked", framegraph.Transfer, p.hand)
}

// Declare reads the image of entities and writes the buffer.
func (p *Picker) Declare(b *framegraph.Builder) framegraph.Record {
	b.Sample(p.entities.Image, framegraph.ComputeShader)
	p.handle = p.frame.Graph.ImportBuffer("picked", framegraph.BufferDesc{Bytes: 8}, p.buffer.Import(framegraph.State{}, framegraph.State{}))
	p.handle = b.StorageWrite(p.handle, framegraph.ComputeShader)
	return p.record
}

// hand makes what was written visible to the processor. It records nothing: the
// barrier is all.
func (p *Picker) hand(b *framegraph.Builder) framegraph.Record {
	b.HostReadBuffer(p.handle)
	return nil
}

func (p *Picker) dispatch(ctx framegraph.Context) {
	c := gpu.From(ctx)
	place := uint32(c.Frame().Index() % 2)
	// The frame that wrote here last is done: two are in flight at most.
	p.Entity = binary.LittleEndian.Uint32(p.buffer.Bytes()[4*place:])
	binary.LittleEndian.PutUint32(p.question[0:], uint32(int32(p.X)))
	binary.LittleEndian.PutUint32(p.question[4:], uint32(int32(p.Y)))
	binary.LittleEndian.PutUint32(p.question[8:], place)
	c.BindPipeline(p.pipeline)
	c.Bind(1, gpu.Tex(0, c.Image(p.entities.Image), p.frame.Library.Nearest), gpu.StorageBytes(1, c.Buffer(p.handle)))
	c.PushConstants(0, p.question[:])
	c.Dispatch(1, 1, 1)
}
