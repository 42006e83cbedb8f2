// A plain C face for Dear ImGui 1.86: numbers, pointers and lengths in, plain
// structs out. Strings are bytes with a length, not zero-terminated. No call
// keeps a pointer that it was given, and none calls back into Go.
#ifndef BINDPOSE_GUI_SHIM_H
#define BINDPOSE_GUI_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bp_gui bp_gui;

typedef struct {
  float mouse_x, mouse_y, wheel_x, wheel_y;
  float width, height, framebuffer_scale, delta;
  uint8_t buttons[5];
  uint8_t keys[349]; // by GLFW key number
  uint8_t mouse_inside, control, shift, alt, super;
} bp_input;

typedef struct {
  const void *vertices; // 20 bytes each: x, y, u, v (float), RGBA (bytes)
  const uint16_t *indices;
  size_t vertex_count, index_count;
} bp_list;

typedef struct {
  uint64_t texture;
  int32_t clip_x, clip_y, clip_w, clip_h; // framebuffer pixels, inside the framebuffer
  uint32_t index_offset, index_count, vertex_offset;
} bp_command;

typedef struct {
  const bp_list *lists;
  const bp_command *commands;
  size_t list_count, command_count, vertex_count, index_count;
  float x, y, width, height, framebuffer_scale;
  bool want_mouse, want_keyboard, want_text;
  int32_t cursor;
  const char *clipboard; // what was copied in this frame, or null
  size_t clipboard_size;
  const char *misuse; // the first unbalanced call of this frame, or null
  size_t misuse_size;
} bp_frame;

bp_gui *bp_create(void);
void bp_destroy(bp_gui *g);
// Three TTF files: body, strong, mono. True if the atlas could be built.
bool bp_set_fonts(bp_gui *g, const void *body, size_t body_size, const void *strong, size_t strong_size,
                  const void *mono, size_t mono_size, float pixels, float scale);
const uint8_t *bp_atlas(bp_gui *g, int32_t *width, int32_t *height);
void bp_begin_frame(bp_gui *g, const bp_input *in, const int32_t *runes, size_t rune_count);
void bp_end_frame(bp_gui *g, bp_frame *out);
void bp_set_clipboard(bp_gui *g, const char *s, size_t n);
// Where the windows are, in Dear ImGui's own words; valid until the next call.
const char *bp_layout(bp_gui *g, size_t *n);
void bp_set_layout(bp_gui *g, const char *s, size_t n);

// Windows.
void bp_next_window_pos(bp_gui *g, float x, float y, float pivot_x, float pivot_y, int32_t cond);
void bp_next_window_size(bp_gui *g, float w, float h, int32_t cond);
void bp_next_window_limits(bp_gui *g, float min_w, float min_h, float max_w, float max_h);
void bp_next_window_collapsed(bp_gui *g, bool collapsed, int32_t cond);
void bp_next_window_alpha(bp_gui *g, float alpha);
void bp_next_window_focus(bp_gui *g);
bool bp_begin(bp_gui *g, const char *s, size_t n, bool *open, int32_t flags);
void bp_end(bp_gui *g);
bool bp_begin_child(bp_gui *g, const char *s, size_t n, float w, float h, bool border, int32_t flags);
void bp_end_child(bp_gui *g);
bool bp_window_hovered(bp_gui *g);
bool bp_window_focused(bp_gui *g);
void bp_window_rect(bp_gui *g, float *out4);
void bp_scroll_here(bp_gui *g, float ratio);

// Layout.
void bp_separator(bp_gui *g);
void bp_same_line(bp_gui *g, float x, float spacing);
void bp_spacing(bp_gui *g);
void bp_new_line(bp_gui *g);
void bp_dummy(bp_gui *g, float w, float h);
void bp_indent(bp_gui *g, float w);
void bp_unindent(bp_gui *g, float w);
void bp_begin_group(bp_gui *g);
void bp_end_group(bp_gui *g);
void bp_align_text(bp_gui *g);
void bp_cursor(bp_gui *g, float *out4); // window-local, then screen
void bp_set_cursor(bp_gui *g, float x, float y);
void bp_set_cursor_screen(bp_gui *g, float x, float y);
void bp_content_avail(bp_gui *g, float *out2);
void bp_text_size(bp_gui *g, const char *s, size_t n, float *out2);
void bp_next_item_width(bp_gui *g, float w);
float bp_line_height(bp_gui *g, bool framed);

// Text and widgets.
void bp_text(bp_gui *g, const char *s, size_t n);
void bp_text_wrapped(bp_gui *g, const char *s, size_t n);
void bp_text_colored(bp_gui *g, uint32_t color, const char *s, size_t n);
void bp_text_disabled(bp_gui *g, const char *s, size_t n);
void bp_bullet_text(bp_gui *g, const char *s, size_t n);
void bp_text_right(bp_gui *g, const char *s, size_t n);
bool bp_button(bp_gui *g, const char *s, size_t n, float w, float h);
bool bp_small_button(bp_gui *g, const char *s, size_t n);
bool bp_invisible_button(bp_gui *g, const char *s, size_t n, float w, float h);
bool bp_checkbox(bp_gui *g, const char *s, size_t n, bool *v);
bool bp_radio(bp_gui *g, const char *s, size_t n, bool active);
bool bp_slider_float(bp_gui *g, const char *s, size_t n, float *v, float lo, float hi, int32_t decimals);
bool bp_slider_int(bp_gui *g, const char *s, size_t n, int32_t *v, int32_t lo, int32_t hi);
bool bp_drag_float(bp_gui *g, const char *s, size_t n, float *v, int32_t count, float speed, float lo, float hi,
                   int32_t decimals);
