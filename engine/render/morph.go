package render

import (
	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// morpher blends morph targets into vertices on the CPU, into the frame's ring.
// Meshes with targets are faces and gadgets, few and small; each entity has
// weights of its own, so they are not instanced.
type morpher struct {
	positions, normals []mgl32.Vec3
	tangents           []mgl32.Vec4
}

// addMorphed draws the primitives of a node that have morph targets, for one
// instance.
func (f *Frame) addMorphed(g *gpu.Frame, p *part, sh *shown, node int32, at int, mirrored bool) {
	mesh := p.model.Source.Nodes[node].Mesh
	prims := p.model.meshes[mesh]
	for i := range prims {
		prim := &prims[i]
		if len(prim.source.Targets) == 0 {
			continue
		}
		weights := restWeights(p.model.Source.Skeleton, node)
		if a := sh.entity.Animator; a != nil {
			weights = a.MorphWeights(int(node))
		}
		b := Batch{
			Primitive: prim, Positions: prim.Positions, Attributes: prim.Attributes,
			First: at, Count: 1, ShadowFirst: at, ShadowCount: 1, Mirrored: mirrored, NoShadow: p.noShadow,
			written: 1, lamps: f.casts[at], casts: at,
			Factors: f.factorsOf(sh, prim.Material),
		}
		switch sh.reach {
		case cameraOnly:
			b.ShadowCount = 0
		case sunOnly:
			b.Count = 0
		case lampsOnly:
			b.Count, b.ShadowCount = 0, 0
		}
		if anyWeight(weights) {
			b.Positions, b.Attributes = f.morph.blend(g, prim.source, weights)
		}
		if prim.Material.Blend {
			if b.Count == 0 {
				continue
			}
			b.distance = sh.base.Col(3).Vec3().Sub(f.Globals.Eye.Vec3()).Len()
			f.Blended = append(f.Blended, b)
			continue
		}
		f.Opaque = append(f.Opaque, b)
	}
}

// restWeights are a node's morph weights where nothing animates it.
func restWeights(s *animation.Skeleton, node int32) []float32 {
	if s.MorphOffset == nil {
		return nil
	}
	return s.MorphWeights[s.MorphOffset[node]:s.MorphOffset[node+1]]
}

func anyWeight(weights []float32) bool {
	for _, w := range weights {
		if w != 0 {
			return true
		}
	}
	return false
}

// blend adds the weighted targets to the base (glTF 2.0 §3.7.2.2) and writes
// streams 0 and 1.
func (m *morpher) blend(g *gpu.Frame, p *assets.Primitive, weights []float32) (positions, attributes gpu.Range) {
	m.positions = append(m.positions[:0], p.Positions...)
	m.normals = append(m.normals[:0], p.Normals...)
	m.tangents = append(m.tangents[:0], p.Tangents...)
	for t, w := range weights[:min(len(weights), len(p.Targets))] {
		if w == 0 {
			continue
		}
		target := &p.Targets[t]
		for i, d := range target.Positions {
			m.positions[i] = m.positions[i].Add(d.Mul(w))
		}
		if p.Normals != nil {
			for i, d := range target.Normals {
				m.normals[i] = m.normals[i].Add(d.Mul(w))
			}
		}
		if p.Tangents != nil {
			for i, d := range target.Tangents {
				v := m.tangents[i].Vec3().Add(d.Mul(w))
				m.tangents[i] = v.Vec4(m.tangents[i][3])
			}
		}
	}
	for i, n := range m.normals {
		m.normals[i] = n.Normalize() // SNORM holds no more than 1
	}
	positions = g.Alloc(len(p.Positions)*positionStride, 16)
	packPositions(positions.Bytes, m.positions)
	attributes = g.Alloc(len(p.Positions)*attributeStride, 16)
	normals, tangents := m.normals, m.tangents
	if p.Normals == nil {
		normals = nil
	}
	if p.Tangents == nil {
		tangents = nil
	}
	packAttributes(attributes.Bytes, p, normals, tangents)
	return positions, attributes
}
