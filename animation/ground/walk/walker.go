package walk

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ik"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Walker walks one entity. It is an animation.Driver.
type Walker struct {
	// Turning is how fast the body turns, radians a second about +Y.
	Turning float32
	// Lift is how high feet are lifted in swing, metres.
	Lift float32

	body   *Body
	speed  float32
	phase  float64
	feet   []step
	model  []mgl32.Mat4
	motion animation.Motion
}

// step is where one foot is. Places are on the ground, of the foot joint as it stands
// there, in the body's own space, and go back as the body goes on.
type step struct {
	swings bool
	from   mgl32.Vec3 // where it stands, or left the ground
	at     mgl32.Vec3 // of the foot joint now, lift included
	pitch  float32    // radians, toes up
}

// New returns a walker that stands.
func New(b *Body) *Walker {
	w := &Walker{
		body: b, Lift: 0.05 * b.length,
		feet: make([]step, len(b.legs)), model: make([]mgl32.Mat4, b.skeleton.Len()),
	}
	for i := range b.legs {
		w.feet[i].from, w.feet[i].at = b.legs[i].ankle, b.legs[i].ankle
	}
	return w
}

// SetSpeed sets how fast the body goes from now on, metres a second along its
// forward; negative is backward. More than Body.MaxSpeed is an error that wraps
// ErrBody and changes nothing.
func (w *Walker) SetSpeed(v float32) error {
	if most := w.body.MaxSpeed(); !(v >= -most && v <= most) {
		return fmt.Errorf("%w: at %.3g m/s; legs of %.3g m walk at %.3g m/s at most", ErrBody, v, w.body.length, most)
	}
	w.speed = v
	return nil
}

// Speed is what SetSpeed set.
func (w *Walker) Speed() float32 { return w.speed }

// Phase is how far the walk is in its cycle, in [0, 1).
func (w *Walker) Phase() float64 { return w.phase }

// Foot tells whether a foot stands, by its index in Body.Feet, and where its joint is
// in the body's space.
func (w *Walker) Foot(i int) (stands bool, at mgl32.Vec3) { return !w.feet[i].swings, w.feet[i].at }

// Motion is how far the body moved in the last Drive.
func (w *Walker) Motion() animation.Motion { return w.motion }

// Drive walks on for dt seconds and writes the pose. It allocates nothing.
func (w *Walker) Drive(dt float32, out *animation.Pose) error {
	if !(dt >= 0 && dt <= animation.MaxTimeStep) {
		return fmt.Errorf("%w: %v s", animation.ErrTimeStep, dt)
	}
	if err := out.Fits(w.body.skeleton); err != nil {
		return err
	}
	w.goOn(dt)
	w.advance(dt)
	return w.pose(out)
}

// goOn moves the body, and the ground back under it.
func (w *Walker) goOn(dt float32) {
	yaw := w.Turning * dt
	w.motion = animation.Motion{Translation: w.body.forward.Mul(w.speed * dt), Yaw: yaw}
	back := mgl32.QuatRotate(-yaw, mgl32.Vec3{0, 1, 0})
	for i := range w.feet {
		w.feet[i].from = back.Rotate(w.feet[i].from.Sub(w.motion.Translation))
	}
}

// advance steps: it moves the phase on, and finds where each foot is.
func (w *Walker) advance(dt float32) {
	b := w.body
	seconds, metres := b.Cycle(w.speed)
	if w.speed < 0 {
		metres = -metres
	}
	part := float64(dt) / seconds
	if w.speed == 0 && w.Turning == 0 && w.settled() {
		part = 0
	}
	w.phase += part
	w.phase -= math.Floor(w.phase)
	for i := range w.feet {
		f, l := &w.feet[i], &b.legs[i]
		phase := w.phase + l.offset
		phase -= math.Floor(phase)
		swings := phase >= b.duty && (part > 0 || f.swings)
		// Where it stands in a steady walk at this phase of its stance.
		place := func(phase float64) mgl32.Vec3 {
			return l.ankle.Add(b.forward.Mul(float32(metres * (b.duty/2 - phase))))
		}
		switch {
		case !swings && (f.swings || part > 1-b.duty):
			f.from = place(phase)
		case swings && !f.swings && part > b.duty:
			f.from = place(b.duty).Sub(b.forward.Mul(float32(metres * (phase - b.duty))))
		}
		f.swings = swings
		f.at, f.pitch = f.from, 0
		if !swings {
			continue
		}
		u := (phase - b.duty) / (1 - b.duty)
		// It leaves and meets the ground at the ground's speed, straight up and down: so it
		// is well off the ground before it moves over it.
		ease := float32(u * u * (3 - 2*u))
		to := place(0).Add(b.forward.Mul(float32(metres * (1 - phase))))
		f.at = f.from.Add(to.Sub(f.from).Mul(ease))
		hump := u * u * (1 - u) * (1 - u)
		f.pitch = float32(40 * hump * (2*u - 1)) // toes down first, then up: 0.5 rad at most
		if w.speed < 0 {
			f.pitch = -f.pitch
		}
		f.at[1] += w.Lift*float32(math.Sin(math.Pi*u)) + l.toes*float32(math.Abs(math.Sin(float64(f.pitch))))
	}
}

