package animation

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// MakeAdditive returns a clip of the differences between a clip and a reference
// pose, for the Additive layers of a BlendJob. Of joint and morph target:
//
//	translation  value - reference
//	rotation     reference⁻¹ · value   (in the joint's own space)
//	scale        value ÷ reference
//	weight       value - reference
//
// All four are linear in the value, so a CUBICSPLINE stays one, its tangents
// changed as its values are, and the differences are exact between keys too. The
// reference pose is a pose: of a CUBICSPLINE key its value, never a tangent.
// Sample it from a clip (ReferenceOf) or take the rest pose (NewPose).
//
// Joints that the clip does not move have no difference. A reference scale of 0
// is an error.
func MakeAdditive(clip *Clip, s *Skeleton, reference *Pose) (*Clip, error) {
	if err := clip.Validate(s); err != nil {
		return nil, err
	}
	if err := reference.Fits(s); err != nil {
		return nil, err
	}
	if clip.Additive {
		return nil, fmt.Errorf("%w %q: it is additive already", ErrClip, clip.Name)
	}
	out := clip.With(slices.Clone(clip.Tracks))
	out.Additive = true
	out.Root = nil
	for i := range out.Tracks {
		tr := &out.Tracks[i]
		r := &reference.Local[tr.Joint]
		if tr.Path == Scale && (r.Scale[0] == 0 || r.Scale[1] == 0 || r.Scale[2] == 0) {
			return nil, fmt.Errorf("%w %q: the reference scale of joint %d (%q) is %v",
				ErrClip, clip.Name, tr.Joint, s.Names[tr.Joint], r.Scale)
		}
		tr.Values = slices.Clone(tr.Values)
		begin, _ := s.morphs(int(tr.Joint))
		for k := 0; k < len(tr.Values); k += tr.Width {
			// A tangent is a difference already: nothing is taken from it.
			tangent := tr.Interpolation == CubicSpline && k/tr.Width%3 != 1
			v := tr.Values[k:][:tr.Width]
			switch {
			case tr.Path == Rotation:
				x := r.Rotation.Conjugate().Mul(mgl32.QuatXYZW(v[0], v[1], v[2], v[3])).XYZW()
				copy(v, x[:])
			case tr.Path == Scale:
				for c := range v {
					v[c] /= r.Scale[c]
				}
			case tangent:
			case tr.Path == Translation:
				for c := range v {
					v[c] -= r.Translation[c]
				}
			default:
				for m := range v {
					if begin+m < len(reference.Weights) {
						v[m] -= reference.Weights[begin+m]
					}
				}
			}
		}
	}
	return out, nil
}

// ReferenceOf returns the pose of a clip at t seconds, to make additive clips
// against. It allocates; it is for loading time.
func ReferenceOf(clip *Clip, s *Skeleton, t float32) (*Pose, error) {
	if err := clip.Validate(s); err != nil {
		return nil, err
	}
	out := NewPose(s)
	job := SamplingJob{Clip: clip, Skeleton: s, Time: t, Cursors: make([]int32, len(clip.Tracks)), Out: out}
	return out, job.Run()
}

// SetZero makes the pose the additive clip of no difference.
func (p *Pose) SetZero() {
	for j := range p.Local {
		p.Local[j] = Identity()
	}
	clear(p.Weights)
	clear(p.Moved)
}

// Add applies an additive layer to the pose, in place; layer.Pose was sampled
// from an additive clip. With w the layer's weight on the joint, which may be
// negative or above 1:
//
//	translation + w·difference
//	rotation · differenceʷ
//	scale · (1 + w·(difference-1))
//	weight + w·difference
//
// It allocates nothing.
func (p *Pose) Add(s *Skeleton, layer Layer) {
	d := layer.Pose
	for j := range p.Local {
		w := layer.at(j)
		if w == 0 {
			continue
		}
		begin, end := s.morphs(j)
		for m := begin; m < end; m++ {
			p.Weights[m] += w * d.Weights[m]
		}
		if !d.Moved[j] {
			continue
		}
		x, y := &p.Local[j], &d.Local[j]
		x.Translation = x.Translation.Add(y.Translation.Mul(w))
		x.Rotation = x.Rotation.Mul(power(y.Rotation, w)).Normalize()
		for c := range x.Scale {
			x.Scale[c] *= 1 + w*(y.Scale[c]-1)
		}
		p.Moved[j] = true
	}
}

// power turns w times as far as q does, the shorter way.
func power(q mgl32.Quat, w float32) mgl32.Quat {
	if q.W < 0 {
		q = q.Scale(-1)
	}
	if w == 1 {
		return q
	}
	if w >= 0 && w <= 1 {
		return slerp(0, 0, 0, 1, q.V[0], q.V[1], q.V[2], q.W, w)
	}
	l := q.V.Len()
	if l == 0 {
		return mgl32.QuatIdent()
	}
	half := float64(w) * math.Atan2(float64(l), float64(q.W))
	return mgl32.Quat{W: float32(math.Cos(half)), V: q.V.Mul(float32(math.Sin(half)) / l)}
}
