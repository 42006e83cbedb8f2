package main

import "math"

// A field is negative inside a body, positive outside, and near its surface
// about the distance to it in metres.
type field func(vec) float64

// smin is a union of two fields that fillets their seam over about k metres
// (Quilez, "smooth minimum", the cubic one).
func smin(a, b, k float64) float64 {
	h := max(k-math.Abs(a-b), 0) / k
	return min(a, b) - h*h*h*k/6
}

// smax is the intersection that goes with smin.
func smax(a, b, k float64) float64 { return -smin(-a, -b, k) }

// ball is an ellipsoid with radii r about c (a first-order distance).
func ball(c, r vec) field {
	inv := vec{1 / r[0], 1 / r[1], 1 / r[2]}
	inv2 := inv.scale(inv)
	return func(p vec) float64 {
		q := p.sub(c)
		k0, k1 := q.scale(inv).len(), q.scale(inv2).len()
		if k1 == 0 {
			return -min(r[0], r[1], r[2])
		}
		return k0 * (k0 - 1) / k1
	}
}

// cone is a round cone: spheres of radius ra at a and rb at b, and their hull
// (Quilez, "round cone").
func cone(a, b vec, ra, rb float64) field {
	ba := b.sub(a)
	l2, rr := ba.dot(ba), ra-rb
	a2, il2 := l2-rr*rr, 1/l2
	return func(p vec) float64 {
		pa := p.sub(a)
		y := pa.dot(ba)
		z := y - l2
		x := pa.mul(l2).sub(ba.mul(y))
		x2 := x.dot(x)
		y2, z2 := y*y*l2, z*z*l2
		k := math.Copysign(rr*rr*x2, rr)
		if math.Copysign(a2*z2, z) > k {
			return math.Sqrt(x2+z2)*il2 - rb
		}
		if math.Copysign(a2*y2, y) < k {
			return math.Sqrt(x2+y2)*il2 - ra
		}
		return (math.Sqrt(x2*a2*il2)+y*rr)*il2 - ra
	}
}

// slab is a box of half size h about c with edges rounded by r.
func slab(c, h vec, r float64) field {
	return func(p vec) float64 {
		q := p.sub(c)
		for i := range q {
			q[i] = math.Abs(q[i]) - h[i] + r
		}
		out := vec{max(q[0], 0), max(q[1], 0), max(q[2], 0)}
		return out.len() + min(max(q[0], q[1], q[2]), 0) - r
	}
}

// squash shrinks f about c along one axis, the others untouched.
func squash(f field, c vec, axis int, s float64) field {
	return func(p vec) float64 {
		p[axis] = c[axis] + (p[axis]-c[axis])/s
		return f(p) * min(s, 1)
	}
}

// lump is one member of a blend: a field and how softly it joins those before.
type lump struct {
	f field
	k float64
}

func blend(lumps ...lump) field {
	return func(p vec) float64 {
		d := lumps[0].f(p)
		for _, l := range lumps[1:] {
			d = smin(d, l.f(p), l.k)
		}
		return d
	}
}

// gradient is the unit outward normal of f at p.
func gradient(f field, p vec) vec {
	const e = 5e-4
	var g vec
	for i := range g {
		a, b := p, p
		a[i] += e
		b[i] -= e
		g[i] = f(a) - f(b)
	}
	return g.unit()
}

// settle moves p onto the zero surface of f.
func settle(f field, p vec) vec {
	const e = 5e-4
	for range 3 {
		var g vec
		for i := range g {
			a, b := p, p
			a[i] += e
			b[i] -= e
			g[i] = (f(a) - f(b)) / (2 * e)
		}
		if g2 := g.dot(g); g2 > 1e-6 {
			p = p.sub(g.mul(f(p) / g2))
		}
	}
	return p
}
