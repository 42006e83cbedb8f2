package main

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A character whose armature was turned, by any angle, does on another what it does
// itself, and the other way round: whether its mesh was bound where it now stands or
// as it stood before.
func TestTurnedArmature(t *testing.T) {
	hero := ownMannequin(t, "hero.glb", func(m *assets.Model) { m.Clips = nil })
	pack := ownMannequin(t, "pack.glb", nil)
	for _, degrees := range []float64{-17, 24, 90, 115, 180} {
		turn := func(m *assets.Model) {
			by := mgl32.QuatRotate(float32(degrees*math.Pi/180), mgl32.Vec3{0, 1, 0})
			top := int32(-1)
			for j, p := range m.Skeleton.Parents {
				if p < 0 && len(m.Skeleton.Names[j]) > 0 && top < 0 {
					top = int32(j)
				}
			}
			s := *m.Skeleton
			s.Rest = append(s.Rest[:0:0], s.Rest...)
			s.Rest[top].Rotation = by.Mul(s.Rest[top].Rotation)
			s.Rest[top].Translation = by.Rotate(s.Rest[top].Translation)
			m.Skeleton = &s
		}
		out := filepath.Join(t.TempDir(), "out.glb")
		turned := ownMannequin(t, "turned.glb", turn)
		for _, pair := range [][2]string{{turned, hero}, {pack, turned}} {
			if status, _, errs := command(t, "retarget", pair[0], pair[1], "-o", out); status != statusGood {
				t.Fatalf("%v°: status %d: %s", degrees, status, errs)
			}
			if status, r := verified(t, pair[0], out); status != statusGood || r.Live {
				t.Errorf("%v°, %s: status %d, %+v", degrees, filepath.Base(pair[0]), status, r.Findings)
			}
		}
	}
}
