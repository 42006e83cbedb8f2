package framegraph_test

import (
	"fmt"
	"testing"

	fg "github.com/bindpose/bindpose/framegraph"
)

// A plan is the same whether its graph compiled others before, in the same memory, or none: nothing of an older frame shows.
func TestPlansForgetTheFrameBefore(t *testing.T) {
	old := fg.New()
	for seed := range seeds(400) {
		for i, caps := range allOptions() {
			if (seed+uint64(i))%8 != 0 {
				continue
			}
			fresh := fg.New()
			for _, g := range []*fg.Graph{old, fresh} {
				g.Reset()
				if seed%5 == 0 {
					declareMany(g)
				}
				declareRandom(g, seed, "")
			}
			got, want := parts(compile(t, old, caps)), parts(compile(t, fresh, caps))
			for name, w := range want {
				if g := got[name]; g != w {
					t.Fatalf("seed %d, %+v: %s after other plans\n%s\nwant\n%s", seed, caps.Options, name, g, w)
				}
			}
		}
	}
}

// parts is all that an executor reads of a plan, but for the closures.
func parts(p *fg.Plan) map[string]string {
	all := map[string]string{"scopes": fmt.Sprintf("%+v", p.Scopes), "heaps": fmt.Sprintf("%+v", p.Heaps), "end": fmt.Sprintf("%+v %+v", p.FinalWaits, p.Final),
		"totals": fmt.Sprintf("%+v", p.Totals)}
	for i := range p.Steps {
		s := p.Steps[i]
		s.Run, s.Record = nil, nil
		all[s.Name] = fmt.Sprintf("%+v\n%s", s, p.Explain(s.Name))
	}
	for i := range p.Resources {
		all[p.Resources[i].Name] = fmt.Sprintf("%+v\n%s", p.Resources[i], p.Explain(p.Resources[i].Name))
	}
	return all
}
