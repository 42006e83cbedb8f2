package gui

// #include "shim.h"
import "C"

import "strconv"

// TableFlags change how a table looks and sizes itself.
type TableFlags int32

// The table flags; the numbers are Dear ImGui's.
const (
	TableResizable TableFlags = 1 << 0
	TableSortable  TableFlags = 1 << 3
	TableStripes   TableFlags = 1 << 6 // every other row a little lighter
	TableRules     TableFlags = 1 << 7 // a hairline between rows
	TableOuterH    TableFlags = 1 << 8
	TableInnerV    TableFlags = 1 << 9
	TableOuterV    TableFlags = 1 << 10
	TableFit       TableFlags = 1 << 13 // columns as wide as their content
	TableFitEqual  TableFlags = 2 << 13
	TableStretch   TableFlags = 3 << 13 // columns share the room by content
	TableEqual     TableFlags = 4 << 13 // columns share the room evenly
	TableScrollX   TableFlags = 1 << 24
	TableScrollY   TableFlags = 1 << 25 // give it a height, and FreezeRows for its head
)

// ColumnFlags change one column.
type ColumnFlags int32

// The column flags. Numeric sets the title over digits at the right edge; the
// other numbers are Dear ImGui's.
const (
	ColumnHidden         ColumnFlags = 1 << 1
	ColumnDefaultSort    ColumnFlags = 1 << 2
	ColumnNoResize       ColumnFlags = 1 << 5
	ColumnNoSort         ColumnFlags = 1 << 9
	ColumnNoTitle        ColumnFlags = 1 << 12
	ColumnSortDescending ColumnFlags = 1 << 15 // the first click sorts the largest to the top
	Numeric              ColumnFlags = 1 << 29
)

// BeginTable opens a table of columns, 1 to 63. If true, call EndTable. Zero w
// and h take the room and the height that the rows need.
func (c *Context) BeginTable(id string, columns int, flags TableFlags, w, h float32) bool {
	return bool(C.bp_begin_table(c.g, ptr(id), size(id), C.int32_t(columns), C.int32_t(flags), C.float(w), C.float(h)))
}

// EndTable ends the table.
func (c *Context) EndTable() { C.bp_end_table(c.g) }

// SetupColumn names the next column, before HeadersRow and any row. A positive
// width fixes it, a negative one is its share of the room left, 0 follows the
// table's flags.
func (c *Context) SetupColumn(title string, width float32, flags ColumnFlags) {
	C.bp_table_column(c.g, ptr(title), size(title), C.int32_t(flags&^Numeric), C.float(width), C.bool(flags&Numeric != 0))
}

// FreezeRows keeps the first rows, and columns, in sight while the rest scrolls.
func (c *Context) FreezeRows(rows, columns int) {
	C.bp_table_freeze(c.g, C.int32_t(columns), C.int32_t(rows))
}

// HeadersRow shows the titles; a click sorts a sortable table.
func (c *Context) HeadersRow() { C.bp_table_headers(c.g) }

// NextRow begins a row.
func (c *Context) NextRow() { C.bp_table_row(c.g, 0) }

// NextColumn goes to the next cell, over to the next row after the last, and
// reports whether it can be seen.
func (c *Context) NextColumn() bool { return bool(C.bp_table_next(c.g)) }

// CellNumber fills the next cell with v at the right edge; it allocates nothing.
func (c *Context) CellNumber(v float64, decimals int) {
	c.text = strconv.AppendFloat(c.text[:0], v, 'f', decimals, 64)
	C.bp_table_cell_right(c.g, bytesPtr(c.text), C.size_t(len(c.text)))
}

// CellInt fills the next cell with v at the right edge; it allocates nothing.
func (c *Context) CellInt(v int) {
	c.text = strconv.AppendInt(c.text[:0], int64(v), 10)
	C.bp_table_cell_right(c.g, bytesPtr(c.text), C.size_t(len(c.text)))
}

// CellRight fills the next cell with text at the right edge.
func (c *Context) CellRight(text string) { C.bp_table_cell_right(c.g, ptr(text), size(text)) }

// CellText fills the next cell with text.
func (c *Context) CellText(text string) {
	if c.NextColumn() {
		c.Text(text)
	}
}

// RowColor tints the current row, CellColor the current cell.
func (c *Context) RowColor(color Color)  { C.bp_table_color(c.g, true, C.uint32_t(color)) }
func (c *Context) CellColor(color Color) { C.bp_table_color(c.g, false, C.uint32_t(color)) }

// Sort tells by which column the user sorts, -1 for none, and whether that has
// changed since it was last asked. Ask after the columns are set up.
func (c *Context) Sort() (column int, descending, changed bool) {
	var col C.int32_t
	var desc C.bool
	changed = bool(C.bp_table_sort(c.g, &col, &desc))
	return int(col), bool(desc), changed
}
