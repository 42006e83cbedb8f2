package animation

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Box is an axis-aligned box. Make an empty one with NoBox.
type Box struct{ Min, Max mgl32.Vec3 }

// NoBox is the box that holds nothing.
func NoBox() Box {
	inf := float32(math.Inf(1))
	return Box{mgl32.Vec3{inf, inf, inf}, mgl32.Vec3{-inf, -inf, -inf}}
}

// Empty reports whether the box holds nothing.
func (b Box) Empty() bool { return !(b.Min[0] <= b.Max[0]) }

// With is the smallest box that holds b and the point.
func (b Box) With(p mgl32.Vec3) Box { return Box{b.Min.Min(p), b.Max.Max(p)} }

// Join is the smallest box that holds both.
func (b Box) Join(c Box) Box { return Box{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Transform is the smallest box that holds b moved by an affine matrix (Arvo,
// "Transforming axis-aligned bounding boxes", 1990).
func (b Box) Transform(m *mgl32.Mat4) Box {
	if b.Empty() {
		return b
	}
	out := Box{mgl32.Vec3{m[12], m[13], m[14]}, mgl32.Vec3{m[12], m[13], m[14]}}
	for r := range 3 {
		for c := range 3 {
			x, y := m[4*c+r]*b.Min[c], m[4*c+r]*b.Max[c]
			out.Min[r] += min(x, y)
			out.Max[r] += max(x, y)
		}
	}
	return out
}

// around is Transform by the box's middle and half size, without a comparison for
// each element; equal up to rounding.
func (b Box) around(m *mgl32.Mat4) Box {
	c, h := b.Min.Add(b.Max).Mul(0.5), b.Max.Sub(b.Min).Mul(0.5)
	var out Box
	for r := range 3 {
		x, y, z := m[r], m[4+r], m[8+r]
		mid := x*c[0] + y*c[1] + z*c[2] + m[12+r]
		half := abs(x)*h[0] + abs(y)*h[1] + abs(z)*h[2]
		out.Min[r], out.Max[r] = mid-half, mid+half
	}
	return out
}

func abs(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// JointBoxes bounds a skinned mesh in any pose. Each palette slot has the box of the
// vertices that it moves, in its joint's space. A skinned vertex is a mean of where
// its joints carry it, so it lies within the boxes' common box whatever the pose,
// and culling by that box is right (weights must not be negative and add up to 1).
// It is immutable once made, and shared.
type JointBoxes struct {
	skin  *Skin
	boxes []Box
	// morphs are by target and slot the least and most that the target moves the
	// slot's vertices.
	morphs [][]Box
}

// NewJointBoxes returns the boxes of a skin without vertices; Add them.
func NewJointBoxes(k *Skin) *JointBoxes {
	b := &JointBoxes{skin: k, boxes: make([]Box, len(k.Joints))}
	for i := range b.boxes {
		b.boxes[i] = NoBox()
	}
	return b
}

// Add counts vertices in: their positions in mesh space, four influences each, and
// the differences of the morph targets, each as long as positions or nil. Of
// meshes with more influences add every set of four.
func (b *JointBoxes) Add(positions []mgl32.Vec3, joints [][4]uint16, weights [][4]float32, targets [][]mgl32.Vec3) error {
	if len(joints) != len(positions) || len(weights) != len(positions) {
		return fmt.Errorf("%w: joint boxes of %d positions, %d joints, %d weights", ErrJob, len(positions), len(joints), len(weights))
	}
	for len(b.morphs) < len(targets) {
		b.morphs = append(b.morphs, make([]Box, len(b.boxes)))
	}
	for t, d := range targets {
		if d != nil && len(d) != len(positions) {
			return fmt.Errorf("%w: joint boxes: target %d has %d of %d positions", ErrJob, t, len(d), len(positions))
		}
	}
	for v, p := range positions {
		for i, w := range weights[v] {
			slot := int(joints[v][i])
			if w == 0 {
				continue
			}
			if slot >= len(b.boxes) {
				return fmt.Errorf("%w: joint boxes: vertex %d names slot %d of %d", ErrJob, v, slot, len(b.boxes))
			}
			bind := b.skin.InverseBind[slot]
			b.boxes[slot] = b.boxes[slot].With(mgl32.TransformCoordinate(p, bind))
			for t, d := range targets {
				if d != nil {
					b.morphs[t][slot] = b.morphs[t][slot].With(mgl32.TransformNormal(d[v], bind))
				}
			}
		}
	}
	return nil
}

// Bounds is a box in model space that holds the mesh in a pose: of the pose's
// model-space matrices and its morph weights, any numbers; missing ones are 0. It
// allocates nothing.
func (b *JointBoxes) Bounds(model []mgl32.Mat4, weights []float32) Box {
	out := NoBox()
	for slot, box := range b.boxes {
		if box.Empty() {
			continue
		}
		for t, w := range weights[:min(len(weights), len(b.morphs))] {
			d := b.morphs[t][slot]
			lo, hi := d.Min.Mul(w), d.Max.Mul(w)
			box.Min, box.Max = box.Min.Add(lo.Min(hi)), box.Max.Add(lo.Max(hi))
		}
		moved := box.around(&model[b.skin.Joints[slot]])
		for c := range 3 {
			if x := moved.Min[c]; !(x >= out.Min[c]) {
				out.Min[c] = x
			}
			if x := moved.Max[c]; !(x <= out.Max[c]) {
				out.Max[c] = x
			}
		}
		if moved.Empty() {
			return NoBox() // a matrix that is no number
		}
	}
	return out
}
