package framegraph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

// Where layouts don't matter, what a pass waits for is one memory barrier, and no frame discards an image that has memory of its
// own. A first write only waits for the frame before, once for all images whose last readers are as late.
func TestBarriersMelt(t *testing.T) {
	d := newDemo()
	d.declare()
	exact := compile(t, d.graph, fg.Caps{UnifiedLayouts: true, Options: fg.Options{ExactLayouts: true}})
	want := compile(t, d.graph, fg.Caps{}).Totals.Barriers
	if exact.Totals.Barriers != want {
		t.Errorf("with exact layouts: %d barriers, want %d", exact.Totals.Barriers, want)
	}
	p := compile(t, d.graph, fg.Caps{UnifiedLayouts: true})
	for _, problem := range hazard.Check(p) {
		t.Error(problem)
	}
	for i := range p.Resources {
		r := &p.Resources[i]
		if inUse := r.Origin == fg.Transient && r.IsImage && r.First >= 0; r.Unified != inUse || (r.Arrive.Layout == fg.LayoutGeneral) != inUse {
			t.Errorf("%s: in one layout %v, arrives in %d", r.Name, r.Unified, r.Arrive.Layout)
		}
	}
	memory, images := 0, 0
	for i := range p.Steps {
		b := &p.Steps[i].Before
		if len(b.Memory) > 1 || len(b.Buffers) > 0 {
			t.Errorf("%s: %d memory and %d buffer barriers, want one for all", p.Steps[i].Name, len(b.Memory), len(b.Buffers))
		}
		memory += len(b.Memory)
		for _, x := range b.Images {
			images++
			if p.Resources[x.Image].Name != "backbuffer" {
				t.Errorf("%s: a barrier on %q, which keeps its layout", p.Steps[i].Name, p.Resources[x.Image].Name)
			}
		}
	}
	// Background for all of the frame before, lighting for the G-buffer, transparent and tonemap for hdr; the backbuffer comes
	// and goes.
	if memory != 4 || images+len(p.Final.Images) != 2 {
		t.Errorf("%d memory barriers and %d of images, want 4 and 2", memory, images+len(p.Final.Images))
	}
}

// Each reason that a memory barrier stands for is told.
func TestExplainTellsWhatMelted(t *testing.T) {
	d := newDemo()
	d.declare()
	text := compile(t, d.graph, fg.Caps{UnifiedLayouts: true}).Explain("lighting")
	for _, w := range []string{"barrier on memory (", `of "albedo" in "geometry"`, `of "normal" in "geometry"`, `of "material" in "geometry"`,
		`of "depth" in "geometry"`, `of "shadow" in "shadow"`, "it also stands for a read behind a write"} {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing from\n%s", w, text)
		}
	}
	if text := compile(t, d.graph, fg.Caps{UnifiedLayouts: true}).Explain("normal"); !strings.Contains(text, "general layout from frame to frame") {
		t.Errorf("it does not say that the image keeps its layout:\n%s", text)
	}
}

// An image that shares memory is discarded all the same, and one that is copied keeps the layouts of copies.
func TestLayoutsThatStillChange(t *testing.T) {
	g := fg.New()
	var h [3]fg.Image
	for i, name := range []string{"a", "b", "c"} {
		h[i] = g.CreateImage(name, color64)
	}
	out := g.ImportImage("out", color64, fg.Import{Leave: fg.SampledState})
	draws(g, "first", func(b *fg.Builder) { h[0] = b.ColorAttachment(h[0], fg.DontCare) })
	draws(g, "second", func(b *fg.Builder) {
		b.Sample(h[0], fg.FragmentShader)
		h[1] = b.ColorAttachment(h[1], fg.DontCare)
	})
	draws(g, "third", func(b *fg.Builder) {
		b.Sample(h[1], fg.FragmentShader)
		h[2] = b.ColorAttachment(h[2], fg.DontCare)
	})
	pass(g, "copy", fg.Transfer, func(b *fg.Builder) {
		b.TransferReadImage(h[2])
		out = b.TransferWriteImage(out)
	})
	p := compile(t, g, fg.Caps{UnifiedLayouts: true})
	for _, problem := range hazard.Check(p) {
		t.Error(problem)
	}
	if p.Totals.AliasedBytes >= p.Totals.TransientBytes {
		t.Fatal("nothing shares memory")
	}
	layouts := map[string][]fg.Layout{}
	for i := range p.Steps {
		for _, x := range p.Steps[i].Before.Images {
			name := p.Resources[x.Image].Name
			layouts[name] = append(layouts[name], x.OldLayout, x.NewLayout)
		}
	}
	for name, want := range map[string][]fg.Layout{
		"a": {fg.LayoutUndefined, fg.LayoutGeneral}, "b": nil,
		"c": {fg.LayoutUndefined, fg.LayoutAttachment, fg.LayoutAttachment, fg.LayoutTransferSrc},
	} {
		if got := layouts[name]; !slices.Equal(got, want) {
			t.Errorf("%s: layouts %v, want %v", name, got, want)
		}
	}
}

// The checker does not take it that an image kept its layout where its memory was somebody else's.
func TestAKeptImageMustBeAlone(t *testing.T) {
	d := newDemo()
	d.declare()
	p := compile(t, d.graph, fg.Caps{UnifiedLayouts: true})
	at := map[string]int{}
	for i := range p.Resources {
		at[p.Resources[i].Name] = i
	}
	p.Resources[at["hdr"]].Offset = p.Resources[at["normal"]].Offset
	if len(hazard.Check(p)) == 0 {
		t.Error("two kept images in one place pass for safe")
	}
}

// A write became visible to a later read by way of other passes, without what the writing pass had read itself being behind it; the
// next change of layout did not wait for that.
func TestOwnReadsAreWaitedFor(t *testing.T) {
	g := fg.New()
	randomGraph(g, 25648)
	p := compile(t, g, fg.Caps{UnifiedLayouts: true, Options: fg.Options{NoReorder: true, NoMerge: true}})
	for _, problem := range hazard.Check(p) {
		t.Error(problem)
	}
}

// Reads far behind their writes are more slots apart than melting looks back for.
func TestMeltedReadsFarBehind(t *testing.T) {
	const far = 40
	g := fg.New()
	g.Reset()
	out := g.ImportImage("out", fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64}, fg.Import{Leave: fg.SampledState})
	var images []fg.Image
	for i := range 3 * far {
		img := g.CreateImage(fmt.Sprint("image ", i), fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64})
		g.AddPass(fmt.Sprint("pass ", i), fg.Graphics, func(b *fg.Builder) fg.Record {
			if i > 0 {
				b.Sample(images[i-1], fg.VertexShader)
			}
			if i > far {
				b.Sample(images[i-far], fg.FragmentShader)
			}
			images = append(images, b.ColorAttachment(img, fg.Clear(0, 0, 0, 0)))
			return nil
		})
	}
	g.AddPass("last", fg.Graphics, func(b *fg.Builder) fg.Record {
		b.Sample(images[len(images)-1], fg.FragmentShader)
		out = b.ColorAttachment(out, fg.DontCare)
		return nil
	})
	for _, o := range []fg.Options{{}, {NoAlias: true}} {
		p := compile(t, g, fg.Caps{UnifiedLayouts: true, Options: o})
		for _, x := range hazard.Check(p) {
			t.Errorf("%+v: %v", o, x)
		}
		for _, s := range hazard.Needless(p) {
			t.Errorf("%+v: %s", o, s)
		}
	}
}
