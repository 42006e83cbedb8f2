package demo_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/demoframe"
)

// The frame that the frame graph's compiler is tested and timed on declares what the demo's does: the same steps of the same
// kinds with the same accesses, in the same order, to resources of the same formats and sizes.
func TestTheTimedFrameIsTheDemos(t *testing.T) {
	e, _ := shown(t, engine.Options{Width: 1280, Height: 720})
	enginetest.Frames(t, e, 1, 0.5)
	real := described(e.Plan())

	f := demoframe.New()
	f.Screen = false
	f.Lamps = len(regexp.MustCompile(`(?m)^\S+ lamp \d+$`).FindAllString(real, -1))
	f.Declare()
	plan, err := f.Graph.Compile(framegraph.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	timed := described(plan)
	if real == timed {
		return
	}
	got, want := strings.Split(timed, "\n"), strings.Split(real, "\n")
	for i := range max(len(got), len(want)) {
		line := func(lines []string) string {
			if i < len(lines) {
				return lines[i]
			}
			return "(the end)"
		}
		if g, w := line(got), line(want); g != w {
			t.Fatalf("internal/demoframe declares\n\t%s\nwhere the demo's frame has\n\t%s\nin\n%s", g, w, real)
		}
	}
}

// described is what a plan was compiled from, a line for each step, access and image.
func described(p *framegraph.Plan) string {
	var s strings.Builder
	var uses []framegraph.Declared
	for pass := range p.Passes() {
		fmt.Fprintf(&s, "%s %s\n", p.PassKind(pass), p.PassName(pass))
		uses = p.Declared(pass, uses[:0])
		for _, u := range uses {
			r := &p.Resources[u.Resource]
			fmt.Fprintf(&s, "    %s of %q in stage %x, clears %v, discards %v, needs %v", u.Verb, r.Name, u.Stage, u.Clears, u.Discards, u.Needs)
			if r.IsImage {
				fmt.Fprintf(&s, ": %s, %d × %d, mips %d, layers %d, samples %d", r.Origin, r.Image.Width, r.Image.Height, r.Image.Mips, r.Image.Layers, r.Image.Samples)
			}
			if r.Origin == framegraph.Transient { // the backbuffer's format is the display's
				fmt.Fprintf(&s, ", format %d", r.Image.Format)
			}
			s.WriteString("\n")
		}
	}
	fmt.Fprintf(&s, "%d resources\n", len(p.Resources))
	return s.String()
}
