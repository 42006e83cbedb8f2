// See shim.h. Built against Debian's libimgui-dev (Dear ImGui 1.86).
#include "shim.h"
#include "shim_context.h"

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static_assert(sizeof(ImDrawVert) == 20, "the GUI pass reads vertices of 20 bytes");
static_assert(sizeof(ImDrawIdx) == 2, "the GUI pass reads 16-bit indices");
static_assert(sizeof(bp_command) == 40, "gui.Command mirrors bp_command");
static_assert(ImGuiCol_COUNT == 53, "the colour slots in style.go are those of Dear ImGui 1.86");

namespace {

const char *decimal_format(int32_t decimals) {
  static const char *const formats[] = {"%.0f", "%.1f", "%.2f", "%.3f", "%.4f", "%.5f", "%.6f"};
  return formats[ImClamp(decimals, 0, 6)];
}

void set_text(ImVector<char> &v, const char *s, size_t n) {
  v.resize(int(n) + 1);
  if (n != 0)
    memcpy(v.Data, s, n);
  v[int(n)] = 0;
}

const char *clipboard_get(void *user) {
  auto *g = static_cast<bp_gui *>(user);
  return g->paste.Size ? g->paste.Data : "";
}

void clipboard_set(void *user, const char *text) {
  auto *g = static_cast<bp_gui *>(user);
  set_text(g->copied, text, strlen(text));
  set_text(g->paste, text, strlen(text));
  g->has_copied = true;
}

void on_unbalanced(void *user, const char *format, ...) {
  auto *g = static_cast<bp_gui *>(user);
  if (g->misuse[0] != 0)
    return;
  va_list args;
  va_start(args, format);
  vsnprintf(g->misuse, sizeof g->misuse, format, args);
  va_end(args);
}

ImDrawList *layer_list(int32_t layer) {
  switch (layer) {
  case 1:
    return ImGui::GetBackgroundDrawList();
  case 2:
    return ImGui::GetForegroundDrawList();
  default:
    return ImGui::GetWindowDrawList();
  }
}

} // namespace

extern "C" {

bp_gui *bp_create(void) {
  auto *g = IM_NEW(bp_gui)();
  g->context = ImGui::CreateContext();
  use(g);
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.BackendPlatformName = "bindpose";
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset | ImGuiBackendFlags_HasMouseCursors;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.GetClipboardTextFn = clipboard_get;
  io.SetClipboardTextFn = clipboard_set;
  io.ClipboardUserData = g;
  // GLFW key numbers ("Keyboard keys" in the GLFW 3.3 reference).
  static const int keys[][2] = {
      {ImGuiKey_Tab, 258},   {ImGuiKey_LeftArrow, 263}, {ImGuiKey_RightArrow, 262}, {ImGuiKey_UpArrow, 265},
      {ImGuiKey_DownArrow, 264}, {ImGuiKey_PageUp, 266}, {ImGuiKey_PageDown, 267},  {ImGuiKey_Home, 268},
      {ImGuiKey_End, 269},   {ImGuiKey_Insert, 260},    {ImGuiKey_Delete, 261},     {ImGuiKey_Backspace, 259},
      {ImGuiKey_Space, 32},  {ImGuiKey_Enter, 257},     {ImGuiKey_Escape, 256},     {ImGuiKey_KeyPadEnter, 335},
      {ImGuiKey_A, 'A'},     {ImGuiKey_C, 'C'},         {ImGuiKey_V, 'V'},          {ImGuiKey_X, 'X'},
      {ImGuiKey_Y, 'Y'},     {ImGuiKey_Z, 'Z'},
  };
  for (auto &k : keys)
    io.KeyMap[k[0]] = k[1];
  return g;
}

void bp_destroy(bp_gui *g) {
  ImGui::DestroyContext(g->context);
  IM_DELETE(g);
}

bool bp_set_fonts(bp_gui *g, const void *body, size_t body_size, const void *strong, size_t strong_size,
                  const void *mono, size_t mono_size, float pixels, float scale) {
  use(g);
  // What the Go fonts hold beyond Latin: Greek, Cyrillic, punctuation, arrows, simple shapes.
  static const ImWchar ranges[] = {0x0020, 0x017F, 0x0370, 0x03FF, 0x0400, 0x04FF, 0x2010, 0x2044, 0x20AC, 0x20AC,
                                   0x2122, 0x2122, 0x2190, 0x21A8, 0x2212, 0x2265, 0x25A0, 0x25E6, 0};
  ImFontAtlas *atlas = ImGui::GetIO().Fonts;
  atlas->Clear();
  atlas->TexDesiredWidth = scale > 1.5f ? 1024 : 512;
  const void *files[3] = {body, strong, mono};
  const size_t sizes[3] = {body_size, strong_size, mono_size};
  for (int i = 0; i < 3; i++) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 2;
    config.OversampleV = 1;
    config.PixelSnapH = true;
    config.RasterizerMultiply = 1.1f; // light text on dark looks thin with linear coverage
    config.EllipsisChar = 0x2026;
    snprintf(config.Name, sizeof config.Name, "bindpose %d", i);
    g->fonts[i] = atlas->AddFontFromMemoryTTF(const_cast<void *>(files[i]), int(sizes[i]),
                                              ImFloor(pixels * scale + 0.5f), &config, ranges);
    if (g->fonts[i] == nullptr)
      return false;
  }
  bool built = atlas->Build();
  atlas->ClearInputData(); // the files are the caller's
  atlas->SetTexID(reinterpret_cast<ImTextureID>(uintptr_t(1)));
  bp_apply_style(scale);
  return built;
}

