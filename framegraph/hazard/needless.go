package hazard

import (
	"fmt"
	"slices"

	"github.com/bindpose/bindpose/framegraph"
)

// without is p with one barrier taken out.
func without(p *framegraph.Plan, step int, kind, i int) *framegraph.Plan {
	q := *p
	q.Steps = slices.Clone(p.Steps)
	b := &q.Final
	if step < len(q.Steps) {
		b = &q.Steps[step].Before
	}
	switch kind {
	case 3:
		q.Steps[step].After.Images = slices.Delete(slices.Clone(q.Steps[step].After.Images), i, i+1)
	case 4:
		if step < len(q.Steps) {
			q.Steps[step].Waits = slices.Delete(slices.Clone(q.Steps[step].Waits), i, i+1)
		} else {
			q.FinalWaits = slices.Delete(slices.Clone(q.FinalWaits), i, i+1)
		}
	case 5:
		q.Steps[step].Signals = nil
	case 0:
		b.Memory = slices.Delete(slices.Clone(b.Memory), i, i+1)
	case 1:
		b.Buffers = slices.Delete(slices.Clone(b.Buffers), i, i+1)
	case 2:
		b.Images = slices.Delete(slices.Clone(b.Images), i, i+1)
	}
	return &q
}

// Needless are the barriers, waits and signals of a plan that the checker does not miss: taken out alone, each must leave a plan
// that is not safe. It checks the plan once for each of them.
func Needless(p *framegraph.Plan) (out []string) {
	try := func(step, kind, i int, what string) {
		if len(check(without(p, step, kind, i), true)) == 0 {
			out = append(out, what)
		}
	}
	for step := range len(p.Steps) + 1 {
		b, name := &p.Final, "the end"
		if step < len(p.Steps) {
			b, name = &p.Steps[step].Before, p.Steps[step].Name
		}
		for i, x := range b.Memory {
			try(step, 0, i, fmt.Sprintf("%s: %+v", name, x))
		}
		for i, x := range b.Buffers {
			try(step, 1, i, fmt.Sprintf("%s, %s: %+v", name, p.Resources[x.Buffer].Name, x))
		}
		for i, x := range b.Images {
			try(step, 2, i, fmt.Sprintf("%s, %s: %+v", name, p.Resources[x.Image].Name, x))
		}
		waits := p.FinalWaits
		if step < len(p.Steps) {
			waits = p.Steps[step].Waits
			for i, x := range p.Steps[step].After.Images {
				try(step, 3, i, fmt.Sprintf("after %s, %s: %+v", name, p.Resources[x.Image].Name, x))
			}
			for i, x := range p.Steps[step].Signals {
				try(step, 5, i, fmt.Sprintf("%s signals %+v", name, x))
			}
		}
		for i, x := range waits {
			try(step, 4, i, fmt.Sprintf("%s waits for %+v", name, x))
		}
	}
	return out
}
