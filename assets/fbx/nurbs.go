package fbx

import "math"

// A NURBS surface is drawn as quads, Step of them a knot span, as Autodesk's SDK
// cuts it. Evaluation is Cox and de Boor's (Piegl and Tiller, "The NURBS Book",
// algorithm A2.2).

// knots is one direction of a surface.
type knots struct {
	order  int
	values []float64
	count  int // control points, wrapped ones too
	wrap   int // control points in the file
}

const (
	mostOrder = 16
	mostStep  = 16
)

// nurbs reads a surface as a mesh; nil where it makes no sense.
func (l *loader) nurbs(o *object) *geometry {
	e := o.el
	points := e.child("Points").floats()
	order, size, step := e.child("NurbsSurfaceOrder").ints(), e.child("Dimensions").ints(), e.child("Step").ints()
	if len(points) < 4 || len(order) < 2 || len(size) < 2 {
		return nil
	}
	var dir [2]knots
	for i, name := range [2]string{"KnotVectorU", "KnotVectorV"} {
		k := &dir[i]
		if order[i] < 2 || order[i] > mostOrder || size[i] < 1 || size[i] > int64(len(points)/4) {
			return nil
		}
		k.order, k.wrap, k.values = int(order[i]), int(size[i]), e.child(name).floats()
		k.count = len(k.values) - k.order
		if e.child("Form").text(i) != "Periodic" {
			k.count = min(k.count, k.wrap)
		}
		if k.count < k.order {
			return nil
		}
		for j, x := range k.values {
			if math.IsNaN(x) || math.IsInf(x, 0) || j > 0 && x < k.values[j-1] {
				return nil
			}
		}
	}
	if dir[0].wrap > len(points)/4/dir[1].wrap {
		return nil
	}
	steps := [2]int{4, 4}
	for i := range steps {
		if i < len(step) && step[i] > 0 {
			steps[i] = int(min(step[i], mostStep))
		}
	}
	u, v := dir[0].samples(steps[0]), dir[1].samples(steps[1])
	if len(u) < 2 || len(v) < 2 || !l.pay(int64(len(u))*int64(len(v))*200, o.where(), e.at) {
		return nil
	}
	g := &geometry{obj: o}
	normals := &layer1{width: 3, mapping: byPoint}
	uv := &layer1{width: 2, mapping: byPoint}
	at := func(s, t float64) vec3 { return surface(&dir, points, s, t) }
	for j, t := range v {
		for i, s := range u {
			p := at(s, t)
			// Slopes from inside the surface.
			h, k := (u[len(u)-1]-u[0])*1e-5, (v[len(v)-1]-v[0])*1e-5
			if i > 0 {
				h = -h
			}
			if j > 0 {
				k = -k
			}
			n := at(s+h, t).sub(p).mul(1 / h).cross(at(s, t+k).sub(p).mul(1 / k)).unit()
			for c := range p {
				if math.IsNaN(p[c]) || math.Abs(p[c]) > 1e30 {
					p[c] = 0
				}
			}
			g.points = append(g.points, p)
			normals.values = append(normals.values, n[:]...)
			uv.values = append(uv.values, float64(i)/float64(len(u)-1), float64(j)/float64(len(v)-1))
		}
	}
	width := int32(len(u))
	flip := e.child("FlipNormals").int(0) != 0
	for j := range int32(len(v) - 1) {
		for i := range width - 1 {
			a := j*width + i
			quad := [4]int32{a, a + 1, a + 1 + width, a + width}
			if flip {
				quad[1], quad[3] = quad[3], quad[1]
			}
			g.polygons = append(g.polygons, polygon{int32(len(g.corners)), 4, int32(len(g.polygons))})
			g.corners = append(g.corners, quad[:]...)
		}
	}
	if flip {
		for i := range normals.values {
			normals.values[i] = -normals.values[i]
		}
	}
	g.normals, g.uv = normals, []*layer1{uv}
	if f := e.child("LayerElementMaterial"); f != nil {
		g.materials = l.layerElement(g, f, "Materials", "", 1)
	}
	return g
}

// samples cuts each knot span into steps, over where the curve is defined.
func (k *knots) samples(steps int) []float64 {
	var out []float64
	for i := k.order - 1; i < k.count; i++ {
		a, b := k.values[i], k.values[i+1]
		if b <= a {
			continue
		}
		for s := range steps {
			out = append(out, mix(a, b, float64(s)/float64(steps)))
		}
	}
	if len(out) > 0 {
		out = append(out, k.values[k.count])
	}
	return out
}

// basis sets the weights of the control points that count at x, and returns the
// first of them.
func (k *knots) basis(x float64, n *[mostOrder]float64) int {
	p := k.order - 1
	span := p
	for lo, hi := p, k.count; lo < hi; { // the last span that begins at or before x
		mid := (lo + hi) / 2
		if k.values[mid] <= x {
			span, lo = mid, mid+1
		} else {
			hi = mid
		}
	}
	var left, right [mostOrder]float64
	n[0] = 1
	for j := 1; j <= p; j++ {
		left[j], right[j] = x-k.values[span+1-j], k.values[span+j]-x
		saved := 0.0
		for r := range j {
			t := 0.0
			if d := right[r+1] + left[j-r]; d != 0 {
				t = n[r] / d
			}
			n[r] = saved + right[r+1]*t
			saved = left[j-r] * t
		}
		n[j] = saved
	}
	return span - p
}

func surface(dir *[2]knots, points []float64, s, t float64) vec3 {
	var nu, nv [mostOrder]float64
	i0, j0 := dir[0].basis(s, &nu), dir[1].basis(t, &nv)
	var sum vec3
	weight := 0.0
	for j := range dir[1].order {
		for i := range dir[0].order {
			at := 4 * (((j0+j)%dir[1].wrap)*dir[0].wrap + (i0+i)%dir[0].wrap)
			w := nu[i] * nv[j] * points[at+3]
			sum = sum.add(vec3{points[at], points[at+1], points[at+2]}.mul(w))
			weight += w
		}
	}
	if weight == 0 {
		return sum
	}
	return sum.mul(1 / weight)
}
