package animation

// Mask returns a mask for a Layer: one number a joint, inside for the joints of
// the branches that begin at roots, outside for all others. A root that is no
// joint of the skeleton is passed over.
func Mask(s *Skeleton, inside, outside float32, roots ...int32) []float32 {
	m := make([]float32, s.Len())
	in := make([]bool, s.Len())
	for _, r := range roots {
		if r >= 0 && int(r) < len(in) {
			in[r] = true
		}
	}
	for j, p := range s.Parents {
		in[j] = in[j] || p >= 0 && in[p]
		m[j] = outside
		if in[j] {
			m[j] = inside
		}
	}
	return m
}

// Overlay mixes a pose into another in place, joint by joint: weight times the
// mask of over, the rest of p. It is how layers of a machine lie on one another;
// a joint masked out keeps p's value bit for bit. A nil mask is all ones. Properties
// (Skeleton.AddProperty) are mixed by weight alone.
func (p *Pose) Overlay(s *Skeleton, over *Pose, weight float32, mask []float32) {
	layer := Layer{Pose: over, Weight: weight, Mask: mask}
	for j := range p.Local {
		u := min(max(layer.at(j), 0), 1)
		if u == 0 {
			continue
		}
		x, y := &p.Local[j], &over.Local[j]
		v := 1 - u
		x.Translation = x.Translation.Mul(v).Add(y.Translation.Mul(u))
		x.Scale = x.Scale.Mul(v).Add(y.Scale.Mul(u))
		x.Rotation = nlerp(x.Rotation, y.Rotation, v, u)
		p.Moved[j] = p.Moved[j] && v > 0 || over.Moved[j]
		begin, end := s.morphs(j)
		for m := begin; m < end; m++ {
			p.Weights[m] = v*p.Weights[m] + u*over.Weights[m]
		}
	}
	u := min(max(weight, 0), 1)
	for m := s.properties(); m < len(p.Weights); m++ {
		p.Weights[m] = (1-u)*p.Weights[m] + u*over.Weights[m]
	}
}
