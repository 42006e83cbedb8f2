package gui

// #include "shim.h"
import "C"

// Separator draws a thin line across.
func (c *Context) Separator() { C.bp_separator(c.g) }

// SameLine puts the next item right of the last.
func (c *Context) SameLine() { C.bp_same_line(c.g, 0, -1) }

// SameLineAt puts the next item on the last one's line, x from the window's left.
func (c *Context) SameLineAt(x float32) { C.bp_same_line(c.g, C.float(x), -1) }

// SameLineSpacing is SameLine with a gap of its own.
func (c *Context) SameLineSpacing(gap float32) { C.bp_same_line(c.g, 0, C.float(gap)) }

// Spacing leaves a small vertical gap.
func (c *Context) Spacing() { C.bp_spacing(c.g) }

// NewLine ends the current line.
func (c *Context) NewLine() { C.bp_new_line(c.g) }

// Dummy takes up room.
func (c *Context) Dummy(w, h float32) { C.bp_dummy(c.g, C.float(w), C.float(h)) }

// Indent moves what follows right, by the style's step where w is 0.
func (c *Context) Indent(w float32) { C.bp_indent(c.g, C.float(w)) }

// Unindent takes Indent back.
func (c *Context) Unindent(w float32) { C.bp_unindent(c.g, C.float(w)) }

// BeginGroup makes what follows one item to SameLine and the IsItem… calls.
func (c *Context) BeginGroup() { C.bp_begin_group(c.g) }

// EndGroup ends the group.
func (c *Context) EndGroup() { C.bp_end_group(c.g) }

// AlignText lowers the next text to the baseline of framed widgets beside it.
func (c *Context) AlignText() { C.bp_align_text(c.g) }

// CursorPos is where the next item goes, from this window's top left.
func (c *Context) CursorPos() (x, y float32) {
	var r [4]C.float
	C.bp_cursor(c.g, &r[0])
	return float32(r[0]), float32(r[1])
}

// CursorScreenPos is where the next item goes on the screen, as DrawList counts.
func (c *Context) CursorScreenPos() (x, y float32) {
	var r [4]C.float
	C.bp_cursor(c.g, &r[0])
	return float32(r[2]), float32(r[3])
}

// SetCursorPos moves where the next item goes, from this window's top left.
func (c *Context) SetCursorPos(x, y float32) { C.bp_set_cursor(c.g, C.float(x), C.float(y)) }

// SetCursorScreenPos moves where the next item goes on the screen.
func (c *Context) SetCursorScreenPos(x, y float32) {
	C.bp_set_cursor_screen(c.g, C.float(x), C.float(y))
}

// ContentAvail is the room left of the window or column.
func (c *Context) ContentAvail() (w, h float32) {
	var r [2]C.float
	C.bp_content_avail(c.g, &r[0])
	return float32(r[0]), float32(r[1])
}

// TextSize measures text in the current font.
func (c *Context) TextSize(text string) (w, h float32) {
	var r [2]C.float
	C.bp_text_size(c.g, ptr(text), size(text), &r[0])
	return float32(r[0]), float32(r[1])
}

// SetNextItemWidth sets the next widget's width; negative leaves that much room
// at the right for its label.
func (c *Context) SetNextItemWidth(w float32) { C.bp_next_item_width(c.g, C.float(w)) }

// LineHeight is the height of a line of text with its spacing.
func (c *Context) LineHeight() float32 { return float32(C.bp_line_height(c.g, false)) }

// FrameHeight is the height of a framed widget with its spacing.
func (c *Context) FrameHeight() float32 { return float32(C.bp_line_height(c.g, true)) }

// VisibleRows gives the half-open range of rows, of count rows of this height
// from the cursor down, that can be seen. Draw only those, with a Dummy before
// and after for the rest: a list of 10,000 joints then costs what its window shows.
func (c *Context) VisibleRows(count int, rowHeight float32) (first, last int) {
	var a, b C.int32_t
	C.bp_visible_rows(c.g, C.int32_t(count), C.float(rowHeight), &a, &b)
	return int(a), int(b)
}

// PushID sets apart items that share a label, until PopID.
func (c *Context) PushID(id string) { C.bp_push_id(c.g, ptr(id), size(id)) }

// PushIDInt is PushID by number.
func (c *Context) PushIDInt(id int) { C.bp_push_id_int(c.g, C.int64_t(id)) }

// PopID ends the last PushID or PushIDInt.
func (c *Context) PopID() { C.bp_pop_id(c.g) }

// BeginDisabled greys out what follows and makes it ignore the mouse.
func (c *Context) BeginDisabled(disabled bool) { C.bp_begin_disabled(c.g, C.bool(disabled)) }

// EndDisabled ends BeginDisabled.
func (c *Context) EndDisabled() { C.bp_end_disabled(c.g) }

// IsItemHovered reports whether the mouse is over the last item.
func (c *Context) IsItemHovered() bool { return bool(C.bp_item_hovered(c.g)) }

// IsItemActive reports whether the last item is being held or edited.
func (c *Context) IsItemActive() bool { return bool(C.bp_item_active(c.g)) }

// IsItemClicked reports whether this button (0 left, 1 right, 2 middle) went
// down on the last item in this frame.
func (c *Context) IsItemClicked(button int) bool {
	return button >= 0 && button < 5 && bool(C.bp_item_clicked(c.g, C.int32_t(button)))
}

// IsItemEdited reports whether the last item was let go after it changed its
// value: the moment to write it down.
func (c *Context) IsItemEdited() bool { return bool(C.bp_item_edited_done(c.g)) }

// ItemRect is the last item's rectangle on the screen.
func (c *Context) ItemRect() (x0, y0, x1, y1 float32) {
	var r [4]C.float
	C.bp_item_rect(c.g, &r[0])
	return float32(r[0]), float32(r[1]), float32(r[2]), float32(r[3])
}

// FocusNext gives the keyboard to the next widget.
func (c *Context) FocusNext() { C.bp_keyboard_focus_here(c.g) }
