package profile

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// CSV writes a line for each row of each kept frame, oldest first, with a head:
// frame, name, kind, start_ms (since the frame began; of the frame, since the
// first one), ms. Figures of the whole run are Report's.
func (t *Table) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write([]string{"frame", "name", "kind", "start_ms", "ms"}); err != nil {
		return err
	}
	number := func(ms float64) string { return strconv.FormatFloat(math.Round(ms*1e6)/1e6, 'f', -1, 64) }
	whole, zero := t.Whole(), 0.0
	if whole != nil {
		zero, _, _ = whole.Ago(t.Kept() - 1)
	}
	for ago := t.Kept() - 1; ago >= 0; ago-- {
		for _, r := range t.rows {
			start, seconds, ok := r.Ago(ago)
			if !ok {
				continue
			}
			if r.Kind == Whole {
				start -= zero
			}
			line := []string{strconv.Itoa(t.frames - 1 - ago), r.Name, string(r.Kind), number(start * 1e3), number(seconds * 1e3)}
			if err := out.Write(line); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}
