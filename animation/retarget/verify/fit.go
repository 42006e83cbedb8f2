package verify

import (
	"math"
	"slices"
)

// slope is the factor k for which y is k·x and a constant, with the least sum of
// distances (iteratively reweighted least squares), so that a fault in a few
// frames does not bend it. spread is the sum of x's distances from its middle:
// how much the factor is worth. x and y are points, of which unused axes are 0.
func slope(x, y []vec) (k, spread float64) {
	w := make([]float64, len(x))
	for i := range w {
		w[i] = 1
	}
	for range 30 {
		var mx, my vec
		sum := 0.0
		for i := range x {
			mx, my, sum = mx.add(x[i].mul(w[i])), my.add(y[i].mul(w[i])), sum+w[i]
		}
		mx, my = mx.mul(1/sum), my.mul(1/sum)
		var xx, xy float64
		spread = 0
		for i := range x {
			d := x[i].sub(mx)
			xx += w[i] * d.dot(d)
			xy += w[i] * d.dot(y[i].sub(my))
			spread += d.len()
		}
		if xx == 0 {
			return 0, 0
		}
		last := k
		k = xy / xx
		if math.Abs(k-last) < 1e-12 {
			break
		}
		floor := 1e-6 * spread / float64(len(x)) * max(math.Abs(k), 1e-3)
		for i := range x {
			w[i] = 1 / (y[i].sub(my).sub(x[i].sub(mx).mul(k)).len() + floor)
		}
	}
	return k, spread
}

// centred takes each point's middle away: the component-wise median, which a fault
// in a few frames does not move. It returns that middle.
func centred(x []vec) (mid vec) {
	for a := range 3 {
		v := make([]float64, len(x))
		for i := range x {
			v[i] = x[i][a]
		}
		mid[a] = median(v)
	}
	for i := range x {
		x[i] = x[i].sub(mid)
	}
	return mid
}

// median reorders v.
func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}

// weighted is the median of values that count by their weights; 0 and false where
// no weight reaches least.
func weighted(values, weights []float64, least float64) (float64, bool) {
	order := make([]int, 0, len(values))
	total := 0.0
	for i, w := range weights {
		if w >= least && w > 0 {
			order = append(order, i)
			total += w
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return a - b
	})
	sum := 0.0
	for _, i := range order {
		if sum += weights[i]; sum >= total/2 {
			return values[i], true
		}
	}
	return 0, false
}

// span is the length of the diagonal of the box about points.
func span(x []vec) float64 {
	if len(x) == 0 {
		return 0
	}
	lo, hi := x[0], x[0]
	for _, p := range x {
		for a := range 3 {
			lo[a], hi[a] = min(lo[a], p[a]), max(hi[a], p[a])
		}
	}
	return hi.sub(lo).len()
}
