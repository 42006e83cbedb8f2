package walk

import (
	"errors"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/ground"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrBody is wrapped by the errors of bodies that cannot walk, and of speeds that
// their legs cannot reach.
var ErrBody = errors.New("walk: unsuitable")

// Body is what is known of a rig that walks. It is immutable and shared.
type Body struct {
	skeleton *animation.Skeleton
	legs     []leg
	arms     []arm
	pelvis   int32      // the joint in which the legs meet, that carries the body
	forward  mgl32.Vec3 // unit, horizontal
	left     mgl32.Vec3
	length   float32 // of the shortest leg from hip to ankle, stretched
	duty     float64 // share of its cycle that a foot stands
}

type leg struct {
	hip, knee, foot int32
	name            string
	reach           float32    // upper and lower leg
	at              mgl32.Vec3 // the hip at rest, model space
	ankle           mgl32.Vec3 // the foot joint at rest
	turn            mgl32.Quat // model space, at rest
	bend            mgl32.Vec3 // unit: the way the knee points
	toes            float32    // metres from ankle to the sole's end
	sole            *ground.Sole
	touching        []int32    // vertices of the sole that touch the ground at rest
	middle          mgl32.Vec3 // of those, from the ankle
	offset          float64    // of the phase
	side            int8
}

type arm struct {
	upper, lower int32
	side         int8
	hang         mgl32.Quat // model space: from rest to hanging down
	against      int        // the leg of the other side that it swings with; -1: none
}

// straight is the part of its length that a leg is stretched to at most.
const straight = 0.998

// NewBody finds what a walk needs in a rig: soles as ground.FindSoles finds them, at
// least two, on legs that bend. Errors wrap ErrBody, or animation.ErrJob for soles of
// another skeleton.
func NewBody(s *animation.Skeleton, soles []ground.Sole) (*Body, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(soles) < 2 {
		return nil, fmt.Errorf("%w: a body of %d feet; two are the least", ErrBody, len(soles))
	}
	model := make([]mgl32.Mat4, s.Len())
	animation.NewPose(s).ToModel(s, model)
	b := &Body{skeleton: s, forward: soles[0].Forward, duty: 0.51}
	if b.forward = level(b.forward); b.forward == (mgl32.Vec3{}) {
		b.forward = mgl32.Vec3{0, 0, 1}
	}
	b.left = mgl32.Vec3{0, 1, 0}.Cross(b.forward)
	rows := int8(0)
	for i := range soles {
		if err := soles[i].Fits(s); err != nil {
			return nil, err
		}
		rows = max(rows, soles[i].Row+1)
	}
	if rows > 1 {
		b.duty = 0.65
	}
	for i := range soles {
		l, err := b.leg(&soles[i], model, rows)
		if err != nil {
			return nil, err
		}
		b.legs = append(b.legs, l)
		if b.length == 0 || l.reach < b.length {
			b.length = l.reach
		}
	}
	b.pelvis = b.legs[0].hip
	for _, l := range b.legs {
		b.pelvis = above(s, b.pelvis, l.hip)
	}
	for _, l := range b.legs {
		if b.pelvis == l.hip {
			b.pelvis = s.Parents[l.hip]
		}
	}
	if b.pelvis < 0 {
		return nil, fmt.Errorf("%w: the legs meet in no joint", ErrBody)
	}
	if model[b.pelvis].Det() == 0 {
		return nil, fmt.Errorf("%w: joint %q has a scale of 0", ErrBody, s.Names[b.pelvis])
	}
	if rows == 1 {
		b.findArms(model)
	}
	return b, nil
}

// leg measures one leg at rest.
func (b *Body) leg(sole *ground.Sole, model []mgl32.Mat4, rows int8) (leg, error) {
	f := &sole.Foot
	if !f.CanBend() {
		return leg{}, fmt.Errorf("%w: the foot %q has no hip and knee above it", ErrBody, f.Name)
	}
	l := leg{hip: f.Hip, knee: f.Knee, foot: f.Foot, name: f.Name, side: f.Side}
	at := func(j int32) mgl32.Vec3 { return model[j].Col(3).Vec3() }
	l.at, l.ankle = at(l.hip), at(l.foot)
	upper, lower := at(l.knee).Sub(l.at).Len(), l.ankle.Sub(at(l.knee)).Len()
	l.reach = upper + lower
	if !(upper > 1e-3*l.reach && lower > 1e-3*l.reach) || l.at[1] <= l.ankle[1] {
		return l, fmt.Errorf("%w: the leg of the foot %q has bones of %.3g and %.3g m", ErrBody, f.Name, upper, lower)
	}
	_, l.turn, _ = model[l.foot].Decompose()
	// The knee points where it does at rest, or, of a straight leg, forward.
	way := l.ankle.Sub(l.at).Normalize()
	l.bend = at(l.knee).Sub(l.at)
	l.bend = l.bend.Sub(way.Mul(l.bend.Dot(way)))
	if l.bend.Len() < 0.02*l.reach {
		l.bend = b.forward
	}
	l.bend = l.bend.Normalize()
	for i := range sole.Len() {
		l.toes = max(l.toes, sole.At(i, model).Sub(l.ankle).Dot(b.forward))
	}
	l.sole = sole
	for i := range sole.Len() {
		if p := sole.At(i, model); p[1] <= sole.Level+0.01*l.reach {
			l.touching = append(l.touching, int32(i))
			l.middle = l.middle.Add(p.Sub(l.ankle))
		}
	}
	l.middle = l.middle.Mul(1 / float32(max(len(l.touching), 1)))
	if l.side < 0 {
		l.offset = 0.5
	}
	// The hind foot of a side comes down before the front one, a quarter cycle or, of
	// more rows, as much as makes a wave.
	l.offset += 0.5 * float64(f.Row) / float64(rows)
	l.offset -= math.Floor(l.offset)
	return l, nil
}

// above is the lowest joint that has both below it or is one of them; -1 for none.
func above(s *animation.Skeleton, a, b int32) int32 {
	for a != b {
		if a > b {
			a = s.Parents[a]
		} else {
			b = s.Parents[b]
		}
		if a < 0 || b < 0 {
			return -1
		}
	}
	return a
}

func level(v mgl32.Vec3) mgl32.Vec3 {
	v[1] = 0
	if l := v.Len(); l > 1e-6 {
		return v.Mul(1 / l)
	}
	return mgl32.Vec3{}
}

// findArms finds on either side the chain that reaches farthest aside, apart from the
// legs, and of it the two long bones that follow one another: the arm.
func (b *Body) findArms(model []mgl32.Mat4) {
	s := b.skeleton
	n := s.Len()
	middle := model[b.pelvis].Col(3).Vec3()
	inLeg, spread := make([]bool, n), make([]bool, n) // spread: has joints of both sides below
	lo, hi := make([]float32, n), make([]float32, n)
	aside := make([]float32, n)
	for j := range n {
		if p := s.Parents[j]; p >= 0 {
			inLeg[j] = inLeg[p]
		}
		for _, l := range b.legs {
			inLeg[j] = inLeg[j] || int32(j) == l.hip
		}
		aside[j] = model[j].Col(3).Vec3().Sub(middle).Dot(b.left)
		lo[j], hi[j] = aside[j], aside[j]
	}
	for j := n - 1; j >= 0; j-- {
		if p := s.Parents[j]; p >= 0 && !inLeg[j] {
			lo[p], hi[p] = min(lo[p], lo[j]), max(hi[p], hi[j])
		}
	}
	for j := range n {
		spread[j] = lo[j] < -0.1*b.length && hi[j] > 0.1*b.length
	}
	for side := int8(1); side >= -1; side -= 2 {
		tip, far := int32(-1), 0.2*b.length
		for j := range n {
			if x := aside[j] * float32(side); !inLeg[j] && x > far && b.hangs(int32(j)) {
				tip, far = int32(j), x
			}
		}
		var chain []int32 // from the tip up
		for j := tip; j >= 0 && !spread[j]; j = s.Parents[j] {
			chain = append(chain, j)
		}
		best, at := float32(0), -1
		for i := 2; i < len(chain); i++ {
			p := func(k int) mgl32.Vec3 { return model[chain[k]].Col(3).Vec3() }
			x, y := p(i-1).Sub(p(i)).Len(), p(i-2).Sub(p(i-1)).Len()
			if min(x, y) > 0.08*b.length && x+y > best {
				best, at = x+y, i
			}
		}
		if at < 0 {
			continue
		}
		a := arm{upper: chain[at], lower: chain[at-1], side: side, against: -1}
		rest := model[a.lower].Col(3).Vec3().Sub(model[a.upper].Col(3).Vec3())
		down := mgl32.Vec3{0, -1, 0}.Add(b.left.Mul(0.12 * float32(side)))
		a.hang = mgl32.QuatBetweenVectors(rest, down)
		for i, l := range b.legs {
			if l.side == -side {
				a.against = i
			}
		}
		b.arms = append(b.arms, a)
	}
}

// hangs tells whether a joint hangs on the pelvis or above it on the same spine.
func (b *Body) hangs(j int32) bool { return above(b.skeleton, j, b.pelvis) >= 0 }

// Feet are the names of the feet, in the order of Walker.Foot.
func (b *Body) Feet() []string {
	out := make([]string, len(b.legs))
	for i := range b.legs {
		out[i] = b.legs[i].name
	}
	return out
}

const gravity = 9.81 // m/s²

// most is how far a foot may be from under its hip, in legs.
const most = 0.5

// Cycle is how long a cycle takes at a speed, in seconds, and how far it goes, in
// metres. People take steps that grow with the speed as its square root does, 0.35 m a
// step a second (the walk ratio; Sekiya and Nagasaki, "Reproducibility of the walking
// patterns of normal young adults", 1998); legs of other lengths walk alike at like
// Froude numbers.
func (b *Body) Cycle(speed float32) (seconds, metres float64) {
	v, l := math.Abs(float64(speed)), float64(b.length)
	unit := math.Sqrt(l / gravity)
	slowest := 5.5 * unit
	metres = 2 * math.Sqrt(v*1.28*l*unit)
	metres = min(metres, v*slowest, 2*most*l/b.duty)
	if v == 0 || metres == 0 {
		return slowest, 0
	}
	return metres / v, metres
}

// MaxSpeed is the fastest that the legs walk: metres a second.
func (b *Body) MaxSpeed() float32 {
	quickest := 1.6 * math.Sqrt(float64(b.length)/gravity)
	return float32(2 * most * float64(b.length) / b.duty / quickest)
}
