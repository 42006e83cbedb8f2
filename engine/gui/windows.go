package gui

// #include "shim.h"
import "C"

// Cond says when a SetNext… call takes effect.
type Cond int32

// The conditions. The zero value is Always.
const (
	Always    Cond = 1 << iota
	Once           // the first time in this run
	FirstUse       // when the window is new; the user may change it after
	Appearing      // whenever it comes back from hidden
)

// WindowFlags change what a window shows and takes.
type WindowFlags int32

// The window flags; the numbers are Dear ImGui's.
const (
	NoTitleBar          WindowFlags = 1 << 0
	NoResize            WindowFlags = 1 << 1
	NoMove              WindowFlags = 1 << 2
	NoScrollbar         WindowFlags = 1 << 3
	NoScrollWithMouse   WindowFlags = 1 << 4
	NoCollapse          WindowFlags = 1 << 5
	AutoResize          WindowFlags = 1 << 6 // fits its content each frame
	NoBackground        WindowFlags = 1 << 7
	NoMouseInputs       WindowFlags = 1 << 9
	MenuBar             WindowFlags = 1 << 10
	HorizontalScrollbar WindowFlags = 1 << 11
	NoFocusOnAppearing  WindowFlags = 1 << 12
	NoBringToFront      WindowFlags = 1 << 13
	NoNav               WindowFlags = 1<<18 | 1<<19
	NoDecoration                    = NoTitleBar | NoResize | NoScrollbar | NoCollapse
	NoInputs                        = NoMouseInputs | NoNav
)

// SetNextWindowPos places the next window's top left, in window units.
func (c *Context) SetNextWindowPos(x, y float32, cond Cond) {
	C.bp_next_window_pos(c.g, C.float(x), C.float(y), 0, 0, C.int32_t(cond))
}

// SetNextWindowAnchor places the next window so that its pivot, 0 to 1 of its
// own size, lies at x, y: (1, 0) hangs it by its top right.
func (c *Context) SetNextWindowAnchor(x, y, pivotX, pivotY float32, cond Cond) {
	C.bp_next_window_pos(c.g, C.float(x), C.float(y), C.float(pivotX), C.float(pivotY), C.int32_t(cond))
}

// SetNextWindowSize sizes the next window; 0 fits that axis to the content.
func (c *Context) SetNextWindowSize(w, h float32, cond Cond) {
	C.bp_next_window_size(c.g, C.float(w), C.float(h), C.int32_t(cond))
}

// SetNextWindowLimits bounds the next window's size.
func (c *Context) SetNextWindowLimits(minW, minH, maxW, maxH float32) {
	C.bp_next_window_limits(c.g, C.float(minW), C.float(minH), C.float(maxW), C.float(maxH))
}

// SetNextWindowCollapsed folds or unfolds the next window.
func (c *Context) SetNextWindowCollapsed(collapsed bool, cond Cond) {
	C.bp_next_window_collapsed(c.g, C.bool(collapsed), C.int32_t(cond))
}

// SetNextWindowAlpha sets how opaque the next window's ground is, 0 to 1.
func (c *Context) SetNextWindowAlpha(alpha float32) { C.bp_next_window_alpha(c.g, C.float(alpha)) }

// SetNextWindowFocus brings the next window to the front.
func (c *Context) SetNextWindowFocus() { C.bp_next_window_focus(c.g) }

// Begin opens a window. open, unless nil, adds a close button that clears it.
// False means nothing of it can be seen; call End all the same.
func (c *Context) Begin(title string, open *bool, flags WindowFlags) bool {
	return bool(C.bp_begin(c.g, ptr(title), size(title), cbool(open), C.int32_t(flags)))
}

// End closes the window that Begin opened.
func (c *Context) End() { C.bp_end(c.g) }

// BeginChild opens a region of its own scrolling; 0 takes the room that is
// left, negative leaves that much. Call EndChild whatever it returns.
func (c *Context) BeginChild(id string, w, h float32, border bool, flags WindowFlags) bool {
	return bool(C.bp_begin_child(c.g, ptr(id), size(id), C.float(w), C.float(h), C.bool(border), C.int32_t(flags)))
}

// EndChild closes the region that BeginChild opened.
func (c *Context) EndChild() { C.bp_end_child(c.g) }

// IsWindowHovered reports whether the mouse is over this window.
func (c *Context) IsWindowHovered() bool { return bool(C.bp_window_hovered(c.g)) }

// IsWindowFocused reports whether this window has the focus.
func (c *Context) IsWindowFocused() bool { return bool(C.bp_window_focused(c.g)) }

// WindowRect is this window's rectangle on the screen.
func (c *Context) WindowRect() (x0, y0, x1, y1 float32) {
	var r [4]C.float
	C.bp_window_rect(c.g, &r[0])
	return float32(r[0]), float32(r[1]), float32(r[2]), float32(r[3])
}

// ScrollHere scrolls so that the current line lies at ratio of the window's
// height: 0 top, 0.5 middle, 1 bottom.
func (c *Context) ScrollHere(ratio float32) { C.bp_scroll_here(c.g, C.float(ratio)) }
