package assets

import (
	"cmp"
	"fmt"
	"slices"
)

// MaxInfluences is how many influences a vertex keeps when it is drawn.
const MaxInfluences = 8

// LimitInfluences returns the model with at most so many influences a vertex, a
// multiple of four: where a mesh has more, the strongest are kept, strongest first,
// and scaled so that their sum is what it was. A model that has no more is
// returned itself; otherwise all but joints and weights is shared, and Warnings say
// which meshes lost how much.
func (m *Model) LimitInfluences(most int) *Model {
	sets := max(most/4, 1)
	out := m
	for i := range m.Meshes {
		for j := range m.Meshes[i].Primitives {
			p := &m.Meshes[i].Primitives[j]
			if len(p.Joints) <= sets || len(p.Weights) != len(p.Joints) {
				continue
			}
			if out == m {
				c := *m
				c.Meshes = slices.Clone(m.Meshes)
				for k := range c.Meshes {
					c.Meshes[k].Primitives = slices.Clone(m.Meshes[k].Primitives)
				}
				c.Warnings = slices.Clone(m.Warnings)
				out = &c
			}
			q := &out.Meshes[i].Primitives[j]
			var lost float32
			q.Joints, q.Weights, lost = strongest(p.Joints, p.Weights, sets)
			out.Warnings = append(out.Warnings, Warning{
				Where: fmt.Sprintf("meshes[%d].primitives[%d]", i, j),
				Message: fmt.Sprintf("%d influences a vertex; the strongest %d are kept and scaled up, at most %.1f %% of a vertex's weight is lost",
					4*len(p.Joints), 4*sets, 100*lost),
			})
		}
	}
	return out
}

// strongest keeps so many sets of the largest weights. lost is the largest part of
// a vertex's weight that was dropped.
func strongest(joints [][][4]uint16, weights [][][4]float32, sets int) (j [][][4]uint16, w [][][4]float32, lost float32) {
	type influence struct {
		joint  uint16
		weight float32
	}
	n := len(weights[0])
	for range sets {
		j, w = append(j, make([][4]uint16, n)), append(w, make([][4]float32, n))
	}
	var all []influence
	for v := range n {
		all = all[:0]
		var sum, kept float32
		for s := range weights {
			for c, x := range weights[s][v] {
				all = append(all, influence{joints[s][v][c], x})
				sum += x
			}
		}
		slices.SortStableFunc(all, func(a, b influence) int { return cmp.Compare(b.weight, a.weight) })
		for _, x := range all[:4*sets] {
			kept += x.weight
		}
		scale := float32(1)
		if kept > 0 {
			scale = sum / kept
			lost = max(lost, 1-kept/sum)
		}
		for k, x := range all[:4*sets] {
			j[k/4][v][k%4], w[k/4][v][k%4] = x.joint, x.weight*scale
		}
	}
	return j, w, lost
}
