package ground

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Mode is what becomes of the height that a clip itself has over its floor.
type Mode uint8

const (
	// Measured keeps it: a jump rises as the clip has it, and a run leaves the ground.
	// A clip's floor is found while it plays: it is how low its soles reach. A clip
	// that hovers by less than a person's 5 cm comes down at 10 cm/s; what is higher
	// flies, for 1.2 s at most.
	Measured Mode = iota
	// Planted has the lowest sole on the ground at all times.
	Planted
	// Airborne leaves the body where its entity is, and only pushes it out of the
	// ground: for jumps and falls that physics or a script moves.
	Airborne
)

// Stance puts one entity's body on the ground, after its clips and whatever IK comes
// before: the lowest sole vertex and the ground under it say how far it is off, and
// the root alone moves, along the world's +Y. Long bodies are pitched along their
// slope first. It is an animation.Modifier, and belongs to one animator. Make it with
// NewStance; fields may be changed between frames.
type Stance struct {
	Ground Ground
	Mode   Mode
	// Samples is Contact.Samples.
	Samples int
	// Follow asks whoever moves the entity to take it to the ground under its origin,
	// by Rise; engine/scene does.
	Follow bool
	// Tilt in [0, 1] is how much of its slope's pitch the body takes on, up to
	// MaxTilt, radians. NewStance sets 1 where the feet stand in several rows, such
	// as a quadruped's, else 0.
	Tilt, MaxTilt float32
	// Front and Back are how far the body reaches before and behind Middle, a point
	// on its floor in model space, along Forward: metres times whatever the entity is
	// scaled by. NewStance measures the soles at rest.
	Front, Back     float32
	Middle, Forward mgl32.Vec3
	// Belly is how far over the line through its feet the body may sink towards the
	// ground between them, in units of model space. NewStance sets two thirds of the
	// legs' length.
	Belly float32
	// Feet bends the legs too where it is set, so that every foot meets the ground.
	Feet *FootIK

	// After each update: Lift is how far the body was lifted over where its entity
	// put it and Pitch by how much its front was raised; Clearance is how high the
	// lowest sole stands over the ground then. Metres in the world, radians.
	Lift, Pitch, Clearance float32
	// Rise is how far the entity itself is to be moved along +Y after the update,
	// where Follow is set. Lift counts from there.
	Rise float32

	soles    []Sole
	points   [][]mgl32.Vec3 // by sole, where its vertices are: world
	slope    Slope
	joints   int // that the soles were checked against
	begun    bool
	clear    float32 // of the lowest sole before the lift
	floor    float32 // of the clip, metres over the entity's origin
	aloft    float32 // seconds since the clip was last near its floor
	standing float32 // height in the world that the entity's origin is lifted to
	pitch    float32
	entity   float32    // height in the world that Follow has the entity at
	was      mgl32.Vec3 // where the middle of the feet was, world
}

// NewStance returns a body's stance on some ground. Soles are those of FindSoles.
func NewStance(g Ground, soles []Sole) (*Stance, error) {
	if g == nil || len(soles) == 0 {
		return nil, fmt.Errorf("%w: a stance needs ground and soles", animation.ErrJob)
	}
	s := &Stance{Ground: g, Follow: true, MaxTilt: mgl32.DegToRad(40), soles: soles, Forward: soles[0].Forward}
	if s.Forward.LenSqr() == 0 {
		s.Forward = mgl32.Vec3{0, 0, 1}
	}
	front, back := float32(math.Inf(-1)), float32(math.Inf(1))
	left, right := front, back
	side := up.Cross(s.Forward)
	level := float32(math.Inf(1))
	rows := int8(0)
	for i := range soles {
		o := &soles[i]
		rows = max(rows, o.Row)
		level = min(level, o.Level)
		front, back = max(front, o.Center.Dot(s.Forward)), min(back, o.Center.Dot(s.Forward))
		left, right = max(left, o.Center.Dot(side)), min(right, o.Center.Dot(side))
	}
	if rows > 0 {
		s.Tilt = 1
	}
	s.points = make([][]mgl32.Vec3, len(soles))
	for i := range soles {
		s.points[i] = make([]mgl32.Vec3, soles[i].Len())
	}
	// Half a foot more than the middles of the feet.
	foot := 0.04 * soles[0].Height
	s.Front, s.Back = (front-back)/2+foot, (front-back)/2+foot
	s.Middle = s.Forward.Mul((front + back) / 2).Add(side.Mul((left + right) / 2)).Add(up.Mul(level))
	s.Belly = 0.3 * soles[0].Height
	return s, nil
}

// Soles are what NewStance was given.
func (s *Stance) Soles() []Sole { return s.soles }

// Reset has the next update begin anew, as after a teleport.
func (s *Stance) Reset() { s.begun = false }

