package vrm

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/spring"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Instance is one entity's avatar in motion: its face, its eyes and what swings.
// Make one with NewInstance and hand it to animation.Animator.Modify; after each
// update's clips it turns eyes, weighs expressions and moves springs, in the order
// of VRM 1.0 (VRMC_vrm 1.0, "Update order"). The Avatar and the Model are shared and
// only read. It allocates nothing while it runs.
type Instance struct {
	model   *assets.Model
	avatar  *Avatar
	weights []float32 // by expression, as set
	shown   []float32 // as overridden
	gaze    gaze
	job     spring.Job
}

// NewInstance returns an instance at rest, with no expression.
func NewInstance(m *assets.Model, a *Avatar) (*Instance, error) {
	state, err := newSprings(m.Skeleton, a)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	i := &Instance{model: m, avatar: a, weights: make([]float32, len(a.Expressions)), shown: make([]float32, len(a.Expressions))}
	i.job.State = state
	i.gaze.init(m.Skeleton, a)
	return i, nil
}

// Avatar is what the instance was made with.
func (i *Instance) Avatar() *Avatar { return i.avatar }

// Springs is the state of what swings; Reset it after a jump that is too small to
// be noticed.
func (i *Instance) Springs() *spring.State { return i.job.State }

// Modify is animation.Modifier: it is called by the animator.
func (i *Instance) Modify(dt float32, a *animation.Animator) error {
	pose, model := a.Pose(), a.Model()
	if err := pose.Fits(i.model.Skeleton); err != nil {
		return err
	}
	i.gaze.apply(i, pose, model)
	i.express(pose)
	i.job.Pose, i.job.Model, i.job.World, i.job.Dt = pose, model, a.World, dt
	return i.job.Run()
}

// tail0 is how far from the last joint of a 0.x chain its tail is, metres
// (UniVRM, VRMSpringBone).
const tail0 = 0.07

// newSprings makes the springs of an avatar. Joints that have no tail, or swing
// in an earlier spring already, are left out.
func newSprings(s *animation.Skeleton, a *Avatar) (*spring.State, error) {
	rest := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, rest)
	taken := make([]bool, s.Len())
	var chains []spring.Chain
	for _, in := range a.Springs {
		out := spring.Chain{Center: in.Center}
		for _, c := range in.Colliders {
			if c >= 0 && int(c) < len(a.Colliders) {
				out.Colliders = append(out.Colliders, c)
			}
		}
		for k, j := range in.Joints {
			var end mgl32.Vec3 // model space
			at := rest[j.Joint].Col(3).Vec3()
			switch up := s.Parents[j.Joint]; {
			case k+1 < len(in.Joints):
				end = rest[in.Joints[k+1].Joint].Col(3).Vec3()
			case a.Version != "0.x" || up < 0: // the last joint is a tail, no more
				continue
			default:
				end = at.Add(at.Sub(rest[up].Col(3).Vec3()).Normalize().Mul(tail0))
			}
			if taken[j.Joint] || end.Sub(at).LenSqr() < 1e-10 || rest[j.Joint].Det() == 0 {
				continue
			}
			taken[j.Joint] = true
			out.Joints = append(out.Joints, spring.Joint{
				Joint: j.Joint, Tail: mgl32.TransformCoordinate(end, rest[j.Joint].Inv()),
				HitRadius: max(j.HitRadius, 0), Stiffness: max(j.Stiffness, 0), Drag: min(max(j.Drag, 0), 1),
				Gravity: j.GravityDir.Mul(j.GravityPower),
			})
		}
		chains = append(chains, out)
	}
	colliders := make([]spring.Collider, len(a.Colliders))
	for i, c := range a.Colliders {
		colliders[i] = spring.Collider{Joint: c.Joint, Offset: c.Offset, Tail: c.Tail, Radius: max(c.Radius, 0)}
	}
	return spring.New(s, chains, colliders)
}
