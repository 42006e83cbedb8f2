package engine

import (
	"errors"
	"fmt"
	"image"
	"os"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/window"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/columns"
	"github.com/bindpose/bindpose/passes"
)

// Engine draws a scene, frame by frame, into a window or into memory. It is for
// one goroutine: with a window, the main one.
type Engine struct {
	Scene   *scene.Scene
	Device  *gpu.Device
	Library *render.Library
	Draw    *render.Frame
	GUI     *gui.Context
	Window  *window.Window // nil where headless
	Profile *profile.Table

	Passes passSet
	// Show switches what the frame draws besides the scene.
	Show Show
	// OnInput, where set, is called at the start of a frame in a window.
	OnInput func(in *input.State, dt float32)
	// BeforeFrame, where set, is called before each frame of Run.
	BeforeFrame func(dt float32) error
	// FixedStep, where above 0, is how far each frame of Run moves on, seconds,
	// instead of by the clock. FrameLimit, where above 0, ends Run after so many.
	FixedStep  float32
	FrameLimit int
	// Paused holds the scene in Run; Step moves a held scene on by one frame.
	Paused bool
	// Panels, where set, builds the GUI of each frame, after animation.
	Panels func(g *gui.Context)

	options      Options
	target       gpu.Target
	executor     *gpu.Executor
	graph        *framegraph.Graph
	plan         *framegraph.Plan
	caps         framegraph.Caps
	frame        passes.Frame
	phases       phases
	extra        []extraPass
	declared     map[string]uintptr // the lines that declare the engine's own passes
	sampler      sampler
	surroundings surroundings
	state        frameState
	in           *input.State // of this frame; nil without a window
	began        *started     // of the run that BeginProfile began
	absent       []absence    // what the frames go without
	names        []string     // of all phases and passes
	lapse        float32      // seconds since the frame of Run before, the scene held or not
	step         bool         // a held scene moves on by one frame
	off          bool         // nothing is profiled
	marks        *marks       // nil: off
	reload       reload
	program      *program // nil: not watched
	continued    *kept    // what another program left; nil: none did, or it is restored
	warned       string   // the last error told, so that one repeated each frame is told once
}

// Show says what is drawn besides the scene.
type Show struct {
	Colliders, Skeleton, NoAntialias bool
}

// passSet is every pass of the frame, in its order.
type passSet struct {
	Background  *passes.Background
	Shadow      *passes.Shadow
	Geometry    *passes.Geometry
	LampLights  *passes.LampLights
	LampShadows [render.MaxLamps]*passes.LampShadow
	Lamps       [render.MaxLamps]*passes.Lamp
	Lighting    *passes.Lighting
	Transparent *passes.Transparent
	Collider    *passes.Collider
	Antialias   *passes.Antialias
	GUI         *passes.GUI
	Present     *passes.Present
}

// New opens the device and, unless headless, a window. The error is a sentence
// that says what to install or set.
func New(o Options) (_ *Engine, err error) {
	if o.Width <= 0 || o.Height <= 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Title == "" {
		o.Title = "Bindpose"
	}
	if o.Warn == nil {
		o.Warn = func(m *assets.Model, message string) {
			if m != nil {
				message = m.Name + ": " + message
			}
			fmt.Fprintln(os.Stderr, "warning:", columns.Plain(message))
		}
	}
	e := &Engine{options: o, Draw: &render.Frame{}, Profile: profile.New(), declared: map[string]uintptr{}}
	defer func() {
		if err != nil {
			e.Close()
		}
	}()
	if e.continued, err = inherit(); err != nil {
		o.Warn(nil, err.Error()) // it begins anew
		err = nil
	}
	if e.Scene, err = scene.New(); err != nil {
		return nil, err
	}
	if err = e.open(); err != nil {
		return nil, err
	}
	if e.Library, err = render.NewLibrary(e.Device, o.Warn); err != nil {
		return nil, err
	}
	scale := float32(1)
	if e.Window != nil {
		scale = e.Window.GUIScale()
	}
	if e.GUI, err = gui.New(gui.Options{Scale: scale, Clipboard: e.clipboard()}); err != nil {
		return nil, err
	}
	e.graph = framegraph.New()
	e.executor = e.Device.NewExecutor(gpu.ExecutorOptions{Mode: o.Mode, Workers: o.Workers})
	e.caps = e.Device.Caps()
	e.caps.Options = o.Graph
	e.frame = passes.Frame{Library: e.Library, Draw: e.Draw, Graph: e.graph}
	e.phases = e.newPhases()
	if err = e.newPasses(); err != nil {
		return nil, err
	}
	e.bindPasses()
	if err = e.watchOptions(); err != nil {
		return nil, err
	}
	return e, nil
}

