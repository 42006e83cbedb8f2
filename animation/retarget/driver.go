package retarget

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// OffsetRate is how fast a Driver's Offset follows what it is set to, in Hz: after
// a second of e^(-2π·5) nothing is left, after a tenth a twentieth.
const OffsetRate = 5

// Driver poses an entity of the target after a player of the source. It is an
// animation.Driver: Animator.Drive takes it.
type Driver struct {
	*Retargeter
	Player *animation.Player // of the source's skeleton: what plays, when and how fast
	// Offset moves the target by clip, metres of its model space; at a change it is
	// eased.
	Offset map[*animation.Clip]mgl32.Vec3

	pose *animation.Pose
	base mgl32.Vec3
	at   mgl32.Vec3
	last *animation.Clip
}

// NewDriver returns a driver. The retargeter is the driver's own from then on.
func NewDriver(r *Retargeter, p *animation.Player) *Driver {
	return &Driver{Retargeter: r, Player: p, pose: animation.NewPose(r.Map.Source.Skeleton), base: r.Options.Offset}
}

// Drive plays the source on by dt seconds and writes the target's pose. It
// allocates nothing.
func (d *Driver) Drive(dt float32, out *animation.Pose) error {
	if err := d.Player.Update(dt); err != nil {
		return err
	}
	if err := d.Player.Sample(d.pose); err != nil {
		return err
	}
	goal := d.Offset[d.Player.Clip()]
	if d.last == nil {
		d.at = goal
	}
	d.last = d.Player.Clip()
	d.at = d.at.Lerp(goal, 1-float32(math.Exp(-2*math.Pi*OffsetRate*float64(dt))))
	d.Options.Offset = d.base.Add(d.at)
	return d.Pose(d.pose, out)
}

// Motion is the source's root motion, scaled as displacement is.
func (d *Driver) Motion() animation.Motion {
	m := d.Player.Motion()
	s, t := d.Map.Source, d.Map.Target
	v := m.Translation
	up := v.Dot(s.Up)
	m.Translation = d.toTarget.Rotate(flat(v, s.Up)).Mul(d.across).Add(t.Up.Mul(up * d.up))
	return m
}

// SourcePose is the source's pose of the last Drive, the driver's own.
func (d *Driver) SourcePose() *animation.Pose { return d.pose }
