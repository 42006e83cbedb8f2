package ik

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Fabrik turns the joints of a chain so that its last comes to a point, for tails,
// ropes and spines (Aristidou and Lasenby, "FABRIK: A fast, iterative solver for
// the Inverse Kinematics problem", 2011). The first joint stays where it is. Each
// joint turns the shortest way, so that twists are kept.
type Fabrik struct {
	Rig
	Chain  []int32      // each above the next; at least two
	Target mgl32.Vec3   // model space
	Points []mgl32.Vec3 // the caller's, at least as long as Chain: where joints go
	// Iterations is how often it goes there and back at most; 0 counts as 16.
	Iterations int
	Tolerance  float32 // metres at which it stops; 0 counts as a ten-thousandth of the chain
	Weight     float32 // in [0, 1]: how far the last joint goes from where it was

	// Reached says after Run whether the last joint is within Tolerance.
	Reached bool
}

// Validate reports whether Run can work.
func (j *Fabrik) Validate() error {
	if err := j.validate("fabrik"); err != nil {
		return err
	}
	if err := j.validateChain("fabrik", j.Chain); err != nil {
		return err
	}
	if len(j.Chain) < 2 || len(j.Points) < len(j.Chain) {
		return fmt.Errorf("%w: fabrik with %d joints and room for %d points", animation.ErrJob, len(j.Chain), len(j.Points))
	}
	if j.Iterations < 0 || !(j.Tolerance >= 0) {
		return fmt.Errorf("%w: fabrik of %d iterations to %v m", animation.ErrJob, j.Iterations, j.Tolerance)
	}
	if err := finite("target of fabrik", j.Target); err != nil {
		return err
	}
	return weight("fabrik", j.Weight)
}

// Run bends the chain.
func (j *Fabrik) Run() error {
	if err := j.Validate(); err != nil {
		return err
	}
	n := len(j.Chain)
	p := j.Points[:n]
	var whole float32
	for i, joint := range j.Chain {
		if p[i] = j.at(joint); i > 0 {
			whole += p[i].Sub(p[i-1]).Len()
		}
	}
	if j.Weight == 0 || whole == 0 {
		return nil
	}
	root := p[0]
	goal := p[n-1].Lerp(j.Target, j.Weight)
	tolerance := j.Tolerance
	if tolerance == 0 {
		tolerance = 1e-4 * whole
	}
	if way := goal.Sub(root); way.Len() >= whole {
		dir := way.Normalize()
		for i := 1; i < n; i++ {
			p[i] = p[i-1].Add(dir.Mul(j.length(i)))
		}
	} else {
		j.unbend(p, way, whole)
		rounds := j.Iterations
		if rounds == 0 {
			rounds = 16
		}
		for range rounds {
			if p[n-1].Sub(goal).Len() <= tolerance {
				break
			}
			p[n-1] = goal
			for i := n - 2; i >= 0; i-- {
				p[i] = p[i+1].Add(toward(p[i+1], p[i]).Mul(j.length(i + 1)))
			}
			p[0] = root
			for i := 1; i < n; i++ {
				p[i] = p[i-1].Add(toward(p[i-1], p[i]).Mul(j.length(i)))
			}
		}
	}
	for i := range n - 1 {
		a, b := j.Chain[i], j.Chain[i+1]
		j.turn(a, between(j.at(b).Sub(j.at(a)), p[i+1].Sub(p[i])))
		j.refresh(a, j.Chain[min(i+2, n-1)]) // as far as the next turn reads
	}
	j.Pose.ToModelBelow(j.Skeleton, j.Chain[0], j.Model)
	j.Reached = j.at(j.Chain[n-1]).Sub(j.Target).Len() <= 2*tolerance
	return nil
}

// length is that of the bone that ends at joint i of the chain; turning a chain
// keeps it, so it is read from the matrices as they stand.
func (j *Fabrik) length(i int) float32 { return j.at(j.Chain[i]).Sub(j.at(j.Chain[i-1])).Len() }

// unbend bows a chain that lies straight along the way to its goal; nothing else
// would give it a side to bend to.
func (j *Fabrik) unbend(p []mgl32.Vec3, way mgl32.Vec3, whole float32) {
	if way.LenSqr() < 1e-12 {
		return
	}
	dir := way.Normalize()
	var off float32
	for i := 1; i < len(p); i++ {
		off = max(off, across(p[i].Sub(p[0]), dir).Len())
	}
	if off > 1e-4*j.length(1) {
		return
	}
	side := anyAcross(dir).Mul(0.4 * float32(math.Sqrt(float64(max(whole*whole-way.LenSqr(), 0)))))
	for i := 1; i < len(p)-1; i++ {
		u := float64(i) / float64(len(p)-1)
		p[i] = p[0].Add(way.Mul(float32(u))).Add(side.Mul(float32(math.Sin(math.Pi * u))))
	}
}

// toward is the direction from one point to another, any where they are one.
func toward(from, to mgl32.Vec3) mgl32.Vec3 {
	v := to.Sub(from)
	if v.LenSqr() < 1e-16 {
		return mgl32.Vec3{0, 1, 0}
	}
	return v.Normalize()
}
