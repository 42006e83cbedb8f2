// What the shim's own files share; C++ only.
#ifndef BINDPOSE_GUI_SHIM_CONTEXT_H
#define BINDPOSE_GUI_SHIM_CONTEXT_H

#include "shim.h"

#include <imgui.h>
#include <imgui_internal.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

struct bp_gui {
  ImGuiContext *context;
  ImFont *fonts[3];
  ImVector<bp_list> lists;
  ImVector<bp_command> commands;
  ImVector<char> paste, copied, edit;
  bool has_copied;
  char misuse[256];
};

void bp_apply_style(float scale); // shim_style.cpp

// Dear ImGui works on one global context; every call of the shim names its own.
inline void use(bp_gui *g) { ImGui::SetCurrentContext(g->context); }

// Zero-terminated copy of a Go string for the calls that need one. Labels are
// short, so the copy is on the stack; a long one costs a malloc.
class Label {
public:
  Label(const char *s, size_t n) : text_(n < sizeof local_ ? local_ : static_cast<char *>(malloc(n + 1))) {
    if (n != 0)
      memcpy(text_, s, n);
    text_[n] = 0;
  }
  ~Label() {
    if (text_ != local_)
      free(text_);
  }
  Label(const Label &) = delete;
  Label &operator=(const Label &) = delete;
  operator const char *() const { return text_; }

private:
  char local_[192];
  char *text_;
};

// note keeps the first mistake of a frame for the caller to read.
inline void note(bp_gui *g, const char *text) {
  if (g->misuse[0] == 0)
    snprintf(g->misuse, sizeof g->misuse, "%s", text);
}

inline void right_align(const char *s, size_t n) {
  float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(s, s + n).x;
  if (room > 0)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room);
  ImGui::TextUnformatted(s, s + n);
}

// balance closes what the current window left open, before it ends: Dear ImGui
// would end the process instead. A menu bar holds one group and one id of its own.
inline void balance(bp_gui *g, int own = 0) {
  ImGuiContext &c = *g->context;
  if (c.CurrentTable != nullptr && c.CurrentTable->InnerWindow == c.CurrentWindow) {
    note(g, "BeginTable without EndTable");
    ImGui::EndTable();
  }
  const ImGuiStackSizes &begun = c.CurrentWindowStack.back().StackSizesOnBegin;
  for (; c.CurrentWindow->DC.TreeDepth > 0; ImGui::TreePop())
    note(g, "an open TreeNode without TreePop");
  for (; c.GroupStack.Size > begun.SizeOfGroupStack + own; ImGui::EndGroup())
    note(g, "BeginGroup without EndGroup");
  for (; c.CurrentWindow->IDStack.Size > 1 + own; ImGui::PopID())
    note(g, "PushID without PopID");
  for (; c.DisabledStackSize > begun.SizeOfDisabledStack; ImGui::EndDisabled())
    note(g, "BeginDisabled without EndDisabled");
  for (; c.ColorStack.Size > begun.SizeOfColorStack; ImGui::PopStyleColor())
    note(g, "PushStyleColor without PopStyleColor");
  for (; c.FontStack.Size > begun.SizeOfFontStack; ImGui::PopFont())
    note(g, "PushFont without PopFont");
}

#endif
