// The look: a quiet dark ground, one accent, a four-pixel grid. Surfaces are
// told apart by lightness rather than by lines; the accent is kept for what is
// active, set or measured.
#include <imgui.h>
#include <imgui_internal.h>

#include "shim_context.h"

namespace {

ImVec4 rgb(unsigned hex, float alpha = 1.0f) {
  return ImVec4(((hex >> 16) & 255) / 255.0f, ((hex >> 8) & 255) / 255.0f, (hex & 255) / 255.0f, alpha);
}

} // namespace

void bp_apply_style(float scale) {
  ImGuiStyle style;
  style.WindowPadding = ImVec2(12, 12);
  style.FramePadding = ImVec2(8, 4);
  style.CellPadding = ImVec2(8, 3);
  style.ItemSpacing = ImVec2(8, 6);
  style.ItemInnerSpacing = ImVec2(8, 4);
  style.IndentSpacing = 16;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 10;
  style.WindowRounding = 6;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 3;
  style.TabRounding = 4;
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 1;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.WindowTitleAlign = ImVec2(0, 0.5f);
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.SelectableTextAlign = ImVec2(0, 0.5f);
  style.DisplaySafeAreaPadding = ImVec2(4, 4);
  style.DisabledAlpha = 0.45f;
  style.CircleTessellationMaxError = 0.2f;
  style.ScaleAllSizes(scale);

  const unsigned ground = 0x15181D, raised = 0x1B1F25, frame = 0x282E37, hover = 0x323A45, press = 0x3E4754;
  const unsigned line = 0x2C323B, text = 0xDCE1E8, muted = 0x8B95A3, accent = 0x4FA8A8, bright = 0x74C7C3;
  ImVec4 *c = style.Colors;
  c[ImGuiCol_Text] = rgb(text);
  c[ImGuiCol_TextDisabled] = rgb(muted);
  c[ImGuiCol_WindowBg] = rgb(ground, 0.98f);
  c[ImGuiCol_ChildBg] = rgb(raised, 0.0f);
  c[ImGuiCol_PopupBg] = rgb(raised);
  c[ImGuiCol_Border] = rgb(line);
  c[ImGuiCol_BorderShadow] = rgb(0, 0.0f);
  c[ImGuiCol_FrameBg] = rgb(frame);
  c[ImGuiCol_FrameBgHovered] = rgb(hover);
  c[ImGuiCol_FrameBgActive] = rgb(press);
  c[ImGuiCol_TitleBg] = rgb(raised);
  c[ImGuiCol_TitleBgActive] = rgb(0x20252C);
  c[ImGuiCol_TitleBgCollapsed] = rgb(raised, 0.9f);
  c[ImGuiCol_MenuBarBg] = rgb(raised);
  c[ImGuiCol_ScrollbarBg] = rgb(ground, 0.0f);
  c[ImGuiCol_ScrollbarGrab] = rgb(press);
  c[ImGuiCol_ScrollbarGrabHovered] = rgb(0x4A5462);
  c[ImGuiCol_ScrollbarGrabActive] = rgb(0x5A6676);
  c[ImGuiCol_CheckMark] = rgb(bright);
  c[ImGuiCol_SliderGrab] = rgb(accent);
  c[ImGuiCol_SliderGrabActive] = rgb(bright);
  c[ImGuiCol_Button] = rgb(frame);
  c[ImGuiCol_ButtonHovered] = rgb(hover);
  c[ImGuiCol_ButtonActive] = rgb(accent, 0.55f);
  c[ImGuiCol_Header] = rgb(accent, 0.22f);
  c[ImGuiCol_HeaderHovered] = rgb(hover);
  c[ImGuiCol_HeaderActive] = rgb(accent, 0.38f);
  c[ImGuiCol_Separator] = rgb(line);
  c[ImGuiCol_SeparatorHovered] = rgb(accent, 0.6f);
  c[ImGuiCol_SeparatorActive] = rgb(accent);
  c[ImGuiCol_ResizeGrip] = rgb(press, 0.0f);
  c[ImGuiCol_ResizeGripHovered] = rgb(accent, 0.5f);
  c[ImGuiCol_ResizeGripActive] = rgb(accent);
  c[ImGuiCol_Tab] = rgb(raised);
  c[ImGuiCol_TabHovered] = rgb(press);
  c[ImGuiCol_TabActive] = rgb(hover);
  c[ImGuiCol_TabUnfocused] = rgb(raised);
  c[ImGuiCol_TabUnfocusedActive] = rgb(frame);
  c[ImGuiCol_PlotLines] = rgb(bright);
  c[ImGuiCol_PlotLinesHovered] = rgb(text);
  c[ImGuiCol_PlotHistogram] = rgb(accent);
  c[ImGuiCol_PlotHistogramHovered] = rgb(bright);
  c[ImGuiCol_TableHeaderBg] = rgb(raised);
  c[ImGuiCol_TableBorderStrong] = rgb(line);
  c[ImGuiCol_TableBorderLight] = rgb(0x22272E);
  c[ImGuiCol_TableRowBg] = rgb(0, 0.0f);
  c[ImGuiCol_TableRowBgAlt] = rgb(0xFFFFFF, 0.018f);
  c[ImGuiCol_TextSelectedBg] = rgb(accent, 0.35f);
  c[ImGuiCol_DragDropTarget] = rgb(bright);
  c[ImGuiCol_NavHighlight] = rgb(accent, 0.8f);
  c[ImGuiCol_NavWindowingHighlight] = rgb(text, 0.6f);
  c[ImGuiCol_NavWindowingDimBg] = rgb(0x000000, 0.4f);
  c[ImGuiCol_ModalWindowDimBg] = rgb(0x000000, 0.5f);
  ImGui::GetStyle() = style;
}
