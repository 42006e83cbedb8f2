package spring

import (
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

const (
	// Step is how long a step is, seconds.
	Step = 1.0 / 60
	// most is what one Run makes up for, seconds; the rest of a longer frame is
	// left out.
	most = 0.25
	// What moves farther in a Run than jump metres and than jumpTails times the
	// longest tail, and faster than fastest m/s, was teleported.
	jump, jumpTails, fastest = 1, 10, 30
	// near is how near to a step's time counts as there, in steps: a frame of 1/60 s
	// as a float32 is one step.
	near = 1e-4
)

// Job takes one State on by one frame.
type Job struct {
	State *State
	// Pose and Model, its matrices, are the frame's, of the State's skeleton. Of
	// joints that swing Run writes the rotation, and Model anew.
	Pose  *animation.Pose
	Model []mgl32.Mat4
	World mgl32.Mat4 // world space from model space, at the frame's end
	Dt    float32    // seconds since the last Run
}

// Validate reports whether Run can work. A bad step wraps animation.ErrTimeStep.
func (j *Job) Validate() error {
	if j.State == nil || j.Pose == nil {
		return fmt.Errorf("%w: springs need a state and a pose", animation.ErrJob)
	}
	if err := j.Pose.Fits(j.State.skeleton); err != nil {
		return err
	}
	if len(j.Model) != j.State.skeleton.Len() {
		return fmt.Errorf("%w: springs: %d matrices for %d joints", animation.ErrJob, len(j.Model), j.State.skeleton.Len())
	}
	if !(j.Dt >= 0 && j.Dt <= animation.MaxTimeStep) {
		return fmt.Errorf("%w: springs by %v s", animation.ErrTimeStep, j.Dt)
	}
	if !whole(&j.World) {
		return fmt.Errorf("%w: springs at world matrix %v", animation.ErrJob, j.World)
	}
	return nil
}

func whole(m *mgl32.Mat4) bool {
	var x float32
	for _, v := range m {
		x += v - v
	}
	return x == 0
}

// Run moves what swings on to the frame's end. It allocates nothing. An error
// leaves State, Pose and Model as they were.
func (j *Job) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	st := j.State
	if len(st.particles) == 0 {
		return nil
	}
	if st.moveTo(j) || !st.begun {
		st.begin(j.Pose)
	}
	dt := float64(j.Dt)
	left := min(dt, most)
	at := dt - left // of the frame, seconds
	there := false  // the last step ends with the frame
	for st.since+left >= Step*(1-near) {
		part := max(Step-st.since, 0)
		left = max(left-part, 0)
		at += part
		u := float32(1)
		if there = left <= near*Step; !there {
			u = float32(at / dt)
		}
		st.step(j.Pose, u, 1)
		st.since = 0
	}
	st.since += left
	if !there {
		st.step(j.Pose, 1, float32(st.since/Step))
	}
	for i := range st.particles {
		j.Pose.Moved[st.nodes[st.particles[i].node].joint] = true
	}
	j.Pose.ToModel(st.skeleton, j.Model)
	return nil
}

// moveTo takes what does not swing to the frame's end, and reports whether it
// jumped.
func (st *State) moveTo(j *Job) bool {
	jumped := false
	far := max(jump, jumpTails*st.longest, fastest*j.Dt)
	for i := range st.nodes {
		n := &st.nodes[i]
		if n.hangs {
			continue
		}
		now := j.World
		if n.joint >= 0 {
			now = j.World.Mul4(j.Model[n.joint])
		}
		n.from = n.to
		n.travelled = now != n.now
		if n.travelled {
			n.now = now
			n.to.Translation, n.to.Rotation, n.to.Scale = now.Decompose()
			// Not so near, or not a number.
			jumped = jumped || !(n.to.Translation.Sub(n.from.Translation).LenSqr() <= far*far)
		}
	}
	return jumped
}

// begin puts everything to rest where it is.
func (st *State) begin(pose *animation.Pose) {
	st.begun, st.since, st.longest = true, 0, 0
	for i := range st.nodes {
		n := &st.nodes[i]
		switch {
		case !n.hangs:
			n.from, n.travelled, n.world = n.to, false, n.now
		case n.particle >= 0:
			joint := st.atRest(n, pose)
			p := &st.particles[n.particle]
			p.at = mgl32.TransformCoordinate(p.tail.MulVec(pose.Local[n.joint].Scale), joint)
			st.longest = max(st.longest, p.at.Sub(joint.Col(3).Vec3()).Len())
			n.world = joint.Mul4(scale(pose.Local[n.joint].Scale))
		default:
			n.world = st.nodes[n.parent].world.Mul4(pose.Local[n.joint].Mat4())
		}
		if n.center {
			n.inv = n.world.Inv()
		}
	}
	for i := range st.particles {
		p := &st.particles[i]
		if p.center >= 0 {
			p.at = mgl32.TransformCoordinate(p.at, st.nodes[p.center].inv)
		}
		p.before = p.at
	}
}

