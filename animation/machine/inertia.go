package machine

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// offset is what an inertial transition adds to the new state's pose: the
// difference that there was to the pose on screen, and how fast that difference
// was changing. Both die away along quintic polynomials, so that position and
// velocity have no jump at the start, and no acceleration is left at the end
// (after Bollo, "Inertialization", GDC 2018, with the two parts kept as vectors).
type offset struct {
	joints  []jointOffset
	weights [][2]float32 // morph weights: offset, change a second
}

type jointOffset struct {
	move, turn, size mgl32.Vec3 // turn: axis times radians, in parent space
	moving, turning  mgl32.Vec3 // a second
}

// What is left to turn or move by velocity alone is bounded: an offset swings out
// by a fifth of velocity times duration.
const maxSwing = 2 // radians or metres

func newOffset(s *animation.Skeleton) *offset {
	return &offset{make([]jointOffset, s.Len()), make([][2]float32, len(s.MorphWeights))}
}

// inert begins an inertial transition from p.from to the active state.
func (p *play) inert(m *Instance, l *layer, scratch *Scratch) error {
	s := &l.states[p.now.state]
	if err := p.now.sample(m, s, scratch, scratch.to, scratch.curves); err != nil {
		return err
	}
	before, ahead := p.shown, scratch.ahead
	rate := float32(0)
	if p.seen && p.dt > 0 {
		rate = float32(1 / p.dt)
		v := p.now // shares cursors, whose contents never matter
		v.advance(m, s, p.dt)
		if err := v.sample(m, s, scratch, ahead, scratch.curves); err != nil {
			return err
		}
	} else {
		before, ahead = p.from, scratch.to
	}
	p.offset.set(p.from, before, scratch.to, ahead, rate, float32(p.fade))
	return nil
}

// set takes the offset of a pose on screen to a target, whose velocities come
// from the pose before and the target ahead, rate steps a second.
func (o *offset) set(screen, before, target, ahead *animation.Pose, rate, duration float32) {
	limit := float32(maxSwing) / duration
	for j := range o.joints {
		a, b, c, d := &screen.Local[j], &before.Local[j], &target.Local[j], &ahead.Local[j]
		o.joints[j] = jointOffset{
			move:    a.Translation.Sub(c.Translation),
			turn:    turnOf(a.Rotation.Mul(c.Rotation.Conjugate())),
			size:    a.Scale.Sub(c.Scale),
			moving:  short(a.Translation.Sub(b.Translation).Sub(d.Translation.Sub(c.Translation)).Mul(rate), limit),
			turning: short(turnOf(a.Rotation.Mul(b.Rotation.Conjugate())).Sub(turnOf(d.Rotation.Mul(c.Rotation.Conjugate()))).Mul(rate), limit),
		}
	}
	for i := range o.weights {
		o.weights[i] = [2]float32{
			screen.Weights[i] - target.Weights[i],
			(screen.Weights[i] - before.Weights[i] - ahead.Weights[i] + target.Weights[i]) * rate,
		}
	}
}

// apply adds what is left of the offset after so many seconds of so many.
func (o *offset) apply(out, from *animation.Pose, elapsed, duration float64) {
	u := min(max(elapsed/duration, 0), 1)
	v := (1 - u) * (1 - u) * (1 - u)
	h := float32(v * (1 + 3*u + 6*u*u)) // 1 at the start, flat at both ends
	g := float32(v * u * (1 + 3*u) * duration)
	for j := range o.joints {
		x, d := &out.Local[j], &o.joints[j]
		x.Translation = x.Translation.Add(d.move.Mul(h)).Add(d.moving.Mul(g))
		x.Scale = x.Scale.Add(d.size.Mul(h))
		if turn := d.turn.Mul(h).Add(d.turning.Mul(g)); turn != (mgl32.Vec3{}) {
			x.Rotation = byTurn(turn).Mul(x.Rotation).Normalize()
		}
		out.Moved[j] = out.Moved[j] || from.Moved[j]
	}
	for i, w := range o.weights {
		out.Weights[i] += h*w[0] + g*w[1]
	}
}

// turnOf is a rotation as axis times radians, the shorter way.
func turnOf(q mgl32.Quat) mgl32.Vec3 {
	if q.W < 0 {
		q = q.Scale(-1)
	}
	l := q.V.Len()
	if l < 1e-9 {
		return q.V.Mul(2)
	}
	return q.V.Mul(float32(2*math.Atan2(float64(l), float64(q.W))) / l)
}

// byTurn is turnOf's inverse.
func byTurn(v mgl32.Vec3) mgl32.Quat {
	l := v.Len()
	if l < 1e-6 {
		return mgl32.Quat{W: 1, V: v.Mul(0.5)}
	}
	sin, cos := math.Sincos(float64(l) / 2)
	return mgl32.Quat{W: float32(cos), V: v.Mul(float32(sin) / l)}
}

func short(v mgl32.Vec3, limit float32) mgl32.Vec3 {
	if l := v.Len(); l > limit {
		return v.Mul(limit / l)
	}
	return v
}
