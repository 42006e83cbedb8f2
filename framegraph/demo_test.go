package framegraph_test

import (
	fg "github.com/bindpose/bindpose/framegraph"
)

// demo is a graph in the shape of the demo's frame, declared by closures that are made once.
type demo struct {
	graph *fg.Graph
	clear float32
	skip  string // a pass left out

	transforms, bodies, poses                                     fg.CPU
	palette, instances                                            fg.Buffer
	back, hdr, shadow, depth, albedo, normal, material, selection fg.Image

	steps []func()
}

func newDemo() *demo {
	d := &demo{graph: fg.New()}
	phase := func(name string, declare func(b *fg.Builder)) {
		run := func() error { return nil }
		f := func(b *fg.Builder) func() error { declare(b); return run }
		d.steps = append(d.steps, func() { d.graph.AddPhase(name, f) })
	}
	pass := func(name string, kind fg.Kind, declare func(b *fg.Builder)) {
		record := func(fg.Context) {}
		f := func(b *fg.Builder) fg.Record { declare(b); return record }
		d.steps = append(d.steps, func() {
			if d.skip != name {
				d.graph.AddPass(name, kind, f)
			}
		})
	}
	phase("scripts", func(b *fg.Builder) { d.transforms = b.HostWrite(d.transforms) })
	phase("physics", func(b *fg.Builder) {
		d.transforms = b.HostWrite(b.HostRead(d.transforms))
		d.bodies = b.HostWrite(d.bodies)
	})
	phase("animation", func(b *fg.Builder) {
		b.HostRead(d.transforms)
		d.poses = b.HostWrite(d.poses)
	})
	phase("palette upload", func(b *fg.Builder) {
		b.HostRead(d.poses)
		b.HostRead(d.transforms)
		d.palette = b.HostWriteBuffer(d.palette)
		d.instances = b.HostWriteBuffer(d.instances)
	})
	pass("background", fg.Graphics, func(b *fg.Builder) {
		d.hdr = b.ColorAttachment(d.hdr, fg.Clear(d.clear, 0, 0, 1))
	})
	pass("shadow", fg.Graphics, func(b *fg.Builder) {
		b.StorageRead(d.palette, fg.VertexShader)
		b.StorageRead(d.instances, fg.VertexShader)
		d.shadow = b.DepthAttachment(d.shadow, fg.ClearDepth(0))
	})
	pass("geometry", fg.Graphics, func(b *fg.Builder) {
		b.StorageRead(d.palette, fg.VertexShader)
		b.StorageRead(d.instances, fg.VertexShader)
		d.albedo = b.ColorAttachment(d.albedo, fg.Clear(0, 0, 0, 0))
		d.normal = b.ColorAttachment(d.normal, fg.DontCare)
		d.material = b.ColorAttachment(d.material, fg.DontCare)
		d.depth = b.DepthAttachment(d.depth, fg.ClearDepth(0))
	})
	pass("lighting", fg.Graphics, func(b *fg.Builder) {
		b.Sample(d.albedo, fg.FragmentShader)
		b.Sample(d.normal, fg.FragmentShader)
		b.Sample(d.material, fg.FragmentShader)
		b.Sample(d.depth, fg.FragmentShader)
		b.Sample(d.shadow, fg.FragmentShader)
		d.hdr = b.ColorAttachment(d.hdr, fg.Load)
	})
	pass("transparent", fg.Graphics, func(b *fg.Builder) {
		b.StorageRead(d.palette, fg.VertexShader)
		b.StorageRead(d.instances, fg.VertexShader)
		d.hdr = b.ColorAttachment(d.hdr, fg.Load)
		b.DepthReadOnly(d.depth)
	})
	pass("tonemap", fg.Graphics, func(b *fg.Builder) {
		b.Sample(d.hdr, fg.FragmentShader)
		d.back = b.ColorAttachment(d.back, fg.DontCare)
	})
	pass("collider", fg.Graphics, func(b *fg.Builder) {
		b.HostRead(d.bodies)
		d.back = b.ColorAttachment(d.back, fg.Load)
	})
	pass("gui", fg.Graphics, func(b *fg.Builder) {
		d.back = b.ColorAttachment(d.back, fg.Load)
	})
	pass("picking", fg.Graphics, func(b *fg.Builder) { // nobody reads it
		b.StorageRead(d.palette, fg.VertexShader)
		d.selection = b.ColorAttachment(d.selection, fg.Clear(0, 0, 0, 0))
	})
	pass("present", fg.Graphics, func(b *fg.Builder) { b.Present(d.back) })
	return d
}

func (d *demo) declare() {
	g := d.graph
	g.Reset()
	d.transforms, d.bodies, d.poses = g.CPUResource("transforms"), g.CPUResource("bodies"), g.CPUResource("poses")
	d.palette = g.ImportBuffer("palette", fg.BufferDesc{Bytes: 1 << 20}, fg.Import{Key: 1})
	d.instances = g.ImportBuffer("instances", fg.BufferDesc{Bytes: 1 << 18}, fg.Import{Key: 2})
	d.back = g.ImportImage("backbuffer", fg.ImageDesc{Format: fg.BGRA8Unorm, Width: 1280, Height: 720},
		fg.Import{Key: 3, Arrive: fg.Acquired, Leave: fg.PresentState})
	full := fg.Relative(d.back, 1)
	d.hdr = g.CreateImage("hdr", fg.ImageDesc{Format: fg.RGBA16Float, Size: full})
	d.shadow = g.CreateImage("shadow", fg.ImageDesc{Format: fg.D32Float, Width: 2048, Height: 2048})
	d.depth = g.CreateImage("depth", fg.ImageDesc{Format: fg.D32Float, Size: full})
	d.albedo = g.CreateImage("albedo", fg.ImageDesc{Format: fg.RGBA8Srgb, Size: full})
	d.normal = g.CreateImage("normal", fg.ImageDesc{Format: fg.RGBA16Float, Size: full})
	d.material = g.CreateImage("material", fg.ImageDesc{Format: fg.RGBA8Unorm, Size: full})
	d.selection = g.CreateImage("selection", fg.ImageDesc{Format: fg.R32Uint, Size: fg.Relative(d.back, 0.5)})
	for _, s := range d.steps {
		s()
	}
}
