package vrm

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// gaze is where an instance looks.
type gaze struct {
	yaw, pitch float32 // radians, as asked for
	target     mgl32.Vec3
	following  bool
	on         bool

	head   int32
	back   mgl32.Quat // undoes the head's rotation at rest, model space
	facing float32    // 1: the face is along +Z at rest, -1: along -Z, as in 0.x
	eyes   [2]eye     // left, right

	left, up, right, down float32 // weights of expressions
}

type eye struct {
	joint  int32
	parent mgl32.Quat // its parent's rotation at rest, model space
}

func (g *gaze) init(s *animation.Skeleton, a *Avatar) {
	rest := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, rest)
	g.facing = 1
	if a.Version == "0.x" {
		g.facing = -1
	}
	g.head = -1
	if j, ok := a.Bones["head"]; ok {
		g.head = j
		_, q, _ := rest[j].Decompose()
		g.back = q.Conjugate()
	}
	for i, bone := range [2]string{"leftEye", "rightEye"} {
		g.eyes[i] = eye{joint: -1, parent: mgl32.QuatIdent()}
		if j, ok := a.Bones[bone]; ok {
			g.eyes[i].joint = j
			if up := s.Parents[j]; up >= 0 {
				_, g.eyes[i].parent, _ = rest[up].Decompose()
			}
		}
	}
}

// Gaze turns the eyes aside: yaw to the person's left and pitch up, radians from
// straight ahead, as far as the avatar's ranges let them. NaN is straight ahead.
func (i *Instance) Gaze(yaw, pitch float32) {
	g := &i.gaze
	g.on, g.following, g.yaw, g.pitch = true, false, yaw, pitch
}

// GazeAt lets the eyes follow a point in model space, from the next update on.
func (i *Instance) GazeAt(point mgl32.Vec3) {
	g := &i.gaze
	g.on, g.following, g.target = true, true, point
}

// GazeFree leaves the eyes to clips.
func (i *Instance) GazeFree() { i.gaze.on = false }

// apply turns the eyes, or finds the weights of the expressions that do.
func (g *gaze) apply(i *Instance, pose *animation.Pose, model []mgl32.Mat4) {
	g.left, g.right, g.up, g.down = 0, 0, 0, 0
	if !g.on {
		return
	}
	look := &i.avatar.LookAt
	if g.following && g.head >= 0 {
		g.yaw, g.pitch = g.toward(&model[g.head], look.Offset)
	}
	yaw, pitch := mgl32.RadToDeg(g.yaw), mgl32.RadToDeg(g.pitch)
	if look.ByExpression {
		g.left, g.right = look.Outer.of(yaw), look.Outer.of(-yaw)
		g.up, g.down = look.Up.of(pitch), look.Down.of(-pitch)
		return
	}
	rise := look.Up.of(pitch) - look.Down.of(-pitch)
	for k := range g.eyes {
		e := &g.eyes[k]
		if e.joint < 0 {
			continue
		}
		toLeft, toRight := look.Outer, look.Inner // of the left eye
		if k == 1 {
			toLeft, toRight = toRight, toLeft
		}
		turn := mgl32.DegToRad(toLeft.of(yaw) - toRight.of(-yaw))
		q := mgl32.QuatRotate(turn, mgl32.Vec3{0, 1, 0}).Mul(mgl32.QuatRotate(-g.facing*mgl32.DegToRad(rise), mgl32.Vec3{1, 0, 0}))
		q = e.parent.Conjugate().Mul(q).Mul(e.parent)
		pose.Local[e.joint].Rotation = q.Mul(i.model.Skeleton.Rest[e.joint].Rotation).Normalize()
		pose.Moved[e.joint] = true
		pose.ToModelBelow(i.model.Skeleton, e.joint, model)
	}
}

// toward is yaw and pitch from the head to the target.
func (g *gaze) toward(head *mgl32.Mat4, offset mgl32.Vec3) (yaw, pitch float32) {
	_, turn, _ := head.Decompose()
	way := g.target.Sub(mgl32.TransformCoordinate(offset, *head))
	// As the head would see it at rest.
	way = turn.Mul(g.back).Conjugate().Rotate(way)
	x, y, z := float64(g.facing*way[0]), float64(way[1]), float64(g.facing*way[2])
	return float32(math.Atan2(x, z)), float32(math.Atan2(y, math.Hypot(x, z)))
}

// weight is what the gaze gives an expression.
func (g *gaze) weight(name string) float32 {
	switch name {
	case "lookLeft":
		return g.left
	case "lookRight":
		return g.right
	case "lookUp":
		return g.up
	case "lookDown":
		return g.down
	}
	return 0
}

// of maps an angle in degrees; 0 for one to the other side (VRMC_vrm 1.0,
// "RangeMap").
func (r Range) of(degrees float32) float32 {
	switch {
	case !(degrees > 0):
		return 0
	case !(r.InputMax > 0):
		return r.OutputScale
	}
	return min(degrees/r.InputMax, 1) * r.OutputScale
}