// person is the height, metres, of whom speeds and tolerances are meant for; those
// of others go by theirs.
const person = 1.8

// Modify is called by the animator.
func (s *Stance) Modify(dt float32, a *animation.Animator) error {
	world := a.Place()
	size := world.Col(1).Vec3().Len() * s.soles[0].Height // metres
	rise := toModel(&world)
	if x := rise[0] + rise[1] + rise[2]; !(size > 0) || x-x != 0 {
		return fmt.Errorf("%w: a body stands at world matrix %v", animation.ErrJob, world)
	}
	if s.Ground == nil || s.Samples < 0 {
		return fmt.Errorf("%w: a stance on ground %v by %d samples", animation.ErrJob, s.Ground, s.Samples)
	}
	if s.joints != len(a.Model()) {
		for i := range s.soles {
			if err := s.soles[i].fits(len(a.Model())); err != nil {
				return err
			}
		}
		s.joints = len(a.Model())
	}
	at := world.Col(3).Vec3()
	body := s.middles(&world, a.Model())
	moved := body.Sub(s.was)
	moved[1] = 0
	far := moved.Len()
	if s.begun && far > max(1, 30*dt)*size/person {
		s.begun = false
	}
	s.was = body
	// How fast heights may change: ground of 45° ahead, and a step down a ledge.
	reach := far + 2*dt*size/person

	own := s.own(&world, a.Model())
	s.learnFloor(own, dt, size)

	s.Rise = 0
	if s.Follow && s.Mode != Airborne {
		if h, _, ok := s.Ground.Under(at); ok {
			if s.begun {
				h = s.entity + min(max(h-s.entity, -reach), reach)
			}
			s.Rise = h - at[1]
		}
	}
	s.entity = at[1] + s.Rise
	world[13] += s.Rise

	// keep is how high over the ground the clip has the body.
	keep := max(own-s.floor, 0)
	if s.Mode == Planted {
		keep = 0
	}
	line := float32(math.Inf(-1))
	if s.Tilt > 0 && s.Front+s.Back > 0 {
		line = s.lean(a, &world, dt)
		for i := range s.soles {
			s.soles[i].place(a.Model(), &world, s.points[i])
		}
	} else {
		for i := range s.points {
			for v := range s.points[i] {
				s.points[i][v][1] += s.Rise
			}
		}
	}
	need := keep
	bend := s.bends()
	if !bend || s.Feet.Weight < 1 {
		need += s.need()
	}
	if s.Mode == Airborne {
		need = max(need-keep, 0)
	}
	if bend {
		need += (s.Feet.plan(s, a, &world, dt, size) - need) * s.Feet.Weight
	}
	if l := line - s.Belly*size/s.soles[0].Height; s.Mode != Airborne && l > need {
		need = l
	}
	if need-need != 0 { // no ground
		need = 0
	}
	standing := world[13] + need
	if s.begun {
		standing = s.standing + min(max(standing-s.standing, -reach), reach)
		if s.Mode == Airborne {
			standing = max(standing, world[13])
		}
	}
	s.standing, s.begun = standing, true
	s.Lift = standing - world[13]
	shift(a, rise.Mul(s.Lift))
	if !bend {
		s.Clearance = s.clear + s.Lift
		return nil
	}
	if err := s.Feet.bend(s, a, &world, size); err != nil {
		return err
	}
	s.Clearance = float32(math.Inf(1))
	for i := range s.Feet.feet {
		s.Clearance = min(s.Clearance, s.Feet.feet[i].clear)
	}
	return nil
}

// bends tells whether there is foot IK in this update.
func (s *Stance) bends() bool {
	if s.Feet == nil || !(s.Feet.Weight > 0) || s.Mode == Airborne || len(s.Feet.feet) != len(s.soles) {
		return false
	}
	for i := range s.soles {
		if !s.soles[i].CanBend() {
			return false
		}
	}
	return true
}

// middles is the middle of the feet, in the world.
func (s *Stance) middles(world *mgl32.Mat4, model []mgl32.Mat4) mgl32.Vec3 {
	var sum mgl32.Vec3
	for i := range s.soles {
		sum = sum.Add(model[s.soles[i].Foot.Foot].Col(3).Vec3())
	}
	return place(world, sum.Mul(1/float32(len(s.soles))))
}

// need is how far the body as it is now must rise so that its lowest sole touches.
func (s *Stance) need() float32 {
	s.clear = float32(math.Inf(1))
	for i := range s.soles {
		c, _ := clearance(s.Ground, s.Samples, s.points[i], mgl32.Vec3{})
		s.clear = min(s.clear, c)
	}
	return -s.clear
}

