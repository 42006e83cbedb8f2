package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/window"
)

// app draws a scene in a window or into files: what demo and view share.
type app struct {
	flags  *drawFlags
	engine *engine.Engine
	camera cameraControl
	panels panels
	help   bool
	effects
	// profiles is set where the frames are measured whatever is shown.
	profiles bool
	// fallback is where frames go that no --out was given for.
	fallback string
	// key, where set, is told of keys that the app itself has no use for.
	key func(in *input.State)
	// keys are further keys for the help; source is what the demo's T shows, evening
	// what L brings.
	keys            [][2]string
	source, evening bool
}

// openApp opens the engine that the flags ask for. Without a display and
// without --headless it says so and draws headless. Headless frames go into
// fallback, a name without extension, where no --out was given.
func openApp(title string, f *drawFlags, fallback string) (*app, error) {
	if f.frames > 1 {
		fallback += "-{frame}"
	}
	fallback += ".png"
	if !f.headless && !window.HasDisplay() {
		f.headless = true
		to := f.out
		if to == "" {
			to = fallback
		}
		say(fmt.Sprintf("There is no display (DISPLAY and WAYLAND_DISPLAY are not set): drawing into %s instead.", to))
	}
	e, err := engine.New(engine.Options{
		Title: title, Width: f.width, Height: f.height, Headless: f.headless, Validate: f.validate, VSync: true, Hide: f.hide, Queues: f.queues,
		Shaders: f.watched(),
	})
	if err != nil {
		return nil, err
	}
	a := &app{flags: f, engine: e, fallback: fallback}
	if a.effects, err = addEffects(e, f.effects); err != nil {
		e.Close()
		return nil, err
	}
	e.Show.Skeleton, e.Show.Colliders = f.shows("skeleton"), f.shows("colliders")
	a.panels = panels{
		engine: e, effects: a.effects, shown: f.shows("panels") || !f.headless, names: f.shows("names"),
		profiler: profiler{engine: e, open: f.shows("profiler")},
		machine:  machinePanel{open: f.shows("machine")},
	}
	a.watch()
	e.Panels = func(g *gui.Context) {
		a.panels.build(g)
		if a.help {
			a.helpPanel(g)
		}
	}
	e.OnInput = a.input
	return a, nil
}

// close ends the app. Where --validate was asked for, any message of the
// validation layers is an error.
func (a *app) close(err error) error {
	var said []gpu.Message
	if a.flags.validate {
		said = a.engine.Messages()
	}
	a.engine.Close()
	for _, m := range said {
		say(fmt.Sprintf("validation: %s: %s", m.ID, m.Text))
	}
	if len(said) > 0 {
		err = errors.Join(err, fmt.Errorf("the validation layers had %d messages", len(said)))
	}
	return err
}

// panelFrames are drawn before the first that is kept, where panels or names are
// shown.
const panelFrames = 5

// run draws until the window is closed, or the frames that were asked for.
func (a *app) run() error {
	if !a.flags.headless {
		a.engine.FixedStep, a.engine.FrameLimit = float32(a.flags.timeStep), a.flags.frames
		return a.engine.Run()
	}
	return a.drawFiles()
}

// drawFiles draws headless into --out.
func (a *app) drawFiles() error {
	f := a.flags
	frames := max(f.frames, 1)
	if f.out == "" {
		f.out = a.fallback
		if err := checkOutput(f.out, frames); err != nil {
			return fmt.Errorf("%w; give --out", err)
		}
	}
	if a.panels.shown || a.panels.names || a.panels.profiler.open || a.panels.machine.open {
		// Panels show figures of past frames and find their sizes as they go, and
		// names stand where the frame before was seen from.
		for range panelFrames {
			if err := a.engine.Frame(0); err != nil {
				return err
			}
		}
	}
	out, err := newSink(f.out, f.width, f.height, f.step())
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program as ever
	bar := newProgress(frames, "drawing")
	for i := range frames {
		err := ctx.Err()
		if err != nil {
			err = fmt.Errorf("%w after %d of %d frames", errInterrupted, i, frames)
		} else {
			err = a.drawInto(out, i)
		}
		if err != nil {
			bar.done()
			return fmt.Errorf("%w; %s", err, out.drop())
		}
		bar.add()
	}
	bar.done()
	path, err := out.close()
	if err != nil {
		return err
	}
	fmt.Println(path)
	return nil
}

// drawInto draws one frame; the first shows the moment that was asked for.
func (a *app) drawInto(out sink, frame int) error {
	dt := float32(0)
	if frame > 0 {
		dt = a.flags.step()
	}
	if err := a.engine.Frame(dt); err != nil {
		return err
	}
	picture, err := a.engine.Picture()
	if err != nil {
		return err
	}
	return out.add(frame, picture)
}

// input handles the keys that every window knows.
func (a *app) input(in *input.State, dt float32) {
	g := a.engine.GUI
	if !g.WantText() {
		// A slow frame may hold several keys.
		if in.Pressed(input.KeyEscape) {
			a.engine.Window.RequestClose()
		}
		for _, t := range []struct {
			key input.Key
			on  *bool
		}{
			{input.KeyH, &a.help},
			{input.KeyF1, &a.panels.shown},
			{input.KeyF3, &a.panels.machine.open},
			{input.KeyC, &a.engine.Show.Colliders},
			{input.KeyB, &a.engine.Show.Skeleton},
			{input.KeyN, &a.panels.names},
		} {
			if in.Pressed(t.key) {
				*t.on = !*t.on
			}
		}
		if in.Pressed(input.KeyF2) {
			a.panels.profiler.toggle()
		}
		if in.Pressed(input.KeySpace) {
			a.panels.togglePause()
		}
		if a.key != nil {
			a.key(in)
		}
	}
	a.camera.input(in, dt, g.WantMouse(), g.WantKeyboard(), a.engine)
	a.watch()
}

// watch has frames measured while somebody looks: measuring costs little, and
// nothing where it is off.
func (a *app) watch() {
	if on := a.profiles || a.panels.shown || a.panels.profiler.open; on != a.engine.Profiling() {
		a.engine.SetProfiling(on)
	}
}

// keys are what the help panel shows.
var keys = [][2]string{
	{"drag", "orbit the camera; right drag moves it, wheel zooms"},
	{"F", "fly instead of orbit: WASD, Q and E, Shift for speed"},
	{"R", "frame the picture anew"},
	{"Space", "pause and go on"},
	{"B", "skeleton"},
	{"N", "joint names"},
	{"C", "colliders"},
	{"F1", "panels"},
	{"F2", "profiler"},
	{"F3", "state machine"},
	{"H", "these keys"},
	{"Escape", "close"},
}

func (a *app) helpPanel(g *gui.Context) {
	w, h := a.engine.Window.Size()
	g.SetNextWindowAnchor(float32(w)/2, float32(h)/2, 0.5, 0.5, gui.Appearing)
	if g.Begin("Keys", nil, gui.NoResize|gui.AutoResize) {
		if g.BeginTable("keys", 2, 0, 0, 0) {
			for _, list := range [2][][2]string{keys, a.keys} {
				for _, k := range list {
					g.NextRow()
					g.NextColumn()
					g.TextColored(gui.Accent, k[0])
					g.NextColumn()
					g.Text(k[1])
				}
			}
			g.EndTable()
		}
	}
	g.End()
}
