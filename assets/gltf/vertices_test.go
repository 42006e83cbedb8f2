package gltf

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Joints are called settled only where they are, whatever the weights, and most
// that are, are.
func TestAreSettled(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	weights := []float32{0, 0, float32(math.Copysign(0, -1)), 1, -1, 0.5, 1e-45, -1e-45, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())}
	settled, told := 0, 0
	for _, bound := range []int{1, 20, 1 << 8, 1 << 15, 1 << 16} {
		for n := range 40 {
			joints, w := make([][4]uint16, n), make([][4]float32, n)
			for k := range joints {
				for c := range 4 {
					joints[k][c] = uint16(r.IntN(bound))
					w[k][c] = weights[r.IntN(1+r.IntN(len(weights)))]
				}
			}
			if n%2 == 0 {
				settleJoints(joints, w)
			}
			want := slices.Clone(joints)
			most := settleJoints(want, w)
			got, ok := areSettled(joints, w)
			if ok && (got != most || !slices.Equal(joints, want)) {
				t.Fatalf("%v: the largest of %v is %d, not %d of %v", w, joints, got, most, want)
			}
			if slices.Equal(joints, want) && n > 0 && bound <= 1<<15 {
				settled++
				if ok {
					told++
				}
			}
		}
	}
	if littleEndian && (told < 80 || told != settled) {
		t.Errorf("%d of %d are told to be settled", told, settled)
	}
}

// The largest joint is found in each lane.
func TestLargestJoint(t *testing.T) {
	if !littleEndian {
		t.Skip("this machine's joints do not lie as a file's do")
	}
	for _, x := range []uint16{1, 300, 0x7fff, 0x8000, 0xffff} {
		for c := range 4 {
			joints, weights := make([][4]uint16, 5), make([][4]float32, 5)
			for k := range weights {
				weights[k] = [4]float32{1, 1, 1, 1}
				joints[k] = [4]uint16{1, 1, 1, 1}
			}
			joints[3][c] = x
			if got, ok := areSettled(joints, weights); ok != (x < 0x8000) || ok && got != int32(x) {
				t.Errorf("%d in lane %d is read as %d, %v", x, c, got, ok)
			}
			weights[3][c] = 0
			if _, ok := areSettled(joints, weights); ok {
				t.Errorf("%d in lane %d has no weight, and yet is settled", x, c)
			}
		}
	}
	if most, ok := areSettled(make([][4]uint16, 3), make([][4]float32, 3)); most != -1 || !ok {
		t.Errorf("of no weights the largest joint is %d, %v", most, ok)
	}
}

// Directions made unit at once are those made one by one.
func TestUnitThrees(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	src := make([]float32, 3*500)
	for k := 0; k < len(src); k += 3 {
		e := mgl32.Vec3{float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())}
		switch r.IntN(3) {
		case 0:
			e = mgl32.Vec3{0, -1, 0}
		case 1:
			e = e.Normalize()
		}
		copy(src[k:], e[:])
	}
	l, want := &loader{}, slices.Clone(src)
	l.unitise(value{l, -1}, 0, want, 3, false)
	got := make([]float32, len(src))
	bad, ok := unitThrees(got, src)
	if !ok || !slices.Equal(got, want) {
		t.Errorf("ok is %v; %v is not %v", ok, got[:12], want[:12])
	}
	if bad < 100 || bad > 250 {
		t.Errorf("%d of 500 are not unit", bad)
	}
	if again, ok := unitThrees(got, got); !ok || again != 0 {
		t.Errorf("of those made unit, %d are not; ok is %v", again, ok)
	}
	for _, odd := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e30, 1e-30} {
		for c := range 3 {
			src := []float32{0, 0, 1, 0, 0, 0, 0, 0, 1}
			src[3+c] = float32(odd)
			if _, ok := unitThrees(make([]float32, 9), src); ok {
				t.Errorf("%v passes", odd)
			}
		}
	}
}

func TestWiden16(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 50 {
		src, want, most := []byte(nil), []uint32(nil), uint32(0)
		for range n {
			x := uint16(r.IntN(1 << 16))
			src = binary.LittleEndian.AppendUint16(src, x)
			want, most = append(want, uint32(x)), max(most, uint32(x))
		}
		out := make([]uint32, n)
		if got := widen16(out, src); got != most || !slices.Equal(out, want) {
			t.Errorf("%v becomes %v; the largest is %d, not %d", want, out, most, got)
		}
	}
}
