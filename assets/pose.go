package assets

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// PoseReport is the JSON of the command pose: what a clip makes of a model at
// one time. Bounds and mean are over every vertex of every primitive of the
// default scene, morphed and skinned, world space in metres. Without vertices
// they are 0.
type PoseReport struct {
	File     string       `json:"file"`
	Clip     string       `json:"clip"`     // "none" is the rest pose
	Time     float32      `json:"time"`     // seconds, after clamping to the clip
	Duration float32      `json:"duration"` // seconds
	Vertices int          `json:"vertices"`
	Bounds   PoseBounds   `json:"bounds"`
	Mean     mgl32.Vec3   `json:"mean"`
	Joints   []JointWorld `json:"joints"` // every node of the file, parents first
}

// PoseBounds is a box in world space.
type PoseBounds struct {
	Min mgl32.Vec3 `json:"min"`
	Max mgl32.Vec3 `json:"max"`
}

// JointWorld is a joint's matrix to world space, column-major.
type JointWorld struct {
	Name  string     `json:"name"`
	World mgl32.Mat4 `json:"world"`
}

// Pose reports the pose of a clip at t seconds, clamped to the clip; a nil clip
// is the rest pose. The clip is one of the model's own, or one bound to its
// skeleton by animation.BindByName.
func Pose(m *Model, clip *animation.Clip, t float32) (PoseReport, error) {
	r := PoseReport{File: m.Path, Clip: "none"}
	pose := animation.NewPose(m.Skeleton)
	if clip != nil {
		if math.IsNaN(float64(t)) {
			return r, fmt.Errorf("%s: clip %q: time %v", m.Path, clip.Name, t)
		}
		if err := clip.Validate(m.Skeleton); err != nil {
			return r, fmt.Errorf("%s: %w", m.Path, err)
		}
		r.Clip, r.Duration, r.Time = clip.Name, clip.Duration, min(max(t, 0), clip.Duration)
		job := animation.SamplingJob{
			Clip: clip, Skeleton: m.Skeleton, Time: r.Time,
			Cursors: make([]int32, len(clip.Tracks)), Out: pose,
		}
		if err := job.Run(); err != nil {
			return r, fmt.Errorf("%s: %w", m.Path, err)
		}
	}
	b, err := m.Bounds(pose)
	if err != nil {
		return r, fmt.Errorf("%s: %w", m.Path, err)
	}
	if b.NonFinite > 0 {
		return r, fmt.Errorf("%s: clip %q at %v s: %d of %d vertices are not finite", m.Path, r.Clip, r.Time, b.NonFinite, b.Vertices)
	}
	r.Vertices, r.Bounds, r.Mean = b.Vertices, PoseBounds{b.Min, b.Max}, b.Mean

	world := make([]mgl32.Mat4, m.Skeleton.Len())
	pose.ToModel(m.Skeleton, world)
	r.Joints = make([]JointWorld, len(world))
	for j, w := range world {
		for _, x := range w {
			if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
				return r, fmt.Errorf("%s: clip %q at %v s: joint %q is not finite", m.Path, r.Clip, r.Time, m.Skeleton.Names[j])
			}
		}
		r.Joints[j] = JointWorld{m.Skeleton.Names[j], w}
	}
	return r, nil
}
