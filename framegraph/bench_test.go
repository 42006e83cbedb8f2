package framegraph_test

import (
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/demoframe"
)

// processorTime reports what a loop took of the processor, which other programs on the machine disturb less than the clock.
func processorTime(b *testing.B) func() {
	now := func() int64 {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return u.Utime.Nano()
	}
	start := now()
	return func() { b.ReportMetric(float64(now()-start)/float64(b.N), "cpu-ns/op") }
}

// quickest runs a function until the benchmark is done and reports, beside the mean, the mean of the quickest run of some
// calls in a row: what else the machine does only makes runs slower.
func quickest(b *testing.B, run int, f func()) {
	b.ReportAllocs()
	defer processorTime(b)()
	least, n, start := time.Duration(math.MaxInt64), 0, time.Now()
	for b.Loop() {
		f()
		if n++; n%run == 0 {
			now := time.Now()
			least, start = min(least, now.Sub(start)), now
		}
	}
	if n >= run {
		b.ReportMetric(float64(least.Nanoseconds())/float64(run), "least-ns/op")
	}
}

// compiling compiles one graph again and again, each time for capabilities that it has never seen, so that every turn
// compiles anew. What a device is asked, about formats and memory, is asked, and answered at once.
func compiling(b *testing.B, g *fg.Graph, unified bool) func() {
	caps, serial := fg.Caps{MaxImageSize: 8192, UnifiedLayouts: unified, Supports: supportsAll, Sizer: byTexels}, uint64(0)
	f := func() {
		caps.MaxImageSize++
		p, err := g.Compile(caps)
		if err != nil {
			b.Fatal(err)
		}
		if p.Serial == serial {
			b.Fatal("the plan was remembered")
		}
		serial = p.Serial
	}
	for range 64 {
		f()
	}
	return f
}

func supportsAll(f fg.Format, u fg.ImageUsage) bool { return f != fg.FormatNone && u != 0 }

func byTexels(r *fg.Resource) fg.Requirements {
	bytes := r.Buffer.Bytes
	if r.IsImage {
		bytes = uint64(r.Image.Width*r.Image.Height) * uint64(r.Image.Format.TexelBytes())
	}
	return fg.Requirements{Bytes: bytes, Align: 256, Types: 1}
}

// graph-compile: the whole compiler on the demo's frame.
func BenchmarkGraphCompile(b *testing.B) {
	d := demoframe.New()
	d.Declare()
	quickest(b, 64, compiling(b, d.Graph, false))
}

// graph-compile for a device that doesn't mind layouts, where barriers melt into one.
func BenchmarkGraphCompileUnified(b *testing.B) {
	d := demoframe.New()
	d.Declare()
	quickest(b, 64, compiling(b, d.Graph, true))
}

// graph-compile, unchanged structure: Compile alone.
func BenchmarkGraphCompileUnchanged(b *testing.B) {
	d := demoframe.New()
	d.Declare()
	if _, err := d.Graph.Compile(fg.Caps{}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Graph.Compile(fg.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A steady frame: all declarations, and Compile.
func BenchmarkGraphFrame(b *testing.B) {
	d := demoframe.New()
	d.Declare()
	if _, err := d.Graph.Compile(fg.Caps{}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		d.Declare()
		if _, err := d.Graph.Compile(fg.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// graph-scale: a chain with side branches, as post-processing is. Both sizes take turns, and the quickest turn of each counts, so
// that what else the machine does falls on neither.
func BenchmarkGraphScale(b *testing.B) { scale(b, false) }

// The same for a device that doesn't mind layouts.
func BenchmarkGraphScaleUnified(b *testing.B) { scale(b, true) }

func scale(b *testing.B, unified bool) {
	sizes := [2]int{100, 500}
	var least [2]time.Duration
	var turns [2]func()
	for i, n := range sizes {
		g := fg.New()
		declareChain(g, n)
		turns[i], least[i] = compiling(b, g, unified), math.MaxInt64
	}
	for b.Loop() {
		for i, n := range sizes {
			calls := sizes[1] / n
			start := time.Now()
			for range calls {
				turns[i]()
			}
			least[i] = min(least[i], time.Since(start)/time.Duration(calls))
		}
	}
	b.ReportMetric(float64(least[0].Nanoseconds()), "ns-of-100")
	b.ReportMetric(float64(least[1].Nanoseconds()), "ns-of-500")
	b.ReportMetric(float64(least[1])/float64(least[0]), "times")
}

func declareChain(g *fg.Graph, n int) {
	g.Reset()
	out := g.ImportImage("out", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 640, Height: 480}, fg.Import{Leave: fg.SampledState})
	var recent [4]fg.Image
	for i := range n - 1 {
		img := g.CreateImage(fmt.Sprint("image ", i), fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 640, Height: 480})
		g.AddPass(fmt.Sprint("pass ", i), fg.Graphics, func(b *fg.Builder) fg.Record {
			if i > 0 {
				b.Sample(recent[(i-1)%4], fg.FragmentShader)
			}
			if i > 3 && i%3 == 0 {
				b.Sample(recent[(i-3)%4], fg.FragmentShader)
			}
			recent[i%4] = b.ColorAttachment(img, fg.Clear(0, 0, 0, 0))
			return nil
		})
	}
	g.AddPass("last", fg.Graphics, func(b *fg.Builder) fg.Record {
		b.Sample(recent[(n-2)%4], fg.FragmentShader)
		out = b.ColorAttachment(out, fg.DontCare)
		return nil
	})
}
