package verify

import (
	"cmp"
	"math"
	"slices"
)

// curves are what the page draws of a clip, thinned.
type curves struct {
	Times  []float32    `json:"t"`
	Max    []float32    `json:"max"` // degrees: the worst joint's at each time
	Joints []curve      `json:"joints"`
	Height [2][]float32 `json:"height"` // metres: source scaled, target
	PathS  [2][]float32 `json:"paths"`  // metres: left and ahead
	PathT  [2][]float32 `json:"patht"`

	worstUp, worstAlong int
}

type curve struct {
	Name  string    `json:"name"`
	Drift []float32 `json:"drift"` // degrees
}

// points is how many a curve of the page has at most; curved how many joints.
const (
	points = 160
	curved = 5
)

func (v *Verifier) curves(r *Report, t *Take, c *Clip) *curves {
	out := &curves{}
	n := len(t.times)
	step := (n + points - 1) / max(points, 1)
	step = max(step, 1)
	// The largest of each step, so that one bad frame stays to be seen.
	thin := func(x []float32) []float32 {
		var y []float32
		for k := 0; k < n; k += step {
			y = append(y, tenths(float64(slices.Max(x[k:min(k+step, n)]))))
		}
		return y
	}
	most := make([]float32, n)
	order := make([]int, 0, len(v.pairs))
	for p := range v.pairs {
		if v.carrier[p] || v.options.Planted && isLeg(v.pairs[p].Bone) {
			continue
		}
		order = append(order, p)
		for k, d := range t.joints[p].drift {
			most[k] = max(most[k], d)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.joints[b].max, t.joints[a].max) })
	for _, p := range order[:min(curved, len(order))] {
		out.Joints = append(out.Joints, curve{nameOf(v.target, v.pairs[p].Target), thin(t.joints[p].drift)})
	}
	out.Max = thin(most)
	kh, kd := v.used(r)
	unit := v.dst.unit
	up, along := make([]vec, len(t.src)), make([]vec, len(t.src))
	for k := range t.src {
		e := t.dst[k].mul(unit)
		up[k][1] = e[1] - t.src[k][1]*kh*unit
		along[k][0], along[k][2] = e[0]-t.src[k][0]*kd*unit, e[2]-t.src[k][2]*kd*unit
	}
	out.worstUp, out.worstAlong = farthest(up), farthest(along)
	for k := 0; k < n; k += step {
		out.Times = append(out.Times, tenths(float64(t.times[k])))
		if k >= len(t.src) {
			continue
		}
		s, d := t.src[k], t.dst[k].mul(unit)
		out.Height[0] = append(out.Height[0], tenths(s[1]*kh*unit+c.OffM))
		out.Height[1] = append(out.Height[1], tenths(d[1]))
		for i, a := range []int{0, 2} {
			out.PathS[i] = append(out.PathS[i], tenths((s[a]-t.src[0][a])*kd*unit))
			out.PathT[i] = append(out.PathT[i], tenths(d[a]-t.dst[0][a]*unit))
		}
	}
	return out
}

// farthest is the frame that is farthest from the middle.
func farthest(x []vec) (at int) {
	centred(x)
	worst := 0.0
	for k := range x {
		if d := x[k].len(); d > worst {
			worst, at = d, k
		}
	}
	return at
}

// tenths rounds to tenths of a thousandth, so that pages stay small.
func tenths(x float64) float32 { return float32(math.Round(x*1e4) / 1e4) }
