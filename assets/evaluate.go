package assets

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Evaluate computes on the CPU where a pose puts the vertices of every primitive
// of the default scene, and calls visit with them: world space, in metres, as
// many as the primitive has Positions. positions is overwritten by the next
// call. It is the reference that the GPU's skinning is measured against:
//
//   - morph targets are added by the pose's weights (glTF 2.0 §3.7.2.2);
//   - a skinned vertex is the sum of weight · palette · position over all its
//     influences (or what dual quaternions make of it, see Primitive), the weights as the file has them; the transform of the node
//     that carries the mesh is ignored (§3.7.3.3);
//   - any other vertex is moved by its node's world matrix;
//   - nodes outside the default scene are not drawn, but joints there move what
//     hangs on them.
//
// A model without a default scene (Scene -1) is drawn whole.
func (m *Model) Evaluate(pose *animation.Pose, visit func(node, mesh, primitive int, positions []mgl32.Vec3)) error {
	s := m.Skeleton
	if err := pose.Fits(s); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	world := make([]mgl32.Mat4, s.Len())
	pose.ToModel(s, world)
	palettes := make([][]mgl32.Mat4, len(m.Skins))
	for i := range m.Skins {
		palettes[i] = make([]mgl32.Mat4, len(m.Skins[i].Joints))
		m.Skins[i].Palette(world, palettes[i])
	}
	var buf []mgl32.Vec3
	for n := range m.Nodes {
		node := &m.Nodes[n]
		if node.Mesh < 0 || m.Scene >= 0 && !node.InScene {
			continue
		}
		mesh := &m.Meshes[node.Mesh]
		weights := pose.MorphWeights(s, n)
		for i := range mesh.Primitives {
			p := &mesh.Primitives[i]
			buf = append(buf[:0], p.Positions...)
			morph(p, weights, buf)
			if node.Skin >= 0 && len(p.Joints) > 0 {
				if err := skin(p, palettes[node.Skin], buf); err != nil {
					return fmt.Errorf("%s: meshes[%d].primitives[%d]: %w", m.Name, node.Mesh, i, err)
				}
			} else {
				for v := range buf {
					buf[v] = world[n].Mul4x1(buf[v].Vec4(1)).Vec3()
				}
			}
			visit(n, int(node.Mesh), i, buf)
		}
	}
	return nil
}

// morph adds the primitive's targets to positions.
func morph(p *Primitive, weights []float32, positions []mgl32.Vec3) {
	for t := range min(len(p.Targets), len(weights)) {
		w := weights[t]
		if w == 0 || p.Targets[t].Positions == nil {
			continue
		}
		for v, d := range p.Targets[t].Positions {
			positions[v] = positions[v].Add(d.Mul(w))
		}
	}
}

// skin takes positions from the mesh's to model space.
func skin(p *Primitive, palette []mgl32.Mat4, positions []mgl32.Vec3) error {
	var dual []dualQuat
	if p.DualQuaternion != nil {
		dual = dualPalette(palette)
	}
	for v, at := range positions {
		var sum [3]float64
		for set := range min(len(p.Joints), len(p.Weights)) {
			for i, w := range p.Weights[set][v] {
				if w == 0 {
					continue
				}
				j := int(p.Joints[set][v][i])
				if j >= len(palette) {
					return fmt.Errorf("vertex %d: joint %d of a skin of %d", v, j, len(palette))
				}
				moved := palette[j].Mul4x1(at.Vec4(1))
				for c := range sum {
					sum[c] += float64(w) * float64(moved[c])
				}
			}
		}
		if dual != nil && p.DualQuaternion[v] > 0 {
			if x, ok := skinDual(p, dual, v, at); ok {
				for c := range sum {
					sum[c] += (x[c] - sum[c]) * float64(p.DualQuaternion[v])
				}
			}
		}
		positions[v] = mgl32.Vec3{float32(sum[0]), float32(sum[1]), float32(sum[2])}
	}
	return nil
}

// Bounds is where vertices are: world space, metres.
type Bounds struct {
	Vertices  int
	Min, Max  mgl32.Vec3
	Mean      mgl32.Vec3
	MeanLen   float32 // of the vertices' distances from the origin
	NonFinite int     // vertices that are NaN or infinite; they are in none of the other figures but Vertices
}

// Bounds measures every vertex of the default scene at a pose, as Evaluate
// finds them. All figures of a model without vertices are 0.
func (m *Model) Bounds(pose *animation.Pose) (Bounds, error) {
	var b Bounds
	var sum [3]float64
	var length float64
	counted := 0
	err := m.Evaluate(pose, func(_, _, _ int, positions []mgl32.Vec3) {
		b.Vertices += len(positions)
		for _, p := range positions {
			x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
			l := math.Sqrt(x*x + y*y + z*z)
			if math.IsNaN(l) || math.IsInf(l, 0) {
				b.NonFinite++
				continue
			}
			if counted == 0 {
				b.Min, b.Max = p, p
			}
			counted++
			b.Min, b.Max = b.Min.Min(p), b.Max.Max(p)
			sum[0], sum[1], sum[2] = sum[0]+x, sum[1]+y, sum[2]+z
			length += l
		}
	})
	if counted > 0 {
		n := float64(counted)
		b.Mean = mgl32.Vec3{float32(sum[0] / n), float32(sum[1] / n), float32(sum[2] / n)}
		b.MeanLen = float32(length / n)
	}
	return b, err
}
