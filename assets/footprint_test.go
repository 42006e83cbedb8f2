package assets_test

import (
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func TestFootprint(t *testing.T) {
	positions := make([]mgl32.Vec3, 6)
	times := []float32{0, 1, 2}
	m := &assets.Model{
		Nodes: make([]assets.Node, 3),
		Meshes: []assets.Mesh{{
			Weights: []float32{0},
			Primitives: []assets.Primitive{
				{Positions: positions, Normals: make([]mgl32.Vec3, 6), Targets: []assets.Target{{Positions: make([]mgl32.Vec3, 6)}}},
				{Positions: positions, Indices: []uint32{0, 1, 2, 0, 2, 3}, Topology: assets.Lines,
					Joints: [][][4]uint16{make([][4]uint16, 6), make([][4]uint16, 6)}, Weights: [][][4]float32{make([][4]float32, 6), make([][4]float32, 6)}},
			},
		}},
		Skins: []animation.Skin{
			{Joints: []int32{0, 1}, InverseBind: make([]mgl32.Mat4, 2)},
			{Joints: []int32{1}, InverseBind: make([]mgl32.Mat4, 1)},
		},
		Clips: []*animation.Clip{{Tracks: []animation.Track{
			{Times: times, Values: make([]float32, 9)}, {Times: times, Values: make([]float32, 12)},
		}}},
		Images: []assets.Image{{Data: []byte("no image")}, {}},
	}
	got := m.Footprint()
	want := assets.Footprint{
		Nodes: 3, Joints: 2, Meshes: 1, Primitives: 2, Vertices: 6, Triangles: 2, Lines: 3, MorphTargets: 1, Influences: 8,
		Skins: 2, Clips: 1, Tracks: 2, Keys: 6, Images: 2,
		VertexBytes: 6*12*2 + 2*6*(8+16), IndexBytes: 24, MorphBytes: 72, SkinBytes: 3 * 64, AnimationBytes: 4 * (3 + 9 + 12),
		ImageBytes: 8, BadImages: 2,
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
