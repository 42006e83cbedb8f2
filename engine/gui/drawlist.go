package gui

// #include "shim.h"
import "C"

import "unsafe"

// DrawList draws shapes in screen space (window units from the top left), for
// what no widget does: flame strips, skeleton overlays, names beside joints. It
// is a value without memory of its own and lasts as long as the frame.
type DrawList struct {
	c     *Context
	layer C.int32_t
}

// WindowDrawList draws into the current window, under its clip rectangle.
func (c *Context) WindowDrawList() DrawList { return DrawList{c, 0} }

// Background draws behind every window.
func (c *Context) Background() DrawList { return DrawList{c, 1} }

// Foreground draws before every window.
func (c *Context) Foreground() DrawList { return DrawList{c, 2} }

// AddLine draws a line.
func (d DrawList) AddLine(x0, y0, x1, y1 float32, color Color, thickness float32) {
	p := [4]float32{x0, y0, x1, y1}
	C.bp_draw_lines(d.c.g, d.layer, (*C.float)(&p[0]), 1, C.uint32_t(color), C.float(thickness))
}

// AddLines draws many lines in one call, four numbers each: x0, y0, x1, y1.
func (d DrawList) AddLines(xyxy []float32, color Color, thickness float32) {
	C.bp_draw_lines(d.c.g, d.layer, (*C.float)(unsafe.SliceData(xyxy)), C.size_t(len(xyxy)/4), C.uint32_t(color), C.float(thickness))
}

// AddRectFilled draws a filled rectangle.
func (d DrawList) AddRectFilled(x0, y0, x1, y1 float32, color Color, rounding float32) {
	C.bp_draw_rect(d.c.g, d.layer, C.float(x0), C.float(y0), C.float(x1), C.float(y1), C.uint32_t(color), C.float(rounding), 0)
}

// AddRect draws a rectangle's outline.
func (d DrawList) AddRect(x0, y0, x1, y1 float32, color Color, rounding, thickness float32) {
	C.bp_draw_rect(d.c.g, d.layer, C.float(x0), C.float(y0), C.float(x1), C.float(y1), C.uint32_t(color), C.float(rounding), C.float(max(thickness, 0.01)))
}

// AddCircleFilled draws a disc.
func (d DrawList) AddCircleFilled(x, y, radius float32, color Color) {
	C.bp_draw_circle(d.c.g, d.layer, C.float(x), C.float(y), C.float(radius), C.uint32_t(color), 0)
}

// AddCircle draws a circle.
func (d DrawList) AddCircle(x, y, radius float32, color Color, thickness float32) {
	C.bp_draw_circle(d.c.g, d.layer, C.float(x), C.float(y), C.float(radius), C.uint32_t(color), C.float(max(thickness, 0.01)))
}

// AddTriangleFilled draws a filled triangle.
func (d DrawList) AddTriangleFilled(x0, y0, x1, y1, x2, y2 float32, color Color) {
	p := [6]float32{x0, y0, x1, y1, x2, y2}
	C.bp_draw_triangle(d.c.g, d.layer, (*C.float)(&p[0]), C.uint32_t(color))
}

// AddText draws text with its top left at x, y, snapped to whole units.
func (d DrawList) AddText(x, y float32, color Color, text string) {
	C.bp_draw_text(d.c.g, d.layer, C.float(x), C.float(y), C.uint32_t(color), ptr(text), size(text))
}

// PushClip keeps what follows inside a rectangle, until PopClip.
func (d DrawList) PushClip(x0, y0, x1, y1 float32) {
	C.bp_draw_push_clip(d.c.g, d.layer, C.float(x0), C.float(y0), C.float(x1), C.float(y1))
}

// PopClip ends the last PushClip.
func (d DrawList) PopClip() { C.bp_draw_pop_clip(d.c.g, d.layer) }