const uint8_t *bp_atlas(bp_gui *g, int32_t *width, int32_t *height) {
  use(g);
  unsigned char *pixels;
  int w, h;
  ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &w, &h);
  *width = w;
  *height = h;
  return pixels;
}

void bp_begin_frame(bp_gui *g, const bp_input *in, const int32_t *runes, size_t rune_count) {
  use(g);
  g->misuse[0] = 0;
  g->has_copied = false;
  ImGuiIO &io = ImGui::GetIO();
  io.DisplaySize = ImVec2(in->width, in->height);
  io.DisplayFramebufferScale = ImVec2(in->framebuffer_scale, in->framebuffer_scale);
  io.DeltaTime = in->delta > 1e-5f ? in->delta : 1e-5f;
  io.MousePos = in->mouse_inside ? ImVec2(in->mouse_x, in->mouse_y) : ImVec2(-FLT_MAX, -FLT_MAX);
  io.MouseWheel = in->wheel_y;
  io.MouseWheelH = in->wheel_x;
  for (int i = 0; i < 5; i++)
    io.MouseDown[i] = in->buttons[i] != 0;
  for (int i = 0; i < int(sizeof in->keys); i++)
    io.KeysDown[i] = in->keys[i] != 0;
  io.KeyCtrl = in->control != 0;
  io.KeyShift = in->shift != 0;
  io.KeyAlt = in->alt != 0;
  io.KeySuper = in->super != 0;
  for (size_t i = 0; i < rune_count; i++)
    io.AddInputCharacter(unsigned(runes[i]));
  ImGui::NewFrame();
}

