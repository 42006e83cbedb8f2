// Package demoframe declares the frame of the demo scene to a frame graph without a device or a scene: the same steps with
// the same accesses to the same resources. The compiler's tests and benchmarks use it; a test of package demo holds it to
// what the engine really declares.
package demoframe

import (
	"strconv"

	fg "github.com/bindpose/bindpose/framegraph"
)

// Frame is the demo's frame. Its closures are made once, so that declaring allocates nothing.
type Frame struct {
	Graph         *fg.Graph
	Width, Height int
	Lamps         int     // lamps with shadows, 0 to 3: two shine all around, the third is a spot
	Screen        bool    // presented in a window, not read back
	Far           float32 // what depth is cleared to

	transforms, bodies, poses, panelled, uploaded              fg.CPU
	backbuffer, color, depth, base, normal, material, emissive fg.Image
	shadow                                                     fg.Image
	lamps                                                      [3]fg.Image

	steps []step
}

type step struct {
	lamp  int // it belongs to that lamp, from 1; 0 to none
	phase func(*fg.Builder) func() error
	pass  func(*fg.Builder) fg.Record
	name  string
	kind  fg.Kind
}

// New is the frame as it is shown in a window of 1280 × 720 pixels, with three lamps; ssao and bloom are off, as they are
// unless asked for, so their six passes declare nothing.
func New() *Frame {
	f := &Frame{Graph: fg.New(), Width: 1280, Height: 720, Lamps: 3, Screen: true}
	f.phase("scripts", func(b *fg.Builder) { f.transforms = b.HostWrite(f.transforms) })
	f.phase("physics", func(b *fg.Builder) {
		f.transforms = b.HostWrite(f.transforms)
		f.bodies = b.HostWrite(f.bodies)
	})
	f.phase("animation", func(b *fg.Builder) {
		b.HostRead(f.transforms)
		f.poses = b.HostWrite(f.poses)
	})
	f.phase("panels", func(b *fg.Builder) {
		b.HostRead(f.poses)
		b.HostRead(f.bodies)
		f.panelled = b.HostWrite(f.panelled)
	})
	f.phase("palette upload", func(b *fg.Builder) {
		b.HostRead(f.transforms)
		b.HostRead(f.bodies)
		b.HostRead(f.poses)
		b.HostRead(f.panelled)
		f.uploaded = b.HostWrite(f.uploaded)
	})
	f.pass(0, "background", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		f.color = b.ColorAttachment(f.color, fg.DontCare)
	})
	f.pass(0, "shadow", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		f.shadow = f.image("shadow map", fg.D16Unorm, 2048, 2048)
		f.shadow = b.DepthAttachment(f.shadow, fg.ClearDepth(0))
	})
	f.pass(0, "geometry", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		f.base = b.ColorAttachment(f.base, fg.DontCare)
		f.normal = b.ColorAttachment(f.normal, fg.DontCare)
		f.material = b.ColorAttachment(f.material, fg.DontCare)
		f.emissive = b.ColorAttachment(f.emissive, fg.DontCare)
		f.depth = b.DepthAttachment(f.depth, fg.ClearDepth(f.Far))
	})
	f.off(fg.Compute, "ssao", "ssao apply")
	for i := range f.lamps {
		width, height := 3072, 2048
		if i == 2 {
			width, height = 1024, 1024
		}
		lamp := "lamp " + strconv.Itoa(i+1)
		of := "lamp map " + strconv.Itoa(i+1)
		f.pass(i+1, lamp+" shadow", func(b *fg.Builder) {
			b.HostRead(f.uploaded)
			f.lamps[i] = f.image(of, fg.D16Unorm, width, height)
			f.lamps[i] = b.DepthAttachment(f.lamps[i], fg.ClearDepth(0))
		})
		f.pass(i+1, lamp, func(b *fg.Builder) {
			b.HostRead(f.uploaded)
			b.Sample(f.base, fg.FragmentShader)
			b.Sample(f.normal, fg.FragmentShader)
			b.Sample(f.material, fg.FragmentShader)
			b.Sample(f.depth, fg.FragmentShader)
			b.Sample(f.lamps[i], fg.FragmentShader)
			b.DepthReadOnly(f.depth)
			f.emissive = b.ColorAttachment(f.emissive, fg.Load)
		})
	}
	f.pass(0, "lighting", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		b.Sample(f.base, fg.FragmentShader)
		b.Sample(f.normal, fg.FragmentShader)
		b.Sample(f.material, fg.FragmentShader)
		b.Sample(f.emissive, fg.FragmentShader)
		b.Sample(f.depth, fg.FragmentShader)
		b.Sample(f.shadow, fg.FragmentShader)
		b.DepthReadOnly(f.depth)
		f.color = b.ColorAttachment(f.color, fg.Load)
	})
	f.pass(0, "transparent", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		b.DepthReadOnly(f.depth)
		b.Sample(f.shadow, fg.FragmentShader)
		f.color = b.ColorAttachment(f.color, fg.Load)
	})
	f.off(fg.Compute, "bloom bright", "bloom across", "bloom down")
	f.off(fg.Graphics, "bloom")
	f.pass(0, "collider", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		b.DepthReadOnly(f.depth)
		f.color = b.ColorAttachment(f.color, fg.Load)
	})
	f.pass(0, "antialias", func(b *fg.Builder) {
		b.Sample(f.color, fg.FragmentShader)
		f.backbuffer = b.ColorAttachment(f.backbuffer, fg.DontCare)
	})
	f.pass(0, "gui", func(b *fg.Builder) {
		b.HostRead(f.uploaded)
		f.backbuffer = b.ColorAttachment(f.backbuffer, fg.Load)
	})
	f.pass(0, "present", func(b *fg.Builder) {
		if f.Screen {
			f.backbuffer = b.Present(f.backbuffer)
			return
		}
		b.TransferReadImage(f.backbuffer)
		b.SideEffect()
	})
	return f
}

