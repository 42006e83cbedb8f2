package framegraph_test

import (
	"fmt"
	"syscall"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
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

// graph-compile: the whole compiler on the demo's graph. The structure alternates between more variants than a graph
// remembers, so every turn compiles anew.
func BenchmarkGraphCompile(b *testing.B) {
	d := newDemo()
	caps := make([]fg.Caps, 32)
	for i := range caps {
		caps[i].MaxImageSize = 8192 + i
	}
	d.declare()
	for range 2 {
		for _, c := range caps {
			if _, err := d.graph.Compile(c); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportAllocs()
	defer processorTime(b)()
	i := 0
	for b.Loop() {
		if _, err := d.graph.Compile(caps[i%len(caps)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

// graph-compile, unchanged structure: Compile alone.
func BenchmarkGraphCompileUnchanged(b *testing.B) {
	d := newDemo()
	d.declare()
	if _, err := d.graph.Compile(fg.Caps{}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.graph.Compile(fg.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// A steady frame: all declarations, and Compile.
func BenchmarkGraphFrame(b *testing.B) {
	d := newDemo()
	d.declare()
	if _, err := d.graph.Compile(fg.Caps{}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		d.declare()
		if _, err := d.graph.Compile(fg.Caps{}); err != nil {
			b.Fatal(err)
		}
	}
}

// graph-scale: a chain with side branches, as post-processing is.
func BenchmarkGraphScale(b *testing.B) {
	for _, n := range []int{100, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			g := fg.New()
			declareChain(g, n)
			caps := make([]fg.Caps, 32)
			for i := range caps {
				caps[i].MaxImageSize = 8192 + i
			}
			for _, c := range caps {
				if _, err := g.Compile(c); err != nil {
					b.Fatal(err)
				}
			}
			defer processorTime(b)()
			i := 0
			for b.Loop() {
				if _, err := g.Compile(caps[i%len(caps)]); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
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