void bp_end_frame(bp_gui *g, bp_frame *out) {
  use(g);
  ImGui::ErrorCheckEndFrameRecover(on_unbalanced, g);
  ImGui::Render();
  const ImDrawData *data = ImGui::GetDrawData();
  const float scale = data->FramebufferScale.x;
  const float width = data->DisplaySize.x * scale, height = data->DisplaySize.y * scale;
  g->lists.resize(0);
  g->commands.resize(0);
  uint32_t first_vertex = 0, first_index = 0;
  for (int l = 0; l < data->CmdListsCount; l++) {
    const ImDrawList *list = data->CmdLists[l];
    g->lists.push_back({list->VtxBuffer.Data, list->IdxBuffer.Data, size_t(list->VtxBuffer.Size),
                        size_t(list->IdxBuffer.Size)});
    for (const ImDrawCmd &command : list->CmdBuffer) {
      const float x0 = ImMax((command.ClipRect.x - data->DisplayPos.x) * scale, 0.0f);
      const float y0 = ImMax((command.ClipRect.y - data->DisplayPos.y) * scale, 0.0f);
      const float x1 = ImMin((command.ClipRect.z - data->DisplayPos.x) * scale, width);
      const float y1 = ImMin((command.ClipRect.w - data->DisplayPos.y) * scale, height);
      if (command.UserCallback != nullptr || command.ElemCount == 0 || x1 <= x0 || y1 <= y0)
        continue;
      bp_command c;
      c.texture = uint64_t(reinterpret_cast<uintptr_t>(command.GetTexID()));
      c.clip_x = int32_t(x0);
      c.clip_y = int32_t(y0);
      c.clip_w = int32_t(x1) - c.clip_x;
      c.clip_h = int32_t(y1) - c.clip_y;
      c.index_offset = first_index + command.IdxOffset;
      c.index_count = command.ElemCount;
      c.vertex_offset = first_vertex + command.VtxOffset;
      if (c.clip_w > 0 && c.clip_h > 0)
        g->commands.push_back(c);
    }
    first_vertex += uint32_t(list->VtxBuffer.Size);
    first_index += uint32_t(list->IdxBuffer.Size);
  }
  const ImGuiIO &io = ImGui::GetIO();
  memset(out, 0, sizeof *out);
  out->lists = g->lists.Data;
  out->list_count = size_t(g->lists.Size);
  out->commands = g->commands.Data;
  out->command_count = size_t(g->commands.Size);
  out->vertex_count = first_vertex;
  out->index_count = first_index;
  out->x = data->DisplayPos.x;
  out->y = data->DisplayPos.y;
  out->width = data->DisplaySize.x;
  out->height = data->DisplaySize.y;
  out->framebuffer_scale = scale;
  out->want_mouse = io.WantCaptureMouse;
  out->want_keyboard = io.WantCaptureKeyboard;
  out->want_text = io.WantTextInput;
  out->cursor = ImGui::GetMouseCursor();
  if (g->has_copied) {
    out->clipboard = g->copied.Data;
    out->clipboard_size = size_t(g->copied.Size - 1);
  }
  if (g->misuse[0] != 0) {
    out->misuse = g->misuse;
    out->misuse_size = strlen(g->misuse);
  }
}

void bp_set_clipboard(bp_gui *g, const char *s, size_t n) { set_text(g->paste, s, n); }
const char *bp_layout(bp_gui *g, size_t *n) {
  use(g);
  return ImGui::SaveIniSettingsToMemory(n);
}
void bp_set_layout(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::LoadIniSettingsFromMemory(s, n);
}

// Windows.

