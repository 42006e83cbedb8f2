package ik

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// TwoBone turns Start and Mid so that End comes to Target: hip, knee, ankle, or
// shoulder, elbow, wrist. End keeps its own rotation in its parent's space.
type TwoBone struct {
	Rig
	Start, Mid, End int32      // each above the next
	Target          mgl32.Vec3 // model space
	// Pole is a point in model space that Mid points at, where HasPole is true;
	// else Mid keeps to its side.
	Pole    mgl32.Vec3
	HasPole bool
	// Hinge is the axis in Mid's space about which it bends where the chain lies
	// straight and there is no pole; zero is any. Positive turns fold the chain.
	Hinge mgl32.Vec3
	// Soft is the part of the chain's length, in (0, 1], up to which End follows
	// Target exactly. Beyond, it lags behind more and more and never quite
	// stretches, so that the knee does not snap. 0 counts as 1: no softness.
	Soft float32
	// Weight in [0, 1] is how far the joints go from where they were.
	Weight float32

	// Reached says after Run whether End is at Target.
	Reached bool
}

// Validate reports whether Run can work.
func (j *TwoBone) Validate() error {
	const what = "two-bone ik"
	if err := j.validate(what); err != nil {
		return err
	}
	chain := [3]int32{j.Start, j.Mid, j.End}
	if err := j.validateChain(what, chain[:]); err != nil {
		return err
	}
	if !(j.Soft >= 0 && j.Soft <= 1) {
		return fmt.Errorf("%w: %s with a soft limit of %v", animation.ErrJob, what, j.Soft)
	}
	if err := finite("target of "+what, j.Target, j.Pole, j.Hinge); err != nil {
		return err
	}
	return weight(what, j.Weight)
}

// Run bends the chain. A bone without length leaves it as it is.
func (j *TwoBone) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	j.Reached = false
	start, mid, end := j.at(j.Start), j.at(j.Mid), j.at(j.End)
	upper, lower := mid.Sub(start).Len(), end.Sub(mid).Len()
	whole := upper + lower
	if j.Weight == 0 || upper < 1e-6*whole || lower < 1e-6*whole || whole == 0 {
		return nil
	}
	wasStart, wasMid := j.Pose.Local[j.Start].Rotation, j.Pose.Local[j.Mid].Rotation
	way := j.Target.Sub(start)
	distance := soften(way.Len(), whole, j.Soft)
	distance = max(distance, abs(upper-lower))

	// The law of cosines gives Mid's angle.
	up, down := start.Sub(mid), end.Sub(mid)
	cos := (upper*upper + lower*lower - distance*distance) / (2 * upper * lower)
	want := math.Acos(float64(min(max(cos, -1), 1)))
	normal := up.Cross(down)
	is := math.Atan2(float64(normal.Len()), float64(up.Dot(down)))
	if normal.Len() < 1e-4*upper*lower {
		normal = j.fold(end.Sub(start), start)
	}
	j.turn(j.Mid, mgl32.QuatRotate(float32(want-is), normal.Normalize()))
	j.refresh(j.Mid, j.End)

	if way.Len() > 1e-6*whole {
		axis := way.Normalize()
		j.turn(j.Start, between(j.at(j.End).Sub(start), way))
		j.refresh(j.Start, j.Mid)
		if j.HasPole {
			j.turn(j.Start, about(axis, j.at(j.Mid).Sub(start), j.Pole.Sub(start)))
		}
	}
	if j.Weight < 1 {
		j.mix(j.Start, wasStart, j.Weight)
		j.mix(j.Mid, wasMid, j.Weight)
	}
	j.Pose.ToModelBelow(j.Skeleton, j.Start, j.Model)
	j.Reached = j.at(j.End).Sub(j.Target).Len() < 1e-3*whole
	return nil
}

// fold is the axis about which a straight chain bends.
func (j *TwoBone) fold(along, start mgl32.Vec3) mgl32.Vec3 {
	if j.HasPole {
		if n := along.Cross(j.Pole.Sub(start)); n.LenSqr() > 1e-12 {
			return n
		}
	}
	if j.Hinge != (mgl32.Vec3{}) {
		// A positive turn folds, which makes the angle at Mid smaller.
		n := mgl32.TransformNormal(j.Hinge, j.Model[j.Mid]).Mul(-1)
		if n.LenSqr() > 1e-12 {
			return n
		}
	}
	if along.LenSqr() < 1e-12 { // folded back upon itself
		along = j.at(j.Mid).Sub(start)
	}
	return anyAcross(along)
}

// soften is how far from Start the end goes for a target at a distance, of a chain
// of a length: exact up to soft·length, then an exponential approach to the length
// that continues value and slope.
func soften(distance, length, soft float32) float32 {
	if soft == 0 || soft >= 1 {
		return min(distance, length)
	}
	from := soft * length
	if distance <= from {
		return distance
	}
	room := length - from
	return length - room*float32(math.Exp(-float64((distance-from)/room)))
}

func abs(x float32) float32 { return max(x, -x) }
