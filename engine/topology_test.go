package engine_test

import (
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Points and lines are drawn, without a message of the validation layers, and
// where they have no normals in their colour alone (glTF 2.0 §3.9.6), whatever
// light there is. Indices that name nothing draw nothing.
func TestPointsAndLines(t *testing.T) {
	for name, topology := range map[string]assets.Topology{"points": assets.Points, "lines": assets.Lines, "nothing": assets.Triangles} {
		t.Run(name, func(t *testing.T) {
			e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
			e.Show.NoAntialias = true
			camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
			m := quad(plain(mgl32.Vec4{0, 0, 1, 1}))
			p := &m.Meshes[0].Primitives[0]
			p.Topology, p.Normals, p.UV, p.Positions = topology, nil, nil, nil
			for i := range 64 { // a level line of points, or of short lines
				x := (float32(i) + 0.5) / 32
				p.Positions = append(p.Positions, mgl32.Vec3{x - 1, 0.01, 0})
				p.Indices = append(p.Indices, uint32(i))
			}
			if topology == assets.Triangles {
				p.Indices = []uint32{}
			}
			e.Scene.SpawnModel(name, m, nil)
			enginetest.Frames(t, e, 2, 0)
			picture := enginetest.Picture(t, e)
			blue := 0
			for y := range 64 {
				for x := range 64 {
					if c := at(picture, x, y); c.B > 200 && c.R < 30 && c.G < 30 {
						blue++
					}
				}
			}
			if name == "nothing" && blue > 0 || name != "nothing" && blue < 16 {
				t.Errorf("%d blue pixels", blue)
			}
		})
	}
}