func (f *Frame) phase(name string, declare func(b *fg.Builder)) {
	run := func() error { return nil }
	f.steps = append(f.steps, step{name: name, phase: func(b *fg.Builder) func() error { declare(b); return run }})
}

func (f *Frame) pass(lamp int, name string, declare func(b *fg.Builder)) {
	record := func(fg.Context) {}
	f.steps = append(f.steps, step{name: name, lamp: lamp, kind: fg.Graphics, pass: func(b *fg.Builder) fg.Record { declare(b); return record }})
}

// off adds passes that are switched off.
func (f *Frame) off(kind fg.Kind, names ...string) {
	for _, name := range names {
		f.steps = append(f.steps, step{name: name, kind: kind, pass: func(*fg.Builder) fg.Record { return nil }})
	}
}

func (f *Frame) image(name string, format fg.Format, width, height int) fg.Image {
	return f.Graph.CreateImage(name, fg.ImageDesc{Format: format, Width: width, Height: height})
}

// Declare declares the frame, from Reset on. without are passes and phases to leave out.
func (f *Frame) Declare(without ...string) {
	g := f.Graph
	g.Reset()
	leave := fg.PresentState
	if !f.Screen {
		leave = fg.State{Stage: fg.AllTransfer, Access: fg.AccessTransferRead, Layout: fg.LayoutTransferSrc}
	}
	f.backbuffer = g.ImportImage("backbuffer", fg.ImageDesc{Format: fg.BGRA8Unorm, Width: f.Width, Height: f.Height},
		fg.Import{Key: 1, Arrive: fg.Acquired, Leave: leave})
	f.color = f.image("color", fg.RGBA8Unorm, f.Width, f.Height)
	f.depth = f.image("depth", fg.D32Float, f.Width, f.Height)
	f.base = f.image("base color", fg.RGBA8Unorm, f.Width, f.Height)
	f.normal = f.image("normal", fg.RGBA16Float, f.Width, f.Height)
	f.material = f.image("material", fg.RGBA8Unorm, f.Width, f.Height)
	f.emissive = f.image("emissive", fg.RGBA16Float, f.Width, f.Height)
	f.transforms, f.bodies, f.poses = g.CPUResource("transforms"), g.CPUResource("bodies"), g.CPUResource("poses")
	f.panelled, f.uploaded = g.CPUResource("panels"), g.CPUResource("instances and palettes")
declare:
	for i := range f.steps {
		s := &f.steps[i]
		for _, name := range without {
			if name == s.name {
				continue declare
			}
		}
		switch {
		case s.phase != nil:
			g.AddPhase(s.name, s.phase)
		case s.lamp <= f.Lamps:
			g.AddPass(s.name, s.kind, s.pass)
		}
	}
}
