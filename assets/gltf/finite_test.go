package gltf

import (
	"math"
	"testing"
)

// What is not finite is found wherever it stands among whatever else.
func TestNotFinite(t *testing.T) {
	for _, other := range []float32{0, 1, -1, 1e-40, 2, math.MaxFloat32, -math.MaxFloat32, 0.1} {
		for n := 1; n < 40; n++ {
			f := make([]float32, n)
			for i := range f {
				f[i] = other
			}
			if got := notFinite(f); got != -1 {
				t.Errorf("%v: %d of %d is not finite", other, got, n)
			}
			for i := range f {
				for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
					f[i] = float32(bad)
					if got := notFinite(f); got != i {
						t.Errorf("%v at %d of %d among %v: %d", bad, i, n, other, got)
					}
				}
				f[i] = other
			}
		}
	}
}
