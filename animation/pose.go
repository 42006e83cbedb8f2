package animation

import "github.com/bindpose/bindpose/engine/mgl32"

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
	for j, parent := range s.Parents {
		local := p.Local[j].Mat4()
		if !p.Moved[j] && s.RestMatrix != nil {
			if m, ok := s.RestMatrix[int32(j)]; ok {
				local = m
			}
		}
		if parent >= 0 {
			local = out[parent].Mul4(local)
		}
		out[j] = local
	}
}

// Palette writes the bone matrices of a skin: out[i] is model space from the
// mesh's space at binding, for palette slot i. The matrix of the node that
// carries the mesh does not enter (glTF 2.0 §3.7.3.3).
func (k *Skin) Palette(model []mgl32.Mat4, out []mgl32.Mat4) {
	for i, j := range k.Joints {
		out[i] = model[j].Mul4(k.InverseBind[i])
	}
}
