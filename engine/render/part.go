package render

import (
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/scene"
)

// part is what one kind of MeshRenderer draws of a model: the nodes below its
// root with a mesh. All entities that show the same part are drawn together,
// one instance each.
type part struct {
	model    *Model
	rootName string
	without  []string
	noShadow bool
	nodes    []int32
	root     int32   // -1: the whole scene; otherwise the entity stands in this node's place
	shown    []shown // by which entities, this frame
	lo, hi   mgl32.Vec3
	boxed    bool
	bounds   []nodeBounds // by nodes; nil until boundsOf
	changed  bool         // some entity shows a material otherwise than the model has it
}

// shown is one entity that shows a part this frame.
type shown struct {
	entity  *scene.Entity
	base    mgl32.Mat4 // world space from model space
	palette int32      // index of the entity's first bone
	reach   reach
	lamps   uint32 // whose faces see it: Frame.casts
	// factors and factorsEnd bound the entity's own in Frame.factors.
	factors, factorsEnd int
}

// draws reports whether the part is what r asks for.
func (p *part) draws(r *scene.MeshRenderer) bool {
	return p.rootName == r.Root && p.noShadow == r.NoShadow && slices.Equal(p.without, r.Without)
}

// part finds or makes the part that r draws. An unknown root draws nothing and
// is reported once.
func (m *Model) part(l *Library, r *scene.MeshRenderer) *part {
	for _, p := range m.parts { // a handful at most
		if p.draws(r) {
			return p
		}
	}
	s := m.Source.Skeleton
	p := &part{model: m, root: -1, rootName: r.Root, without: slices.Clone(r.Without), noShadow: r.NoShadow}
	m.parts = append(m.parts, p)
	if r.Root != "" {
		if p.root = int32(s.Joint(r.Root)); p.root < 0 {
			l.warn(m.Source, "has no node named "+r.Root+"; nothing is drawn for it")
			return p
		}
	}
	in := make([]bool, s.Len())
	for j, parent := range s.Parents {
		switch {
		case slices.Contains(r.Without, s.Names[j]):
		case parent >= 0 && in[parent], int32(j) == p.root:
			in[j] = true
		case p.root < 0 && (parent < 0 || !m.Source.Nodes[parent].InScene):
			in[j] = m.Source.Nodes[j].InScene || m.Source.Scene < 0
		}
		if in[j] && m.Source.Nodes[j].Mesh >= 0 {
			p.nodes = append(p.nodes, int32(j))
		}
	}
	return p
}

// nodeMatrices are model space from each node's: as animated, or at rest.
func (p *part) nodeMatrices(sh *shown) []mgl32.Mat4 {
	if a := sh.entity.Animator; a != nil {
		return a.Model()
	}
	return p.model.rest
}

// instanceMatrix is what an instance record holds of a node: for a skinned mesh
// the entity's matrix and where its palette starts, since the node does not
// move it (glTF 2.0 §3.7.3.3); otherwise the node's matrix in the world.
func (p *part) instanceMatrix(sh *shown, node int32) (m mgl32.Mat4, palette uint32) {
	skin := p.model.Source.Nodes[node].Skin
	if skin < 0 {
		return sh.base.Mul4(p.nodeMatrices(sh)[node]), 0
	}
	palette = uint32(sh.palette)
	if a := sh.entity.Animator; a != nil {
		palette += uint32(a.PaletteStart(int(skin)))
	}
	return sh.base, palette
}

// radius is half the diagonal of the part's box.
func (p *part) radius() float32 {
	lo, hi := p.box()
	return hi.Sub(lo).Len() / 2
}

// box is the part's box in model space at rest.
func (p *part) box() (lo, hi mgl32.Vec3) {
	if p.boxed {
		return p.lo, p.hi
	}
	p.boxed = true
	b := emptyBounds()
	m := p.model.Source
	for _, node := range p.nodes {
		n := &m.Nodes[node]
		for i := range m.Meshes[n.Mesh].Primitives {
			prim := &m.Meshes[n.Mesh].Primitives[i]
			for v, at := range prim.Positions {
				to := p.model.rest[node]
				if n.Skin >= 0 && len(prim.Joints) > 0 {
					// The strongest influence is near enough for a box.
					k, best := m.Skins[n.Skin], 0
					for c, w := range prim.Weights[0][v] {
						if w > prim.Weights[0][v][best] {
							best = c
						}
					}
					if slot := int(prim.Joints[0][v][best]); slot < len(k.Joints) {
						to = p.model.rest[k.Joints[slot]].Mul4(k.InverseBind[slot])
					}
				}
				at = mgl32.TransformCoordinate(at, to)
				b.lo, b.hi = b.lo.Min(at), b.hi.Max(at)
			}
		}
	}
	if b.lo[0] > b.hi[0] {
		b = bounds{}
	}
	p.lo, p.hi = b.lo, b.hi
	return p.lo, p.hi
}
