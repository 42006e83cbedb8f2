package main

import (
	"math"
	"testing"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// Whatever a model's size, from molecules to mountains, and whatever the
// picture's shape, all of it is in the picture and fills a good part of it.
func TestFramingKnowsNoSize(t *testing.T) {
	for _, size := range []float32{1e-6, 1e-4, 1e-2, 1, 1e3, 1e6} {
		for _, aspect := range []float32{0.05, 1, 1.78, 20} {
			for view := range named {
				lo := mgl32.Vec3{-1, 0, -0.3}.Mul(size)
				hi := mgl32.Vec3{1, 1.5, 0.5}.Mul(size)
				var c cameraControl
				s, err := scene.New()
				if err != nil {
					t.Fatal(err)
				}
				e := s.Spawn("camera", nil)
				e.Camera = scene.DefaultCamera()
				c.frameBox(lo, hi, view, e.Camera.YFov, aspect)
				c.apply(e)
				s.UpdateWorld()
				most := float32(0)
				toEye := e.World().Inv()
				tan := float32(math.Tan(float64(e.Camera.YFov) / 2))
				for i := range 8 {
					at := lo
					for k := range 3 {
						if i>>k&1 == 1 {
							at[k] = hi[k]
						}
					}
					p := mgl32.TransformCoordinate(at, toEye)
					if depth := -p[2]; !(depth > e.Camera.Near && depth < e.Camera.Far) {
						t.Fatalf("%g m, aspect %g, %s: a corner is at depth %g, the planes at %g and %g", size, aspect, view, depth, e.Camera.Near, e.Camera.Far)
					}
					most = max(most, abs(p[0]/p[2])/tan/aspect, abs(p[1]/p[2])/tan)
				}
				if most > 1 || most < 0.5 {
					t.Errorf("%g m, aspect %g, %s: the model reaches %g of the way to the picture's edge", size, aspect, view, most)
				}
				s.Close()
			}
		}
	}
}

func abs(x float32) float32 { return max(x, -x) }
