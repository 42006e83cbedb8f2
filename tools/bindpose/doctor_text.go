package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/internal/columns"
)

// A code's findings beyond so many are only counted: a broken file can have
// hundreds of one kind.
const sameCode = 3

// textWidth is how wide text is set: the terminal's, within what reads well.
func textWidth(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil {
		return min(max(w, 50), 110)
	}
	return 100
}

// painter colours words on a terminal that is not asked to stay plain.
type painter bool

func newPainter(f *os.File) painter {
	return painter(term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

func (p painter) level(l doctor.Level, text string) string {
	if !p {
		return text
	}
	return map[doctor.Level]string{doctor.Error: "\x1b[1;31m", doctor.Warning: "\x1b[33m", doctor.Info: "\x1b[2m", doctor.OK: "\x1b[32m"}[l] + text + "\x1b[0m"
}

func writeDoctorText(f *os.File, patients []*patient) error {
	w := bufio.NewWriter(f)
	width, paint := textWidth(f), newPainter(f)
	for i, p := range patients {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s: %s\n", columns.Clean(p.File, 200), paint.level(p.Level, summary(p.Report)))
		writeFindings(w, p.Findings, width, paint)
		if p.Mended != nil {
			writeMended(w, p.Mended, width, paint)
		}
	}
	if len(patients) > 1 {
		var count [4]int
		for _, p := range patients {
			count[p.level()]++
		}
		fmt.Fprintf(w, "\n%s: %d with errors, %d with warnings, %d in order\n", plural(len(patients), "file"),
			count[doctor.Error], count[doctor.Warning], count[doctor.Info]+count[doctor.OK])
	}
	return w.Flush()
}

// summary counts findings by level, the worst first.
func summary(r doctor.Report) string {
	var count [4]int
	for _, f := range r.Findings {
		count[f.Level]++
	}
	var parts []string
	for _, l := range []doctor.Level{doctor.Error, doctor.Warning} {
		if count[l] > 0 {
			parts = append(parts, plural(count[l], l.String()))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "in order")
	}
	if count[doctor.Info] > 0 {
		parts = append(parts, plural(count[doctor.Info], "remark"))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func writeFindings(w *bufio.Writer, findings []doctor.Finding, width int, paint painter) {
	seen := map[string]int{}
	for _, f := range findings {
		seen[f.Code]++
	}
	told := map[string]int{}
	for _, f := range findings {
		told[f.Code]++
		if told[f.Code] > sameCode {
			if told[f.Code] == seen[f.Code] {
				fmt.Fprintf(w, "           … and %d more of %s\n", seen[f.Code]-sameCode, f.Code)
			}
			continue
		}
		head := f.Code
		if f.Where != "" {
			head += "  " + columns.Clean(f.Where, width)
		}
		fmt.Fprintf(w, "  %s%s%s\n", paint.level(f.Level, f.Level.String()), strings.Repeat(" ", 9-len(f.Level.String())), head)
		wrap(w, "           ", "           ", columns.Clean(f.Message, 2000), width)
		if f.Fix != "" && f.Level > doctor.Info {
			wrap(w, "           → ", "             ", f.Fix, width)
		}
	}
}

func writeMended(w *bufio.Writer, m *doctor.Mended, width int, paint painter) {
	if len(m.Changed) == 0 {
		fmt.Fprintf(w, "  nothing to mend: %s is a copy\n", columns.Clean(m.Out, 200))
	} else {
		fmt.Fprintf(w, "  mended into %s\n", columns.Clean(m.Out, 200))
		for _, c := range m.Changed {
			wrap(w, "    · ", "      ", columns.Clean(c, 300), width)
		}
		fmt.Fprintf(w, "    before  %s\n    after   %s\n", m.Before, m.After)
		fmt.Fprintf(w, "    measured again: %s\n", paint.level(m.Report.Level, summary(m.Report)))
	}
	for _, n := range m.Notes {
		wrap(w, "    note: ", "      ", columns.Clean(n, 500), width)
	}
}

// wrap writes text in lines of at most width cells.
func wrap(w *bufio.Writer, first, rest, text string, width int) {
	line, used := first, columns.Width(first)
	empty := true
	for word := range strings.FieldsSeq(text) {
		n := columns.Width(word)
		if !empty && used+1+n > width {
			fmt.Fprintln(w, line)
			line, used, empty = rest, columns.Width(rest), true
		}
		if !empty {
			line += " "
			used++
		}
		line += word
		used += n
		empty = false
	}
	fmt.Fprintln(w, line)
}
