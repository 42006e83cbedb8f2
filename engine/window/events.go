package window

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/bindpose/bindpose/engine/input"
)

// GLFW delivers the events of all windows whenever any is polled, so each
// window queues its own until it is asked.
type event struct {
	kind kind
	code int32
	down bool
	x, y float32
}

type kind uint8

const (
	key kind = iota
	char
	button
	moved
	entered
	scrolled
	focused
	resized
	reshaped // the framebuffer
	rescaled
	iconified
	closed
	dropped // its paths are in Window.paths
)

func (w *Window) push(e event) { w.queue = append(w.queue, e) }

func (w *Window) listen() {
	w.w.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, _ int, a glfw.Action, _ glfw.ModifierKey) {
		w.push(event{kind: key, code: int32(k), down: a != glfw.Release})
	})
	w.w.SetCharCallback(func(_ *glfw.Window, r rune) { w.push(event{kind: char, code: r}) })
	w.w.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, a glfw.Action, _ glfw.ModifierKey) {
		w.push(event{kind: button, code: int32(b), down: a == glfw.Press})
	})
	w.w.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		w.push(event{kind: moved, x: float32(x), y: float32(y)})
	})
	w.w.SetCursorEnterCallback(func(_ *glfw.Window, in bool) { w.push(event{kind: entered, down: in}) })
	w.w.SetScrollCallback(func(_ *glfw.Window, x, y float64) {
		w.push(event{kind: scrolled, x: float32(x), y: float32(y)})
	})
	w.w.SetFocusCallback(func(_ *glfw.Window, on bool) { w.push(event{kind: focused, down: on}) })
	w.w.SetSizeCallback(func(_ *glfw.Window, x, y int) {
		w.push(event{kind: resized, x: float32(x), y: float32(y)})
	})
	w.w.SetFramebufferSizeCallback(func(_ *glfw.Window, x, y int) {
		w.push(event{kind: reshaped, x: float32(x), y: float32(y)})
	})
	w.w.SetContentScaleCallback(func(_ *glfw.Window, x, _ float32) { w.push(event{kind: rescaled, x: x}) })
	w.w.SetIconifyCallback(func(_ *glfw.Window, on bool) { w.push(event{kind: iconified, down: on}) })
	w.w.SetCloseCallback(func(*glfw.Window) { w.push(event{kind: closed}) })
	w.w.SetDropCallback(func(_ *glfw.Window, paths []string) {
		w.paths = append(w.paths, paths...)
		w.push(event{kind: dropped})
	})
}

// apply turns the queue into this frame's input.
func (w *Window) apply() {
	in := &w.in
	for _, e := range w.queue {
		switch e.kind {
		case key:
			in.SetKey(input.Key(e.code), e.down)
		case char:
			in.Type(e.code)
		case button:
			if e.code >= 0 && e.code < int32(input.ButtonCount) {
				in.SetButton(input.Button(e.code), e.down)
			}
		case moved:
			w.move(e.x, e.y)
		case entered:
			in.MouseInside = e.down
			w.settle = w.settle || e.down && !w.captured
		case scrolled:
			in.WheelX += e.x
			in.WheelY += e.y
		case focused:
			in.Focused = e.down
			if !e.down {
				in.ReleaseAll()
			}
		case resized:
			w.size = [2]int{int(e.x), int(e.y)}
		case reshaped:
			next := [2]int{int(e.x), int(e.y)}
			in.Resized = in.Resized || next != w.pixels
			w.pixels = next
		case rescaled:
			w.scale, in.ScaleChanged = e.x, true
		case iconified:
			w.iconic = e.down
		case closed:
			in.CloseRequested = true
		case dropped:
			in.Dropped = append(in.Dropped, w.paths...)
			w.paths = w.paths[:0]
		}
	}
	w.queue = w.queue[:0]
}

// move counts the way from the last position as motion, unless the cursor came
// back from elsewhere: a camera must not turn by that jump.
func (w *Window) move(x, y float32) {
	in := &w.in
	if w.settle {
		in.MouseX, in.MouseY, in.MouseInside, w.settle = x, y, true, false
		return
	}
	in.MoveMouse(x, y)
}
