package main

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gui"
)

// A window that was too small for its panels gets them in their places again, once,
// when it is large; another size moves nothing.
func TestPanelsComeBack(t *testing.T) {
	var a arranged
	for i, c := range []struct {
		width, height float32
		want          gui.Cond
	}{
		{1280, 720, gui.FirstUse}, {1000, 600, gui.FirstUse}, {1, 1, gui.FirstUse}, {0, 0, gui.FirstUse}, {300, 900, gui.FirstUse},
		{1200, 700, gui.Always}, {1200, 700, gui.FirstUse}, {1280, 720, gui.FirstUse},
	} {
		if got := a.when(c.width, c.height, 1); got != c.want {
			t.Errorf("step %d, %v by %v: %v, want %v", i, c.width, c.height, got, c.want)
		}
	}
}
