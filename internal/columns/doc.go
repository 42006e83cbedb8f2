// Package columns writes tables for a terminal: cells aligned by how wide their
// letters are, without rules or colours.
//
//	t := columns.New("lr")
//	t.Row("vertices", "1,728")
//	t.Row("bytes", columns.Bytes(162852))
//	err := t.Write(os.Stdout)
//
// A table is kept whole until it is written.
package columns
