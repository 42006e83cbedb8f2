package framegraph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
	"github.com/bindpose/bindpose/internal/demoframe"
)

// row is passes that each draw an image of their own of some rows of 64 texels, and as many that each read one of those and add
// to one light.
func row(g *fg.Graph, rows []int, edit func(b *fg.Builder, lamp int)) {
	g.Reset()
	out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
	light := g.CreateImage("light", color64)
	draws(g, "clear", func(b *fg.Builder) { light = b.ColorAttachment(light, fg.DontCare) })
	for i, n := range rows {
		own := g.CreateImage(fmt.Sprint("own ", i), fg.ImageDesc{Format: fg.D32Float, Width: 64, Height: n})
		draws(g, fmt.Sprint("draw ", i), func(b *fg.Builder) { own = b.DepthAttachment(own, fg.ClearDepth(0)) })
		draws(g, fmt.Sprint("add ", i), func(b *fg.Builder) {
			b.Sample(own, fg.FragmentShader)
			light = b.ColorAttachment(light, fg.Load)
			edit(b, i)
		})
	}
	draws(g, "out", func(b *fg.Builder) {
		b.Sample(light, fg.FragmentShader)
		out = b.ColorAttachment(out, fg.DontCare)
	})
}

// Where the images of a row take much of all memory they have it in turns; else their readers join in one rendering scope.
func TestStaggering(t *testing.T) {
	none := func(*fg.Builder, int) {}
	staggered := []string{"draw 0", "add 0", "draw 1", "add 1", "draw 2", "add 2"}
	for name, c := range map[string]struct {
		rows    []int
		edit    func(b *fg.Builder, lamp int)
		options fg.Options
		stagger bool
	}{
		"large":      {[]int{64, 64, 64}, none, fg.Options{}, true},
		"unequal":    {[]int{16, 64, 32}, none, fg.Options{}, true},
		"small":      {[]int{4, 2, 4}, none, fg.Options{}, false},
		"one":        {[]int{64}, none, fg.Options{}, false},
		"a large":    {[]int{1024, 8, 8}, none, fg.Options{}, false}, // that one is alive at some time anyway
		"no alias":   {[]int{64, 64, 64}, none, fg.Options{NoAlias: true}, false},
		"no reorder": {[]int{64, 64, 64}, none, fg.Options{NoReorder: true}, true}, // as declared
	} {
		g := fg.New()
		row(g, c.rows, c.edit)
		p := compile(t, g, fg.Caps{Options: c.options})
		order := names(p)
		rest := slices.DeleteFunc(slices.Clone(order), func(s string) bool { return !strings.HasPrefix(s, "draw") && !strings.HasPrefix(s, "add") })
		if got := slices.Equal(rest, staggered); got != c.stagger {
			t.Errorf("%s: staggered %v, want %v: %q", name, got, c.stagger, order)
		}
		if joined := p.Totals.Merged == len(c.rows)-1; joined == c.stagger {
			t.Errorf("%s: %d passes joined a scope", name, p.Totals.Merged)
		}
		for _, x := range hazard.Check(p) {
			t.Errorf("%s: %v", name, x)
		}
		if text := p.Explain("draw 1"); c.stagger && !c.options.NoReorder && !strings.Contains(text, `behind "add 0", which then is done with "own 0", so that "own 1" (`) {
			t.Errorf("%s: it does not say why it waits:\n%s", name, text)
		}
	}
}

// With two lamps the sun's map and color are alive beside the second lamp's map, so taking turns frees less than one map; but it is
// what the two maps at once would need beside those that counts.
func TestTwoLampsTakeTurns(t *testing.T) {
	f := demoframe.New()
	f.Lamps = 2
	for _, unified := range []bool{false, true} {
		f.Declare()
		p := compile(t, f.Graph, fg.Caps{UnifiedLayouts: unified})
		// The G-buffer with depth takes 28 bytes a pixel, color 4; the sun's map 2 × 2048², a lamp's 2 × 3072 × 2048.
		const both = 1280*720*(28+4) + 2<<22 + 2*(2*3072*2048)
		if o := p.Totals; o.LiveBytes > both-both/8 || o.AliasedBytes > both-both/8 {
			t.Errorf("%d bytes alive at once in %d of memory, %d with both maps at once: %q", o.LiveBytes, o.AliasedBytes, both, names(p))
		}
		for _, x := range hazard.Check(p) {
			t.Error(x)
		}
		if text := p.Explain("lamp 2 shadow"); !strings.Contains(text, `behind "lamp 1", which then is done with "lamp map 1"`) {
			t.Errorf("it does not say why it waits:\n%s", text)
		}
	}
}

