package main

import (
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A character that stands upon land, which reaches below it, is as tall as without.
func TestLandIsNoSole(t *testing.T) {
	onLand := ownMannequin(t, "hero.glb", func(m *assets.Model) {
		m.Clips = nil
		s := *m.Skeleton
		s.Names = append(append([]string{}, s.Names...), "land")
		s.Parents = append(append([]int32{}, s.Parents...), 0)
		s.Rest = append(append([]animation.Transform{}, s.Rest...), animation.Transform{Rotation: mgl32.QuatIdent(), Scale: mgl32.Vec3{1, 1, 1}})
		m.Skeleton = &s
		m.Meshes = append(m.Meshes[:len(m.Meshes):len(m.Meshes)], assets.Mesh{Name: "land", Primitives: []assets.Primitive{{
			Positions: []mgl32.Vec3{{-9, -0.1, -9}, {9, -0.1, -9}, {0, -0.1, 9}}, Indices: []uint32{0, 2, 1}, Material: -1,
		}}})
		m.Nodes = append(m.Nodes[:len(m.Nodes):len(m.Nodes)], assets.Node{Mesh: int32(len(m.Meshes) - 1), Skin: -1, Camera: -1, Light: -1, InScene: true})
	})
	pack, out := ownMannequin(t, "pack.glb", nil), filepath.Join(t.TempDir(), "out.glb")
	if status, _, errs := command(t, "retarget", pack, onLand, "-o", out); status != statusGood {
		t.Fatalf("status %d: %s", status, errs)
	}
	_, r := verified(t, pack, out)
	if q := r.Ratios; q.Height < 0.999 || q.Height > 1.001 || q.HeightSeen < 0.999 || q.HeightSeen > 1.001 {
		t.Errorf("the height's ratio is %v, and %v in the clips", q.Height, q.HeightSeen)
	}
}
