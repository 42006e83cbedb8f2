package gui

// #include "shim.h"
import "C"

import "unsafe"

// A widget's label is also its identity within its window: "Name##id" shows
// Name, and two widgets of one name differ by what follows the "##".

func cbool(v *bool) *C.bool { return (*C.bool)(unsafe.Pointer(v)) }

// Button reports whether it was clicked.
func (c *Context) Button(label string) bool {
	return bool(C.bp_button(c.g, ptr(label), size(label), 0, 0))
}

// ButtonSized is Button of a given size; 0 fits the label, negative leaves that
// much room at the right.
func (c *Context) ButtonSized(label string, w, h float32) bool {
	return bool(C.bp_button(c.g, ptr(label), size(label), C.float(w), C.float(h)))
}

// SmallButton fits into a line of text.
func (c *Context) SmallButton(label string) bool {
	return bool(C.bp_small_button(c.g, ptr(label), size(label)))
}

// InvisibleButton takes clicks where the caller draws something itself.
func (c *Context) InvisibleButton(id string, w, h float32) bool {
	return bool(C.bp_invisible_button(c.g, ptr(id), size(id), C.float(w), C.float(h)))
}

// Checkbox reports whether the user flipped *v.
func (c *Context) Checkbox(label string, v *bool) bool {
	return bool(C.bp_checkbox(c.g, ptr(label), size(label), cbool(v)))
}

// RadioButton reports whether it was clicked; active says whether it is lit.
func (c *Context) RadioButton(label string, active bool) bool {
	return bool(C.bp_radio(c.g, ptr(label), size(label), C.bool(active)))
}

// SliderFloat lets the user move *v between lo and hi and reports a change.
// Control and click types a number.
func (c *Context) SliderFloat(label string, v *float32, lo, hi float32, decimals int) bool {
	return bool(C.bp_slider_float(c.g, ptr(label), size(label), (*C.float)(v), C.float(lo), C.float(hi), C.int32_t(decimals)))
}

// SliderInt is SliderFloat for whole numbers within 32 bits.
func (c *Context) SliderInt(label string, v *int, lo, hi int) bool {
	n := C.int32_t(*v)
	changed := bool(C.bp_slider_int(c.g, ptr(label), size(label), &n, C.int32_t(lo), C.int32_t(hi)))
	if changed {
		*v = int(n)
	}
	return changed
}

// DragFloat changes *v by speed for each pixel that the mouse is dragged. Equal
// lo and hi mean no bounds.
func (c *Context) DragFloat(label string, v *float32, speed, lo, hi float32, decimals int) bool {
	return bool(C.bp_drag_float(c.g, ptr(label), size(label), (*C.float)(v), 1, C.float(speed), C.float(lo), C.float(hi), C.int32_t(decimals)))
}

// DragFloat3 is DragFloat for three numbers side by side, a mgl32.Vec3 say.
func (c *Context) DragFloat3(label string, v *[3]float32, speed, lo, hi float32, decimals int) bool {
	return bool(C.bp_drag_float(c.g, ptr(label), size(label), (*C.float)(&v[0]), 3, C.float(speed), C.float(lo), C.float(hi), C.int32_t(decimals)))
}

// ColorEdit3 edits sRGB-encoded red, green and blue, 0 to 1.
func (c *Context) ColorEdit3(label string, v *[3]float32) bool {
	return bool(C.bp_color(c.g, ptr(label), size(label), (*C.float)(&v[0]), 3))
}

// ColorEdit4 is ColorEdit3 with opacity.
func (c *Context) ColorEdit4(label string, v *[4]float32) bool {
	return bool(C.bp_color(c.g, ptr(label), size(label), (*C.float)(&v[0]), 4))
}

// InputFlags change what a text field takes.
type InputFlags int32

// The text field flags; the numbers are Dear ImGui's.
const (
	InputDecimal     InputFlags = 1 << 0
	InputNoBlank     InputFlags = 1 << 3
	InputSelectAll   InputFlags = 1 << 4
	InputEnterCommit InputFlags = 1 << 5 // report on Enter alone, not on each change
	InputReadOnly    InputFlags = 1 << 14
)

// InputText edits *text, a line of at most 4095 bytes, and reports a change;
// only a change allocates. hint is shown in grey while the field is empty.
func (c *Context) InputText(label, hint string, text *string, flags InputFlags) bool {
	var out *C.char
	var n C.size_t
	changed := bool(C.bp_input_text(c.g, ptr(label), size(label), ptr(hint), size(hint), ptr(*text), size(*text),
		C.int32_t(flags), &out, &n))
	if changed {
		*text = C.GoStringN(out, C.int(n))
	}
	return changed
}

