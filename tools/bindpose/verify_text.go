package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/internal/columns"
)

// clipRows is how many clips the text lists; a page and the JSON have all.
const clipRows = 12

func writeVerifyText(f *os.File, r *verify.Report) error {
	w := bufio.NewWriter(f)
	width, paint := textWidth(f), newPainter(f)
	failed := 0
	for _, c := range r.Clips {
		if !c.Pass {
			failed++
		}
	}
	verdict := paint.level(doctor.OK, "passes")
	if !r.Pass {
		verdict = paint.level(doctor.Error, "does not pass")
	}
	fmt.Fprintf(w, "%s → %s: %s\n", columns.Clean(r.Source, 200), columns.Clean(r.Target, 200), verdict)
	fmt.Fprintf(w, "  %d of %s pass, %d pairs of joints, %d Hz\n", len(r.Clips)-failed, plural(len(r.Clips), "clip"), r.Pairs, r.Hz)
	ratio := func(what string, seen, skeletons float64, none, by string) string {
		if skeletons > 0 {
			by = fmt.Sprintf("×%.3f %s", skeletons, by)
		} else {
			by = "unknown " + by
		}
		if seen == 0 {
			return fmt.Sprintf("%s %s; %s", what, by, none)
		}
		return fmt.Sprintf("%s ×%.3f in the clips, %s", what, seen, by)
	}
	fmt.Fprintf(w, "  %s\n", ratio("height", r.Ratios.HeightSeen, r.Ratios.Height, "no clip moves the pelvis up or down", "by the legs"))
	fmt.Fprintf(w, "  %s\n", ratio("distance", r.Ratios.TravelSeen, r.Ratios.Distance, "no clip travels", "by the limbs"))
	for _, n := range r.Notes {
		wrap(w, "  note: ", "    ", columns.Clean(n, 500), width)
	}
	writeVerifyFindings(w, r.Findings, width, paint)

	clips := slices.Clone(r.Clips)
	slices.SortStableFunc(clips, func(a, b verify.Clip) int {
		return cmp.Or(cmp.Compare(b.Errors, a.Errors), cmp.Compare(b.MaxDeg/r.Limits.Drift, a.MaxDeg/r.Limits.Drift))
	})
	wide := 4
	for _, c := range clips[:min(clipRows, len(clips))] {
		wide = min(max(wide, columns.Width(nameOfClip(c.Name))), 40)
	}
	fmt.Fprintf(w, "\n  %s  frames    drift  pelvis height  along the ground  worst joint\n", pad("clip", wide))
	for i, c := range clips {
		if i == clipRows {
			fmt.Fprintf(w, "  … and %d more, each better than these\n", len(clips)-clipRows)
			break
		}
		mark := paint.level(doctor.OK, "passes")
		if !c.Pass {
			mark = paint.level(doctor.Error, "fails")
		}
		fmt.Fprintf(w, "  %s  %6d  %6.3f°  %10.2f mm  %13.2f mm  %s, frame %d (%.3f s)  %s\n", pad(columns.Clean(nameOfClip(c.Name), wide), wide), c.Samples,
			c.MaxDeg, 1000*c.HeightM, 1000*c.TravelM, columns.Clean(c.Worst, 40), c.Frame, c.Time, mark)
	}
	return w.Flush()
}

func writeVerifyFindings(w *bufio.Writer, findings []verify.Finding, width int, paint painter) {
	seen, told := map[string]int{}, map[string]int{}
	for _, f := range findings {
		seen[f.Code]++
	}
	for _, f := range findings {
		told[f.Code]++
		if told[f.Code] > sameCode {
			if told[f.Code] == seen[f.Code] {
				fmt.Fprintf(w, "           … and %d more of %s\n", seen[f.Code]-sameCode, f.Code)
			}
			continue
		}
		level := doctor.Error
		if f.Level == verify.Warning {
			level = doctor.Warning
		}
		var where []string
		if f.Joint != "" {
			where = append(where, f.Joint)
		}
		if f.Clip != "" {
			where = append(where, fmt.Sprintf("clip %s, frame %d (%.3f s)", nameOfClip(f.Clip), f.Frame, f.Time))
		}
		if f.Clips > 1 {
			where = append(where, fmt.Sprintf("and in %d more", f.Clips-1))
		}
		fmt.Fprintf(w, "  %s%s%s  %s\n", paint.level(level, level.String()), strings.Repeat(" ", 9-len(level.String())), f.Code, columns.Clean(strings.Join(where, ", "), width))
		wrap(w, "           ", "           ", columns.Clean(f.Message, 2000), width)
		if f.Means != "" {
			wrap(w, "           likely: ", "             ", columns.Clean(f.Means, 500), width)
		}
		if f.Fix != "" {
			wrap(w, "           → ", "             ", columns.Clean(f.Fix, 500), width)
		}
	}
}

func nameOfClip(name string) string {
	if name == "" {
		return "(unnamed)"
	}
	return name
}

// pad fills text to so many cells.
func pad(text string, cells int) string {
	return text + strings.Repeat(" ", max(cells-columns.Width(text), 0))
}