void bp_next_window_pos(bp_gui *g, float x, float y, float px, float py, int32_t cond) {
  use(g);
  ImGui::SetNextWindowPos(ImVec2(x, y), cond, ImVec2(px, py));
}
void bp_next_window_size(bp_gui *g, float w, float h, int32_t cond) {
  use(g);
  ImGui::SetNextWindowSize(ImVec2(w, h), cond);
}
void bp_next_window_limits(bp_gui *g, float min_w, float min_h, float max_w, float max_h) {
  use(g);
  ImGui::SetNextWindowSizeConstraints(ImVec2(min_w, min_h), ImVec2(max_w, max_h));
}
void bp_next_window_collapsed(bp_gui *g, bool collapsed, int32_t cond) {
  use(g);
  ImGui::SetNextWindowCollapsed(collapsed, cond);
}
void bp_next_window_alpha(bp_gui *g, float alpha) {
  use(g);
  ImGui::SetNextWindowBgAlpha(alpha);
}
void bp_next_window_focus(bp_gui *g) {
  use(g);
  ImGui::SetNextWindowFocus();
}
bool bp_begin(bp_gui *g, const char *s, size_t n, bool *open, int32_t flags) {
  use(g);
  // Dear ImGui ends the process over a window without a name.
  return n == 0 ? ImGui::Begin("##unnamed", open, flags) : ImGui::Begin(Label(s, n), open, flags);
}
void bp_end(bp_gui *g) {
  use(g);
  // The first entry is the implicit window that Dear ImGui opens itself.
  if (g->context->CurrentWindowStack.Size > 1 && !(g->context->CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow))
    balance(g), ImGui::End();
  else
    note(g, "End without Begin");
}
bool bp_begin_child(bp_gui *g, const char *s, size_t n, float w, float h, bool border, int32_t flags) {
  use(g);
  return ImGui::BeginChild(Label(s, n), ImVec2(w, h), border, flags);
}
void bp_end_child(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->Flags & ImGuiWindowFlags_ChildWindow)
    balance(g), ImGui::EndChild();
  else
    note(g, "EndChild without BeginChild");
}
bool bp_window_hovered(bp_gui *g) {
  use(g);
  return ImGui::IsWindowHovered();
}
bool bp_window_focused(bp_gui *g) {
  use(g);
  return ImGui::IsWindowFocused();
}
void bp_window_rect(bp_gui *g, float *out) {
  use(g);
  ImVec2 p = ImGui::GetWindowPos(), s = ImGui::GetWindowSize();
  out[0] = p.x, out[1] = p.y, out[2] = p.x + s.x, out[3] = p.y + s.y;
}
void bp_scroll_here(bp_gui *g, float ratio) {
  use(g);
  ImGui::SetScrollHereY(ratio);
}

// Layout.

void bp_separator(bp_gui *g) {
  use(g);
  ImGui::Separator();
}
void bp_same_line(bp_gui *g, float x, float spacing) {
  use(g);
  ImGui::SameLine(x, spacing);
}
void bp_spacing(bp_gui *g) {
  use(g);
  ImGui::Spacing();
}
void bp_new_line(bp_gui *g) {
  use(g);
  ImGui::NewLine();
}
void bp_dummy(bp_gui *g, float w, float h) {
  use(g);
  ImGui::Dummy(ImVec2(w, h));
}
void bp_indent(bp_gui *g, float w) {
  use(g);
  ImGui::Indent(w);
}
void bp_unindent(bp_gui *g, float w) {
  use(g);
  ImGui::Unindent(w);
}
void bp_begin_group(bp_gui *g) {
  use(g);
  ImGui::BeginGroup();
}
void bp_end_group(bp_gui *g) {
  use(g);
  if (g->context->GroupStack.Size > g->context->CurrentWindowStack.back().StackSizesOnBegin.SizeOfGroupStack)
    ImGui::EndGroup();
  else
    note(g, "EndGroup without BeginGroup");
}
void bp_align_text(bp_gui *g) {
  use(g);
  ImGui::AlignTextToFramePadding();
}
void bp_cursor(bp_gui *g, float *out) {
  use(g);
  ImVec2 local = ImGui::GetCursorPos(), screen = ImGui::GetCursorScreenPos();
  out[0] = local.x, out[1] = local.y, out[2] = screen.x, out[3] = screen.y;
}
void bp_set_cursor(bp_gui *g, float x, float y) {
  use(g);
  ImGui::SetCursorPos(ImVec2(x, y));
}
void bp_set_cursor_screen(bp_gui *g, float x, float y) {
  use(g);
  ImGui::SetCursorScreenPos(ImVec2(x, y));
}
void bp_content_avail(bp_gui *g, float *out) {
  use(g);
  ImVec2 v = ImGui::GetContentRegionAvail();
  out[0] = v.x, out[1] = v.y;
}
void bp_text_size(bp_gui *g, const char *s, size_t n, float *out) {
  use(g);
  ImVec2 v = ImGui::CalcTextSize(s, s + n);
  out[0] = v.x, out[1] = v.y;
}
void bp_next_item_width(bp_gui *g, float w) {
  use(g);
  ImGui::SetNextItemWidth(w);
}
float bp_line_height(bp_gui *g, bool framed) {
  use(g);
  return framed ? ImGui::GetFrameHeightWithSpacing() : ImGui::GetTextLineHeightWithSpacing();
}

