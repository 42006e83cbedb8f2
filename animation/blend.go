package animation

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Layer is one pose of a BlendJob.
type Layer struct {
	Pose *Pose
	// Weight is at least 0. Only the ratios of the layers' weights count, as
	// long as they reach the job's Threshold together.
	Weight float32
	// Mask multiplies Weight joint by joint, one number a joint; nil is all ones.
	Mask []float32
}

// BlendJob mixes poses of one skeleton by weight: translations, scales and morph
// weights linearly, rotations linearly along the shorter arc and then brought
// back to unit length (nlerp).
//
// The order is: Layers are averaged, the rest pose fills up to Threshold, then
// each of Additive is applied to what stands, the first first (Pose.Add). Layers
// never become additive nor additive ones a base, whatever their weights and
// masks: with every layer masked out on a joint, Additive applies to its rest.
type BlendJob struct {
	Skeleton *Skeleton
	Layers   []Layer

	// Threshold is the weight up to which the rest pose fills in: where the
	// layers of a joint weigh less together, the rest pose weighs the difference.
	// With 0, a joint without any weight is at rest.
	Threshold float32

	// Additive are poses sampled from additive clips. Their weights may be
	// negative or above 1.
	Additive []Layer

	// Out receives the mix; it may be the pose of a layer, not of an additive one.
	Out *Pose
}

// Validate reports whether Run can work.
func (j *BlendJob) Validate() error {
	if j.Skeleton == nil || j.Out == nil {
		return fmt.Errorf("%w: blending needs a skeleton and an output pose", ErrJob)
	}
	if !(j.Threshold >= 0) || !finite(j.Threshold) {
		return fmt.Errorf("%w: blending with threshold %v", ErrJob, j.Threshold)
	}
	for i := range j.Layers {
		if err := j.Layers[i].validate(j.Skeleton); err != nil {
			return fmt.Errorf("layer %d: %w", i, err)
		}
		if w := j.Layers[i].Weight; w < 0 {
			return fmt.Errorf("layer %d: %w: it weighs %v", i, ErrJob, w)
		}
	}
	for i := range j.Additive {
		if err := j.Additive[i].validate(j.Skeleton); err != nil {
			return fmt.Errorf("additive layer %d: %w", i, err)
		}
		if j.Additive[i].Pose == j.Out {
			return fmt.Errorf("additive layer %d: %w: it is the output", i, ErrJob)
		}
	}
	return j.Out.Fits(j.Skeleton)
}

func (l *Layer) validate(s *Skeleton) error {
	if l.Pose == nil {
		return fmt.Errorf("%w: no pose", ErrJob)
	}
	if err := l.Pose.Fits(s); err != nil {
		return err
	}
	if !finite(l.Weight) {
		return fmt.Errorf("%w: it weighs %v", ErrJob, l.Weight)
	}
	if l.Mask != nil && len(l.Mask) != s.Len() {
		return fmt.Errorf("%w: a mask of %d for %d joints", ErrJob, len(l.Mask), s.Len())
	}
	return nil
}

// at is the weight of the layer on joint j.
func (l *Layer) at(j int) float32 {
	if l.Mask == nil {
		return l.Weight
	}
	return l.Weight * l.Mask[j]
}

// Run blends. It allocates nothing.
func (j *BlendJob) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	s := j.Skeleton
	for joint := range j.Out.Local {
		var (
			t, sc mgl32.Vec3
			q     mgl32.Quat
			total float32
			moved bool
		)
		for i := range j.Layers {
			l := &j.Layers[i]
			if w := l.at(joint); w > 0 {
				total += w
				moved = moved || l.Pose.Moved[joint]
				accumulate(&t, &q, &sc, &l.Pose.Local[joint], w)
			}
		}
		fill := max(j.Threshold-total, 0)
		if total == 0 && fill == 0 {
			fill = 1
		}
		if fill > 0 {
			total += fill
			accumulate(&t, &q, &sc, &s.Rest[joint], fill)
		}
		k := 1 / total
		j.weights(joint, fill, k)
		j.Out.Local[joint] = Transform{Translation: t.Mul(k), Rotation: q.Normalize(), Scale: sc.Mul(k)}
		j.Out.Moved[joint] = moved
	}
	j.blendProperties()
	for i := range j.Additive {
		j.Out.Add(s, j.Additive[i])
	}
	return nil
}

// weights blends the morph weights of one joint; k is one over the weight of all
// layers and the rest pose's fill together.
func (j *BlendJob) weights(joint int, fill, k float32) {
	begin, end := j.Skeleton.morphs(joint)
	for m := begin; m < end; m++ {
		sum := fill * j.Skeleton.MorphWeights[m]
		for i := range j.Layers {
			if w := j.Layers[i].at(joint); w > 0 {
				sum += w * j.Layers[i].Pose.Weights[m]
			}
		}
		j.Out.Weights[m] = sum * k
	}
}

// accumulate adds a weighted transform, its rotation on the side of the sum.
func accumulate(t *mgl32.Vec3, q *mgl32.Quat, s *mgl32.Vec3, x *Transform, w float32) {
	*t = t.Add(x.Translation.Mul(w))
	*s = s.Add(x.Scale.Mul(w))
	if q.Dot(x.Rotation) < 0 {
		w = -w
	}
	*q = q.Add(x.Rotation.Scale(w))
}

// Lerp writes the mix of two poses of one skeleton: a at u = 0, b at u = 1. It is
// BlendJob for the commonest case, and gives the same pose. out may be a or b.
func Lerp(a, b *Pose, u float32, out *Pose) {
	n := len(out.Local)
	la, lb := a.Local[:n], b.Local[:n]
	whole := n &^ 3
	if whole > 0 {
		lerpPoses(&la[0], &lb[0], &out.Local[0], 1-u, u, whole)
	}
	if whole < n {
		lerpPosesGo(&la[whole], &lb[whole], &out.Local[whole], 1-u, u, n-whole)
	}
	for i := range out.Moved {
		out.Moved[i] = a.Moved[i] && u < 1 || b.Moved[i] && u > 0
	}
	for i := range out.Weights {
		out.Weights[i] = (1-u)*a.Weights[i] + u*b.Weights[i]
	}
}
