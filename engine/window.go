package engine

import (
	"errors"
	"time"

	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/framegraph"
)

// Run draws frames in the window until it is asked to close, or until a frame
// fails. Scene time follows the clock, at most a tenth of a second a frame.
func (e *Engine) Run() error {
	if e.Window == nil {
		return errors.New("engine: Run needs a window; call Frame where headless")
	}
	last := time.Now()
	for drawn := 0; e.FrameLimit == 0 || drawn < e.FrameLimit; {
		e.in = e.Window.Poll()
		if e.in.CloseRequested {
			return nil
		}
		now := time.Now()
		dt := min(float32(now.Sub(last).Seconds()), 0.1)
		last = now
		if e.FixedStep > 0 {
			dt = e.FixedStep
		}
		if e.OnInput != nil {
			e.OnInput(e.in, dt)
		}
		e.lapse, dt = dt, e.held(dt)
		if e.BeforeFrame != nil {
			if err := e.BeforeFrame(dt); err != nil {
				return err
			}
		}
		e.Window.SetCursor(e.GUI.MouseCursor())
		err := e.Frame(dt)
		if errors.Is(err, ErrSkipped) {
			e.Window.WaitEvents(0.1)
			continue
		}
		if err != nil {
			return err
		}
		drawn++
	}
	return nil
}

// Step moves a scene that is Paused on by a sixtieth of a second, in the next
// frame of Run.
func (e *Engine) Step() { e.step = true }

// held is how far a frame moves on where it would by dt.
func (e *Engine) held(dt float32) float32 {
	switch {
	case !e.Paused:
	case e.step:
		dt = 1.0 / 60
	default:
		dt = 0
	}
	e.step = false
	return dt
}

// Input is the window's input of the frame being drawn; nil without a window.
func (e *Engine) Input() *input.State { return e.in }

// guiFrame fits a GUI frame to the window: the GUI counts in window units.
func (e *Engine) guiFrame(f gui.Frame) gui.Frame {
	w, h := e.Window.Size()
	f.Width, f.Height, f.FramebufferScale = float32(w), float32(h), e.Window.FramebufferScale()
	return f
}

func (e *Engine) importBackbuffer() framegraph.Image {
	f := e.state.gpu
	return e.graph.ImportImage("backbuffer", f.Backbuffer().Shape(), f.Import())
}

// warnOnce tells an error that does not stop the frames.
func (e *Engine) warnOnce(err error) {
	text := err.Error()
	if text == e.warned {
		return
	}
	e.warned = text
	e.options.Warn(nil, text)
}