// Text and widgets.

void bp_text(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::TextUnformatted(s, s + n);
}
void bp_text_wrapped(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(s, s + n);
  ImGui::PopTextWrapPos();
}
void bp_text_colored(bp_gui *g, uint32_t color, const char *s, size_t n) {
  use(g);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(s, s + n);
  ImGui::PopStyleColor();
}
void bp_text_disabled(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  ImGui::TextUnformatted(s, s + n);
  ImGui::PopStyleColor();
}
void bp_bullet_text(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::Bullet();
  ImGui::TextUnformatted(s, s + n);
}
void bp_text_right(bp_gui *g, const char *s, size_t n) {
  use(g);
  right_align(s, n);
}
bool bp_button(bp_gui *g, const char *s, size_t n, float w, float h) {
  use(g);
  return ImGui::Button(Label(s, n), ImVec2(w, h));
}
bool bp_small_button(bp_gui *g, const char *s, size_t n) {
  use(g);
  return ImGui::SmallButton(Label(s, n));
}
bool bp_invisible_button(bp_gui *g, const char *s, size_t n, float w, float h) {
  use(g);
  return ImGui::InvisibleButton(Label(s, n), ImVec2(ImMax(w, 1.0f), ImMax(h, 1.0f)));
}
bool bp_checkbox(bp_gui *g, const char *s, size_t n, bool *v) {
  use(g);
  return ImGui::Checkbox(Label(s, n), v);
}
bool bp_radio(bp_gui *g, const char *s, size_t n, bool active) {
  use(g);
  return ImGui::RadioButton(Label(s, n), active);
}
bool bp_slider_float(bp_gui *g, const char *s, size_t n, float *v, float lo, float hi, int32_t decimals) {
  use(g);
  return ImGui::SliderFloat(Label(s, n), v, lo, hi, decimal_format(decimals), ImGuiSliderFlags_AlwaysClamp);
}
bool bp_slider_int(bp_gui *g, const char *s, size_t n, int32_t *v, int32_t lo, int32_t hi) {
  use(g);
  return ImGui::SliderInt(Label(s, n), v, lo, hi, "%d", ImGuiSliderFlags_AlwaysClamp);
}
bool bp_drag_float(bp_gui *g, const char *s, size_t n, float *v, int32_t count, float speed, float lo, float hi,
                   int32_t decimals) {
  use(g);
  return ImGui::DragScalarN(Label(s, n), ImGuiDataType_Float, v, count, speed, &lo, &hi, decimal_format(decimals));
}
bool bp_color(bp_gui *g, const char *s, size_t n, float *v, int32_t count) {
  use(g);
  Label label(s, n);
  return count == 4 ? ImGui::ColorEdit4(label, v) : ImGui::ColorEdit3(label, v);
}
bool bp_input_text(bp_gui *g, const char *s, size_t n, const char *hint, size_t hint_n, const char *text, size_t text_n,
                   int32_t flags, const char **out, size_t *out_n) {
  use(g);
  const size_t capacity = ImMax(text_n + 1, size_t(4096));
  if (size_t(g->edit.Size) < capacity)
    g->edit.resize(int(capacity));
  if (text_n != 0)
    memcpy(g->edit.Data, text, text_n);
  g->edit[int(text_n)] = 0;
  bool changed = ImGui::InputTextWithHint(Label(s, n), Label(hint, hint_n), g->edit.Data, capacity, flags);
  *out = g->edit.Data;
  *out_n = strlen(g->edit.Data);
  return changed;
}
bool bp_begin_combo(bp_gui *g, const char *s, size_t n, const char *preview, size_t preview_n) {
  use(g);
  return ImGui::BeginCombo(Label(s, n), Label(preview, preview_n));
}
void bp_end_combo(bp_gui *g) { bp_end_popup(g); }
bool bp_selectable(bp_gui *g, const char *s, size_t n, bool selected, int32_t flags) {
  use(g);
  return ImGui::Selectable(Label(s, n), selected, flags);
}
bool bp_tree_node(bp_gui *g, const char *s, size_t n, int32_t flags) {
  use(g);
  return ImGui::TreeNodeEx(Label(s, n), flags);
}
void bp_tree_pop(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->DC.TreeDepth > 0)
    ImGui::TreePop();
  else
    note(g, "TreePop without an open TreeNode");
}
void bp_next_item_open(bp_gui *g, bool open, int32_t cond) {
  use(g);
  ImGui::SetNextItemOpen(open, cond);
}
bool bp_collapsing_header(bp_gui *g, const char *s, size_t n, int32_t flags) {
  use(g);
  return ImGui::CollapsingHeader(Label(s, n), flags);
}
void bp_progress(bp_gui *g, float fraction, float w, float h, const char *s, size_t n) {
  use(g);
  ImVec4 fill = ImGui::GetStyle().Colors[ImGuiCol_PlotHistogram];
  fill.w *= 0.6f; // darker than a chart's bars, so that text reads on it
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, fill);
  ImGui::ProgressBar(fraction, ImVec2(w, h), "");
  ImGui::PopStyleColor();
  // In the middle, where it stands still; Dear ImGui moves it along with the bar.
  const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  ImGui::RenderTextClipped(a, b, s, s + n, nullptr, ImVec2(0.5f, 0.5f));
}
void bp_plot(bp_gui *g, bool histogram, const char *s, size_t n, const float *values, int32_t count, int32_t first,
             const char *overlay, size_t overlay_n, float lo, float hi, float w, float h) {
  use(g);
  Label label(s, n), text(overlay, overlay_n);
  if (w < 0)
    w = ImMax(ImGui::GetContentRegionAvail().x + w, 1.0f);
  if (lo == hi)
    lo = hi = FLT_MAX; // which is how Dear ImGui is asked to take the values' own range
  const char *shown = overlay_n != 0 ? static_cast<const char *>(text) : nullptr;
  if (histogram)
    ImGui::PlotHistogram(label, values, count, first, shown, lo, hi, ImVec2(w, h));
  else
    ImGui::PlotLines(label, values, count, first, shown, lo, hi, ImVec2(w, h));
}
void bp_image(bp_gui *g, uint64_t texture, float w, float h, float u0, float v0, float u1, float v1) {
  use(g);
  ImGui::Image(reinterpret_cast<ImTextureID>(uintptr_t(texture)), ImVec2(w, h), ImVec2(u0, v0), ImVec2(u1, v1));
}

