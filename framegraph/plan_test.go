package framegraph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

func compile(t testing.TB, g *fg.Graph, caps fg.Caps) *fg.Plan {
	t.Helper()
	p, err := g.Compile(caps)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(p *fg.Plan) []string {
	var out []string
	for i := range p.Steps {
		out = append(out, p.Steps[i].Name)
	}
	return out
}

func TestDemoPlan(t *testing.T) {
	d := newDemo()
	d.declare()
	p := compile(t, d.graph, fg.Caps{})
	want := []string{"scripts", "physics", "animation", "palette upload", "background", "shadow", "geometry", "lighting", "transparent",
		"tonemap", "collider", "gui", "present"}
	if got := names(p); !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
	for _, problem := range hazard.Check(p) {
		t.Error(problem)
	}
	t.Logf("%+v", p.Totals)
	if p.Totals.Merged != 2 {
		t.Errorf("%d passes joined a scope, want 2: collider and gui draw where tonemap does", p.Totals.Merged)
	}
	if p.Totals.Culled != 1 {
		t.Errorf("%d passes culled, want picking alone", p.Totals.Culled)
	}
}

// A write that is sampled: one barrier for both readers, with the stages of both.
func TestReadersShareOneBarrier(t *testing.T) {
	g := fg.New()
	a := g.CreateImage("a", color64)
	draws(g, "write", func(b *fg.Builder) { a = b.ColorAttachment(a, fg.Clear(0, 0, 0, 0)) })
	draws(g, "fragment", func(b *fg.Builder) { b.Sample(a, fg.FragmentShader) })
	pass(g, "compute", fg.Compute, func(b *fg.Builder) { b.Sample(a, fg.ComputeShader) })
	p := compile(t, g, fg.Caps{})
	first := p.Steps[0].Before
	if first.Len() != 1 || len(first.Images) != 1 || first.Images[0].OldLayout != fg.LayoutUndefined || first.Images[0].NewLayout != fg.LayoutAttachment ||
		first.Images[0].SrcStage != fg.FragmentShader|fg.ComputeShader {
		t.Errorf("first use: %+v, want one discard behind the last frame's readers", first)
	}
	got := p.Steps[1].Before
	if len(got.Images) != 1 || got.Len() != 1 {
		t.Fatalf("before the first reader: %+v, want one image barrier", got)
	}
	b := got.Images[0]
	b.Cause = fg.Cause{}
	want := fg.ImageBarrier{Image: a.Index(), SrcStage: fg.ColorOutput, DstStage: fg.FragmentShader | fg.ComputeShader,
		SrcAccess: fg.AccessColorWrite, DstAccess: fg.AccessSampledRead, OldLayout: fg.LayoutAttachment, NewLayout: fg.LayoutReadOnly,
		Aspect: fg.AspectColor, Mips: 1, Layers: 1}
	if b != want {
		t.Errorf("got  %+v\nwant %+v", b, want)
	}
	if n := p.Steps[2].Before.Len(); n != 0 {
		t.Errorf("%d barriers before the second reader, want none", n)
	}
}

// Load and store operations are inferred from who wrote before and who reads after.
func TestLoadsAndStores(t *testing.T) {
	g := fg.New()
	back := g.ImportImage("back", color64, fg.Import{Arrive: fg.Acquired, Leave: fg.PresentState})
	depth := g.CreateImage("depth", depth64)
	a := g.CreateImage("a", color64)
	draws(g, "one", func(b *fg.Builder) {
		a = b.ColorAttachment(a, fg.Infer)
		depth = b.DepthAttachment(depth, fg.ClearDepth(0))
	})
	draws(g, "two", func(b *fg.Builder) {
		b.Sample(a, fg.FragmentShader)
		back = b.ColorAttachment(back, fg.Infer)
		b.DepthReadOnly(depth)
	})
	p := compile(t, g, fg.Caps{})
	type ops struct {
		l fg.LoadKind
		s fg.StoreKind
	}
	of := func(a fg.Attachment) ops { return ops{a.Load, a.Store} }
	if got := of(p.Scopes[0].Color[0]); got != (ops{fg.LoadDontCare, fg.StoreKeep}) {
		t.Errorf("a, which nobody wrote and two reads: %v", got)
	}
	if got := of(p.Scopes[0].Depth); got != (ops{fg.LoadClear, fg.StoreKeep}) {
		t.Errorf("depth, which is cleared and tested later: %v", got)
	}
	if got := of(p.Scopes[1].Color[0]); got != (ops{fg.LoadDontCare, fg.StoreKeep}) {
		t.Errorf("back, which leaves the frame: %v", got)
	}
	if got := of(p.Scopes[1].Depth); got != (ops{fg.LoadKeep, fg.StoreNone}) {
		t.Errorf("depth, read-only: %v", got)
	}
}

// What nobody wants is not recorded; what it would have written over is ordered as if it had not been declared.
func TestCulling(t *testing.T) {
	declare := func(g *fg.Graph) {
		g.Reset()
		out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
		a, unused := g.CreateImage("a", color64), g.CreateImage("unused", color64)
		add := func(name string, f func(b *fg.Builder)) {
			g.AddPass(name, fg.Graphics, func(b *fg.Builder) fg.Record { f(b); return nil })
		}
		add("lost", func(b *fg.Builder) { out = b.ColorAttachment(out, fg.Clear(0, 0, 0, 0)) })
		add("a", func(b *fg.Builder) { a = b.ColorAttachment(a, fg.DontCare) })
		add("chain", func(b *fg.Builder) {
			b.Sample(a, fg.FragmentShader)
			unused = b.ColorAttachment(unused, fg.DontCare)
		})
		add("tail", func(b *fg.Builder) { b.Sample(unused, fg.FragmentShader) })
		add("out", func(b *fg.Builder) {
			b.Sample(a, fg.FragmentShader)
			out = b.ColorAttachment(out, fg.Clear(1, 0, 0, 0))
		})
	}
	g := fg.New()
	declare(g)
	p := compile(t, g, fg.Caps{})
	if got := names(p); !slices.Equal(got, []string{"a", "out"}) {
		t.Errorf("kept %q, want a and out", got)
	}
	if r := p.Resources[2]; r.First != -1 || r.Heap != -1 {
		t.Errorf("unused has memory: %+v", r)
	}
	if why := p.Explain("tail"); !strings.Contains(why, "culled") {
		t.Errorf("tail: %s", why)
	}
	if why := p.Explain("a"); !strings.Contains(why, `"out" needs its "a"`) || !strings.Contains(why, "imported") {
		t.Errorf("a: %s", why)
	}
	declare(g)
	if got := len(compile(t, g, fg.Caps{Options: fg.Options{NoCull: true}}).Steps); got != 5 {
		t.Errorf("%d steps with culling off, want 5", got)
	}
}

// An explicit order holds, also where the other pass is declared later.
func TestAfter(t *testing.T) {
	g := fg.New()
	draws(g, "one", func(b *fg.Builder) { b.After("three") })
	two := draws(g, "two", func(b *fg.Builder) {})
	draws(g, "three", func(b *fg.Builder) { b.AfterPass(two) })
	if got := names(compile(t, g, fg.Caps{})); !slices.Equal(got, []string{"two", "three", "one"}) {
		t.Errorf("order %q", got)
	}
}

// However independent chains are interleaved, each chain keeps its order, and the same declarations give the same plan.
func TestOrderIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const chains, length = 4, 4
		var pick []int
		for c := range chains {
			for range length {
				pick = append(pick, c)
			}
		}
		r.Shuffle(len(pick), func(i, j int) { pick[i], pick[j] = pick[j], pick[i] })
		declare := func(g *fg.Graph) {
			g.Reset()
			var h [chains]fg.Buffer
			var n [chains]int
			for c := range chains {
				h[c] = g.CreateBuffer(fmt.Sprint("b", c), fg.BufferDesc{Bytes: 1024})
			}
			for _, c := range pick {
				pass(g, fmt.Sprintf("%d.%d", c, n[c]), fg.Compute, func(b *fg.Builder) { h[c] = b.StorageWrite(h[c], fg.ComputeShader) })
				n[c]++
			}
		}
		g, again := fg.New(), fg.New()
		declare(g)
		declare(again)
		a, b := names(compile(t, g, fg.Caps{})), names(compile(t, again, fg.Caps{}))
		if !slices.Equal(a, b) {
			t.Fatalf("%q, then %q", a, b)
		}
		last := map[byte]byte{}
		for _, s := range a {
			if last[s[0]] > s[2] {
				t.Fatalf("chain %c is out of order in %q", s[0], a)
			}
			last[s[0]] = s[2]
		}
		declare(again)
		if got := names(compile(t, again, fg.Caps{Options: fg.Options{NoReorder: true}})); len(got) == len(pick) {
			for i, c := range pick {
				if int(got[i][0]-'0') != c {
					t.Fatalf("with reordering off, %q is not the declared order", got)
				}
			}
		}
	}
}

