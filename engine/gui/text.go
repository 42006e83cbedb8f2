package gui

// #include "shim.h"
import "C"

import (
	"fmt"
	"strconv"
)

// Text shows text as it is; there is no formatting and "##" means nothing in it.
func (c *Context) Text(text string) { C.bp_text(c.g, ptr(text), size(text)) }

// TextBytes is Text from a buffer that the caller reuses.
func (c *Context) TextBytes(text []byte) { C.bp_text(c.g, bytesPtr(text), C.size_t(len(text))) }

// TextWrapped breaks lines at the window's right edge.
func (c *Context) TextWrapped(text string) { C.bp_text_wrapped(c.g, ptr(text), size(text)) }

// TextColored shows text in a colour.
func (c *Context) TextColored(color Color, text string) {
	C.bp_text_colored(c.g, C.uint32_t(color), ptr(text), size(text))
}

// TextDisabled shows text in the quiet colour of captions and notes.
func (c *Context) TextDisabled(text string) { C.bp_text_disabled(c.g, ptr(text), size(text)) }

// TextRight sets text against the right edge of the window or column.
func (c *Context) TextRight(text string) { C.bp_text_right(c.g, ptr(text), size(text)) }

// BulletText shows text behind a bullet.
func (c *Context) BulletText(text string) { C.bp_bullet_text(c.g, ptr(text), size(text)) }

// Textf formats into a buffer that is reused. Boxing the arguments can still
// allocate; a panel that is shown every frame uses Number, Int or TextBytes.
func (c *Context) Textf(format string, args ...any) {
	c.text = fmt.Appendf(c.text[:0], format, args...)
	c.TextBytes(c.text)
}

// Number shows v with this many decimals, then unit, and allocates nothing.
func (c *Context) Number(v float64, decimals int, unit string) {
	c.text = strconv.AppendFloat(c.text[:0], v, 'f', decimals, 64)
	c.text = append(c.text, unit...)
	c.TextBytes(c.text)
}

// Int shows v, then unit, and allocates nothing.
func (c *Context) Int(v int, unit string) {
	c.text = strconv.AppendInt(c.text[:0], int64(v), 10)
	c.text = append(c.text, unit...)
	c.TextBytes(c.text)
}
