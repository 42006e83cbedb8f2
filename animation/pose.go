package animation

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Pose is the local transform of each joint of a Skeleton, and the morph
// weights in the order of Skeleton.MorphWeights. It belongs to one entity.
type Pose struct {
	Local   []Transform
	Weights []float32
	// Moved tells which joints a clip set; the others' Local is the rest's, and
	// their RestMatrix, where they have one, holds.
	Moved []bool
}

// NewPose returns the skeleton's rest pose.
func NewPose(s *Skeleton) *Pose {
	p := &Pose{
		Local:   make([]Transform, s.Len()),
		Weights: make([]float32, len(s.MorphWeights)),
		Moved:   make([]bool, s.Len()),
	}
	p.SetRest(s)
	return p
}

// SetRest puts the pose back to rest.
func (p *Pose) SetRest(s *Skeleton) {
	copy(p.Local, s.Rest)
	copy(p.Weights, s.MorphWeights)
	clear(p.Moved)
}

// ToModel writes each joint's matrix to model space: out[j] is model space from
// joint space, len(out) = s.Len().
func (p *Pose) ToModel(s *Skeleton, out []mgl32.Mat4) {
	n := s.Len()
	if n == 0 {
		return
	}
	local, out := p.Local[:n], out[:n]
	if s.RestMatrix == nil {
		if j := toModel(&local[0], &s.Parents[0], &out[0], n); j < n {
			panic(fmt.Sprintf("animation: joint %d comes before its parent %d", j, s.Parents[j]))
		}
		return
	}
	for j, parent := range s.Parents {
		m, ok := s.RestMatrix[int32(j)]
		if !ok || p.Moved[j] {
			m = local[j].Mat4()
		}
		if parent >= 0 {
			m = out[parent].Mul4(m)
		}
		out[j] = m
	}
}

// Palette writes the bone matrices of a skin: out[i] is model space from the
// mesh's space at binding, for palette slot i. The matrix of the node that
// carries the mesh does not enter (glTF 2.0 §3.7.3.3). Inverse bind matrices are
// affine (glTF 2.0 §3.7.3.1).
func (k *Skin) Palette(model []mgl32.Mat4, out []mgl32.Mat4) {
	n := len(k.Joints)
	if n == 0 {
		return
	}
	_, _ = k.InverseBind[n-1], out[n-1]
	for _, j := range k.Joints { // the kernel does not look
		_ = model[j]
	}
	mulPalette(&model[0], &k.Joints[0], &k.InverseBind[0], &out[0], n)
}

// Copy sets p to q; both are of one skeleton.
func (p *Pose) Copy(q *Pose) {
	copy(p.Local, q.Local)
	copy(p.Weights, q.Weights)
	copy(p.Moved, q.Moved)
}

// towardRest mixes u of the rest pose in, 0 < u <= 1.
func (p *Pose) towardRest(s *Skeleton, u float32) {
	v := 1 - u
	for j := range p.Local {
		if !p.Moved[j] {
			continue
		}
		x, r := &p.Local[j], &s.Rest[j]
		x.Translation = x.Translation.Mul(v).Add(r.Translation.Mul(u))
		x.Scale = x.Scale.Mul(v).Add(r.Scale.Mul(u))
		x.Rotation = nlerp(x.Rotation, r.Rotation, v, u)
		p.Moved[j] = v > 0
	}
	for i := range p.Weights {
		p.Weights[i] = v*p.Weights[i] + u*s.MorphWeights[i]
	}
}

// MorphWeights are the weights of the mesh on joint j of the pose's skeleton;
// empty where it has no morph targets.
func (p *Pose) MorphWeights(s *Skeleton, j int) []float32 {
	begin, end := s.morphs(j)
	return p.Weights[begin:end]
}
