package assets

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// SkinnedMeshes are the model's primitives as they are drawn, weights normalised, for
// package ground to find soles in. A primitive without a skin is bound whole to its
// node; beside a skinned character it is left out unless it hangs on a joint.
func (m *Model) SkinnedMeshes() []ground.SkinnedMesh {
	var out []ground.SkinnedMesh
	m = m.NormalizeWeights()
	joint := make([]bool, len(m.Nodes)) // or below one
	skinned := false
	for n := range m.Nodes {
		if k := m.Nodes[n].Skin; k >= 0 && m.Nodes[n].Mesh >= 0 && (m.Scene < 0 || m.Nodes[n].InScene) {
			skinned = true
			for _, j := range m.Skins[k].Joints {
				joint[j] = true
			}
		}
	}
	for n := range m.Nodes {
		if up := m.Skeleton.Parents[n]; up >= 0 && joint[up] {
			joint[n] = true
		}
		node := &m.Nodes[n]
		if node.Mesh < 0 || m.Scene >= 0 && !node.InScene {
			continue
		}
		for i := range m.Meshes[node.Mesh].Primitives {
			p := &m.Meshes[node.Mesh].Primitives[i]
			if node.Skin >= 0 && len(p.Joints) > 0 {
				out = append(out, ground.SkinnedMesh{
					Positions: p.Positions, Joints: p.Joints, Weights: p.Weights, Skin: &m.Skins[node.Skin],
				})
				continue
			}
			if skinned && !joint[n] {
				continue
			}
			weights := make([][4]float32, len(p.Positions))
			for v := range weights {
				weights[v][0] = 1
			}
			out = append(out, ground.SkinnedMesh{
				Positions: p.Positions,
				Joints:    [][][4]uint16{make([][4]uint16, len(p.Positions))},
				Weights:   [][][4]float32{weights},
				Skin:      &animation.Skin{Joints: []int32{int32(n)}, InverseBind: []mgl32.Mat4{mgl32.Ident4()}},
			})
		}
	}
	return out
}

// Soles finds the model's feet and their soles (ground.FindFeet, ground.FindSoles).
func (m *Model) Soles() ([]ground.Sole, error) {
	meshes := m.SkinnedMeshes()
	feet, err := ground.FindFeet(m.Skeleton, meshes...)
	if err != nil {
		return nil, err
	}
	return ground.FindSoles(m.Skeleton, feet, meshes)
}
