package framegraph_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

var (
	color64 = fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64}
	depth64 = fg.ImageDesc{Format: fg.D32Float, Width: 64, Height: 64}
)

// draws adds a pass that is never culled.
func draws(g *fg.Graph, name string, declare func(b *fg.Builder)) fg.Pass {
	return pass(g, name, fg.Graphics, declare)
}

func pass(g *fg.Graph, name string, kind fg.Kind, declare func(b *fg.Builder)) fg.Pass {
	return g.AddPass(name, kind, func(b *fg.Builder) fg.Record {
		b.SideEffect()
		declare(b)
		return nil
	})
}

// Each case makes one mistake, and must be told so by that code, and by no other.
func TestMistakes(t *testing.T) {
	cases := []struct {
		code     string
		pass     string
		resource string
		declare  func(g *fg.Graph)
	}{
		{"zero-handle", "p", "", func(g *fg.Graph) {
			draws(g, "p", func(b *fg.Builder) { b.Sample(fg.Image{}, fg.FragmentShader) })
		}},
		{"foreign-handle", "p", "", func(g *fg.Graph) {
			old := g.CreateImage("old", color64)
			g.Reset()
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(old, fg.DontCare) })
		}},
		{"foreign-handle", "p", "", func(g *fg.Graph) {
			a := fg.New().CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
		}},
		{"stale-handle", "late", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			first := a
			draws(g, "one", func(b *fg.Builder) { first = b.ColorAttachment(a, fg.DontCare) })
			draws(g, "two", func(b *fg.Builder) { b.ColorAttachment(first, fg.Load) })
			draws(g, "late", func(b *fg.Builder) { b.Sample(first, fg.FragmentShader) })
		}},
		{"unordered-writers", "two", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "one", func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
			draws(g, "two", func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
		}},
		{"unwritten-read", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) { b.Sample(a, fg.FragmentShader) })
		}},
		{"unwritten-read", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(a, fg.Load) })
		}},
		{"unwritten-read", "p", "a", func(g *fg.Graph) {
			a := g.ImportImage("a", color64, fg.Import{})
			draws(g, "p", func(b *fg.Builder) { b.Sample(a, fg.FragmentShader) })
		}},
		{"unwritten-read", "p", "b", func(g *fg.Graph) {
			buf := g.CreateBuffer("b", fg.BufferDesc{Bytes: 4})
			draws(g, "p", func(b *fg.Builder) { b.UniformRead(buf, fg.VertexShader) })
		}},
		{"attachment-sampled", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "w", func(b *fg.Builder) { a = b.ColorAttachment(a, fg.DontCare) })
			draws(g, "p", func(b *fg.Builder) {
				b.Sample(a, fg.FragmentShader)
				a = b.ColorAttachment(a, fg.Load)
			})
		}},
		{"conflicting-accesses", "p", "b", func(g *fg.Graph) {
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) {
				b.VertexRead(buf)
				b.StorageWrite(buf, fg.VertexShader)
			})
		}},
		{"two-layouts", "p", "a", func(g *fg.Graph) {
			a := g.ImportImage("a", color64, fg.Import{Arrive: fg.SampledState})
			draws(g, "p", func(b *fg.Builder) {
				b.Sample(a, fg.FragmentShader)
				b.StorageReadImage(a, fg.FragmentShader)
			})
		}},
		{"verb-in-kind", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			pass(g, "p", fg.Compute, func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
		}},
		{"verb-in-kind", "p", "t", func(g *fg.Graph) {
			c := g.CPUResource("t")
			draws(g, "p", func(b *fg.Builder) { b.HostWrite(c) })
		}},
		{"no-shader-stage", "p", "b", func(g *fg.Graph) {
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) { b.UniformRead(buf, 0) })
		}},
		{"no-shader-stage", "p", "b", func(g *fg.Graph) {
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) { b.UniformRead(buf, fg.ColorOutput) })
		}},
		{"stage-in-kind", "p", "b", func(g *fg.Graph) {
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			pass(g, "p", fg.Compute, func(b *fg.Builder) { b.UniformRead(buf, fg.VertexShader) })
		}},
		{"outside-image", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(a.Mip(3), fg.DontCare) })
		}},
		{"format-for-verb", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) { b.DepthAttachment(a, fg.DontCare) })
		}},
		{"format-for-verb", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", depth64)
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
		}},
		{"unsupported", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", fg.ImageDesc{Format: fg.B10GR11Float, Width: 4, Height: 4})
			pass(g, "p", fg.Compute, func(b *fg.Builder) { b.StorageWriteImage(a, fg.ComputeShader) })
		}},
		{"unsupported", "p", "a", func(g *fg.Graph) { // sampling it is fine
			a := g.CreateImage("a", fg.ImageDesc{Format: fg.B10GR11Float, Width: 4, Height: 4})
			pass(g, "p", fg.Compute, func(b *fg.Builder) { a = b.StorageWriteImage(a, fg.ComputeShader) })
			pass(g, "q", fg.Compute, func(b *fg.Builder) { b.Sample(a, fg.ComputeShader) })
		}},
		{"present-transient", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "w", func(b *fg.Builder) { a = b.ColorAttachment(a, fg.DontCare) })
			draws(g, "p", func(b *fg.Builder) { b.Present(a) })
		}},
		{"host-transient", "p", "b", func(g *fg.Graph) {
			buf := g.CreateBuffer("b", fg.BufferDesc{Bytes: 4})
			g.AddPhase("p", func(b *fg.Builder) func() error { b.HostWriteBuffer(buf); return nil })
		}},
		{"host-waits-for-device", "late", "b", func(g *fg.Graph) {
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) { b.VertexRead(buf) })
			g.AddPhase("late", func(b *fg.Builder) func() error { b.HostWriteBuffer(buf); return nil })
		}},
		{"copy-while-drawing", "p", "b", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) {
				b.ColorAttachment(a, fg.DontCare)
				b.TransferWrite(buf)
			})
		}},
		{"dispatch-while-drawing", "p", "b", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			buf := g.ImportBuffer("b", fg.BufferDesc{Bytes: 4}, fg.Import{})
			draws(g, "p", func(b *fg.Builder) {
				b.ColorAttachment(a, fg.DontCare)
				b.StorageWrite(buf, fg.ComputeShader)
			})
		}},
		{"two-depths", "p", "e", func(g *fg.Graph) {
			d, e := g.CreateImage("d", depth64), g.CreateImage("e", depth64)
			draws(g, "p", func(b *fg.Builder) {
				b.DepthAttachment(d, fg.DontCare)
				b.DepthAttachment(e, fg.DontCare)
			})
		}},
		{"mixed-samples", "p", "e", func(g *fg.Graph) {
			d := g.CreateImage("d", depth64)
			e := g.CreateImage("e", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Samples: 4})
			draws(g, "p", func(b *fg.Builder) {
				b.DepthAttachment(d, fg.DontCare)
				b.ColorAttachment(e, fg.DontCare)
			})
		}},
		{"many-mips-attached", "p", "a", func(g *fg.Graph) {
			a := g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Mips: 3})
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(a, fg.DontCare) })
		}},
		{"too-many-attachments", "p", "", func(g *fg.Graph) {
			draws(g, "p", func(b *fg.Builder) {
				for range 3 {
					b.ColorAttachment(g.CreateImage("a", color64), fg.DontCare)
				}
			})
		}},
		{"bad-area", "p", "", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "p", func(b *fg.Builder) {
				b.RenderArea(32, 0, 33, 64)
				b.ColorAttachment(a, fg.Infer)
			})
		}},
		{"bad-kind", "p", "", func(g *fg.Graph) { pass(g, "p", fg.Kind(9), func(b *fg.Builder) {}) }},
		{"unknown-pass", "p", "", func(g *fg.Graph) { draws(g, "p", func(b *fg.Builder) { b.After("nobody") }) }},
		{"unknown-pass", "p", "", func(g *fg.Graph) { draws(g, "p", func(b *fg.Builder) { b.AfterPass(fg.Pass{}) }) }},
		{"ambiguous-pass", "p", "", func(g *fg.Graph) {
			draws(g, "twin", func(b *fg.Builder) {})
			draws(g, "twin", func(b *fg.Builder) {})
			draws(g, "p", func(b *fg.Builder) { b.After("twin") })
		}},
		{"after-itself", "p", "", func(g *fg.Graph) { draws(g, "p", func(b *fg.Builder) { b.After("p") }) }},
		{"cycle", "*", "", func(g *fg.Graph) {
			a := g.CreateImage("a", color64)
			draws(g, "first", func(b *fg.Builder) {
				a = b.ColorAttachment(a, fg.DontCare)
				b.After("third")
			})
			draws(g, "second", func(b *fg.Builder) { b.Sample(a, fg.FragmentShader) })
			draws(g, "third", func(b *fg.Builder) { b.After("second") })
		}},
		{"nested-pass", "inner", "", func(g *fg.Graph) {
			draws(g, "outer", func(b *fg.Builder) { draws(g, "inner", func(b *fg.Builder) {}) })
		}},
		{"builder-outside", "", "", func(g *fg.Graph) {
			var kept *fg.Builder
			draws(g, "p", func(b *fg.Builder) { kept = b })
			kept.SideEffect()
		}},
		{"compile-inside-pass", "p", "", func(g *fg.Graph) {
			g.AddPass("p", fg.Graphics, func(b *fg.Builder) fg.Record {
				if _, err := g.Compile(fg.Caps{}); err == nil {
					panic("compiled")
				}
				return nil
			})
		}},
		{"size-of-unknown", "", "a", func(g *fg.Graph) {
			g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Size: fg.Relative(fg.Image{}, 0.5)})
		}},
		{"bad-size", "", "a", func(g *fg.Graph) { g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: -1, Height: 4}) }},
		{"bad-size", "", "b", func(g *fg.Graph) {
			g.CreateImage("b", fg.ImageDesc{Format: fg.RGBA8Unorm, Size: fg.Relative(g.CreateImage("a", color64), 0)})
		}},
		{"bad-mips", "", "a", func(g *fg.Graph) {
			g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Mips: 8})
		}},
		{"bad-layers", "", "a", func(g *fg.Graph) {
			g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Layers: -1})
		}},
		{"bad-samples", "", "a", func(g *fg.Graph) {
			g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Samples: 3})
		}},
		{"no-format", "", "a", func(g *fg.Graph) { g.CreateImage("a", fg.ImageDesc{Width: 64, Height: 64}) }},
		{"async-in-kind", "p", "", func(g *fg.Graph) { draws(g, "p", func(b *fg.Builder) { b.Async() }) }},
		{"history-start", "", "h", func(g *fg.Graph) { g.HistoryImage("h", color64, fg.Infer) }},
		{"history-written", "p", "h", func(g *fg.Graph) {
			last, _ := g.HistoryImage("h", color64, fg.Clear(0, 0, 0, 0))
			draws(g, "p", func(b *fg.Builder) { b.ColorAttachment(last, fg.Load) })
		}},
		{"unwritten-read", "p", "h", func(g *fg.Graph) {
			_, next := g.HistoryBuffer("h", fg.BufferDesc{Bytes: 4}, 0)
			draws(g, "p", func(b *fg.Builder) { b.VertexRead(next) })
		}},
		{"history-part", "p", "h", func(g *fg.Graph) {
			last, next := g.HistoryImage("h", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 4, Height: 4, Mips: 2}, fg.Clear(0, 0, 0, 0))
			draws(g, "w", func(b *fg.Builder) { b.ColorAttachment(next.Mip(0), fg.DontCare) })
			draws(g, "p", func(b *fg.Builder) { b.Sample(last, fg.FragmentShader) })
		}},
		{"resolve-source", "p", "a", func(g *fg.Graph) {
			a, m := g.CreateImage("a", color64), g.CreateImage("m", color64)
			draws(g, "p", func(b *fg.Builder) { b.Resolve(m, a) })
		}},
		{"resolve-target", "p", "a", func(g *fg.Graph) {
			a, m := g.CreateImage("a", color64), g.CreateImage("m", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 32, Height: 64, Samples: 4})
			draws(g, "p", func(b *fg.Builder) { b.Resolve(b.ColorAttachment(m, fg.DontCare), a) })
		}},
		{"bad-samples", "", "a", func(g *fg.Graph) { // a count the device lacks between two it has
			g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64, Samples: 2})
		}},
		{"empty-buffer", "", "b", func(g *fg.Graph) { g.CreateBuffer("b", fg.BufferDesc{}) }},
	}
	caps := fg.Caps{MaxColorAttachments: 2, SampleCounts: 1 | 4, Supports: func(f fg.Format, u fg.ImageUsage) bool {
		return f != fg.B10GR11Float || u&fg.UsageStorage == 0
	}}
	tested := map[string]bool{}
	for _, c := range cases {
		tested[c.code] = true
		t.Run(c.code, func(t *testing.T) {
			g := fg.New()
			c.declare(g)
			_, err := g.Compile(caps)
			var list fg.Mistakes
			if !errors.As(err, &list) {
				t.Fatalf("got %v, want Mistakes", err)
			}
			for _, m := range list {
				if m.Code != c.code {
					t.Errorf("also told: %s: %v", m.Code, m)
				}
				if c.pass != "*" && m.Pass != c.pass || m.Resource != c.resource {
					t.Errorf("names pass %q, resource %q; want %q, %q", m.Pass, m.Resource, c.pass, c.resource)
				}
				if filepath.Base(m.File) != "mistakes_test.go" || m.Line == 0 {
					t.Errorf("declared at %s:%d, want a line of this file", m.File, m.Line)
				}
				if m.Problem == "" || m.Consequence == "" {
					t.Errorf("%q has no problem or no consequence", m)
				}
				if (m.Code == "stale-handle" || m.Code == "unordered-writers") && !strings.Contains(m.Problem, " (mistakes_test.go:") {
					t.Errorf("%q does not say where the other pass writes", m)
				}
			}
		})
	}
	// Every code that the sources have is tested here.
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`Code(?::|, m\.Problem =| =) *"([a-z-]+)"`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasSuffix(f, "_test.go") && f != "warnings.go" && !tested[m[1]] {
				t.Errorf("%s: no test makes the mistake %q", f, m[1])
			}
		}
	}
}

