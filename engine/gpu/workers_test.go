package gpu_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

// However many goroutines record, the picture and the table are the same; what one pass does wrong is told by name, and the
// next frame works.
func TestWorkersChangeNoPicture(t *testing.T) {
	dev := gputest.Open(t)
	var first []byte
	for _, workers := range []int{0, 2, 5} {
		for _, options := range []framegraph.Options{{}, {NoMerge: true, NoAlias: true}} {
			d := newDrawing(t, dev, 60, 44, gpu.Overlapped)
			d.caps.Options = options
			d.exec.Release()
			d.exec = dev.NewExecutor(gpu.ExecutorOptions{Mode: gpu.Overlapped, Workers: workers})
			chain(t, dev, d, 12)
			for range 5 {
				d.frame()
			}
			pixels := must(d.target.Pixels())(t)
			if first == nil {
				first = pixels
			} else if !bytes.Equal(first, pixels) {
				t.Errorf("%d workers, %+v: another picture", workers, options)
			}
			var rows []string
			for _, r := range d.exec.Timings() {
				if r.Kind == gpu.GPUTime {
					rows = append(rows, fmt.Sprint(r.Name, r.Draws))
				}
			}
			if got, want := strings.Join(rows, " "), "triangle1"+strings.Repeat(" mirror1", 12); got != want {
				t.Errorf("%d workers: rows %q, want %q", workers, got, want)
			}
			good := d.declare
			d.declare = func(g *framegraph.Graph, screen framegraph.Image) {
				good(g, screen)
				g.AddPass("wrong", framegraph.Compute, func(b *framegraph.Builder) framegraph.Record {
					b.SideEffect()
					return func(c framegraph.Context) { gpu.From(c).Fail(errors.New("my own")) }
				})
			}
			if err := d.tryFrame(); err == nil || !strings.Contains(err.Error(), "pass wrong: my own") {
				t.Errorf("%d workers: error %v should name the pass", workers, err)
			}
			d.declare = good
			for range 3 {
				d.frame()
			}
			if !bytes.Equal(first, must(d.target.Pixels())(t)) {
				t.Errorf("%d workers: another picture after a mistake", workers)
			}
			d.exec.Release()
			d.target.Release()
		}
	}
}