bool bp_color(bp_gui *g, const char *s, size_t n, float *v, int32_t count);
bool bp_input_text(bp_gui *g, const char *s, size_t n, const char *hint, size_t hint_n, const char *text, size_t text_n,
                   int32_t flags, const char **out, size_t *out_n);
bool bp_begin_combo(bp_gui *g, const char *s, size_t n, const char *preview, size_t preview_n);
void bp_end_combo(bp_gui *g);
bool bp_selectable(bp_gui *g, const char *s, size_t n, bool selected, int32_t flags);
bool bp_tree_node(bp_gui *g, const char *s, size_t n, int32_t flags);
void bp_tree_pop(bp_gui *g);
void bp_next_item_open(bp_gui *g, bool open, int32_t cond);
bool bp_collapsing_header(bp_gui *g, const char *s, size_t n, int32_t flags);
void bp_progress(bp_gui *g, float fraction, float w, float h, const char *s, size_t n);
void bp_plot(bp_gui *g, bool histogram, const char *s, size_t n, const float *values, int32_t count, int32_t first,
             const char *overlay, size_t overlay_n, float lo, float hi, float w, float h);
void bp_image(bp_gui *g, uint64_t texture, float w, float h, float u0, float v0, float u1, float v1);

// Tables.
bool bp_begin_table(bp_gui *g, const char *s, size_t n, int32_t columns, int32_t flags, float w, float h);
void bp_end_table(bp_gui *g);
void bp_table_column(bp_gui *g, const char *s, size_t n, int32_t flags, float width, bool right);
void bp_table_freeze(bp_gui *g, int32_t columns, int32_t rows);
void bp_table_headers(bp_gui *g);
void bp_table_row(bp_gui *g, float min_height);
bool bp_table_next(bp_gui *g);
void bp_table_cell_right(bp_gui *g, const char *s, size_t n);
void bp_table_color(bp_gui *g, bool row, uint32_t color);
bool bp_table_sort(bp_gui *g, int32_t *column, bool *descending);

// Popups, menus, tooltips, tabs.
void bp_tooltip(bp_gui *g, const char *s, size_t n);
void bp_begin_tooltip(bp_gui *g);
void bp_end_tooltip(bp_gui *g);
bool bp_begin_main_menu(bp_gui *g);
void bp_end_main_menu(bp_gui *g);
bool bp_begin_menu_bar(bp_gui *g);
void bp_end_menu_bar(bp_gui *g);
bool bp_begin_menu(bp_gui *g, const char *s, size_t n, bool enabled);
void bp_end_menu(bp_gui *g);
bool bp_menu_item(bp_gui *g, const char *s, size_t n, const char *keys, size_t keys_n, bool selected, bool enabled);
void bp_open_popup(bp_gui *g, const char *s, size_t n);
bool bp_begin_popup(bp_gui *g, const char *s, size_t n);
bool bp_begin_context_popup(bp_gui *g, const char *s, size_t n);
bool bp_begin_modal(bp_gui *g, const char *s, size_t n, bool *open, int32_t flags);
void bp_end_popup(bp_gui *g);
void bp_close_popup(bp_gui *g);
bool bp_begin_tab_bar(bp_gui *g, const char *s, size_t n);
void bp_end_tab_bar(bp_gui *g);
bool bp_begin_tab(bp_gui *g, const char *s, size_t n);
void bp_end_tab(bp_gui *g);

// State of the last item, and stacks.
bool bp_item_hovered(bp_gui *g);
bool bp_item_active(bp_gui *g);
bool bp_item_clicked(bp_gui *g, int32_t button);
bool bp_item_edited_done(bp_gui *g);
void bp_item_rect(bp_gui *g, float *out4);
void bp_keyboard_focus_here(bp_gui *g);
void bp_push_id(bp_gui *g, const char *s, size_t n);
void bp_push_id_int(bp_gui *g, int64_t id);
void bp_pop_id(bp_gui *g);
void bp_push_color(bp_gui *g, int32_t slot, uint32_t color);
void bp_pop_color(bp_gui *g, int32_t count);
uint32_t bp_style_color(bp_gui *g, int32_t slot);
void bp_push_font(bp_gui *g, int32_t font);
void bp_pop_font(bp_gui *g);
void bp_begin_disabled(bp_gui *g, bool disabled);
void bp_end_disabled(bp_gui *g);

// Rows of a long list that can be seen; the caller leaves out the others.
void bp_visible_rows(bp_gui *g, int32_t count, float row_height, int32_t *first, int32_t *last);

// Drawing in screen space. layer: 0 this window, 1 behind all windows, 2 before them.
void bp_draw_lines(bp_gui *g, int32_t layer, const float *xyxy, size_t lines, uint32_t color, float thickness);
void bp_draw_rect(bp_gui *g, int32_t layer, float x0, float y0, float x1, float y1, uint32_t color, float rounding,
                  float thickness); // thickness 0 fills
void bp_draw_circle(bp_gui *g, int32_t layer, float x, float y, float radius, uint32_t color, float thickness);
void bp_draw_triangle(bp_gui *g, int32_t layer, const float *xyxyxy, uint32_t color);
void bp_draw_text(bp_gui *g, int32_t layer, float x, float y, uint32_t color, const char *s, size_t n);
void bp_draw_push_clip(bp_gui *g, int32_t layer, float x0, float y0, float x1, float y1);
void bp_draw_pop_clip(bp_gui *g, int32_t layer);

#ifdef __cplusplus
}
#endif
#endif
