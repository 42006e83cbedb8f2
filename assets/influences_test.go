package assets

import (
	"math"
	"strings"
	"testing"
)

// Of 12 influences a vertex the strongest eight are kept, renormalised, and the
// model says so.
func TestLimitInfluences(t *testing.T) {
	var p Primitive
	for s := range 3 {
		var j [4]uint16
		var w [4]float32
		for c := range 4 {
			k := 4*s + c
			j[c] = uint16(k)
			w[c] = float32(k%12+1) / 78 // 1 to 12, which sum to 78
		}
		p.Joints = append(p.Joints, [][4]uint16{j, {}})
		p.Weights = append(p.Weights, [][4]float32{w, {}})
	}
	p.Weights[0][1][0] = 1 // a vertex of one influence
	m := &Model{Meshes: []Mesh{{Primitives: []Primitive{p, {Joints: p.Joints[:2], Weights: p.Weights[:2]}}}}}
	got := m.LimitInfluences(MaxInfluences)
	q := got.Meshes[0].Primitives[0]
	if len(q.Joints) != 2 || len(q.Weights) != 2 {
		t.Fatalf("%d sets", len(q.Joints))
	}
	var sum float64
	for k := range 8 {
		w := q.Weights[k/4][0][k%4]
		sum += float64(w)
		// 12 down to 5, which sum to 68.
		if joint := q.Joints[k/4][0][k%4]; int(joint) != 11-k || math.Abs(float64(w)-float64(12-k)/68) > 1e-6 {
			t.Errorf("influence %d is joint %d with %v", k, joint, w)
		}
	}
	if math.Abs(sum-1) > 1e-6 || q.Weights[0][1] != [4]float32{1} {
		t.Errorf("weights sum to %v, and of one influence %v", sum, q.Weights[0][1])
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Message, "12 influences") || !strings.Contains(got.Warnings[0].Message, "12.8 %") {
		t.Errorf("warnings %v", got.Warnings)
	}
	if len(m.Warnings) != 0 || len(m.Meshes[0].Primitives[0].Joints) != 3 {
		t.Error("the model itself was changed")
	}
	if got.LimitInfluences(MaxInfluences) != got {
		t.Error("a model within the limit was copied")
	}
}
