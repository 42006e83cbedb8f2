package framegraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

// orderLines is what Explain says of when a pass was ready, and who went first.
func orderLines(p *fg.Plan, name string) string {
	lines := strings.Split(p.Explain(name), "\n")
	at := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "  ready ") })
	if at < 0 {
		return ""
	}
	end := at + 1
	for end < len(lines) && strings.HasPrefix(lines[end], "    \"") {
		end++
	}
	for i := at; i < end; i++ {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines[at:end], "\n")
}

// Each reason that the order has for taking another pass first.
func TestExplainOrder(t *testing.T) {
	// writes declares a pass that draws an image of its own.
	writes := func(g *fg.Graph, name string, more func(b *fg.Builder)) fg.Image {
		h := g.CreateImage(name+"'s", color64)
		draws(g, name, func(b *fg.Builder) {
			more(b)
			h = b.ColorAttachment(h, fg.DontCare)
			b.SideEffect()
		})
		return h
	}
	reads := func(h ...fg.Image) func(b *fg.Builder) {
		return func(b *fg.Builder) {
			for _, h := range h {
				b.Sample(h, fg.FragmentShader)
			}
		}
	}
	for name, c := range map[string]struct {
		caps    fg.Caps
		declare func(g *fg.Graph)
		want    string // of the pass "it"
	}{
		"at once": {fg.Caps{}, func(g *fg.Graph) {
			h := writes(g, "first", reads())
			writes(g, "it", reads(h))
		}, `ready once "first" has run, and taken at once`},
		"phases": {fg.Caps{}, func(g *fg.Graph) {
			writes(g, "it", reads())
			state := g.CPUResource("state")
			g.AddPhase("think", func(b *fg.Builder) func() error {
				b.HostWrite(state)
				return nil
			})
		}, "ready from the start; before it went\n\"think\": phases run first"},
		"no reordering": {fg.Caps{Options: fg.Options{NoReorder: true}}, func(g *fg.Graph) {
			writes(g, "a", reads())
			writes(g, "b", reads())
			writes(g, "it", reads())
		}, "ready from the start; before it went\n\"a\" and \"b\": declared earlier, and reordering is off"},
		"scope": {fg.Caps{}, func(g *fg.Graph) {
			h := g.CreateImage("shared", color64)
			draws(g, "opens", func(b *fg.Builder) { h = b.ColorAttachment(h, fg.DontCare) })
			it := writes(g, "it", reads())
			draws(g, "joins", func(b *fg.Builder) { h = b.ColorAttachment(h, fg.Load) })
			writes(g, "end", reads(it, h))
		}, "ready from the start; before it went\n\"opens\": declared earlier, and as good\n\"joins\": joins the rendering scope of \"opens\""},
		"both join": {fg.Caps{}, func(g *fg.Graph) {
			depth, sum := g.CreateImage("depth", fg.ImageDesc{Format: fg.D32Float, Width: 64, Height: 64}), g.CreateBuffer("sum", fg.BufferDesc{Bytes: 64})
			draws(g, "z", func(b *fg.Builder) { depth = b.DepthAttachment(depth, fg.ClearDepth(0)) })
			pass(g, "fill", fg.Compute, func(b *fg.Builder) { sum = b.StorageWrite(sum, fg.ComputeShader) })
			for _, name := range []string{"first", "second", "it"} {
				draws(g, name, func(b *fg.Builder) {
					b.DepthReadOnly(depth)
					if name == "it" {
						b.StorageRead(sum, fg.FragmentShader)
					}
					b.SideEffect()
				})
			}
		}, "ready once \"fill\" has run; before it went\n\"first\": waits for \"z\", 2 steps before, this one for \"fill\", 1 step before\n" +
			"\"second\": declared earlier, and both join the rendering scope of \"first\""},
		"age": {fg.Caps{}, func(g *fg.Graph) {
			a := writes(g, "a", reads())
			it := writes(g, "it", reads(a))
			b := writes(g, "b", reads())
			c := writes(g, "c", reads())
			writes(g, "end", reads(it, b, c, writes(g, "d", reads(a))))
		}, "ready once \"a\" has run; before it went\n\"b\": waits for nothing of this frame, this one for \"a\", 1 step before\n" +
			"\"c\": waits for nothing of this frame, this one for \"a\", 2 steps before"},
		"transients": {fg.Caps{}, func(g *fg.Graph) {
			x, y := g.CreateImage("x", color64), g.CreateImage("y", color64)
			draws(g, "it", func(b *fg.Builder) {
				x, y = b.ColorAttachment(x, fg.DontCare), b.ColorAttachment(y, fg.DontCare)
			})
			writes(g, "end", reads(x, y, writes(g, "slim", reads())))
		}, "ready from the start; before it went\n\"slim\": leaves 1 transient fewer alive than this one would"},
		"as good": {fg.Caps{}, func(g *fg.Graph) {
			for i := range 6 {
				writes(g, fmt.Sprint("p", i), reads())
			}
			writes(g, "it", reads())
		}, "ready from the start; before it went\n\"p0\", \"p1\", \"p2\", \"p3\" and 2 more: declared earlier, and as good"},
		"lookahead": {fg.Caps{}, func(g *fg.Graph) {
			for i := range 8 {
				writes(g, fmt.Sprint("p", i), reads())
			}
			writes(g, "it", reads())
		}, "ready from the start; before it went\n\"p0\": declared earlier; of what is ready the first 8 are weighed\n\"p1\", \"p2\", \"p3\", \"p4\" and 3 more: declared earlier, and as good"},
		"another queue": {fg.Caps{AsyncCompute: true}, func(g *fg.Graph) {
			out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
			x, sum := g.CreateBuffer("x", fg.BufferDesc{Bytes: 64}), g.CreateBuffer("sum", fg.BufferDesc{Bytes: 64})
			a := writes(g, "it", reads())
			pass(g, "feeds", fg.Compute, func(b *fg.Builder) { x = b.StorageWrite(x, fg.ComputeShader) })
			pass(g, "beside", fg.Compute, func(b *fg.Builder) {
				b.StorageRead(x, fg.ComputeShader)
				sum = b.StorageWrite(sum, fg.ComputeShader)
				b.Async()
			})
			draws(g, "out", func(b *fg.Builder) {
				b.Sample(a, fg.FragmentShader)
				b.StorageRead(sum, fg.FragmentShader)
				out = b.ColorAttachment(out, fg.DontCare)
			})
		}, "ready from the start; before it went\n\"feeds\": another queue waits for it\n\"beside\": on the compute queue, which then has more to run beside"},
		"both on another queue": {fg.Caps{AsyncCompute: true}, func(g *fg.Graph) {
			out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
			var h [3]fg.Buffer
			for i := range h {
				h[i] = g.CreateBuffer(fmt.Sprint("h", i), fg.BufferDesc{Bytes: 64})
			}
			pass(g, "thin", fg.Compute, func(b *fg.Builder) {
				h[0] = b.StorageWrite(h[0], fg.ComputeShader)
				b.Async()
			})
			pass(g, "it", fg.Compute, func(b *fg.Builder) {
				h[1], h[2] = b.StorageWrite(h[1], fg.ComputeShader), b.StorageWrite(h[2], fg.ComputeShader)
				b.Async()
			})
			draws(g, "out", func(b *fg.Builder) {
				for _, h := range h {
					b.StorageRead(h, fg.FragmentShader)
				}
				out = b.ColorAttachment(out, fg.DontCare)
			})
		}, "ready from the start; before it went\n\"thin\": declared earlier, and both may leave the graphics queue"},
	} {
		g := fg.New()
		c.declare(g)
		p := compile(t, g, c.caps)
		if got := orderLines(p, "it"); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s\nin %q", name, got, c.want, names(p))
		}
	}
}