// No two resources that live at once share memory; every one is aligned, inside its heap, and in a heap of its types.
func TestAliasesNeverOverlap(t *testing.T) {
	g := fg.New()
	sizer := func(r *fg.Resource) fg.Requirements {
		if r.IsBuffer {
			return fg.Requirements{Bytes: r.Buffer.Bytes, Align: 64, Types: 3}
		}
		return fg.Requirements{Bytes: uint64(r.Image.Width*r.Image.Height*8) + 13, Align: 1024, Types: uint32(1 + r.Image.Mips%2)}
	}
	saved := uint64(0)
	for seed := range seeds(300) {
		randomGraph(g, seed)
		p := compile(t, g, fg.Caps{Sizer: sizer, Granularity: 128})
		for i := range p.Resources {
			a := &p.Resources[i]
			if a.Heap < 0 {
				continue
			}
			need := sizer(a)
			if a.Offset%max(need.Align, 128) != 0 || a.Offset+a.Bytes > p.Heaps[a.Heap].Bytes || p.Heaps[a.Heap].Types != need.Types || a.Bytes != need.Bytes {
				t.Fatalf("seed %d: %+v does not lie in %+v", seed, a, p.Heaps[a.Heap])
			}
			for j := range i {
				b := &p.Resources[j]
				if b.Heap == a.Heap && a.First <= b.Last && b.First <= a.Last && a.Offset < b.Offset+b.Bytes && b.Offset < a.Offset+a.Bytes {
					t.Fatalf("seed %d: %q and %q live at once in the same memory", seed, a.Name, b.Name)
				}
			}
		}
		saved += p.Totals.TransientBytes - min(p.Totals.AliasedBytes, p.Totals.TransientBytes)
	}
	if saved == 0 {
		t.Error("aliasing saved nothing on any graph")
	}
}

