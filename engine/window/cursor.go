package window

import (
	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/bindpose/bindpose/engine/input"
)

// CaptureCursor hides the cursor and holds it in the window, so that State's
// deltas have no end, as a fly camera wants. Raw motion is used where there is
// such a thing. Letting go puts the cursor back where it was.
func (w *Window) CaptureCursor(on bool) {
	if on == w.captured {
		return
	}
	w.captured = on
	w.settle = true
	if glfw.RawMouseMotionSupported() {
		w.w.SetInputMode(glfw.RawMouseMotion, hint(on))
	}
	if on {
		w.w.SetInputMode(glfw.CursorMode, glfw.CursorDisabled)
		return
	}
	w.cursor = input.CursorArrow
	w.w.SetCursor(nil)
	w.w.SetInputMode(glfw.CursorMode, glfw.CursorNormal)
}

// Captured reports whether the cursor is captured.
func (w *Window) Captured() bool { return w.captured }

// shapes are the cursors that GLFW 3.3 has; the others show the arrow.
var shapes = map[input.Cursor]glfw.StandardCursor{
	input.CursorText:             glfw.IBeamCursor,
	input.CursorResizeVertical:   glfw.VResizeCursor,
	input.CursorResizeHorizontal: glfw.HResizeCursor,
	input.CursorHand:             glfw.HandCursor,
}

// SetCursor shows another cursor, unless it is captured. Call it every frame
// with what the GUI asks for: a shape that is already shown costs nothing.
func (w *Window) SetCursor(c input.Cursor) {
	if c == w.cursor || w.captured || c < input.CursorHidden || c >= input.CursorCount {
		return
	}
	if c == input.CursorHidden || w.cursor == input.CursorHidden {
		mode := glfw.CursorNormal
		if c == input.CursorHidden {
			mode = glfw.CursorHidden
		}
		w.w.SetInputMode(glfw.CursorMode, mode)
	}
	w.cursor = c
	if c == input.CursorHidden {
		return
	}
	shape, known := shapes[c]
	if known && w.cursors[c] == nil {
		w.cursors[c] = glfw.CreateStandardCursor(shape)
	}
	w.w.SetCursor(w.cursors[c])
}