// Each warning names the resource; a frame without waste has none.
func TestWarnings(t *testing.T) {
	g := fg.New()
	used := g.CreateImage("used", color64)
	unread := g.CreateBuffer("unread", fg.BufferDesc{Bytes: 4})
	g.CreateImage("idle", color64)
	out := g.ImportBuffer("out", fg.BufferDesc{Bytes: 4}, fg.Import{})
	pass(g, "write", fg.Compute, func(b *fg.Builder) {
		used = b.StorageWriteImage(used, fg.ComputeShader)
		unread = b.StorageWrite(unread, fg.ComputeShader)
	})
	pass(g, "read", fg.Compute, func(b *fg.Builder) {
		b.StorageReadImage(used, fg.ComputeShader)
		b.StorageWrite(out, fg.ComputeShader)
	})
	got := map[string]string{}
	for _, m := range compile(t, g, fg.Caps{}).Warnings() {
		got[m.Resource] = m.Code
		if filepath.Base(m.File) != "mistakes_test.go" || m.Consequence == "" {
			t.Errorf("%v names no line of this file, or no consequence", m)
		}
	}
	if want := map[string]string{"unread": "unused-write", "idle": "unused-resource"}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// All mistakes come at once, and a mended frame compiles.
func TestMistakesComeTogether(t *testing.T) {
	g := fg.New()
	a, d := g.CreateImage("a", color64), g.CreateImage("d", depth64)
	draws(g, "one", func(b *fg.Builder) {
		b.Sample(fg.Image{}, fg.FragmentShader)
		b.Sample(a, fg.FragmentShader)
		b.ColorAttachment(d, fg.DontCare)
		b.After("nobody")
	})
	_, err := g.Compile(fg.Caps{})
	var list fg.Mistakes
	errors.As(err, &list)
	var codes []string
	for _, m := range list {
		codes = append(codes, m.Code)
	}
	for _, want := range []string{"zero-handle", "unwritten-read", "format-for-verb", "unknown-pass"} {
		if !slices.Contains(codes, want) {
			t.Errorf("%s is missing from %v", want, codes)
		}
	}
	var one *fg.Mistake
	if !errors.As(err, &one) || !strings.Contains(err.Error(), `pass "one"`) {
		t.Errorf("error reads %v", err)
	}
	g.Reset()
	if _, err := g.Compile(fg.Caps{}); err != nil {
		t.Errorf("an empty frame after a wrong one: %v", err)
	}
}

// A cycle names every edge with its reason.
func TestCycleNamesItsEdges(t *testing.T) {
	g := fg.New()
	a := g.CreateImage("a", color64)
	draws(g, "first", func(b *fg.Builder) {
		a = b.ColorAttachment(a, fg.DontCare)
		b.After("third")
	})
	draws(g, "second", func(b *fg.Builder) { b.Sample(a, fg.FragmentShader) })
	draws(g, "third", func(b *fg.Builder) { b.After("second") })
	_, err := g.Compile(fg.Caps{})
	if err == nil {
		t.Fatal("compiled")
	}
	for _, want := range []string{`"first" before "second"`, `"second" before "third"`, `"third" before "first"`, `ColorAttachment of "a"`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing from: %v", want, err)
		}
	}
}

