package ground

import (
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ik"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// FootIK bends legs so that every foot meets the ground as the clip has it meet its
// floor: the pelvis sinks until the lower foot reaches, knees bend, soles turn to
// the ground's normal, and a foot that stands does not slide. Set it as Stance.Feet;
// it belongs to that. A body with a foot that has no knee above it is left as it is.
type FootIK struct {
	// Weight in [0, 1] is how much of it there is.
	Weight float32
	// MaxTurn is how far a foot turns to the ground's normal, radians.
	MaxTurn float32
	// Lock holds a foot in place while it stands. It is let go where the clip lifts
	// it or takes it away by more than MaxSlip, as a part of the body's height.
	Lock    bool
	MaxSlip float32

	feet  []footState
	ready bool
}

// footState is a foot from frame to frame; world space and metres.
type footState struct {
	own    float32 // how high the clip has the sole over the entity's origin
	keep   float32 // how high it is to be over the ground
	clear  float32 // how high it came to be
	level  float32 // what the ground counts as under it, eased over ledges
	eased  bool
	normal mgl32.Vec3 // of the ground, eased
	locked bool
	slip   mgl32.Vec3 // where it is held, from where the clip has it; horizontal
	at     mgl32.Vec3 // the ankle, last time
	points []mgl32.Vec3
	// bends is which way the knee points at rest, in the space of the hip's parent.
	bends mgl32.Vec3
	// least is how little farther down than the clip has it the ankle can reach in
	// the course of the clip.
	least float32
}

// NewFootIK returns foot IK of full weight, with locking, for a body of these soles.
func NewFootIK(soles []Sole) *FootIK {
	f := &FootIK{Weight: 1, MaxTurn: mgl32.DegToRad(35), Lock: true, MaxSlip: 0.06, feet: make([]footState, len(soles))}
	for i := range soles {
		f.feet[i].points = make([]mgl32.Vec3, soles[i].Len())
	}
	return f
}

// Locked tells whether the foot of that sole is held in place.
func (f *FootIK) Locked(sole int) bool { return sole < len(f.feet) && f.feet[sole].locked }

// Feet of a person are on the floor up to stands metres and off it from leaves, and
// stand still up to still m/s and move from strides.
const (
	stands, leaves = 0.012, 0.03
	still, strides = 0.5, 1.0
	// easing is the time constant of what eases, seconds.
	easing = 0.09
	// straight is the part of its length that a leg is stretched to at most, unless
	// the clip stretches it farther.
	straight = 0.99
)

// plan is how far the body is to be lifted: as the feet on the ground say, and no
// farther than the legs reach.
func (f *FootIK) plan(s *Stance, a *animation.Animator, world *mgl32.Mat4, dt, size float32) (lift float32) {
	unit := size / person
	lowest := float32(math.Inf(1))
	for i := range f.feet {
		lowest = min(lowest, max(f.feet[i].own-s.floor, 0))
	}
	if !f.ready {
		f.rest(s, a)
	}
	reach, soon := float32(math.Inf(1)), float32(math.Inf(1))
	highest := float32(math.Inf(-1))
	var sum, weights float32
	for i := range f.feet {
		x, o := &f.feet[i], &s.soles[i]
		x.keep = max(x.own-s.floor, 0)
		if s.Mode == Planted {
			x.keep -= lowest
		}
		f.align(s, i, a, world, dt, unit)
		o.place(a.Model(), world, s.points[i])
		f.hold(s, i, dt, unit)
		clear, _ := clearance(s.Ground, s.Samples, s.points[i], x.slip)
		if clear-clear != 0 { // nothing under it
			clear = x.keep
		}
		// level is as if level ground lay under the foot so high over the entity.
		level := world[13] + x.keep - clear
		ankle := place(world, a.Model()[o.Foot.Foot].Col(3).Vec3())
		if s.begun {
			d := ankle.Sub(x.at)
			most := float32(math.Sqrt(float64(d[0]*d[0]+d[2]*d[2]))) + 2*dt*unit
			eased := x.level + min(max(level-x.level, -most), most)
			x.eased = eased != level
			level = eased
		}
		x.level, x.at = level, ankle
		by := level - world[13]
		weight := max(1-x.keep/(0.12*unit), 0.02)
		sum, weights = sum+weight*by, weights+weight
		// Where the leg will be straight, as it is when the foot comes down, the body
		// must be low by then.
		room := f.room(o, world, a.Model(), x.slip)
		if x.least += 0.03 * unit * dt; !s.begun || room < x.least {
			x.least = room
		}
		soon = min(soon, by+x.least)
		reach = min(reach, by+room+2*x.keep)
		highest = max(highest, by)
	}
	lift = max(min(sum/weights, soon), highest-0.2*size)
	if s.begun {
		was := s.Lift
		lift = was + (lift-was)*ease(dt)
	}
	return min(lift, reach)
}

// room is how much farther down than the clip has it an ankle can reach, where it is
// held by a slip.
func (f *FootIK) room(o *Sole, world *mgl32.Mat4, model []mgl32.Mat4, slip mgl32.Vec3) float32 {
	at := func(j int32) mgl32.Vec3 { return place(world, model[j].Col(3).Vec3()) }
	hip, knee, ankle := at(o.Hip), at(o.Knee), at(o.Foot.Foot)
	d := ankle.Sub(hip)
	most := max(straight*(knee.Sub(hip).Len()+ankle.Sub(knee).Len()), d.Len())
	down := func(x, z float32) float32 {
		return float32(math.Sqrt(float64(max(most*most-x*x-z*z, 0)))) + d[1]
	}
	// A foot held far off pulls the body down a little, and is then let go.
	return max(down(d[0]+slip[0], d[2]+slip[2]), down(d[0], d[2])-0.04*most)
}

// hold locks a foot that stands, or lets it go, and finds its slip.
func (f *FootIK) hold(s *Stance, i int, dt, unit float32) {
	x := &f.feet[i]
	// What moves is the vertex on the ground: a foot that rolls stands.
	var moved mgl32.Vec3
	least := float32(math.Inf(1))
	for v, p := range s.points[i] {
		if over := p.Dot(x.normal); over < least {
			least, moved = over, p.Sub(x.points[v])
		}
		x.points[v] = p
	}
	moved[1] = 0
	if !s.begun || !f.Lock {
		x.locked, x.slip = false, mgl32.Vec3{}
		return
	}
	if dt == 0 {
		return
	}
	speed := moved.Len() / dt
	if x.locked {
		next := x.slip.Sub(moved)
		x.locked = x.keep < leaves*unit && speed < strides*unit && next.Len() < f.MaxSlip*person*unit
		if x.locked {
			x.slip = next
		}
	} else if x.keep < stands*unit && speed < still*unit {
		x.locked = true
	}
	if !x.locked {
		x.slip = x.slip.Mul(1 - ease(dt))
	}
}

// bend brings each foot to where it is to be, once the body is lifted.
func (f *FootIK) bend(s *Stance, a *animation.Animator, world *mgl32.Mat4, size float32) error {
	unit := size / person
	upward := toModel(world)
	back := world.Inv()
	rig := ik.Rig{Skeleton: a.Skeleton(), Pose: a.Pose(), Model: a.Model()}
	for i := range f.feet {
		x, o := &f.feet[i], &s.soles[i]
		ankle := rig.Model[o.Foot.Foot].Col(3).Vec3()
		goal := ankle.Add(upward.Mul((x.level - world[13] - s.Lift) * f.Weight))
		goal = goal.Add(mgl32.TransformNormal(x.slip.Mul(f.Weight), back))
		_, turned, _ := rig.Model[o.Foot.Foot].Decompose()
		leg := ik.TwoBone{
			Rig: rig, Start: o.Hip, Mid: o.Knee, End: o.Foot.Foot, Weight: 1,
			Pole: f.pole(i, o, a), HasPole: true,
		}
		// The knee, bent, also pulls at the sole where the skin has it so: what that
		// leaves is made up for once.
		for try := range 2 {
			leg.Target = goal
			if err := leg.Run(); err != nil {
				return err
			}
			_, now, _ := rig.Model[o.Foot.Foot].Decompose()
			rig.Turn(o.Foot.Foot, turned.Mul(now.Conjugate()))
			o.place(rig.Model, world, s.points[i])
			clear, _ := clearance(s.Ground, s.Samples, s.points[i], mgl32.Vec3{})
			x.clear = clear
			off := x.keep - clear
			if short := goal.Sub(rig.Model[o.Foot.Foot].Col(3).Vec3()).Len(); short > 1e-3*s.soles[0].Height {
				x.locked = false // the leg does not reach as far as it is held
			}
			if try == 1 || x.eased || off-off != 0 || abs(off) < 0.5e-3*unit {
				break
			}
			goal = goal.Add(upward.Mul(min(max(off, -0.1*size), 0.1*size) * f.Weight))
		}
	}
	return nil
}

// bent is the knee's way off the line from hip to ankle, and the leg's length.
func bent(o *Sole, model []mgl32.Mat4) (off mgl32.Vec3, length float32) {
	hip, knee, ankle := model[o.Hip].Col(3).Vec3(), model[o.Knee].Col(3).Vec3(), model[o.Foot.Foot].Col(3).Vec3()
	line := ankle.Sub(hip)
	off = knee.Sub(hip)
	if l := line.LenSqr(); l > 0 {
		off = off.Sub(line.Mul(off.Dot(line) / l))
	}
	return off, knee.Sub(hip).Len() + ankle.Sub(knee).Len()
}

// rest finds which way knees point at rest; of a leg that rests straight it is
// ahead.
func (f *FootIK) rest(s *Stance, a *animation.Animator) {
	f.ready = true
	k := a.Skeleton()
	model := make([]mgl32.Mat4, k.Len())
	animation.NewPose(k).ToModel(k, model)
	for i := range f.feet {
		o := &s.soles[i]
		if !o.CanBend() {
			continue
		}
		way, length := bent(o, model)
		if way.Len() < 0.005*length {
			way = o.Forward
		}
		if p := k.Parents[o.Hip]; p >= 0 {
			way = mgl32.TransformNormal(way, model[p].Inv())
		}
		f.feet[i].bends = way.Normalize()
	}
}

// pole is a point that the knee is to point at: it keeps to the clip's side, and the
// straighter the leg the more to the side to which it bends at rest, so that it does
// not turn over.
func (f *FootIK) pole(i int, o *Sole, a *animation.Animator) mgl32.Vec3 {
	model := a.Model()
	off, length := bent(o, model)
	way := f.feet[i].bends
	if p := a.Skeleton().Parents[o.Hip]; p >= 0 {
		way = mgl32.TransformNormal(way, model[p]).Normalize()
	}
	if lack := 0.04*length - off.Len(); lack > 0 {
		off = off.Add(way.Mul(lack))
	}
	return model[o.Knee].Col(3).Vec3().Add(off.Normalize().Mul(length))
}

// align turns a foot to the ground's normal, as far as it stands.
func (f *FootIK) align(s *Stance, i int, a *animation.Animator, world *mgl32.Mat4, dt, unit float32) {
	x, o := &f.feet[i], &s.soles[i]
	at := mean(s.points[i]).Add(x.slip)
	_, normal, ok := s.Ground.Under(at)
	if !ok || !(normal[1] > 0.05) {
		normal = up
	}
	if s.begun && x.normal != (mgl32.Vec3{}) {
		normal = x.normal.Lerp(normal, ease(dt)).Normalize()
	}
	x.normal = normal
	// The body is pitched already.
	was := up
	if s.Pitch != 0 {
		forward := mgl32.TransformNormal(s.Forward, *world)
		forward[1] = 0
		was = mgl32.QuatRotate(-s.Pitch, up.Cross(forward.Normalize())).Rotate(up)
	}
	axis := was.Cross(normal)
	sin := axis.Len()
	if sin < 1e-5 {
		return
	}
	angle := float32(math.Atan2(float64(sin), float64(was.Dot(normal))))
	// A foot that swings turns less and less.
	stand := min(max(1.3-x.keep/(0.15*unit), 0), 1)
	angle = min(angle, f.MaxTurn) * stand * f.Weight
	rig := ik.Rig{Skeleton: a.Skeleton(), Pose: a.Pose(), Model: a.Model()}
	rig.Turn(o.Foot.Foot, worldTurn(world, axis.Mul(1/sin), angle))
}

// worldTurn is the rotation of model space that turns the world about an axis.
func worldTurn(world *mgl32.Mat4, axis mgl32.Vec3, angle float32) mgl32.Quat {
	if world.Mat3().Det() < 0 {
		return mirrored(world, axis, angle)
	}
	_, turn, _ := world.Decompose()
	return mgl32.QuatRotate(angle, turn.Conjugate().Rotate(axis))
}

// ease is the part of the way that is gone in dt.
func ease(dt float32) float32 { return 1 - float32(math.Exp(-float64(dt)/easing)) }
