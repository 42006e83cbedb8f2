package window

import (
	"errors"
	"fmt"
	"runtime"

	"github.com/go-gl/glfw/v3.3/glfw"

	"github.com/bindpose/bindpose/engine/input"
)

// GLFW must run on the thread that the process began on.
func init() { runtime.LockOSThread() }

// ErrNoDisplay is wrapped by the error of Open where there is nothing to open a
// window on; a program then renders headless.
var ErrNoDisplay = errors.New("no display")

// Options of Open.
type Options struct {
	Title         string
	Width, Height int  // window units; 0 means 1280×720
	Hidden        bool // never shown, for tests
	Resizable     bool
}

// Window is one window. Its methods belong to the main thread.
type Window struct {
	w        *glfw.Window
	in       input.State
	queue    []event // what the callbacks saw since the last Poll
	paths    []string
	size     [2]int
	pixels   [2]int
	scale    float32
	iconic   bool
	captured bool
	settle   bool // the next cursor position is a jump, not a motion
	cursor   input.Cursor
	cursors  [input.CursorCount]*glfw.Cursor
}

// open counts the windows of the process; GLFW runs while there is one.
var open int

// Open opens a window. Its error says in one sentence what to do.
func Open(o Options) (w *Window, err error) {
	if o.Width == 0 && o.Height == 0 {
		o.Width, o.Height = 1280, 720
	}
	if o.Width <= 0 || o.Height <= 0 || o.Width > 1<<15 || o.Height > 1<<15 {
		return nil, fmt.Errorf("window: a window of %d×%d cannot be opened: give 1 to 32768 in each direction", o.Width, o.Height)
	}
	done, err := probeDisplay()
	if err != nil {
		return nil, err
	}
	defer done()
	if open == 0 {
		if err := glfw.Init(); err != nil {
			return nil, fmt.Errorf("window: GLFW did not start, so render headless instead: %w", err)
		}
	}
	open++
	// The binding panics where GLFW failed to start but only logged it.
	defer func() {
		if r := recover(); r != nil {
			w, err = nil, fmt.Errorf("window: %v: no window could be opened on this display, so render headless instead", r)
		}
		if err != nil {
			release()
		}
	}()
	glfw.DefaultWindowHints()
	glfw.WindowHint(glfw.ClientAPI, glfw.NoAPI)
	glfw.WindowHint(glfw.Visible, hint(!o.Hidden))
	glfw.WindowHint(glfw.Resizable, hint(o.Resizable))
	glfw.WindowHint(glfw.ScaleToMonitor, glfw.True)
	handle, err := glfw.CreateWindow(o.Width, o.Height, o.Title, nil, nil)
	if err == nil && handle == nil {
		err = ErrNoDisplay
	}
	if err != nil {
		return nil, fmt.Errorf("window: no window could be opened on this display, so render headless instead: %w", err)
	}
	w = &Window{w: handle, settle: true, queue: make([]event, 0, 64)}
	w.size[0], w.size[1] = handle.GetSize()
	w.pixels[0], w.pixels[1] = handle.GetFramebufferSize()
	w.scale, _ = handle.GetContentScale()
	w.in.Focused = handle.GetAttrib(glfw.Focused) == glfw.True
	w.in.Text = make([]rune, 0, 16)
	w.listen()
	return w, nil
}

func release() {
	if open--; open == 0 {
		glfw.Terminate()
	}
}

func hint(on bool) int {
	if on {
		return glfw.True
	}
	return glfw.False
}

// Close destroys the window, and ends GLFW with the last one. Destroy the
// surface and swapchain made for it first.
func (w *Window) Close() {
	if w.w == nil {
		return
	}
	for _, c := range w.cursors {
		if c != nil {
			c.Destroy()
		}
	}
	w.w.Destroy()
	w.w = nil
	release()
}

// Poll gathers what happened since the last Poll. The State is the window's own
// and is filled anew by the next Poll.
func (w *Window) Poll() *input.State {
	glfw.PollEvents()
	w.in.BeginFrame()
	w.apply()
	return &w.in
}

// WaitEvents sleeps until something happens, or seconds have passed. What
// happened is in the next Poll.
func (w *Window) WaitEvents(seconds float64) {
	if seconds > 0 {
		glfw.WaitEventsTimeout(min(seconds, 3600))
	}
}

// Wake ends a WaitEvents early. It may be called from any goroutine.
func Wake() { glfw.PostEmptyEvent() }

// Size is the window's size in window units, as of the last Poll.
func (w *Window) Size() (width, height int) { return w.size[0], w.size[1] }

// SetSize asks for another size; a later Poll reports it.
func (w *Window) SetSize(width, height int) { w.w.SetSize(max(width, 1), max(height, 1)) }

// Position is where on the screen the window's content begins, in window units
// from the top left. Wayland does not tell: there it is 0, 0.
func (w *Window) Position() (x, y int) { return w.w.GetPos() }

// SetPosition asks for another position; Wayland pays no heed.
func (w *Window) SetPosition(x, y int) { w.w.SetPos(x, y) }

// FramebufferSize is the size in pixels, as of the last Poll. It is 0×0 while
// some systems show the window minimised.
func (w *Window) FramebufferSize() (width, height int) { return w.pixels[0], w.pixels[1] }

// FramebufferScale is how many pixels a window unit has.
func (w *Window) FramebufferScale() float32 {
	if w.size[0] <= 0 || w.pixels[0] <= 0 {
		return 1
	}
	return float32(w.pixels[0]) / float32(w.size[0])
}

// ContentScale is how much larger than usual this display shows text: 2 on a
// display of twice the usual density.
func (w *Window) ContentScale() float32 { return w.scale }

// GUIScale is the content scale in window units: what a GUI laid out in window
// units multiplies its lengths by.
func (w *Window) GUIScale() float32 { return w.scale / w.FramebufferScale() }

// Minimised reports that there is nothing to draw to: the window is an icon or
// its framebuffer is 0×0.
func (w *Window) Minimised() bool { return w.iconic || w.pixels[0] == 0 || w.pixels[1] == 0 }

// SetTitle changes the title.
func (w *Window) SetTitle(title string) { w.w.SetTitle(title) }

// RequestClose asks the window to close, as its close button does.
func (w *Window) RequestClose() { w.queue = append(w.queue, event{kind: closed}) }

// CancelClose takes back a request to close.
func (w *Window) CancelClose() {
	w.w.SetShouldClose(false)
	w.in.CloseRequested = false
}

// ClipboardText is the text on the system's clipboard, or "".
func (w *Window) ClipboardText() string { return w.w.GetClipboardString() }

// SetClipboardText puts text on the system's clipboard.
func (w *Window) SetClipboardText(text string) { w.w.SetClipboardString(text) }
