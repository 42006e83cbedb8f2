package gpu_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

// heavy declares a phase and three passes, each of which does as many steps a pixel as the storage buffer says.
func heavy(t testing.TB, dev *gpu.Device, d *drawing, steps *[3]uint32) {
	t.Helper()
	set := must(dev.NewSetLayout(gpu.SetLayoutDesc{Name: "heavy", Bindings: []gpu.Binding{{Slot: 0, Kind: gpu.StorageRange, Stages: gpu.FragmentStage}}}))(t)
	pipeline := must(dev.NewGraphics(gpu.GraphicsDesc{
		Name: "heavy", Layout: must(dev.NewLayout(gpu.LayoutDesc{Sets: []*gpu.SetLayout{set}}))(t),
		Vertex: shader(t, "full.vert"), Fragment: shader(t, "heavy.frag"), Color: []gpu.ColorOutput{{Format: d.target.Format(), Blend: gpu.Additive}},
	}))(t)
	// Closures are made once: a steady frame's declarations cost no garbage.
	var screen framegraph.Image
	var declares [3]func(b *framegraph.Builder) framegraph.Record
	for i := range declares {
		var record framegraph.Record = func(c framegraph.Context) {
			cmd := gpu.From(c)
			n := cmd.Alloc(4, 0)
			*(*[4]byte)(n.Bytes) = [4]byte(bytesOf(steps[i : i+1]...))
			cmd.BindPipeline(pipeline)
			cmd.Bind(0, gpu.StorageBytes(0, n))
			cmd.Draw(3, 1, 0, 0)
		}
		declares[i] = func(b *framegraph.Builder) framegraph.Record {
			op := framegraph.Load
			if i == 0 {
				op = framegraph.Clear(0, 0, 0, 1)
			}
			screen = b.ColorAttachment(screen, op)
			return record
		}
	}
	work := func() error { time.Sleep(3 * time.Millisecond); return nil }
	phase := func(*framegraph.Builder) func() error { return work }
	d.declare = func(g *framegraph.Graph, s framegraph.Image) {
		screen = s
		g.AddPhase("physics", phase)
		g.AddPass("first", framegraph.Graphics, declares[0])
		g.AddPass("second", framegraph.Graphics, declares[1])
		g.AddPass("third", framegraph.Graphics, declares[2])
	}
}

func TestTimings(t *testing.T) {
	dev := gputest.Open(t)
	d := newDrawing(t, dev, 128, 128, gpu.Serialised)
	steps := [3]uint32{1, 1, 1}
	heavy(t, dev, d, &steps)
	row := func(name string) gpu.Timing {
		for _, r := range d.exec.Timings() {
			if r.Name == name {
				return r
			}
		}
		t.Fatalf("no row %s in %+v", name, d.exec.Timings())
		return gpu.Timing{}
	}
	if ok, why := d.exec.Trusted(); !ok {
		t.Errorf("serialised figures not trusted: %s", why)
	}
	d.frame()
	for i, name := range []string{"first", "second", "third"} {
		steps = [3]uint32{1, 1, 1}
		steps[i] = 3000
		began := time.Now()
		d.frame()
		wall := time.Since(began).Seconds()
		var sum float64
		for _, r := range d.exec.Timings() {
			sum += r.Duration
			if r.Kind == gpu.GPUTime {
				sum += r.Record
			}
		}
		if sum > wall || sum < 0.5*wall {
			t.Errorf("rows come to %.2f ms of a frame of %.2f ms", 1e3*sum, 1e3*wall)
		}
		for _, other := range []string{"first", "second", "third"} {
			if other != name && row(other).Duration*3 > row(name).Duration {
				t.Errorf("%s is heavy and takes %.2f ms; %s takes %.2f ms", name, 1e3*row(name).Duration, other, 1e3*row(other).Duration)
			}
		}
		if dev.Properties().Has.PipelineStatistics && row(name).FragmentInvocations < 128*128 {
			t.Errorf("%d fragments of %d", row(name).FragmentInvocations, 128*128)
		}
	}
	physics := d.exec.Timings()[0]
	if physics.Name != "physics" || physics.Kind != gpu.CPUTime || physics.Duration < 3e-3 {
		t.Errorf("the first row should be physics with its 3 ms: %+v", physics)
	}

	d.exec.SetMode(gpu.Overlapped)
	for range 3 {
		d.frame()
	}
	if r := d.exec.Timings(); len(r) < 4 || r[0].Name != "physics" || r[1].Name != "first" {
		t.Errorf("overlapped rows %+v", r)
	}
	if ok, why := d.exec.Trusted(); dev.Properties().IsCPU && (ok || why == "") {
		t.Error("overlapped figures of a CPU device are trusted")
	}
}

// A steady frame leaves the Go heap alone, in both modes.
func TestSteadyFrameAllocatesNothing(t *testing.T) {
	dev := must(gpu.Open(gpu.Options{CacheDir: t.TempDir()}))(t) // without validation: its messages are Go strings
	defer dev.Close()
	for _, mode := range []gpu.Mode{gpu.Overlapped, gpu.Serialised} {
		d := newDrawing(t, dev, 16, 16, mode)
		steps := [3]uint32{1, 1, 1}
		heavy(t, dev, d, &steps)
		for range 8 {
			d.frame()
		}
		runtime.GC()
		if n := testing.AllocsPerRun(20, d.frame); n > 0 {
			t.Errorf("%v: %v allocations a frame", mode, n)
		}
	}
}