// Combo lets the user choose one of items and reports a change of *current; a
// *current out of range shows nothing chosen.
func (c *Context) Combo(label string, current *int, items []string) bool {
	preview := ""
	if *current >= 0 && *current < len(items) {
		preview = items[*current]
	}
	if !c.BeginCombo(label, preview) {
		return false
	}
	changed := false
	for i, item := range items {
		c.PushIDInt(i)
		if c.Selectable(item, i == *current, 0) && i != *current {
			*current, changed = i, true
		}
		c.PopID()
	}
	c.EndCombo()
	return changed
}

// BeginCombo opens a drop-down that the caller fills, with Selectables say. If
// true, call EndCombo.
func (c *Context) BeginCombo(label, preview string) bool {
	return bool(C.bp_begin_combo(c.g, ptr(label), size(label), ptr(preview), size(preview)))
}

// EndCombo ends BeginCombo.
func (c *Context) EndCombo() { C.bp_end_combo(c.g) }

// SelectFlags change how a Selectable behaves.
type SelectFlags int32

// The Selectable flags; the numbers are Dear ImGui's.
const (
	SelectKeepPopup  SelectFlags = 1 << 0 // a click leaves the popup open
	SelectAllColumns SelectFlags = 1 << 1
)

// Selectable is a row that lights up; it reports a click.
func (c *Context) Selectable(label string, selected bool, flags SelectFlags) bool {
	return bool(C.bp_selectable(c.g, ptr(label), size(label), C.bool(selected), C.int32_t(flags)))
}

// TreeFlags change how a tree node looks and opens.
type TreeFlags int32

// The tree flags; the numbers are Dear ImGui's.
const (
	TreeSelected    TreeFlags = 1 << 0
	TreeDefaultOpen TreeFlags = 1 << 5
	TreeOpenOnArrow TreeFlags = 1 << 7 // a click on the name selects without opening
	TreeLeaf        TreeFlags = 1 << 8 // no arrow, always open: call TreePop
	TreeBullet      TreeFlags = 1 << 9
	TreeSpanWidth   TreeFlags = 1 << 11
)

// TreeNode reports whether it is open; if so, call TreePop after its children.
func (c *Context) TreeNode(label string, flags TreeFlags) bool {
	return bool(C.bp_tree_node(c.g, ptr(label), size(label), C.int32_t(flags)))
}

// TreePop ends an open TreeNode.
func (c *Context) TreePop() { C.bp_tree_pop(c.g) }

// SetNextItemOpen opens or shuts the next TreeNode or CollapsingHeader.
func (c *Context) SetNextItemOpen(open bool, cond Cond) {
	C.bp_next_item_open(c.g, C.bool(open), C.int32_t(cond))
}

// CollapsingHeader reports whether its section is open; nothing needs closing.
func (c *Context) CollapsingHeader(label string, flags TreeFlags) bool {
	return bool(C.bp_collapsing_header(c.g, ptr(label), size(label), C.int32_t(flags)))
}

// ProgressBar fills fraction (0 to 1) of its frame, with text over it; w of 0
// takes the usual width, negative leaves that much room; h of 0 is one line.
func (c *Context) ProgressBar(fraction, w, h float32, text string) {
	C.bp_progress(c.g, C.float(fraction), C.float(w), C.float(h), ptr(text), size(text))
}

// Plot is a small chart of values from Lo (bottom) to Hi (top); where the two are
// equal, the values' own range. Values is a ring whose oldest entry is First. Zero W and H take the usual size; a negative W
// takes the room left, less that much.
type Plot struct {
	Values  []float32
	First   int
	Lo, Hi  float32
	W, H    float32
	Overlay string // shown over the chart
}

// PlotLines draws a Plot as a line.
func (c *Context) PlotLines(label string, p *Plot) { c.plot(label, p, false) }

// PlotBars draws a Plot as bars.
func (c *Context) PlotBars(label string, p *Plot) { c.plot(label, p, true) }

func (c *Context) plot(label string, p *Plot, bars bool) {
	C.bp_plot(c.g, C.bool(bars), ptr(label), size(label), (*C.float)(unsafe.SliceData(p.Values)), C.int32_t(len(p.Values)),
		C.int32_t(max(p.First, 0)), ptr(p.Overlay), size(p.Overlay), C.float(p.Lo), C.float(p.Hi), C.float(p.W), C.float(p.H))
}

// Image shows a texture of the caller's; the name comes back in the Command.
func (c *Context) Image(texture TextureID, w, h float32) {
	C.bp_image(c.g, C.uint64_t(texture), C.float(w), C.float(h), 0, 0, 1, 1)
}

// ImagePart is Image of the part from u0, v0 to u1, v1.
func (c *Context) ImagePart(texture TextureID, w, h, u0, v0, u1, v1 float32) {
	C.bp_image(c.g, C.uint64_t(texture), C.float(w), C.float(h), C.float(u0), C.float(v0), C.float(u1), C.float(v1))
}
