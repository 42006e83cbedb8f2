package gui

// #include "shim.h"
import "C"

// Color is red in the lowest byte, then green, blue and opacity, as a Vertex
// holds it: sRGB-encoded, not premultiplied.
type Color uint32

// RGBA makes a Color from bytes.
func RGBA(r, g, b, a uint8) Color {
	return Color(r) | Color(g)<<8 | Color(b)<<16 | Color(a)<<24
}

// Hex makes an opaque Color from 0xRRGGBB.
func Hex(rgb uint32) Color { return RGBA(uint8(rgb>>16), uint8(rgb>>8), uint8(rgb), 255) }

// Alpha is the colour with another opacity, 0 to 1.
func (c Color) Alpha(a float32) Color {
	return c&0xFFFFFF | Color(min(max(a, 0), 1)*255+0.5)<<24
}

// Colours that go with the theme, for figures, flame strips and overlays.
var (
	Accent = Hex(0x74C7C3) // what is active or measured
	Good   = Hex(0x8FBF7F)
	Warn   = Hex(0xE0B060)
	Bad    = Hex(0xE0736B)
	Muted  = Hex(0x8B95A3)
)

// Series are colours for categories side by side: close in lightness, told
// apart by hue, by the colour-blind too when taken in order.
var Series = [8]Color{
	Hex(0x5FB0B7), Hex(0xD9A05B), Hex(0x8C9FE0), Hex(0x9DBB6A),
	Hex(0xD5807A), Hex(0xB48ACB), Hex(0x6FA3D6), Hex(0xC9B458),
}

// StyleSlot is a part of the theme whose colour can be changed for a while.
type StyleSlot int32

// The slots; the numbers are those of Dear ImGui 1.86.
const (
	StyleText          StyleSlot = 0
	StyleTextDisabled  StyleSlot = 1
	StyleWindowBg      StyleSlot = 2
	StyleChildBg       StyleSlot = 3
	StylePopupBg       StyleSlot = 4
	StyleBorder        StyleSlot = 5
	StyleFrameBg       StyleSlot = 7
	StyleCheckMark     StyleSlot = 18
	StyleSliderGrab    StyleSlot = 19
	StyleButton        StyleSlot = 21
	StyleButtonHovered StyleSlot = 22
	StyleButtonActive  StyleSlot = 23
	StyleHeader        StyleSlot = 24
	StyleHeaderHovered StyleSlot = 25
	StyleHeaderActive  StyleSlot = 26
	StyleSeparator     StyleSlot = 27
	StylePlotLines     StyleSlot = 38
	StylePlotBars      StyleSlot = 40
)

// PushStyleColor changes a slot's colour until PopStyleColor.
func (c *Context) PushStyleColor(slot StyleSlot, color Color) {
	C.bp_push_color(c.g, C.int32_t(slot), C.uint32_t(color))
}

// PopStyleColor takes back the last n PushStyleColor calls.
func (c *Context) PopStyleColor(n int) { C.bp_pop_color(c.g, C.int32_t(n)) }

// StyleColor is a slot's current colour.
func (c *Context) StyleColor(slot StyleSlot) Color {
	return Color(C.bp_style_color(c.g, C.int32_t(slot)))
}

// Font is one of the three faces of the Go font family.
type Font int32

// The fonts.
const (
	FontBody   Font = iota
	FontStrong      // headings, what must stand out
	FontMono        // code, paths, hashes
)

// PushFont changes the font until PopFont.
func (c *Context) PushFont(f Font) { C.bp_push_font(c.g, C.int32_t(f)) }

// PopFont takes back the last PushFont.
func (c *Context) PopFont() { C.bp_pop_font(c.g) }

// Heading shows text in the strong font.
func (c *Context) Heading(text string) {
	c.PushFont(FontStrong)
	c.Text(text)
	c.PopFont()
}
