package hazard_test

import (
	"slices"
	"strings"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/framegraph/hazard"
)

// plan is a small frame with a discard, a read behind a write, aliased memory, and a state to leave in. It is compiled
// anew for each test, for the tests tamper with it.
func plan(t *testing.T) *fg.Plan {
	t.Helper()
	g := fg.New()
	desc := fg.ImageDesc{Format: fg.RGBA8Unorm, Width: 64, Height: 64}
	out := g.ImportImage("out", desc, fg.Import{Arrive: fg.Acquired, Leave: fg.PresentState})
	var h [3]fg.Image
	for i, name := range []string{"a", "b", "c"} {
		h[i] = g.CreateImage(name, desc)
	}
	add := func(name string, f func(b *fg.Builder)) {
		g.AddPass(name, fg.Graphics, func(b *fg.Builder) fg.Record { f(b); return nil })
	}
	add("first", func(b *fg.Builder) { h[0] = b.ColorAttachment(h[0], fg.DontCare) })
	for i := range 2 {
		add([]string{"second", "third"}[i], func(b *fg.Builder) {
			b.Sample(h[i], fg.FragmentShader)
			h[i+1] = b.ColorAttachment(h[i+1], fg.DontCare)
		})
	}
	add("last", func(b *fg.Builder) {
		b.Sample(h[2], fg.FragmentShader)
		out = b.ColorAttachment(out, fg.DontCare)
	})
	p, err := g.Compile(fg.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGoodPlan(t *testing.T) {
	p := plan(t)
	for _, x := range hazard.Check(p) {
		t.Error(x)
	}
	if p.Totals.AliasedBytes >= p.Totals.TransientBytes {
		t.Fatalf("nothing is aliased, so the tests here test too little: %+v", p.Totals)
	}
}

// Each way of spoiling a plan must be noticed, and for what it is.
func TestSpoiltPlans(t *testing.T) {
	cases := []struct {
		name, want string
		spoil      func(p *fg.Plan)
	}{
		{"no layout change", "the image is in", func(p *fg.Plan) { p.Steps[1].Before.Images = p.Steps[1].Before.Images[:0] }},
		{"wrong old layout", "a barrier from layout", func(p *fg.Plan) { p.Steps[1].Before.Images[0].OldLayout = fg.LayoutGeneral }},
		{"contents discarded", "instead of", func(p *fg.Plan) {
			for i := range p.Steps[1].Before.Images {
				p.Steps[1].Before.Images[i].OldLayout = fg.LayoutUndefined
			}
		}},
		{"too few source stages", "may still run", func(p *fg.Plan) {
			for i := range p.Steps[1].Before.Images {
				p.Steps[1].Before.Images[i].SrcStage = fg.VertexShader
			}
		}},
		{"not made available", "made available", func(p *fg.Plan) {
			for i := range p.Steps[1].Before.Images {
				p.Steps[1].Before.Images[i].SrcAccess = 0
			}
		}},
		{"not made visible", "not made visible", func(p *fg.Plan) {
			for i := range p.Steps[1].Before.Images {
				p.Steps[1].Before.Images[i].DstAccess = fg.AccessTransferRead
			}
		}},
		{"aliased alive", "instead of", func(p *fg.Plan) { p.Resources[2].Offset = p.Resources[1].Offset }},
		{"not stored", "instead of", func(p *fg.Plan) { p.Scopes[0].Color[0].Store = fg.StoreDontCare }},
		{"cleared unasked", "cleared", func(p *fg.Plan) { p.Scopes[0].Color[0].Load = fg.LoadClear }},
		{"steps exchanged", "", func(p *fg.Plan) { p.Steps[1], p.Steps[2] = p.Steps[2], p.Steps[1] }},
		{"step left out", "", func(p *fg.Plan) { p.Steps = slices.Delete(p.Steps, 1, 2) }},
		{"left in the wrong layout", "it leaves in layout", func(p *fg.Plan) { p.Final = fg.Barriers{} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := plan(t)
			c.spoil(p)
			var all []string
			for _, x := range hazard.Check(p) {
				all = append(all, x.String())
			}
			if text := strings.Join(all, "\n"); text == "" || !strings.Contains(text, c.want) {
				t.Errorf("got %q, want a problem with %q", text, c.want)
			}
		})
	}
}