// Nobody is asked how much memory an image takes that cannot be.
func TestMistakesAskForNoMemory(t *testing.T) {
	g := fg.New()
	a, b := g.CreateImage("a", fg.ImageDesc{Format: fg.RGBA8Unorm}), g.CreateImage("b", color64)
	draws(g, "draw", func(x *fg.Builder) {
		a = x.ColorAttachment(a, fg.DontCare)
		b = x.ColorAttachment(b, fg.DontCare)
	})
	_, err := g.Compile(fg.Caps{Sizer: func(r *fg.Resource) fg.Requirements {
		t.Errorf("asked for the size of %q", r.Name)
		return fg.Requirements{Bytes: 1}
	}})
	if err == nil {
		t.Error("an image without texels passes")
	}
}

// A device may support each usage of an image, but not all in one; it is asked once for each image, and again only where it said no.
func TestUnsupportedTogether(t *testing.T) {
	g := fg.New()
	a := g.CreateImage("a", color64)
	pass(g, "write", fg.Compute, func(b *fg.Builder) { a = b.StorageWriteImage(a, fg.ComputeShader) })
	pass(g, "read", fg.Compute, func(b *fg.Builder) {
		b.Sample(a, fg.ComputeShader)
		b.SideEffect()
	})
	both, asked := fg.UsageStorage|fg.UsageSampled, 0
	_, err := g.Compile(fg.Caps{Supports: func(f fg.Format, u fg.ImageUsage) bool {
		asked++
		return u != both
	}})
	var list fg.Mistakes
	if !errors.As(err, &list) || len(list) != 1 || list[0].Code != "unsupported" || list[0].Resource != "a" || asked != 3 {
		t.Errorf("asked %d times, got %v, want that the usages of \"a\" don't go together", asked, err)
	}
	asked = 0
	if _, err := g.Compile(fg.Caps{Supports: func(f fg.Format, u fg.ImageUsage) bool {
		asked++
		return u == both
	}}); err != nil || asked != 1 {
		t.Errorf("asked %d times, got %v, want one question", asked, err)
	}
}
