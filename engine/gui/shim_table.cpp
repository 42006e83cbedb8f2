// Tables, with right-aligned numeric columns, which Dear ImGui has no notion of:
// a column remembers its alignment in the user id that tables carry for us.
#include "shim.h"
#include "shim_context.h"

#include <cstring>

extern "C" {

bool bp_begin_table(bp_gui *g, const char *s, size_t n, int32_t columns, int32_t flags, float w, float h) {
  use(g);
  if (flags & ImGuiTableFlags_ScrollY)
    flags |= ImGuiTableFlags_PadOuterX; // it clips at its edge, and letters reach beyond theirs
  return ImGui::BeginTable(Label(s, n), ImClamp(columns, 1, 63), flags, ImVec2(w, h));
}

void bp_end_table(bp_gui *g) {
  use(g);
  if (g->context->CurrentTable != nullptr && g->context->CurrentTable->InnerWindow == g->context->CurrentWindow)
    ImGui::EndTable();
  else
    note(g, "EndTable without an open BeginTable");
}

void bp_table_column(bp_gui *g, const char *s, size_t n, int32_t flags, float width, bool right) {
  use(g);
  const ImGuiTable *table = g->context->CurrentTable;
  if (table == nullptr || table->IsLayoutLocked || table->DeclColumnsCount >= table->ColumnsCount) {
    note(g, "SetupColumn outside a table, after its rows, or once too often");
    return;
  }
  if (width <= 0) {
    flags &= ~ImGuiTableColumnFlags_WidthFixed;
    if (!(flags & ImGuiTableColumnFlags_WidthStretch) && width < 0) {
      flags |= ImGuiTableColumnFlags_WidthStretch;
      width = -width;
    }
  } else if (!(flags & ImGuiTableColumnFlags_WidthStretch)) {
    flags |= ImGuiTableColumnFlags_WidthFixed;
  }
  ImGui::TableSetupColumn(Label(s, n), flags, width, right ? 1 : 0);
}

void bp_table_freeze(bp_gui *g, int32_t columns, int32_t rows) {
  use(g);
  if (g->context->CurrentTable != nullptr && !g->context->CurrentTable->IsLayoutLocked)
    ImGui::TableSetupScrollFreeze(columns, rows);
  else
    note(g, "FreezeRows outside a table, or after its rows");
}

// As ImGui::TableHeadersRow, but a numeric column's title stands over its digits.
void bp_table_headers(bp_gui *g) {
  use(g);
  ImGuiTable *table = g->context->CurrentTable;
  if (table == nullptr) {
    note(g, "HeadersRow outside a table");
    return;
  }
  if (!table->IsLayoutLocked)
    ImGui::TableUpdateLayout(table);
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetStyle().Colors[ImGuiCol_TextDisabled]);
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, ImGui::TableGetHeaderRowHeight());
  for (int i = 0; i < table->ColumnsCount; i++) {
    if (!ImGui::TableSetColumnIndex(i))
      continue;
    ImGuiTableColumn *column = &table->Columns[i];
    const char *name = (column->Flags & ImGuiTableColumnFlags_NoHeaderLabel) ? "" : ImGui::TableGetColumnName(i);
    ImGui::PushID(i);
    if (column->UserID != 1) {
      ImGui::TableHeader(name);
    } else {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float width = ImGui::CalcTextSize(name).x;
      ImGui::TableHeader("##numeric");
      float arrow = 0; // as TableHeader reserves for its sort mark
      if ((table->Flags & ImGuiTableFlags_Sortable) && !(column->Flags & ImGuiTableColumnFlags_NoSort))
        arrow = column->SortOrder != -1 ? ImFloor(ImGui::GetFontSize() * 0.65f + ImGui::GetStyle().FramePadding.x) : 0;
      column->ContentMaxXHeadersUsed = ImMax(column->ContentMaxXHeadersUsed, column->WorkMinX + width);
      column->ContentMaxXHeadersIdeal = ImMax(column->ContentMaxXHeadersIdeal, column->WorkMinX + width + arrow);
      const float x = ImMax(at.x, ImFloor(column->WorkMaxX - width - arrow));
      ImGui::GetWindowDrawList()->AddText(ImVec2(x, at.y), ImGui::GetColorU32(ImGuiCol_Text), name);
    }
    ImGui::PopID();
  }
  ImGui::PopStyleColor();
}

void bp_table_row(bp_gui *g, float min_height) {
  use(g);
  if (g->context->CurrentTable != nullptr)
    ImGui::TableNextRow(0, min_height);
  else
    note(g, "NextRow outside a table");
}

bool bp_table_next(bp_gui *g) {
  use(g);
  return g->context->CurrentTable != nullptr && ImGui::TableNextColumn();
}

void bp_table_cell_right(bp_gui *g, const char *s, size_t n) {
  use(g);
  if (g->context->CurrentTable != nullptr && ImGui::TableNextColumn())
    right_align(s, n);
}

void bp_table_color(bp_gui *g, bool row, uint32_t color) {
  use(g);
  if (g->context->CurrentTable != nullptr)
    ImGui::TableSetBgColor(row ? ImGuiTableBgTarget_RowBg0 : ImGuiTableBgTarget_CellBg, color);
}

bool bp_table_sort(bp_gui *g, int32_t *column, bool *descending) {
  use(g);
  *column = -1;
  *descending = false;
  if (g->context->CurrentTable == nullptr)
    return false;
  ImGuiTableSortSpecs *specs = ImGui::TableGetSortSpecs();
  if (specs == nullptr || specs->SpecsCount == 0)
    return false;
  *column = specs->Specs[0].ColumnIndex;
  *descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
  bool changed = specs->SpecsDirty;
  specs->SpecsDirty = false;
  return changed;
}

} // extern "C"
