package engine

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/passes"
)

// declare is the frame, in order.
func (e *Engine) declare() {
	g, p := e.graph, &e.phases
	g.Reset()
	e.frame.Begin(g, e.importBackbuffer(), e.state.width, e.state.height)
	e.frame.Added = len(e.extra) > 0
	p.begin(g)

	g.AddPhase("scripts", e.phase("scripts", p.scripts))
	g.AddPhase("physics", e.phase("physics", p.physics))
	g.AddPhase("animation", e.phase("animation", p.animation))
	g.AddPhase("panels", e.phase("panels", p.panels))
	g.AddPhase(uploadPhase, p.upload)

	e.addPass("background", p.background)
	if e.Scene.Environment.Shadows {
		e.addPass("shadow", p.shadow)
	} else {
		e.addExtra("shadow")
	}
	e.addPass("geometry", p.geometry)
	e.Draw.ChooseLamps(e.Scene, e.view())
	for i := range e.Draw.Lamps() {
		e.addPass(lampNames[i].shadow, p.lampShadow[i])
		e.addPass(lampNames[i].light, p.lamp[i])
	}
	e.addPass("lighting", p.lighting)
	e.addPass("transparent", p.transparent)
	e.addPass("collider", p.collider)
	e.Passes.Antialias.Off = e.Show.NoAntialias
	e.addPass("antialias", p.antialias)
	e.addPass("gui", p.gui)
	e.addPass("present", p.present)
}

// lampNames are the passes of each lamp: its shadow, then its light.
var lampNames = [render.MaxLamps]struct{ shadow, light string }{
	{"lamp 1 shadow", "lamp 1"}, {"lamp 2 shadow", "lamp 2"}, {"lamp 3 shadow", "lamp 3"}, {"lamp 4 shadow", "lamp 4"},
}

// ErrSkipped is returned by Frame where there is nothing to draw to: a minimised
// window, or one that is being resized. Wait for events and try again.
var ErrSkipped = errors.New("engine: the window can't be drawn to now")

// ErrDeviceLost is wrapped by the error of a Frame whose device was lost.
var ErrDeviceLost = gpu.ErrDeviceLost

var errClosed = errors.New("engine: it is closed")

// frameState is what the phases and passes of the frame being drawn read.
type frameState struct {
	gpu           *gpu.Frame
	dt            float32 // seconds that the scene moves on
	time          float64 // seconds of the scene
	width, height int
	gui           *gui.DrawData
	failed        error // of scripts and the like: told, and the frame goes on
}

// Frame moves the scene on by dt seconds and draws it: scripts, physics,
// animation, then the passes. A script, body or animator that fails does not
// stop the frame; its error, which names the entity, is told once by
// Options.Warn. Other errors are the device's.
func (e *Engine) Frame(dt float32) error {
	if e.Device == nil {
		return errClosed
	}
	if !(dt >= 0) || math.IsInf(float64(dt), 0) {
		return fmt.Errorf("engine: the frame's step is %v: must be seconds, 0 or more", dt)
	}
	s := &e.state
	start := e.now()
	e.reloadShaders()
	if err := e.reloadProgram(); err != nil {
		return err
	}
	e.mark("wait")
	defer e.mark("")
	f, err := e.Device.BeginFrame(e.target)
	if errors.Is(err, gpu.ErrNotReady) {
		return ErrSkipped
	}
	if err != nil {
		return err
	}
	s.gpu, s.dt, s.failed = f, dt, nil
	s.width, s.height = e.target.Size()
	begun := e.now()

	e.mark("graph compile")
	if e.plan, err = e.compile(); err != nil {
		return errors.Join(err, f.End())
	}
	compiled := e.now()
	if err := e.executor.Execute(f, e.plan); err != nil {
		if ended := f.End(); !errors.Is(ended, err) { // End returns Execute's error again
			err = errors.Join(err, ended)
		}
		return err
	}
	executed := e.now()
	e.mark("submit")
	if err := f.End(); err != nil {
		return err
	}
	s.time += float64(dt)
	e.sample(clock{
		frame: f.Index(), serialised: e.serialised(),
		start: start, begun: begun, compiled: compiled, executed: executed, ended: e.now(),
		collecting: e.executor.Collecting(),
	})
	if s.failed != nil {
		e.warnOnce(s.failed)
	}
	return nil
}

// Time is the scene's time in seconds: the sum of all dt.
func (e *Engine) Time() float64 { return e.state.time }

func (e *Engine) view() render.View {
	return render.View{
		Camera: e.Scene.Camera, Width: e.state.width, Height: e.state.height, Time: float32(e.state.time),
	}
}

// addPass adds a pass of the engine and behind it those that AddPass put there.
func (e *Engine) addPass(name string, declare func(*framegraph.Builder) framegraph.Record) {
	if declare = e.pass(name, declare); declare != nil {
		at, ok := e.declared[name]
		if !ok { // once: the line in declare
			at = caller()
			e.declared[name] = at
		}
		e.graph.AddPassAt(at, name, framegraph.Graphics, declare)
	}
	e.addExtra(name)
}

// caller is the line that called the caller of the function that asks.
func caller() uintptr {
	var pcs [1]uintptr
	runtime.Callers(3, pcs[:])
	return pcs[0]
}

func (e *Engine) addExtra(name string) {
	for i := range e.extra {
		if x := &e.extra[i]; x.after == name {
			if declare := e.pass(x.name, x.declare); declare != nil {
				e.graph.AddPassAt(x.at, x.name, x.kind, declare)
			}
		}
	}
}

// extraPass is a pass of the program's own.
type extraPass struct {
	after, name string
	kind        framegraph.Kind
	declare     func(*framegraph.Builder) framegraph.Record
	at          uintptr // the line that added it
}

// AddPass adds a pass of the program's own to every frame, behind the pass
// called after; one behind "geometry" is declared before the lamps and sees none of
// their light, and none stands between them. When it runs is the graph's to say.
// declare gets the frame's images from Images and puts those that
// it writes back. Explanations and mistakes name the line of this call.
func (e *Engine) AddPass(after, name string, kind framegraph.Kind, declare func(*framegraph.Builder) framegraph.Record) error {
	at := caller()
	if behind := []string{"background", "shadow", "geometry", "lighting", "transparent", "collider", "antialias", "gui"}; !slices.Contains(behind, after) {
		return fmt.Errorf("engine: pass %q cannot stand behind %q: there is no such pass to stand behind, but %s (lamps come and go: what is behind geometry stands before them, and all have shone at lighting)", name, after, strings.Join(behind, ", "))
	}
	if declare == nil {
		return fmt.Errorf("engine: pass %q has no declaration: give a function", name)
	}
	e.extra = append(e.extra, extraPass{after, name, kind, declare, at})
	return nil
}

// Images are the handles of the frame's images, for the declaration of a pass
// that AddPass added. A pass that writes one puts the new handle in its place.
func (e *Engine) Images() *passes.Frame { return &e.frame }

// Graph is the frame graph, for a pass that creates images or buffers of its
// own while it declares.
func (e *Engine) Graph() *framegraph.Graph { return e.graph }