// Popups, menus, tooltips, tabs.

void bp_tooltip(bp_gui *g, const char *s, size_t n) {
  use(g);
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 28);
  ImGui::TextUnformatted(s, s + n);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}
void bp_begin_tooltip(bp_gui *g) {
  use(g);
  ImGui::BeginTooltip();
}
void bp_end_tooltip(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->Flags & ImGuiWindowFlags_Tooltip)
    balance(g), ImGui::EndTooltip();
  else
    note(g, "EndTooltip without BeginTooltip");
}
bool bp_begin_main_menu(bp_gui *g) {
  use(g);
  return ImGui::BeginMainMenuBar();
}
void bp_end_main_menu(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->DC.MenuBarAppending)
    balance(g, 1), ImGui::EndMainMenuBar();
  else
    note(g, "EndMainMenuBar without BeginMainMenuBar");
}
bool bp_begin_menu_bar(bp_gui *g) {
  use(g);
  return ImGui::BeginMenuBar();
}
void bp_end_menu_bar(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->DC.MenuBarAppending)
    balance(g, 1), ImGui::EndMenuBar();
  else
    note(g, "EndMenuBar without BeginMenuBar");
}
bool bp_begin_menu(bp_gui *g, const char *s, size_t n, bool enabled) {
  use(g);
  return ImGui::BeginMenu(Label(s, n), enabled);
}
void bp_end_menu(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->Flags & ImGuiWindowFlags_Popup)
    balance(g), ImGui::EndMenu();
  else
    note(g, "EndMenu without BeginMenu");
}
bool bp_menu_item(bp_gui *g, const char *s, size_t n, const char *keys, size_t keys_n, bool selected, bool enabled) {
  use(g);
  return ImGui::MenuItem(Label(s, n), Label(keys, keys_n), selected, enabled);
}
void bp_open_popup(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::OpenPopup(Label(s, n));
}
bool bp_begin_popup(bp_gui *g, const char *s, size_t n) {
  use(g);
  return ImGui::BeginPopup(Label(s, n));
}
bool bp_begin_context_popup(bp_gui *g, const char *s, size_t n) {
  use(g);
  return ImGui::BeginPopupContextItem(Label(s, n));
}
bool bp_begin_modal(bp_gui *g, const char *s, size_t n, bool *open, int32_t flags) {
  use(g);
  return ImGui::BeginPopupModal(Label(s, n), open, flags);
}
void bp_end_popup(bp_gui *g) {
  use(g);
  if ((g->context->CurrentWindow->Flags & ImGuiWindowFlags_Popup) && g->context->BeginPopupStack.Size > 0)
    balance(g), ImGui::EndPopup();
  else
    note(g, "EndPopup or EndCombo without its Begin");
}
void bp_close_popup(bp_gui *g) {
  use(g);
  ImGui::CloseCurrentPopup();
}
bool bp_begin_tab_bar(bp_gui *g, const char *s, size_t n) {
  use(g);
  return ImGui::BeginTabBar(Label(s, n));
}
void bp_end_tab_bar(bp_gui *g) {
  use(g);
  if (g->context->CurrentTabBar != nullptr)
    ImGui::EndTabBar();
  else
    note(g, "EndTabBar without BeginTabBar");
}
bool bp_begin_tab(bp_gui *g, const char *s, size_t n) {
  use(g);
  if (g->context->CurrentTabBar == nullptr) {
    note(g, "BeginTab outside a tab bar");
    return false;
  }
  return ImGui::BeginTabItem(Label(s, n));
}
void bp_end_tab(bp_gui *g) {
  use(g);
  if (g->context->CurrentTabBar != nullptr && g->context->CurrentTabBar->LastTabItemIdx >= 0)
    ImGui::EndTabItem();
  else
    note(g, "EndTab without BeginTab");
}

