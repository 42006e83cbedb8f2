package framegraph_test

import (
	"slices"
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
