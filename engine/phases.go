package engine

import (
	"errors"

	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
)

// phases are the declarations of the frame's phases and passes, made once so
// that declaring a frame allocates nothing, and the processor's resources that
// order them.
type phases struct {
	transforms, bodies, poses, panelled framegraph.CPU

	begin                                       func(*framegraph.Graph)
	scripts, physics, animation, panels, upload func(*framegraph.Builder) func() error

	background, shadow, geometry, lighting, transparent,
	collider, antialias, gui, present func(*framegraph.Builder) framegraph.Record
	lampShadow, lamp [render.MaxLamps]func(*framegraph.Builder) framegraph.Record
}

// newPhases makes the declarations. A phase reads what it needs of the ones
// before it, and that, not the order of declaring, is why it runs after them.
func (e *Engine) newPhases() phases {
	var p phases
	q := &e.phases
	p.begin = func(g *framegraph.Graph) {
		q.transforms = g.CPUResource("transforms")
		q.bodies = g.CPUResource("bodies")
		q.poses = g.CPUResource("poses")
		q.panelled = g.CPUResource("panels")
		e.frame.Uploaded = g.CPUResource("instances and palettes")
	}
	phase := func(declare func(b *framegraph.Builder), run func() error) func(*framegraph.Builder) func() error {
		return func(b *framegraph.Builder) func() error {
			declare(b)
			return run
		}
	}
	p.scripts = phase(func(b *framegraph.Builder) {
		q.transforms = b.HostWrite(q.transforms)
	}, e.runScripts)
	p.physics = phase(func(b *framegraph.Builder) {
		q.transforms = b.HostWrite(q.transforms)
		q.bodies = b.HostWrite(q.bodies)
	}, e.stepPhysics)
	p.animation = phase(func(b *framegraph.Builder) {
		b.HostRead(q.transforms)
		q.poses = b.HostWrite(q.poses)
	}, e.animate)
	p.panels = phase(func(b *framegraph.Builder) {
		b.HostRead(q.poses)
		b.HostRead(q.bodies)
		q.panelled = b.HostWrite(q.panelled)
	}, e.buildPanels)
	p.upload = phase(func(b *framegraph.Builder) {
		b.HostRead(q.transforms)
		b.HostRead(q.bodies)
		b.HostRead(q.poses)
		b.HostRead(q.panelled)
		e.frame.Uploaded = b.HostWrite(e.frame.Uploaded)
	}, e.upload)

	return p
}

// bindPasses completes the declarations once the passes are made. Each pass
// reads what the upload phase wrote.
func (e *Engine) bindPasses() {
	reads := func(declare func(*framegraph.Builder) framegraph.Record) func(*framegraph.Builder) framegraph.Record {
		return func(b *framegraph.Builder) framegraph.Record {
			b.HostRead(e.frame.Uploaded)
			return declare(b)
		}
	}
	p, s := &e.phases, &e.Passes
	p.background = reads(s.Background.Declare)
	p.shadow = reads(s.Shadow.Declare)
	p.geometry = reads(s.Geometry.Declare)
	for i := range s.Lamps {
		p.lampShadow[i], p.lamp[i] = reads(s.LampShadows[i].Declare), reads(s.Lamps[i].Declare)
	}
	p.lighting = reads(s.Lighting.Declare)
	p.transparent = reads(s.Transparent.Declare)
	p.collider = reads(s.Collider.Declare)
	p.antialias = s.Antialias.Declare
	p.gui = reads(s.GUI.Declare)
	p.present = s.Present.Declare
}

func (e *Engine) runScripts() error {
	e.state.note(e.Scene.RunScripts(e.state.dt))
	return nil
}

func (e *Engine) stepPhysics() error {
	e.state.note(e.Scene.StepPhysics(e.state.dt))
	return nil
}

func (e *Engine) animate() error {
	e.state.note(e.Scene.Animate(e.state.dt))
	return nil
}

// buildPanels lets the program build its GUI.
func (e *Engine) buildPanels() error {
	s := &e.state
	frame := gui.Frame{Width: float32(s.width), Height: float32(s.height), FramebufferScale: 1, Delta: max(s.dt, e.lapse, 1e-4)}
	if e.Window != nil {
		frame = e.guiFrame(frame)
	}
	e.GUI.NewFrame(e.in, frame)
	if e.Panels != nil {
		e.Panels(e.GUI)
	}
	e.reload.panel(e.GUI, frame.Width)
	e.program.panel(e.GUI, frame.Width, len(e.reload.broken) > 0)
	s.gui = e.GUI.EndFrame()
	return e.Passes.GUI.Show(e.GUI.Atlas(), s.gui)
}

// upload writes what the passes read into the frame's ring.
func (e *Engine) upload() error {
	d := e.Draw
	e.Passes.Antialias.Off = e.Show.NoAntialias
	if err := e.surround(); err != nil {
		return err
	}
	d.Lines, d.Overlay = d.Lines[:0], d.Overlay[:0]
	if e.Show.Colliders {
		d.AddColliders(e.Scene.Colliders())
	}
	if e.Show.Skeleton {
		for x := range e.Scene.All() {
			if x.Animator != nil && x.Visible() {
				d.AddSkeleton(x.World(), x.Animator)
			}
		}
	}
	if e.Scene.Camera == nil {
		return errors.New("the scene has no camera: set Scene.Camera to an entity")
	}
	return d.Upload(e.Library, e.state.gpu, e.Scene, e.view())
}

// note keeps an error that does not stop the frame.
func (s *frameState) note(err error) {
	if err != nil {
		s.failed = errors.Join(s.failed, err)
	}
}