// State of the last item, and stacks.

bool bp_item_hovered(bp_gui *g) {
  use(g);
  return ImGui::IsItemHovered();
}
bool bp_item_active(bp_gui *g) {
  use(g);
  return ImGui::IsItemActive();
}
bool bp_item_clicked(bp_gui *g, int32_t button) {
  use(g);
  return ImGui::IsItemClicked(button);
}
bool bp_item_edited_done(bp_gui *g) {
  use(g);
  return ImGui::IsItemDeactivatedAfterEdit();
}
void bp_item_rect(bp_gui *g, float *out) {
  use(g);
  ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
  out[0] = a.x, out[1] = a.y, out[2] = b.x, out[3] = b.y;
}
void bp_keyboard_focus_here(bp_gui *g) {
  use(g);
  ImGui::SetKeyboardFocusHere();
}
void bp_push_id(bp_gui *g, const char *s, size_t n) {
  use(g);
  ImGui::PushID(Label(s, n)); // a range of no bytes would be read until a zero
}
void bp_push_id_int(bp_gui *g, int64_t id) {
  use(g);
  ImGui::PushID(reinterpret_cast<const void *>(intptr_t(id)));
}
void bp_pop_id(bp_gui *g) {
  use(g);
  if (g->context->CurrentWindow->IDStack.Size > 1)
    ImGui::PopID();
  else
    note(g, "PopID without PushID");
}
void bp_push_color(bp_gui *g, int32_t slot, uint32_t color) {
  use(g);
  ImGui::PushStyleColor(ImClamp(slot, 0, ImGuiCol_COUNT - 1), color);
}
void bp_pop_color(bp_gui *g, int32_t count) {
  use(g);
  if (count >= 0 && g->context->ColorStack.Size >= count)
    ImGui::PopStyleColor(count);
  else
    note(g, "PopStyleColor without PushStyleColor");
}
uint32_t bp_style_color(bp_gui *g, int32_t slot) {
  use(g);
  return ImGui::ColorConvertFloat4ToU32(ImGui::GetStyle().Colors[ImClamp(slot, 0, ImGuiCol_COUNT - 1)]);
}
void bp_push_font(bp_gui *g, int32_t font) {
  use(g);
  ImGui::PushFont(g->fonts[ImClamp(font, 0, 2)]);
}
void bp_pop_font(bp_gui *g) {
  use(g);
  if (g->context->FontStack.Size > 0)
    ImGui::PopFont();
  else
    note(g, "PopFont without PushFont");
}
void bp_begin_disabled(bp_gui *g, bool disabled) {
  use(g);
  ImGui::BeginDisabled(disabled);
}
void bp_end_disabled(bp_gui *g) {
  use(g);
  if (g->context->DisabledStackSize > g->context->CurrentWindowStack.back().StackSizesOnBegin.SizeOfDisabledStack)
    ImGui::EndDisabled();
  else
    note(g, "EndDisabled without BeginDisabled");
}

