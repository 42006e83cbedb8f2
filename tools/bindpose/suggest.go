package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// suggestFlag adds the nearest known flag to the error of an unknown one.
func suggestFlag(c *cobra.Command, err error) error {
	const unknown = "unknown flag: --"
	text := err.Error()
	at := strings.Index(text, unknown)
	if at < 0 {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	best := nearest(text[at+len(unknown):], names)
	if best == "" {
		return fmt.Errorf("%w; see %s --help", err, c.CommandPath())
	}
	return fmt.Errorf("%w; did you mean --%s?", err, best)
}

// nearest is the name that differs least from what was typed, "" where none is
// near.
func nearest(typed string, names []string) string {
	best, distance := "", 4
	for _, name := range names {
		if d := editDistance(typed, name); d < min(distance, len(typed)) {
			best, distance = name, d
		}
	}
	return best
}

// editDistance is how many letters must be put in, taken out or changed to make
// a into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		corner := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := corner
			if a[i-1] != b[j-1] {
				cost++
			}
			corner = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
