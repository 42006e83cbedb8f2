package ground

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// Contact measures how a body stands: each sole vertex is skinned and held against
// the ground under it. Only the first Run allocates.
type Contact struct {
	Soles  []Sole
	Model  []mgl32.Mat4 // of the pose: model space from joint space, by joint
	World  mgl32.Mat4   // world space from model space
	Ground Ground
	// Samples is how many vertices of a foot are held against the ground itself, the
	// lowest; the others against a plane through what is under the middle of the
	// foot. 0 is all. Ground that is dear to ask, as by rays, takes a few.
	Samples int

	// Clearance says after Run how high the lowest vertex is over the ground under
	// it, metres along +Y in the world, negative below. It is +Inf where there is no
	// ground.
	Clearance float32
	// Sole and Point are which sole has that vertex, and where it is in the world.
	Sole  int
	Point mgl32.Vec3

	points []mgl32.Vec3
}

// Validate reports whether Run can work.
func (c *Contact) Validate() error {
	if c.Ground == nil || len(c.Soles) == 0 {
		return fmt.Errorf("%w: contact needs ground and soles", animation.ErrJob)
	}
	if c.Samples < 0 {
		return fmt.Errorf("%w: contact by %d samples", animation.ErrJob, c.Samples)
	}
	for i := range c.Soles {
		if err := c.Soles[i].fits(len(c.Model)); err != nil {
			return err
		}
	}
	var x float32
	for _, v := range c.World {
		x += v - v
	}
	if x != 0 {
		return fmt.Errorf("%w: contact at world matrix %v", animation.ErrJob, c.World)
	}
	return nil
}

// Run measures.
func (c *Contact) Run() error {
	if err := c.Validate(); err != nil {
		return err
	}
	c.Clearance, c.Sole, c.Point = float32(math.Inf(1)), 0, mgl32.Vec3{}
	for i := range c.Soles {
		if clear, at := c.of(&c.Soles[i]); clear < c.Clearance {
			c.Clearance, c.Sole, c.Point = clear, i, at
		}
	}
	return nil
}

// of is the least clearance of one sole, and where.
func (c *Contact) of(s *Sole) (least float32, point mgl32.Vec3) {
	for len(c.points) < s.Len() {
		c.points = append(c.points, mgl32.Vec3{})
	}
	points := c.points[:s.Len()]
	s.place(c.Model, &c.World, points)
	return clearance(c.Ground, c.Samples, points, mgl32.Vec3{})
}

// place writes where a sole's vertices are in the world.
func (s *Sole) place(model []mgl32.Mat4, world *mgl32.Mat4, out []mgl32.Vec3) {
	for i := range out {
		out[i] = place(world, s.At(i, model))
	}
}

// clearance is the least height of a sole's points over some ground, all moved by a
// vector, and where that is; +Inf where there is no ground.
func clearance(g Ground, samples int, points []mgl32.Vec3, by mgl32.Vec3) (least float32, point mgl32.Vec3) {
	least = float32(math.Inf(1))
	if samples == 0 || samples >= len(points) {
		cheap, ok := g.(Heights)
		for i := range points {
			p := &points[i]
			at := mgl32.Vec3{p[0] + by[0], p[1] + by[1], p[2] + by[2]}
			var h float32
			var there bool
			if ok {
				h, there = cheap.Height(at)
			} else {
				h, _, there = g.Under(at)
			}
			if there && at[1]-h < least {
				least, point = at[1]-h, at
			}
		}
		return least, point
	}
	middle := mean(points).Add(by)
	h, n, ok := g.Under(middle)
	if !ok || n[1] < 0.1 {
		n = up
	}
	// The lowest over the plane are asked for in turn: each time the next that lies
	// no lower than the last.
	last, done := float32(math.Inf(-1)), -1
	for range samples {
		next, best := float32(math.Inf(1)), -1
		for i, at := range points {
			at = at.Add(by)
			o := at[1] - h + ((at[0]-middle[0])*n[0]+(at[2]-middle[2])*n[2])/n[1]
			if (o > last || o == last && i > done) && o < next {
				next, best = o, i
			}
		}
		if best < 0 {
			break
		}
		last, done = next, best
		at := points[best].Add(by)
		if h, ok := height(g, at); ok && at[1]-h < least {
			least, point = at[1]-h, at
		}
	}
	return least, point
}

// mean is the middle of points.
func mean(points []mgl32.Vec3) mgl32.Vec3 {
	var sum mgl32.Vec3
	for _, p := range points {
		sum = sum.Add(p)
	}
	return sum.Mul(1 / float32(len(points)))
}

// place brings a point from model space to the world.
func place(m *mgl32.Mat4, p mgl32.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{
		m[0]*p[0] + m[4]*p[1] + m[8]*p[2] + m[12],
		m[1]*p[0] + m[5]*p[1] + m[9]*p[2] + m[13],
		m[2]*p[0] + m[6]*p[1] + m[10]*p[2] + m[14],
	}
}