void bp_visible_rows(bp_gui *g, int32_t count, float row_height, int32_t *first, int32_t *last) {
  use(g);
  const ImRect clip = g->context->CurrentWindow->ClipRect;
  const float top = ImGui::GetCursorScreenPos().y, h = ImMax(row_height, 1.0f);
  *first = ImClamp(int32_t((clip.Min.y - top) / h), 0, count);
  *last = ImClamp(int32_t((clip.Max.y - top) / h) + 1, *first, count);
}

// Drawing.

void bp_draw_lines(bp_gui *g, int32_t layer, const float *p, size_t lines, uint32_t color, float thickness) {
  use(g);
  ImDrawList *list = layer_list(layer);
  for (size_t i = 0; i < lines; i++, p += 4)
    list->AddLine(ImVec2(p[0], p[1]), ImVec2(p[2], p[3]), color, thickness);
}
void bp_draw_rect(bp_gui *g, int32_t layer, float x0, float y0, float x1, float y1, uint32_t color, float rounding,
                  float thickness) {
  use(g);
  if (thickness > 0)
    layer_list(layer)->AddRect(ImVec2(x0, y0), ImVec2(x1, y1), color, rounding, 0, thickness);
  else
    layer_list(layer)->AddRectFilled(ImVec2(x0, y0), ImVec2(x1, y1), color, rounding);
}
void bp_draw_circle(bp_gui *g, int32_t layer, float x, float y, float radius, uint32_t color, float thickness) {
  use(g);
  if (thickness > 0)
    layer_list(layer)->AddCircle(ImVec2(x, y), radius, color, 0, thickness);
  else
    layer_list(layer)->AddCircleFilled(ImVec2(x, y), radius, color);
}
void bp_draw_triangle(bp_gui *g, int32_t layer, const float *p, uint32_t color) {
  use(g);
  layer_list(layer)->AddTriangleFilled(ImVec2(p[0], p[1]), ImVec2(p[2], p[3]), ImVec2(p[4], p[5]), color);
}
void bp_draw_text(bp_gui *g, int32_t layer, float x, float y, uint32_t color, const char *s, size_t n) {
  use(g);
  layer_list(layer)->AddText(ImVec2(ImFloor(x), ImFloor(y)), color, s, s + n);
}
void bp_draw_push_clip(bp_gui *g, int32_t layer, float x0, float y0, float x1, float y1) {
  use(g);
  layer_list(layer)->PushClipRect(ImVec2(x0, y0), ImVec2(x1, y1), true);
}
void bp_draw_pop_clip(bp_gui *g, int32_t layer) {
  use(g);
  ImDrawList *list = layer_list(layer);
  if (list->_ClipRectStack.Size > 1)
    list->PopClipRect();
  else
    note(g, "PopClip without PushClip");
}

} // extern "C"
