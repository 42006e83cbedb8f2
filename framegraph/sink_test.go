package framegraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
	"github.com/bindpose/bindpose/internal/demoframe"
)

// held is the bytes of all transients times the steps that they live for.
func held(p *fg.Plan) (sum uint64) {
	for i := range p.Resources {
		if r := &p.Resources[i]; r.Origin == fg.Transient && r.First >= 0 {
			sum += r.Bytes * uint64(r.Last-r.First+1)
		}
	}
	return sum
}

// The background and the sun's shadow map wait until the large lamps are done with their maps, and lie where those were; the
// frame then takes no more memory than what must be alive at once.
func TestDemoSinks(t *testing.T) {
	f := demoframe.New()
	for _, unified := range []bool{false, true} {
		f.Declare()
		p := compile(t, f.Graph, fg.Caps{UnifiedLayouts: unified})
		want := []string{"scripts", "physics", "animation", "panels", "palette upload", "lamp 1 shadow", "geometry", "lamp 1",
			"lamp 2 shadow", "lamp 2", "background", "shadow", "lamp 3 shadow", "lamp 3", "lighting", "transparent", "collider",
			"antialias", "gui", "present"}
		if got := names(p); !slices.Equal(got, want) {
			t.Errorf("order %q, want %q", got, want)
		}
		for _, x := range hazard.Check(p) {
			t.Error(x)
		}
		for _, x := range hazard.Needless(p) {
			t.Errorf("the checker does not miss %s", x)
		}
		// The G-buffer with depth takes 28 bytes a pixel, color 4; the sun's map 2 × 2048², that of lamp 3 2 × 1024².
		const live = 1280*720*(28+4) + 2<<22 + 2<<20
		if o := p.Totals; o.LiveBytes != live || o.AliasedBytes > live+live/50 {
			t.Errorf("%d bytes alive at once, want %d; %d of memory", o.LiveBytes, live, o.AliasedBytes)
		}
		text := p.Explain("shadow")
		for _, w := range []string{`moved behind "lamp 2", 5 steps later than it could run`, `"shadow map" (8.4 MB)`, `"lamp map`, `2 passes`, `"lighting"`} {
			if !strings.Contains(text, w) {
				t.Errorf("%q is missing from\n%s", w, text)
			}
		}
		t.Logf("%+v\n%s", p.Totals, text)
	}
	// What is near its reader stays.
	f.Lamps = 0
	f.Declare()
	if got := names(compile(t, f.Graph, fg.Caps{}))[5:9]; !slices.Equal(got, []string{"background", "shadow", "geometry", "lighting"}) {
		t.Errorf("without lamps: %q", got)
	}
}

// sinking is a frame of passes that each write an image of their own: "early" is declared first and read last.
func sinking(g *fg.Graph, between int, edit func(b *fg.Builder, pass int)) {
	g.Reset()
	out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
	early := g.CreateImage("early", color64)
	chain := g.CreateImage("chain 0", color64)
	draws(g, "early", func(b *fg.Builder) {
		early = b.ColorAttachment(early, fg.DontCare)
		edit(b, -1)
	})
	draws(g, "pass 0", func(b *fg.Builder) {
		chain = b.ColorAttachment(chain, fg.DontCare)
		edit(b, 0)
	})
	for i := 1; i <= between; i++ {
		next := g.CreateImage(fmt.Sprint("chain ", i), color64)
		draws(g, fmt.Sprint("pass ", i), func(b *fg.Builder) {
			b.Sample(chain, fg.FragmentShader)
			chain = b.ColorAttachment(next, fg.DontCare)
			edit(b, i)
		})
	}
	draws(g, "out", func(b *fg.Builder) {
		b.Sample(early, fg.FragmentShader)
		b.Sample(chain, fg.FragmentShader)
		out = b.ColorAttachment(out, fg.DontCare)
	})
}

