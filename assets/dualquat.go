package assets

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// A palette as dual quaternions (Kavan et al., "Geometric Skinning with
// Approximate Dual Quaternion Blending", 2008): the rotation, and half the
// translation times it. What scale the matrices have is blended beside them.
type dualQuat struct {
	turn, move [4]float64 // x, y, z, w
	scale      [3]float64
}

func dualPalette(palette []mgl32.Mat4) []dualQuat {
	out := make([]dualQuat, len(palette))
	for i, m := range palette {
		t, r, s := m.Decompose()
		d := &out[i]
		q := r.XYZW()
		for c := range 4 {
			d.turn[c] = float64(q[c])
		}
		for c := range 3 {
			d.scale[c] = float64(s[c])
		}
		d.move = quatMul([4]float64{float64(t[0]) / 2, float64(t[1]) / 2, float64(t[2]) / 2, 0}, d.turn)
	}
	return out
}

func quatMul(a, b [4]float64) [4]float64 {
	return [4]float64{
		a[3]*b[0] + a[0]*b[3] + a[1]*b[2] - a[2]*b[1],
		a[3]*b[1] - a[0]*b[2] + a[1]*b[3] + a[2]*b[0],
		a[3]*b[2] + a[0]*b[1] - a[1]*b[0] + a[2]*b[3],
		a[3]*b[3] - a[0]*b[0] - a[1]*b[1] - a[2]*b[2],
	}
}

// skinDual is where dual quaternions put a vertex; false where its weights are
// all 0. Joints are in range, which skin has checked.
func skinDual(p *Primitive, palette []dualQuat, v int, at mgl32.Vec3) ([3]float64, bool) {
	var sum dualQuat
	var pivot *dualQuat
	total := 0.0
	for set := range min(len(p.Joints), len(p.Weights)) {
		for i, w32 := range p.Weights[set][v] {
			if w32 == 0 {
				continue
			}
			d := &palette[p.Joints[set][v][i]]
			w := float64(w32)
			if pivot == nil {
				pivot = d
			}
			sign := 1.0
			if d.turn[0]*pivot.turn[0]+d.turn[1]*pivot.turn[1]+d.turn[2]*pivot.turn[2]+d.turn[3]*pivot.turn[3] < 0 {
				sign = -1
			}
			for c := range 4 {
				sum.turn[c] += sign * w * d.turn[c]
				sum.move[c] += sign * w * d.move[c]
			}
			for c := range 3 {
				sum.scale[c] += w * d.scale[c]
			}
			total += w
		}
	}
	q := sum.turn
	n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	if !(n > 0) || !(total > 0) {
		return [3]float64{}, false
	}
	conj := [4]float64{-q[0] / n, -q[1] / n, -q[2] / n, q[3] / n}
	for c := range 4 {
		q[c] /= n
		sum.move[c] /= n
	}
	x := [4]float64{float64(at[0]) * sum.scale[0] / total, float64(at[1]) * sum.scale[1] / total, float64(at[2]) * sum.scale[2] / total, 0}
	turned := quatMul(quatMul(q, x), conj)
	moved := quatMul(sum.move, conj)
	return [3]float64{turned[0] + 2*moved[0], turned[1] + 2*moved[1], turned[2] + 2*moved[2]}, true
}
