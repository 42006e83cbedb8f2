package spring

import (
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// place brings a collider to the world.
func (s *shape) place(m *mgl32.Mat4) {
	s.a = mgl32.TransformCoordinate(s.offset, *m)
	s.b = s.a
	if s.capsule {
		s.b = mgl32.TransformCoordinate(s.tail, *m)
	}
	s.r = s.radius * reach(m)
}

// reach is the largest factor that m scales a length by along its axes.
func reach(m *mgl32.Mat4) float32 {
	x := max(m.Col(0).Vec3().LenSqr(), m.Col(1).Vec3().LenSqr(), m.Col(2).Vec3().LenSqr())
	return float32(math.Sqrt(float64(x)))
}

// middle is the point of the collider's line that is nearest to p.
func (s *shape) middle(p mgl32.Vec3) mgl32.Vec3 {
	if !s.capsule {
		return s.a
	}
	line := s.b.Sub(s.a)
	l := line.LenSqr()
	if l == 0 {
		return s.a
	}
	return s.a.Add(line.Mul(min(max(p.Sub(s.a).Dot(line)/l, 0), 1)))
}

// keepOut turns the unit direction way about head until the tail, at that length
// and with radius hit, is out of the chain's colliders. Where they leave no room it
// ends where the last one put it.
func (st *State) keepOut(p *particle, head, way mgl32.Vec3, length, hit float32) mgl32.Vec3 {
	// Out of one collider may be into another, and the nearest point of a capsule
	// moves along as the tail does.
	const rounds = 8
	for range rounds {
		clear := true
		for _, i := range p.colliders {
			s := &st.shapes[i]
			r := s.r + hit
			tail := head.Add(way.Mul(length))
			c := s.middle(tail)
			if d := tail.Sub(c).LenSqr(); !(d < r*r*(1-1e-4)) {
				continue
			}
			clear = false
			way = turnOut(way, c.Sub(head), length, r)
		}
		if clear {
			break
		}
	}
	return way
}

// turnOut turns the unit direction way just so far away from c, a sphere's middle
// seen from the pivot, that a point at that length along it lies on the sphere: by
// the law of cosines. Where the sphere holds all such points it is away from c.
func turnOut(way, c mgl32.Vec3, length, r float32) mgl32.Vec3 {
	d := c.Len()
	if d == 0 || length == 0 {
		return way
	}
	toward := c.Mul(1 / d)
	cos := (d*d + length*length - r*r) / (2 * d * length)
	switch {
	case cos >= 1:
		return way
	case cos <= -1:
		return toward.Mul(-1)
	}
	side := way.Sub(toward.Mul(way.Dot(toward)))
	if side.LenSqr() < 1e-12 { // straight at the middle: any side will do
		side = toward.Cross(mgl32.Vec3{1, 0, 0})
		if side.LenSqr() < 1e-4 {
			side = toward.Cross(mgl32.Vec3{0, 1, 0})
		}
	}
	sin := float32(math.Sqrt(float64(1 - cos*cos)))
	return toward.Mul(cos).Add(side.Normalize().Mul(sin))
}