// An image that a second pass reads is nobody's own, and passes that do not see each other's drawing are in no row.
func TestNoRow(t *testing.T) {
	g := fg.New()
	var own []fg.Image
	g.Reset()
	light := g.CreateImage("light", color64)
	for i := range 3 {
		h := g.CreateImage(fmt.Sprint("own ", i), depth64)
		draws(g, fmt.Sprint("draw ", i), func(b *fg.Builder) { h = b.DepthAttachment(h, fg.ClearDepth(0)) })
		draws(g, fmt.Sprint("add ", i), func(b *fg.Builder) {
			b.Sample(h, fg.FragmentShader)
			light = b.ColorAttachment(light, fg.Infer)
		})
		own = append(own, h)
	}
	draws(g, "again", func(b *fg.Builder) {
		for _, h := range own {
			b.Sample(h, fg.FragmentShader)
		}
	})
	if p := compile(t, g, fg.Caps{}); p.Totals.Merged != 2 {
		t.Errorf("%d passes joined a scope, want 2: their images are all read again", p.Totals.Merged)
	}
}

// A cycle of declared orders is told as ever, where passes are held back, too.
func TestStaggeredCycle(t *testing.T) {
	g := fg.New()
	row(g, []int{64, 64, 64}, func(b *fg.Builder, lamp int) { after(b, lamp == 0, "out") })
	_, err := g.Compile(fg.Caps{})
	if err == nil || !strings.Contains(err.Error(), "wait for each other") {
		t.Errorf("a cycle through a row: %v", err)
	}
}

// Rows of any kind, with all sorts of things around them: staggering takes less memory, and every plan is safe. Where explicit
// orders part a row anyway, its images would not have been alive at once; then it may be for nothing, but hardly ever is.
func TestStaggeringSaves(t *testing.T) {
	g, plain := fg.New(), fg.New()
	plain.KeepEarly()
	var with, without, memory, memoryWithout uint64
	plans, lost := 0, 0
	for seed := range seeds(300) {
		declare := func(g *fg.Graph) {
			r := rand.New(rand.NewPCG(seed, 11))
			rows := make([]int, 1+r.IntN(5))
			for i := range rows {
				rows[i] = 1 + r.IntN(128)
			}
			others := make([]fg.Image, 0, 4)
			row(g, rows, func(b *fg.Builder, lamp int) {
				if r.IntN(4) == 0 && lamp > 0 {
					b.After(fmt.Sprint("draw ", r.IntN(lamp)))
				}
			})
			for i := range r.IntN(4) {
				h := g.CreateImage(fmt.Sprint("other ", i), fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 1 + r.IntN(256)})
				draws(g, fmt.Sprint("other ", i), func(b *fg.Builder) {
					if len(others) > 0 && r.IntN(2) == 0 {
						b.Sample(others[r.IntN(len(others))], fg.FragmentShader)
					}
					h = b.ColorAttachment(h, fg.DontCare)
				})
				others = append(others, h)
			}
			draws(g, "end", func(b *fg.Builder) {
				for _, h := range others {
					b.Sample(h, fg.FragmentShader)
				}
			})
		}
		declare(g)
		declare(plain)
		for _, caps := range []fg.Caps{{}, {UnifiedLayouts: true}} {
			a, b := compile(t, g, caps), compile(t, plain, caps)
			with, without = with+a.Totals.LiveBytes, without+b.Totals.LiveBytes
			memory, memoryWithout = memory+a.Totals.AliasedBytes, memoryWithout+b.Totals.AliasedBytes
			plans++
			if a.Totals.LiveBytes > b.Totals.LiveBytes || a.Totals.Merged < b.Totals.Merged && a.Totals.LiveBytes == b.Totals.LiveBytes {
				lost++
				t.Logf("seed %d: %d bytes alive at once, without staggering %d", seed, a.Totals.LiveBytes, b.Totals.LiveBytes)
			}
			for _, x := range hazard.Check(a) {
				t.Errorf("seed %d: %v", seed, x)
			}
			if seed%8 != 0 {
				continue
			}
			for _, x := range hazard.Needless(a) {
				t.Errorf("seed %d: the checker does not miss %s", seed, x)
			}
		}
	}
	t.Logf("%d bytes alive at once, without staggering and sinking %d; %d of memory, without %d; in vain in %d of %d plans", with, without,
		memory, memoryWithout, lost, plans)
	if with >= without || memory >= memoryWithout || lost > plans/1000 {
		t.Error("that is not worth it")
	}
}
