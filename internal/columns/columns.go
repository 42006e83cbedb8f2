package columns

import (
	"bufio"
	"io"
	"strings"
)

// Table collects rows until Write.
type Table struct {
	// Indent stands before each row.
	Indent string

	align string
	rows  [][]string
}

// New makes a table; align has a letter a column: l is left, r is right. The
// columns after the last letter are left.
func New(align string) *Table { return &Table{align: align} }

// Row adds a row. It may be shorter or longer than the others. What cannot be
// printed becomes a dot, line ends included.
func (t *Table) Row(cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(Plain(c), "\n", "·")
	}
	t.rows = append(t.rows, cells)
}

// Len is the number of rows.
func (t *Table) Len() int { return len(t.rows) }

// Write writes the rows, two spaces between columns and no space at a line's
// end. A last cell on the left makes no column wider, so that one long text does
// no harm.
func (t *Table) Write(w io.Writer) error {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(row)-1 || t.right(i) {
				widths[i] = max(widths[i], Width(c))
			}
		}
	}
	out := bufio.NewWriter(w)
	var line strings.Builder
	for _, row := range t.rows {
		line.Reset()
		line.WriteString(t.Indent)
		for i, c := range row {
			pad := strings.Repeat(" ", max(widths[i]-Width(c), 0))
			if i > 0 {
				line.WriteString("  ")
			}
			if t.right(i) {
				line.WriteString(pad + c)
			} else {
				line.WriteString(c + pad)
			}
		}
		// An error is kept by out and told by Flush.
		_, _ = out.WriteString(strings.TrimRight(line.String(), " "))
		_ = out.WriteByte('\n')
	}
	return out.Flush()
}

func (t *Table) right(column int) bool { return column < len(t.align) && t.align[column] == 'r' }