// A resize, a pass switched off, or new options compile anew; what was there before is found again.
func TestPlansAreRemembered(t *testing.T) {
	d := newDemo()
	serial := func(skip string) uint64 {
		d.skip = skip
		d.declare()
		return compile(t, d.graph, fg.Caps{}).Serial
	}
	all := serial("")
	if serial("") != all {
		t.Error("an unchanged frame compiled anew")
	}
	without := serial("collider")
	if without == all {
		t.Error("a frame without a pass got the old plan")
	}
	if serial("") != all || serial("collider") != without {
		t.Error("structures seen before compiled anew")
	}
	d.clear = 0.5
	d.declare()
	p := compile(t, d.graph, fg.Caps{})
	if p.Serial != without || p.Scopes[0].Color[0].Clear[0] != math.Float32bits(0.5) {
		t.Error("a new clear value compiled anew, or was lost")
	}
	if compile(t, d.graph, fg.Caps{Options: fg.Options{NoMerge: true}}).Serial == without {
		t.Error("other options got the old plan")
	}
}

func TestSteadyFramesDoNotAllocate(t *testing.T) {
	d := newDemo()
	frame := func(skip string) {
		d.skip = skip
		d.declare()
		if _, err := d.graph.Compile(fg.Caps{}); err != nil {
			t.Fatal(err)
		}
	}
	frame("")
	if n := testing.AllocsPerRun(100, func() { frame("") }); n != 0 {
		t.Errorf("%v allocations in an unchanged frame", n)
	}
	frame("collider")
	if n := testing.AllocsPerRun(100, func() { frame(""); frame("collider") }); n != 0 {
		t.Errorf("%v allocations in alternating frames", n)
	}
	// A full compile, once its memory has grown.
	size := 8192
	again := func() {
		size++
		if _, err := d.graph.Compile(fg.Caps{MaxImageSize: size}); err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		again()
	}
	if n := testing.AllocsPerRun(100, again); n != 0 {
		t.Errorf("%v allocations in a full compile", n)
	}
}

// A mip chain: each pass reads one level and writes the next, in one image.
func TestMipChain(t *testing.T) {
	g := fg.New()
	bloom := g.CreateImage("bloom", fg.ImageDesc{Format: fg.RGBA16Float, Width: 64, Height: 64, Mips: 4})
	draws(g, "0", func(b *fg.Builder) { bloom = b.ColorAttachment(bloom.Mip(0), fg.DontCare) })
	for m := 1; m < 4; m++ {
		draws(g, fmt.Sprint(m), func(b *fg.Builder) {
			b.Sample(bloom.Mip(m-1), fg.FragmentShader)
			bloom = b.ColorAttachment(bloom.Mip(m), fg.DontCare)
		})
	}
	draws(g, "all", func(b *fg.Builder) { b.Sample(bloom.Whole(), fg.FragmentShader) })
	p := compile(t, g, fg.Caps{})
	for _, x := range hazard.Check(p) {
		t.Error(x)
	}
	if got := p.Steps[2].Before.Images; len(got) != 2 {
		t.Errorf("before level 2: %+v, want level 1 made readable and level 2 begun", got)
	}
	if s := p.Scopes[2]; s.Width != 16 || s.Height != 16 {
		t.Errorf("level 2 is drawn at %d × %d, want 16 × 16", s.Width, s.Height)
	}
}

// The demo's plan is proved with each part of the compiler on and off.
func TestDemoPlanWithEachOption(t *testing.T) {
	d := newDemo()
	for _, caps := range allOptions() {
		d.declare()
		for _, x := range hazard.Check(compile(t, d.graph, caps)) {
			t.Errorf("%+v: %v", caps.Options, x)
		}
	}
}