// open opens the device, and the window where one is wanted.
func (e *Engine) open() (err error) {
	o := gpu.Options{App: e.options.Title, Validate: e.options.Validate, Hide: e.options.Hide, Queues: e.options.Queues}
	if e.options.Headless {
		if e.Device, err = gpu.Open(o); err != nil {
			return err
		}
		e.target, err = e.Device.NewOffscreen(e.options.Width, e.options.Height)
		return err
	}
	e.Window, err = window.Open(window.Options{
		Title: e.options.Title, Width: e.options.Width, Height: e.options.Height,
		Hidden: e.options.Hidden, Resizable: true,
	})
	if err != nil {
		return err
	}
	if e.continued != nil && e.continued.Window != nil {
		was := e.continued.Window
		e.Window.SetPosition(was.X, was.Y)
		e.Window.SetSize(was.Width, was.Height)
	}
	if o.InstanceExtensions, err = e.Window.RequiredExtensions(); err != nil {
		return err
	}
	o.Surface = e.Window.CreateSurface
	if e.Device, err = gpu.Open(o); err != nil {
		return err
	}
	e.target, err = e.Device.NewWindow(gpu.WindowDesc{Size: e.drawable, VSync: e.options.VSync})
	return err
}

// drawable is the window's size in pixels; 0, 0 while it is minimised.
func (e *Engine) drawable() (width, height int) {
	if e.Window.Minimised() {
		return 0, 0
	}
	return e.Window.FramebufferSize()
}

func (e *Engine) clipboard() gui.Clipboard {
	if e.Window == nil {
		return nil
	}
	return e.Window
}

func (e *Engine) newPasses() error {
	f, p := &e.frame, &e.Passes
	format := e.target.Format()
	var errs [9]error
	p.Background, errs[0] = passes.NewBackground(f)
	p.Shadow, errs[1] = passes.NewShadow(f, e.graph)
	p.Geometry, errs[2] = passes.NewGeometry(f)
	p.Lighting, errs[3] = passes.NewLighting(f)
	p.Transparent, errs[4] = passes.NewTransparent(f)
	p.Collider, errs[5] = passes.NewCollider(f)
	p.Antialias, errs[6] = passes.NewAntialias(f, format)
	p.GUI, errs[7] = passes.NewGUI(f, format)
	p.LampLights, errs[8] = passes.NewLampLights(f)
	for i := range p.Lamps {
		p.LampShadows[i] = passes.NewLampShadow(f, p.Shadow, i)
		p.Lamps[i] = passes.NewLamp(f, p.LampLights, i)
	}
	p.Present = passes.NewPresent(f, e.Window != nil)
	return errors.Join(errs[:]...)
}

// Size of the picture in pixels; 0, 0 while the window is minimised.
func (e *Engine) Size() (width, height int) {
	if e.target == nil {
		return 0, 0
	}
	return e.target.Size()
}

// Plan is the plan of the last frame; nil before the first.
func (e *Engine) Plan() *framegraph.Plan { return e.plan }

// Executor runs the plans; it knows how time is measured.
func (e *Engine) Executor() *gpu.Executor { return e.executor }

// Messages are what the validation layers said so far.
func (e *Engine) Messages() []gpu.Message {
	if e.Device == nil {
		return nil
	}
	return e.Device.Messages()
}

// Picture waits for the last frame of a headless engine and returns it.
func (e *Engine) Picture() (*image.NRGBA, error) {
	if e.target == nil {
		return nil, errClosed
	}
	o, ok := e.target.(*gpu.Offscreen)
	if !ok {
		return nil, errors.New("engine: only a headless engine keeps its picture")
	}
	pixels, err := o.Pixels()
	if err != nil {
		return nil, err
	}
	w, h := o.Size()
	return &image.NRGBA{Pix: pixels, Stride: 4 * w, Rect: image.Rect(0, 0, w, h)}, nil
}

// Close waits for the device and frees everything. Closing twice is harmless.
func (e *Engine) Close() {
	e.program.close()
	_ = e.reload.close() // what was watched is of no use any more
	if e.Device != nil {
		e.Device.WaitIdle() // a lost device has nothing left to wait for
		if e.executor != nil {
			e.executor.Release()
		}
		e.surroundings.texture.Release()
		if e.Library != nil {
			e.Library.Release()
		}
		if e.target != nil {
			e.target.Release()
		}
		e.Device.Close()
	}
	if e.GUI != nil {
		e.GUI.Close()
	}
	if e.Window != nil {
		e.Window.Close()
	}
	if e.Scene != nil {
		e.Scene.Close()
	}
	*e = Engine{}
}