func scale(s mgl32.Vec3) mgl32.Mat4 { return mgl32.Scale3D(s[0], s[1], s[2]) }

// atRest is the world from the space of a joint as its parent has it, at rest and
// before its scale.
func (st *State) atRest(n *node, pose *animation.Pose) mgl32.Mat4 {
	local := mgl32.Compose(pose.Local[n.joint].Translation, st.skeleton.Rest[n.joint].Rotation, mgl32.Vec3{1, 1, 1})
	return st.nodes[n.parent].world.Mul4(local)
}

// step moves the tails by a part of a step, at u of the way that the frame moves
// what does not swing, and turns the joints of the pose. Only whole steps, of part
// 1, are kept.
func (st *State) step(pose *animation.Pose, u, part float32) {
	for i := range st.nodes {
		n := &st.nodes[i]
		if n.hangs {
			continue
		}
		n.world = n.now
		if n.travelled && u < 1 {
			n.world = mgl32.Compose(n.from.Translation.Lerp(n.to.Translation, u), mgl32.QuatNlerp(n.from.Rotation, n.to.Rotation, u), n.from.Scale.Lerp(n.to.Scale, u))
		}
		if n.center {
			n.inv = n.world.Inv()
		}
	}
	for i := range st.shapes {
		st.shapes[i].place(&st.nodes[st.shapes[i].node].world)
	}
	for i := range st.nodes {
		n := &st.nodes[i]
		switch {
		case !n.hangs:
			continue
		case n.particle >= 0:
			st.swing(n, &st.particles[n.particle], pose, part)
		default:
			n.world = st.nodes[n.parent].world.Mul4(pose.Local[n.joint].Mat4())
		}
		if n.center {
			n.inv = n.world.Inv()
		}
	}
}

// swing moves one tail and turns its joint to it.
func (st *State) swing(n *node, p *particle, pose *animation.Pose, part float32) {
	local := &pose.Local[n.joint]
	joint := st.atRest(n, pose)
	head := joint.Col(3).Vec3()
	axis := p.tail.MulVec(local.Scale)
	rest := mgl32.TransformNormal(axis, joint)
	length := rest.Len()
	at, before := p.at, p.before
	if p.center >= 0 {
		c := &st.nodes[p.center].world
		at, before = mgl32.TransformCoordinate(at, *c), mgl32.TransformCoordinate(before, *c)
	}
	// Even between two steps: what is shown of a step goes straight to its end.
	force := part * Step
	way := at.Sub(head).Add(at.Sub(before).Mul(part * p.keep)).Add(p.gravity.Mul(force))
	if length > 0 {
		way = way.Add(rest.Mul(force * p.stiffness / length))
	}
	if l := way.Len(); l > 0 && l-l == 0 {
		way = way.Mul(1 / l)
	} else {
		way = rest.Normalize() // drawn onto its joint, or never a number
	}
	way = st.keepOut(p, head, way, length, p.hit*reach(&joint))
	if part == 1 {
		next := head.Add(way.Mul(length))
		if p.center >= 0 {
			next = mgl32.TransformCoordinate(next, st.nodes[p.center].inv)
		}
		p.before, p.at = p.at, next
	}
	local.Rotation = st.skeleton.Rest[n.joint].Rotation
	if into, ok := undo(&joint, way); ok && length > 0 {
		local.Rotation = local.Rotation.Mul(mgl32.QuatBetweenVectors(axis, into)).Normalize()
	}
	n.world = st.nodes[n.parent].world.Mul4(local.Mat4())
}

// undo brings a direction from the world into the space of m, but for its length;
// not where m is flat.
func undo(m *mgl32.Mat4, v mgl32.Vec3) (mgl32.Vec3, bool) {
	x, y, z := m.Col(0).Vec3(), m.Col(1).Vec3(), m.Col(2).Vec3()
	yz := y.Cross(z)
	det := x.Dot(yz)
	out := mgl32.Vec3{yz.Dot(v), z.Cross(x).Dot(v), x.Cross(y).Dot(v)}
	if det < 0 {
		out = out.Mul(-1)
	}
	return out, det != 0 && finite(out)
}
