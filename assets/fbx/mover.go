package fbx

import "math"

// mover evaluates the moves of a node in a stack.
type mover struct {
	n     *node
	base  *layer
	moves []*move
	which []int   // property of each, see transformProperties
	still []*vec3 // value of each that has only one, else nil
	// What the node's moves change over time.
	translates, rotates, scales bool
}

func (s *stack) mover(n *node) *mover {
	v := &mover{n: n, base: s.layers[0]}
	for i := range s.moves[n.obj] {
		m := &s.moves[n.obj][i]
		which, known := transformProperties[m.property]
		if !known {
			continue
		}
		v.moves, v.which = append(v.moves, m), append(v.which, which)
		if !m.varies() {
			x := m.at(0, false)
			v.still = append(v.still, &x)
		} else {
			v.still = append(v.still, nil)
			switch which {
			case 0:
				v.translates = true
			case 1:
				v.rotates = true
			case scaleProperty:
				v.scales = true
			default:
				v.translates, v.rotates = true, true
			}
		}
	}
	p := &n.pivots
	if p.rotationPivot != (vec3{}) || p.scalingOffset != (vec3{}) || p.scalingPivot != (vec3{}) {
		v.translates = v.translates || v.rotates || v.scales
	}
	return v
}

// at returns the node's animated values at a time, and its pivots then.
func (m *mover) at(tick float64, before bool) (values, *pivots) {
	v, p := m.n.rest, &m.n.pivots
	var own *pivots
	for i, mv := range m.moves {
		var x vec3
		if m.still[i] != nil {
			x = *m.still[i]
		} else {
			x = mv.at(tick, before)
		}
		y := mv.layer
		first := y == m.base // the base layer stands for itself
		w := 1.0
		if !first {
			w = y.at(tick, before)
		}
		switch m.which[i] {
		case 0:
			v.t = y.blend(v.t, x, w, first)
		case 1:
			v.rotate(y, x, w, first, p.order)
		case scaleProperty:
			if !first && y.mode == blendAdditive && !y.addScales {
				for c := range x {
					v.s[c] *= math.Copysign(math.Pow(math.Abs(x[c]), w), x[c])
				}
			} else {
				v.s = y.blend(v.s, x, w, first)
			}
		default:
			if own == nil {
				c := *p
				own = &c
				p = own
			}
			switch m.which[i] {
			case 3:
				p.rotationOffset = y.blend(p.rotationOffset, x, w, first)
			case 4:
				p.rotationPivot = y.blend(p.rotationPivot, x, w, first)
			case 5:
				p.scalingOffset = y.blend(p.scalingOffset, x, w, first)
			case 6:
				p.scalingPivot = y.blend(p.scalingPivot, x, w, first)
			case 7:
				p.pre = euler(x, 0)
			case 8:
				p.post = euler(x, 0)
			}
		}
	}
	return v, p
}

func (y *layer) blend(below, x vec3, w float64, first bool) vec3 {
	switch {
	case first:
		return x
	case y.mode == blendAdditive:
		return below.add(x.mul(w))
	}
	return below.mul(1 - w).add(x.mul(w))
}

func (v *values) rotate(y *layer, x vec3, w float64, first bool, order int64) {
	switch {
	case first:
		v.r, v.isTurned = x, false
	case (y.byChannel || y.mode != blendAdditive) && !v.isTurned:
		v.r = y.blend(v.r, x, w, false)
	case y.mode == blendAdditive:
		if !v.isTurned {
			v.turned, v.isTurned = euler(v.r, order), true
		}
		v.turned = v.turned.mul(slerp(identity.q, euler(x, order), w))
	default:
		if !v.isTurned {
			v.turned, v.isTurned = euler(v.r, order), true
		}
		v.turned = slerp(v.turned, euler(x, order), w)
	}
}