// own places the soles and is how high the clip has the lowest over the entity's
// origin, metres along +Y.
func (s *Stance) own(world *mgl32.Mat4, model []mgl32.Mat4) float32 {
	least := float32(math.Inf(1))
	for i := range s.soles {
		s.soles[i].place(model, world, s.points[i])
		own := float32(math.Inf(1))
		for _, p := range s.points[i] {
			own = min(own, p[1]-world[13])
		}
		if s.Feet != nil && i < len(s.Feet.feet) {
			s.Feet.feet[i].own = own
		}
		least = min(least, own)
	}
	return least
}

// learnFloor follows how low the clip's soles reach.
func (s *Stance) learnFloor(own, dt, size float32) {
	rest := float32(math.Inf(1))
	for i := range s.soles {
		rest = min(rest, s.soles[i].Level)
	}
	if !s.begun {
		s.floor = rest * size / s.soles[0].Height
		if abs(own-s.floor) > 0.3*size { // stands on another level than it rests
			s.floor = own
		}
	}
	unit := size / person
	s.aloft += dt
	switch {
	case own < s.floor:
		s.floor, s.aloft = own, 0
	case own < s.floor+0.05*unit:
		s.floor, s.aloft = min(own, s.floor+0.1*dt*unit), 0
	case s.aloft > aloft: // no jump: its legs have become shorter, say
		s.floor = min(own, s.floor+0.4*dt*unit)
	}
}

// aloft is longer than people stay in the air by themselves, seconds.
const aloft = 1.2

// lean pitches the body along its slope and returns how far it must rise so that
// none of the five points is pierced.
func (s *Stance) lean(a *animation.Animator, world *mgl32.Mat4, dt float32) float32 {
	forward := mgl32.TransformNormal(s.Forward, *world)
	scale := forward.Len()
	forward[1] = 0
	if !(forward.LenSqr() > 1e-6*scale*scale) {
		return float32(math.Inf(-1))
	}
	forward = forward.Normalize()
	middle := place(world, s.Middle)
	s.slope = Slope{Ground: s.Ground, At: middle, Heading: forward, Front: s.Front * scale, Back: s.Back * scale}
	if s.slope.Run() != nil || !s.slope.Ok {
		s.slope.Ok, s.slope.Pitch = false, 0
	}
	pitch := min(max(s.slope.Pitch, -s.MaxTilt), s.MaxTilt) * s.Tilt
	if s.Mode == Airborne {
		pitch = s.pitch
	}
	if s.begun { // 120°/s
		pitch = s.pitch + min(max(pitch-s.pitch, -2.1*dt), 2.1*dt)
	}
	s.pitch, s.Pitch = pitch, pitch
	// About the body's own side axis.
	q := worldTurn(world, up.Cross(forward), -pitch)
	turnAbout(a, q, s.Middle)
	if !s.slope.Ok {
		return float32(math.Inf(-1))
	}
	return s.slope.Height - middle[1]
}

// mirrored is the rotation of a mirrored model's space that turns the world about an
// axis: angles change their sign.
func mirrored(world *mgl32.Mat4, axis mgl32.Vec3, angle float32) mgl32.Quat {
	in := mgl32.TransformNormal(axis, world.Inv()).Normalize()
	return mgl32.QuatRotate(-angle, in)
}

// toModel is the vector of model space that is a metre along the world's +Y.
func toModel(world *mgl32.Mat4) mgl32.Vec3 {
	return mgl32.TransformNormal(up, world.Inv())
}

// shift moves the whole body, roots and matrices, by a vector of model space.
func shift(a *animation.Animator, by mgl32.Vec3) {
	pose, s, model := a.Pose(), a.Skeleton(), a.Model()
	for j, parent := range s.Parents {
		model[j][12] += by[0]
		model[j][13] += by[1]
		model[j][14] += by[2]
		if parent < 0 {
			if _, whole := s.RestMatrix[int32(j)]; whole && !pose.Moved[j] {
				continue // a matrix stands in for its Local
			}
			pose.Local[j].Translation = pose.Local[j].Translation.Add(by)
			pose.Moved[j] = true
		}
	}
}

// turnAbout turns the whole body about a point of model space.
func turnAbout(a *animation.Animator, q mgl32.Quat, pivot mgl32.Vec3) {
	pose, s, model := a.Pose(), a.Skeleton(), a.Model()
	turn := q.Mat4()
	by := pivot.Sub(q.Rotate(pivot))
	turn[12], turn[13], turn[14] = by[0], by[1], by[2]
	for j, parent := range s.Parents {
		model[j] = turn.Mul4(model[j])
		if parent < 0 {
			if _, whole := s.RestMatrix[int32(j)]; whole && !pose.Moved[j] {
				continue
			}
			x := &pose.Local[j]
			x.Translation = q.Rotate(x.Translation).Add(by)
			x.Rotation = q.Mul(x.Rotation).Normalize()
			pose.Moved[j] = true
		}
	}
}
