package gui

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bindpose/bindpose/engine/input"
)

// Clipboard is where text fields copy to and paste from; a window is one.
type Clipboard interface {
	ClipboardText() string
	SetClipboardText(string)
}

// Options of New. The zero value is good for a test or a headless frame.
type Options struct {
	FontSize  float32   // pixels at scale 1; 0 means 15
	Scale     float32   // the display's content scale; 0 means 1
	Clipboard Clipboard // nil keeps copied text inside the Context
}

// Context is one user interface with its own windows, fonts and state. Its
// methods must all run on one goroutine at a time, and so must those of all
// other Contexts of the process: Dear ImGui keeps one current context in a
// global. Interleaving two Contexts call by call is fine.
//
// Widgets belong between NewFrame and EndFrame, and nothing after Close.
//
// Strings are read during the call and not kept, so they may view a buffer.
type Context struct {
	g         *C.bp_gui
	in        C.bp_input
	out       C.bp_frame
	draw      DrawData
	text      []byte // scratch for formatted numbers
	clipboard Clipboard
	options   Options
	atlases   int
	open      bool // between NewFrame and EndFrame
	misuse    error
}

// New makes a user interface and rasterises its fonts (a few milliseconds).
// Close frees it.
func New(o Options) (*Context, error) {
	if o.FontSize == 0 {
		o.FontSize = 15
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if !(o.FontSize >= 6 && o.FontSize <= 96) || !(o.Scale >= 0.25 && o.Scale <= 8) {
		return nil, fmt.Errorf("gui: font size %g at scale %g: want 6 to 96 pixels at 0.25 to 8", o.FontSize, o.Scale)
	}
	c := &Context{g: C.bp_create(), clipboard: o.Clipboard, options: o, text: make([]byte, 0, 256)}
	if err := c.loadFonts(); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Context) loadFonts() error {
	body, strong, mono := goregular.TTF, gomedium.TTF, gomono.TTF
	ok := C.bp_set_fonts(c.g,
		unsafe.Pointer(&body[0]), C.size_t(len(body)),
		unsafe.Pointer(&strong[0]), C.size_t(len(strong)),
		unsafe.Pointer(&mono[0]), C.size_t(len(mono)),
		C.float(c.options.FontSize), C.float(c.options.Scale))
	c.atlases++
	if !ok {
		return errors.New("gui: the font atlas could not be built")
	}
	return nil
}

// Close frees the Context; DrawData and Atlas pixels that it gave out are gone.
func (c *Context) Close() {
	if c.g != nil {
		C.bp_destroy(c.g)
		c.g = nil
	}
}

// Scale is the factor from design pixels to display units; multiply widths and
// heights that you pass by it.
func (c *Context) Scale() float32 { return c.options.Scale }

// SetScale follows a window to a display of another content scale: it
// rasterises the fonts anew, so Atlas().Version changes and the texture must be
// uploaded again. Call it between frames.
func (c *Context) SetScale(scale float32) error {
	if scale == c.options.Scale {
		return nil
	}
	if c.open || !(scale >= 0.25 && scale <= 8) {
		return fmt.Errorf("gui: scale %g set: want 0.25 to 8, between frames", scale)
	}
	c.options.Scale = scale
	return c.loadFonts()
}

// Atlas is the texture that text and shapes sample: one byte a texel, coverage.
// Upload it as R8 with the swizzle (one, one, one, R), and the same shader draws
// RGBA textures too; sample it linearly.
type Atlas struct {
	Width, Height int
	Alpha         []byte // Width·Height bytes, rows from the top, owned by the Context
	Version       int    // changes when the pixels do
}

// Atlas gives the current font texture; commands name it FontTexture.
func (c *Context) Atlas() Atlas {
	var w, h C.int32_t
	p := C.bp_atlas(c.g, &w, &h)
	return Atlas{int(w), int(h), unsafe.Slice((*byte)(p), int(w)*int(h)), c.atlases}
}

// Frame says what the next frame is drawn to.
type Frame struct {
	Width, Height    float32 // window units, in which input and layout count
	FramebufferScale float32 // framebuffer pixels a window unit; 0 means 1
	Delta            float32 // seconds since the last frame
}

// NewFrame begins a frame. in may be nil: nobody is there.
func (c *Context) NewFrame(in *input.State, f Frame) {
	if c.open {
		c.EndFrame()
	}
	c.open = true
	c.in = C.bp_input{
		width: C.float(max(f.Width, 1)), height: C.float(max(f.Height, 1)),
		framebuffer_scale: C.float(f.FramebufferScale), delta: C.float(f.Delta),
	}
	if f.FramebufferScale <= 0 {
		c.in.framebuffer_scale = 1
	}
	var runes []rune
	if in != nil {
		c.readInput(in)
		runes = in.Text
	}
	C.bp_begin_frame(c.g, &c.in, (*C.int32_t)(unsafe.SliceData(runes)), C.size_t(len(runes)))
}

// readInput counts what went down and up within one frame as held for that
// frame; otherwise a quick click would be lost.
func (c *Context) readInput(in *input.State) {
	c.in.mouse_x, c.in.mouse_y = C.float(in.MouseX), C.float(in.MouseY)
	c.in.wheel_x, c.in.wheel_y = C.float(in.WheelX), C.float(in.WheelY)
	c.in.mouse_inside = bit(in.MouseInside)
	c.in.control, c.in.shift = bit(in.Control()), bit(in.Shift())
	c.in.alt, c.in.super = bit(in.Alt()), bit(in.Super())
	for b := range input.ButtonCount {
		c.in.buttons[b] = bit(in.ButtonDown(b) || in.ButtonPressed(b))
	}
	for k := range input.KeyCount {
		c.in.keys[k] = bit(in.Down(k) || in.Pressed(k))
	}
	if c.clipboard != nil && (in.Control() && in.Typed(input.KeyV) || in.Shift() && in.Typed(input.KeyInsert)) {
		s := c.clipboard.ClipboardText()
		C.bp_set_clipboard(c.g, ptr(s), size(s))
	}
}

// EndFrame ends the frame and gives what is to be drawn. It stays valid until
// the next NewFrame, SetScale or Close.
func (c *Context) EndFrame() *DrawData {
	if !c.open {
		return &c.draw
	}
	c.open = false
	C.bp_end_frame(c.g, &c.out)
	c.misuse = nil
	if c.out.misuse != nil {
		c.misuse = fmt.Errorf("gui: unbalanced calls: %s", C.GoStringN(c.out.misuse, C.int(c.out.misuse_size)))
	}
	if c.clipboard != nil && c.out.clipboard != nil {
		c.clipboard.SetClipboardText(C.GoStringN(c.out.clipboard, C.int(c.out.clipboard_size)))
	}
	c.draw.read(&c.out)
	return &c.draw
}

// Err reports the first unbalanced call of the last frame (a Begin without its
// End, a TreePop too many). Such a frame is mended and still drawn.
func (c *Context) Err() error { return c.misuse }

// WantMouse reports, as of the last frame, that the mouse is over or held by
// the GUI, so a camera should not take it.
func (c *Context) WantMouse() bool { return bool(c.out.want_mouse) }

// WantKeyboard reports, as of the last frame, that keys belong to the GUI.
func (c *Context) WantKeyboard() bool { return bool(c.out.want_keyboard) }

// WantText reports, as of the last frame, that a text field is being edited.
func (c *Context) WantText() bool { return bool(c.out.want_text) }

// MouseCursor is the shape that the last frame asks for.
func (c *Context) MouseCursor() input.Cursor { return input.Cursor(c.out.cursor) }

func bit(b bool) C.uint8_t {
	if b {
		return 1
	}
	return 0
}

// ptr and size pass a string by address and length, which copies nothing. An
// empty string has an address too: Dear ImGui reads a null one as "until zero".
func ptr(s string) *C.char {
	if len(s) == 0 {
		return (*C.char)(unsafe.Pointer(&zero))
	}
	return (*C.char)(unsafe.Pointer(unsafe.StringData(s)))
}

func size(s string) C.size_t { return C.size_t(len(s)) }

func bytesPtr(b []byte) *C.char { return ptr(unsafe.String(unsafe.SliceData(b), len(b))) }

var zero byte

// Layout is where the windows are and how large, as text for SetLayout.
func (c *Context) Layout() string {
	if c.g == nil {
		return ""
	}
	var n C.size_t
	text := C.bp_layout(c.g, &n)
	return C.GoStringN(text, C.int(n))
}

// SetLayout puts windows where they were when Layout was called, those that are
// not there yet when they appear. What it does not understand it leaves out.
func (c *Context) SetLayout(layout string) {
	if layout != "" {
		C.bp_set_layout(c.g, ptr(layout), size(layout))
	}
}