// A pass that went first and was then moved behind is told apart.
func TestExplainOrderThenMoved(t *testing.T) {
	g := fg.New()
	sinking(g, 6, func(*fg.Builder, int) {})
	p := compile(t, g, fg.Caps{})
	const want = "ready from the start; before it went\n\"early\" (since moved behind): declared earlier, and as good"
	if got := orderLines(p, "pass 0"); got != want {
		t.Errorf("got\n%s\nwant\n%s\nin %q", got, want, names(p))
	}
}

// The order that explanations are taken from is the plan's, but for what was moved; and all passes that run on the device have one.
func TestExplainOrderIsTheOrder(t *testing.T) {
	g := fg.New()
	told := 0
	for seed := range seeds(300) {
		randomGraph(g, seed)
		for i, caps := range allOptions() {
			if (seed+uint64(i))%8 != 0 {
				continue
			}
			p := compile(t, g, caps)
			if order, moved := p.Reordered(); !moved && !slices.Equal(order, names(p)) {
				t.Fatalf("seed %d, %+v: the order is %q, made again it is %q", seed, caps.Options, names(p), order)
			}
			for i := range p.Steps {
				if s := &p.Steps[i]; s.Kind != fg.Phase && i > 0 && orderLines(p, s.Name) == "" {
					t.Errorf("seed %d, %+v: nothing is said of the place of %q", seed, caps.Options, s.Name)
				} else if strings.Contains(orderLines(p, s.Name), "before it went") {
					told++
				}
			}
		}
	}
	if told < 100 {
		t.Errorf("only %d passes let others go first", told)
	}
}

// However many went first, for however many reasons, the explanation stays short.
func TestExplainOrderIsShort(t *testing.T) {
	g := fg.New()
	h := g.CreateImage("first's", color64)
	draws(g, "first", func(b *fg.Builder) { h = b.ColorAttachment(h, fg.DontCare) })
	end := g.CreateImage("it's", color64)
	many := make([]fg.Image, 8)
	draws(g, "it", func(b *fg.Builder) {
		for i := range many {
			many[i] = b.ColorAttachment(g.CreateImage(fmt.Sprint("held ", i), color64), fg.DontCare)
		}
	})
	for i := range 20 { // pairs that join: each is a reason of its own
		x := g.CreateImage(fmt.Sprint("shared ", i), color64)
		draws(g, fmt.Sprint("opens ", i), func(b *fg.Builder) { x = b.ColorAttachment(x, fg.DontCare) })
		draws(g, fmt.Sprint("joins ", i), func(b *fg.Builder) { x = b.ColorAttachment(x, fg.Load); b.SideEffect() })
	}
	draws(g, "end", func(b *fg.Builder) {
		for i := range many {
			b.Sample(many[i], fg.FragmentShader)
		}
		b.Sample(h, fg.FragmentShader)
		end = b.ColorAttachment(end, fg.DontCare)
		b.SideEffect()
	})
	p := compile(t, g, fg.Caps{})
	text := orderLines(p, "it")
	lines := strings.Split(text, "\n")
	if len(lines) != 7 || !strings.Contains(p.Explain("it"), " more, for such reasons\n") {
		t.Errorf("%d lines of\n%s\nin %q", len(lines), p.Explain("it"), names(p))
	}
}
