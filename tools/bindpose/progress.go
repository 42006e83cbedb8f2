package main

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far long work is, on a terminal and nowhere else.
type progress struct{ bar *progressbar.ProgressBar }

func newProgress(total int, what string) progress {
	if total < 10 || !term.IsTerminal(int(os.Stderr.Fd())) {
		return progress{}
	}
	return progress{progressbar.NewOptions(total,
		progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(os.Stderr),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish())}
}

// Showing progress is a courtesy: that it cannot be written is no failure.
func (p progress) add() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

func (p progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
