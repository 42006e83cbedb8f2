package profile

import "io"

// HTML is written below.
func (t *Table) HTML(w io.Writer, r *Report) error { return nil }
