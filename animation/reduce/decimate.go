package reduce

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// decimate drops the keys of a track that the rest give back to within so much: of
// rotations radians, of others the value's distance.
func decimate(tr *animation.Track, allowed float32) animation.Track {
	switch {
	case constant(tr, allowed):
		return keep(tr, []int{0})
	case tr.Interpolation == animation.Step:
		var kept []int
		for k := range tr.Times {
			if k == 0 || !same(value(tr, k), value(tr, kept[len(kept)-1])) {
				kept = append(kept, k)
			}
		}
		return keep(tr, kept)
	case tr.Interpolation == animation.CubicSpline:
		return *tr
	}
	return keep(tr, simplify(tr, allowed))
}

// value is the value of key k, of a CUBICSPLINE not its tangents.
func value(tr *animation.Track, k int) []float32 {
	if tr.Interpolation == animation.CubicSpline {
		return tr.Values[(3*k+1)*tr.Width:][:tr.Width]
	}
	return tr.Values[k*tr.Width:][:tr.Width]
}

func same(a, b []float32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// constant reports whether the track never leaves its first value.
func constant(tr *animation.Track, allowed float32) bool {
	if tr.Interpolation == animation.CubicSpline {
		for k := range tr.Times {
			v := tr.Values[3*k*tr.Width:][:3*tr.Width]
			for c := range tr.Width {
				if v[c] != 0 || v[2*tr.Width+c] != 0 {
					return false
				}
			}
		}
	}
	if tr.Interpolation == animation.Step {
		allowed = 0
	}
	for k := range tr.Times {
		if !(apart(tr, value(tr, 0), value(tr, k)) <= allowed) {
			return false
		}
	}
	return true
}

// apart is how far two values of a track are.
func apart(tr *animation.Track, a, b []float32) float32 {
	if tr.Path == animation.Rotation {
		// The angle by its half's sine, which float32 holds where the cosine is 1.
		p, q := quat(a), quat(b)
		if p.Dot(q) < 0 {
			q = q.Scale(-1)
		}
		d := mgl32.Quat{W: p.W - q.W, V: p.V.Sub(q.V)}
		return 4 * float32(math.Asin(float64(min(d.Len()/2, 1))))
	}
	var sum, most float32
	for i := range a {
		d := a[i] - b[i]
		sum += d * d
		most = max(most, abs(d))
	}
	if tr.Path == animation.Weights {
		return most
	}
	return float32(math.Sqrt(float64(sum)))
}

func quat(v []float32) mgl32.Quat { return mgl32.QuatXYZW(v[0], v[1], v[2], v[3]).Normalize() }

// keep is the track with some of its keys.
func keep(tr *animation.Track, keys []int) animation.Track {
	if len(keys) == len(tr.Times) {
		return *tr
	}
	out := *tr
	out.Times, out.Values = nil, nil
	for _, k := range keys {
		out.Times = append(out.Times, tr.Times[k])
		out.Values = append(out.Values, value(tr, k)...)
	}
	if tr.Interpolation == animation.CubicSpline { // one key of no tangents is the same
		out.Interpolation = animation.Step
	}
	return out
}

// simplify picks the keys of a LINEAR track, first and last among them, between
// which every other lies near enough to the line (Ramer 1972, Douglas and Peucker
// 1973).
func simplify(tr *animation.Track, allowed float32) []int {
	n := len(tr.Times)
	kept := make([]bool, n)
	kept[0], kept[n-1] = true, true
	between := make([]float32, tr.Width)
	stack := [][2]int{{0, n - 1}}
	for len(stack) > 0 {
		lo, hi := stack[len(stack)-1][0], stack[len(stack)-1][1]
		stack = stack[:len(stack)-1]
		worst, at := float32(-1), 0
		for k := lo + 1; k < hi; k++ {
			u := float32(0)
			if dt := tr.Times[hi] - tr.Times[lo]; dt > 0 {
				u = (tr.Times[k] - tr.Times[lo]) / dt
			}
			a, b := value(tr, lo), value(tr, hi)
			if tr.Path == animation.Rotation {
				q := mgl32.QuatSlerp(quat(a), quat(b), u).XYZW()
				copy(between, q[:])
			} else {
				for c := range between {
					between[c] = a[c] + u*(b[c]-a[c])
				}
			}
			if d := apart(tr, between, value(tr, k)); !(d <= worst) {
				worst, at = d, k
			}
		}
		if worst > allowed || worst != worst {
			kept[at] = true
			stack = append(stack, [2]int{lo, at}, [2]int{at, hi})
		}
	}
	var out []int
	for k, yes := range kept {
		if yes {
			out = append(out, k)
		}
	}
	return out
}
