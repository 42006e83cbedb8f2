package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/framegraph"
)

// An explanation names the line that added a pass to the engine, not the
// engine's own; and for the engine's passes the line of the frame's list.
func TestAPassIsDeclaredWhereItWasAdded(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	enginetest.Shapes(e)
	_, file, line, _ := runtime.Caller(0)
	err := e.AddPass("lighting", "mine", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		images := e.Images()
		images.Color = b.ColorAttachment(images.Color, framegraph.Load)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 2, 0) // the second frame finds the same structure again
	file = file[strings.LastIndexByte(file, '/')+1:]
	if got, want := e.Plan().Explain("mine"), fmt.Sprintf("%s:%d", file, line+1); !strings.Contains(got, want) {
		t.Errorf("the explanation names no %s:\n%s", want, got)
	}
	lines := map[string]bool{}
	for _, name := range []string{"geometry", "lighting", "gui"} {
		first, _, _ := strings.Cut(e.Plan().Explain(name), "\n")
		if !strings.Contains(first, "frame.go:") {
			t.Errorf("pass %s is said to be declared elsewhere than in the frame's list: %s", name, first)
		}
		lines[first[strings.LastIndexByte(first, ':')+1:]] = true
	}
	if len(lines) != 3 {
		t.Errorf("three passes are declared in %d lines", len(lines))
	}
}