// settled tells whether all feet stand where they do at rest.
func (w *Walker) settled() bool {
	for i := range w.feet {
		if w.feet[i].swings || w.feet[i].from.Sub(w.body.legs[i].ankle).Len() > 0.02*w.body.length {
			return false
		}
	}
	return true
}

// pose brings the body over its feet.
func (w *Walker) pose(out *animation.Pose) error {
	b := w.body
	s := b.skeleton
	out.SetRest(s)
	out.ToModel(s, w.model)
	// A joint's place is in its parent's space.
	rise := mgl32.Vec3{0, w.height(), 0}
	if p := s.Parents[b.pelvis]; p >= 0 {
		rise = mgl32.TransformNormal(rise, w.model[p].Inv())
	}
	local := &out.Local[b.pelvis]
	local.Translation = local.Translation.Add(rise)
	out.Moved[b.pelvis] = true
	out.ToModelBelow(s, b.pelvis, w.model)
	for i := range b.legs {
		if err := w.bend(out, i); err != nil {
			return err
		}
	}
	for i := range b.arms {
		w.swing(out, &b.arms[i])
	}
	return nil
}

// height is how far the hips are above where they rest: as high as every leg allows,
// and not above; smoothly where one leg takes over from another.
func (w *Walker) height() float32 {
	b := w.body
	soft := 0.008 * float64(b.length)
	sum, least := 0.0, math.Inf(1)
	for pass := range 2 {
		for i := range b.legs {
			l, f := &b.legs[i], &w.feet[i]
			d := f.at.Sub(l.at)
			reach := float64(straight * l.reach)
			aside := float64(d[0])*float64(d[0]) + float64(d[2])*float64(d[2])
			// Of a foot out of reach as far as can be.
			h := float64(d[1]) + math.Sqrt(max(reach*reach-aside, 0.04*reach*reach))
			if pass == 0 {
				least = min(least, h)
			} else {
				sum += math.Exp((least - h) / soft)
			}
		}
	}
	h := least - soft*math.Log(sum)
	// Not above rest: legs that rest bent, a fox's, stay so.
	soft = 0.003 * float64(b.length)
	return float32(-soft * math.Log(math.Exp(-h/soft)+1))
}

// corrections is how often a leg is bent anew for what its skin makes of it.
const corrections = 4

// bend brings one leg to its foot: the skinned sole, not the joint, to where it is to
// be. Where shin and sole share vertices these move as the shin turns over the foot.
func (w *Walker) bend(out *animation.Pose, i int) error {
	l, f := &w.body.legs[i], &w.feet[i]
	pitch := mgl32.QuatRotate(-f.pitch, w.body.left)
	turn := pitch.Mul(l.turn)
	job := ik.TwoBone{
		Rig: ik.Rig{Skeleton: w.body.skeleton, Pose: out, Model: w.model}, Start: l.hip, Mid: l.knee, End: l.foot,
		Target: f.at, HasPole: true, Weight: 1,
	}
	hip := w.model[l.hip].Col(3).Vec3()
	job.Pole = hip.Add(f.at).Mul(0.5).Add(l.bend.Mul(2 * l.reach))
	want := f.at.Add(pitch.Rotate(l.middle))
	for range corrections {
		if err := job.Run(); err != nil {
			return err
		}
		// The sole stays level, but for its pitch.
		_, is, _ := w.model[l.foot].Decompose()
		job.Turn(l.foot, turn.Mul(is.Conjugate()))
		off := want.Sub(l.contact(w.model))
		if off.Len() < 2e-5*l.reach || off.Len() > 0.2*l.reach {
			break
		}
		job.Target = job.Target.Add(off)
	}
	return nil
}

// contact is the middle of the vertices that touch the ground when the sole is level.
func (l *leg) contact(model []mgl32.Mat4) mgl32.Vec3 {
	var sum mgl32.Vec3
	for _, v := range l.touching {
		sum = sum.Add(l.sole.At(int(v), model))
	}
	return sum.Mul(1 / float32(max(len(l.touching), 1)))
}

// swing hangs an arm and swings it with the leg of the other side.
func (w *Walker) swing(out *animation.Pose, a *arm) {
	b := w.body
	angle := float32(0)
	if a.against >= 0 {
		l := &b.legs[a.against]
		angle = 0.75 * w.feet[a.against].at.Sub(l.ankle).Dot(b.forward) / l.reach
	}
	// About the left, a positive turn takes what hangs down back.
	rig := ik.Rig{Skeleton: b.skeleton, Pose: out, Model: w.model}
	rig.Turn(a.upper, mgl32.QuatRotate(-angle, b.left).Mul(a.hang))
	rig.Turn(a.lower, mgl32.QuatRotate(-0.25-0.5*max(angle, 0), b.left))
}