// A pass keeps two others between itself and its reader, and crosses neither what comes After it nor what it comes After.
func TestSinking(t *testing.T) {
	none := func(*fg.Builder, int) {}
	for name, c := range map[string]struct {
		between int
		edit    func(b *fg.Builder, pass int)
		options fg.Options
		behind  string // what early comes behind
	}{
		"far":        {6, none, fg.Options{}, "pass 4"},
		"near":       {1, none, fg.Options{}, ""},
		"after it":   {6, func(b *fg.Builder, pass int) { after(b, pass == 3, "early") }, fg.Options{}, "pass 2"},
		"no reorder": {6, none, fg.Options{NoReorder: true}, ""},
		"no alias":   {6, none, fg.Options{NoAlias: true}, ""},
		"no merge":   {6, none, fg.Options{NoMerge: true}, "pass 4"},
		"no cull":    {6, none, fg.Options{NoCull: true}, "pass 4"},
	} {
		g := fg.New()
		sinking(g, c.between, c.edit)
		p := compile(t, g, fg.Caps{Options: c.options})
		order := names(p)
		at, got := slices.Index(order, "early"), ""
		if at > 0 {
			got = order[at-1]
		}
		if got != c.behind {
			t.Errorf("%s: early stands behind %q, want %q, in %q", name, got, c.behind, order)
		}
		for _, x := range hazard.Check(p) {
			t.Errorf("%s: %v", name, x)
		}
	}
}

func after(b *fg.Builder, yes bool, name string) {
	if yes {
		b.After(name)
	}
}

// declareMany declares a pass with so many images of a few bytes that sets of transients have a word more, and what is declared
// behind it has its bits there.
func declareMany(g *fg.Graph) {
	many := make([]fg.Image, 61)
	for i := range many {
		many[i] = g.CreateImage(fmt.Sprint("one of many ", i), fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 1, Height: 1})
	}
	g.AddPass("many", fg.Compute, func(b *fg.Builder) fg.Record {
		for i := range many {
			many[i] = b.StorageWriteImage(many[i], fg.ComputeShader)
		}
		b.SideEffect()
		return nil
	})
}

// peak is the most bytes of transients that are alive at one step.
func peak(p *fg.Plan) (most uint64) {
	for at := range p.Steps {
		sum := uint64(0)
		for i := range p.Resources {
			if r := &p.Resources[i]; r.Origin == fg.Transient && r.First >= 0 && r.First <= at && at <= r.Last {
				sum += r.Bytes
			}
		}
		most = max(most, sum)
	}
	return most
}

// Sinking never takes more memory, nor holds it longer, nor costs a joined scope; and what it does is safe.
func TestSinkingNeverCosts(t *testing.T) {
	g, plain := fg.New(), fg.New()
	plain.KeepEarly()
	moved, less := 0, 0
	var memory, memoryWithout uint64
	for seed := range seeds(1500) {
		for _, g := range []*fg.Graph{g, plain} {
			g.Reset()
			if seed%3 == 0 {
				declareMany(g)
			}
			declareRandom(g, seed, "")
		}
		for _, caps := range []fg.Caps{{}, {UnifiedLayouts: true}, {Options: fg.Options{NoMerge: true}}} {
			a, b := compile(t, g, caps), compile(t, plain, caps)
			if a.Totals.LiveBytes != peak(a) || b.Totals.LiveBytes != peak(b) {
				t.Errorf("seed %d: says that %d bytes are alive at once, %d are; without sinking %d and %d", seed, a.Totals.LiveBytes, peak(a), b.Totals.LiveBytes, peak(b))
			}
			if a.Totals.LiveBytes > b.Totals.LiveBytes || a.Totals.LiveBytes == b.Totals.LiveBytes && held(a) > held(b) {
				t.Errorf("seed %d: %d bytes alive at once and %d held, without sinking %d and %d", seed, a.Totals.LiveBytes, held(a), b.Totals.LiveBytes, held(b))
			}
			if a.Totals.Merged < b.Totals.Merged {
				t.Errorf("seed %d: %d passes joined a scope, without sinking %d", seed, a.Totals.Merged, b.Totals.Merged)
			}
			if slices.Equal(names(a), names(b)) {
				continue
			}
			moved++
			memory, memoryWithout = memory+a.Totals.AliasedBytes, memoryWithout+b.Totals.AliasedBytes
			if a.Totals.LiveBytes < b.Totals.LiveBytes {
				less++
			}
			if a.Totals.LiveBytes == b.Totals.LiveBytes && held(a) == held(b) {
				t.Errorf("seed %d: passes moved, and nothing is freed", seed)
			}
			for _, x := range hazard.Check(a) {
				t.Errorf("seed %d: %v", seed, x)
			}
		}
	}
	if moved < 20 || less == 0 {
		t.Errorf("passes moved in %d plans, less was alive at once in %d: too few to tell", moved, less)
	}
	if memory >= memoryWithout {
		t.Errorf("plans in which passes moved take %d bytes, without %d", memory, memoryWithout)
	}
	t.Logf("passes moved in %d plans, less is alive at once in %d; they take %d bytes, without %d", moved, less, memory, memoryWithout)
}
