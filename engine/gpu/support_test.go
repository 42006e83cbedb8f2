package gpu_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func shader(t testing.TB, name string) gpu.Shader {
	t.Helper()
	code, err := os.ReadFile(filepath.Join("testdata", "shaders", name+".spv"))
	if err != nil {
		t.Fatal(err)
	}
	return gpu.Shader{Name: name, Code: code}
}

// drawing is a device with a target, a graph and an executor, drawing the same passes each frame.
type drawing struct {
	t       testing.TB
	dev     *gpu.Device
	target  *gpu.Offscreen
	graph   *framegraph.Graph
	exec    *gpu.Executor
	caps    framegraph.Caps
	declare func(g *framegraph.Graph, screen framegraph.Image)
	plan    *framegraph.Plan // of the last frame
}

func newDrawing(t testing.TB, dev *gpu.Device, w, h int, mode gpu.Mode) *drawing {
	t.Helper()
	d := &drawing{t: t, dev: dev, graph: framegraph.New(), caps: dev.Caps()}
	d.target = must(dev.NewOffscreen(w, h))(t)
	d.exec = dev.NewExecutor(gpu.ExecutorOptions{Mode: mode})
	return d
}

func (d *drawing) frame() {
	d.t.Helper()
	if err := d.tryFrame(); err != nil {
		d.t.Fatal(err)
	}
}

func (d *drawing) tryFrame() error {
	f, err := d.dev.BeginFrame(d.target)
	if err != nil {
		return err
	}
	d.graph.Reset()
	screen := d.graph.ImportImage("screen", f.Backbuffer().Shape(), f.Import())
	d.declare(d.graph, screen)
	plan, err := d.graph.Compile(d.caps)
	if err != nil {
		return err
	}
	d.plan = plan
	if err := d.exec.Execute(f, plan); err != nil {
		f.End()
		return err
	}
	return f.End()
}

// pixel is the RGBA of a pixel of a picture w pixels wide.
func pixel(pixels []byte, w, x, y int) [4]byte { return [4]byte(pixels[4*(y*w+x):]) }

// near says whether two colours differ by at most n of 255 in each channel.
func near(a, b [4]byte, n int) bool {
	for i := range a {
		if d := int(a[i]) - int(b[i]); d > n || d < -n {
			return false
		}
	}
	return true
}
