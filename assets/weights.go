package assets

// NormalizeWeights returns the model with each vertex's skin weights scaled so
// that they sum to 1 over all sets; a vertex without any follows its first
// joint. glTF asks for weights that sum to 1 (glTF 2.0 §3.7.3.3), and a vertex
// whose weights sum to less is drawn towards the origin. A model that is right
// already is returned itself; otherwise all but the weights is shared.
func (m *Model) NormalizeWeights() *Model {
	out := m
	for i := range m.Meshes {
		for j := range m.Meshes[i].Primitives {
			weights, changed := normalized(m.Meshes[i].Primitives[j].Weights)
			if !changed {
				continue
			}
			if out == m {
				c := *m
				c.Meshes = append([]Mesh(nil), m.Meshes...)
				for k := range c.Meshes {
					c.Meshes[k].Primitives = append([]Primitive(nil), m.Meshes[k].Primitives...)
				}
				out = &c
			}
			out.Meshes[i].Primitives[j].Weights = weights
		}
	}
	return out
}

// weightTolerance is how far a sum may be off 1: what rounding of a sum of
// eight float32 leaves.
const weightTolerance = 1e-6

func normalized(sets [][][4]float32) (out [][][4]float32, changed bool) {
	if len(sets) == 0 {
		return sets, false
	}
	out = sets
	for v := range sets[0] {
		sum := float32(0)
		for _, set := range sets {
			sum += set[v][0] + set[v][1] + set[v][2] + set[v][3]
		}
		if sum > 1-weightTolerance && sum < 1+weightTolerance {
			continue
		}
		if !changed {
			changed = true
			out = make([][][4]float32, len(sets))
			for s := range sets {
				out[s] = append([][4]float32(nil), sets[s]...)
			}
		}
		if !(sum > 0) {
			out[0][v] = [4]float32{1, 0, 0, 0}
			continue
		}
		for s := range out {
			for c := range 4 {
				out[s][v][c] = sets[s][v][c] / sum
			}
		}
	}
	return out, changed
}
