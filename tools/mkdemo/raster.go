package main

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
)

// shot is one picture: a camera, and the triangles before it.
type shot struct {
	name          string
	eye, look     vec
	fov           float64 // degrees, bottom to top
	width, height int
	tris          []triangle
}

var sunDir = vec{-0.48, 0.66, 0.62}.unit()

// project is a camera's screen place and depth of a point.
func (s shot) project(w, h float64) func(vec) vec {
	f := s.look.sub(s.eye).unit()
	r := f.cross(vec{0, 1, 0}).unit()
	u := r.cross(f)
	k := h / 2 / math.Tan(s.fov*math.Pi/360)
	return func(p vec) vec {
		d := p.sub(s.eye)
		z := d.dot(f)
		return vec{w/2 + k*d.dot(r)/z, h/2 - k*d.dot(u)/z, z}
	}
}

func raster(c [3]vec, w, h int, put func(x, y int, b [3]float64)) {
	area := (c[1][0]-c[0][0])*(c[2][1]-c[0][1]) - (c[1][1]-c[0][1])*(c[2][0]-c[0][0])
	if math.Abs(area) < 1e-12 {
		return
	}
	x0, x1 := max(int(min(c[0][0], c[1][0], c[2][0])), 0), min(int(max(c[0][0], c[1][0], c[2][0]))+1, w)
	y0, y1 := max(int(min(c[0][1], c[1][1], c[2][1])), 0), min(int(max(c[0][1], c[1][1], c[2][1]))+1, h)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			px, py := float64(x)+0.5, float64(y)+0.5
			var b [3]float64
			for k := range 3 {
				p, q := c[(k+1)%3], c[(k+2)%3]
				b[k] = ((q[0]-p[0])*(py-p[1]) - (q[1]-p[1])*(px-p[0])) / area
			}
			if b[0] >= 0 && b[1] >= 0 && b[2] >= 0 {
				put(x, y, b)
			}
		}
	}
}

func (s shot) draw(path string) error {
	const shadowSize, reach = 2048, 9.0
	sx := sunDir.cross(vec{0, 1, 0}).unit()
	sy := sx.cross(sunDir)
	half := min(reach, max(1.4, s.eye.sub(s.look).len()*0.8))
	light := func(p vec) vec {
		p = p.sub(s.look)
		return vec{(p.dot(sx)/half + 1) * shadowSize / 2, (p.dot(sy)/half + 1) * shadowSize / 2, -p.dot(sunDir)}
	}
	shadow := make([]float64, shadowSize*shadowSize)
	for i := range shadow {
		shadow[i] = math.Inf(1)
	}
	for _, t := range s.tris {
		var c [3]vec
		for k := range 3 {
			c[k] = light(t.c[k].pos)
		}
		raster(c, shadowSize, shadowSize, func(x, y int, b [3]float64) {
			z := b[0]*c[0][2] + b[1]*c[1][2] + b[2]*c[2][2]
			if i := y*shadowSize + x; z < shadow[i] {
				shadow[i] = z
			}
		})
	}
	const ss = 2
	w, h := s.width*ss, s.height*ss
	proj := s.project(float64(w), float64(h))
	depth := make([]float64, w*h)
	who := make([]int32, w*h)
	bary := make([][3]float64, w*h)
	for i := range depth {
		depth[i], who[i] = math.Inf(1), -1
	}
	for ti, t := range s.tris {
		n := t.c[1].pos.sub(t.c[0].pos).cross(t.c[2].pos.sub(t.c[0].pos))
		if n.dot(s.eye.sub(t.c[0].pos)) <= 0 {
			continue // back faces, so that wrong winding shows
		}
		var c [3]vec
		ok := true
		for k := range 3 {
			c[k] = proj(t.c[k].pos)
			ok = ok && c[k][2] > 0.05
		}
		if !ok {
			continue
		}
		raster(c, w, h, func(x, y int, b [3]float64) {
			for k := range 3 {
				b[k] /= c[k][2]
			}
			z := 1 / (b[0] + b[1] + b[2])
			if i := y*w + x; z < depth[i] {
				depth[i], who[i] = z, int32(ti)
				bary[i] = [3]float64{b[0] * z, b[1] * z, b[2] * z}
			}
		})
	}
	img := image.NewNRGBA(image.Rect(0, 0, s.width, s.height))
	for y := range s.height {
		for x := range s.width {
			var sum vec
			for k := range ss * ss {
				i := (y*ss+k/ss)*w + x*ss + k%ss
				if who[i] < 0 {
					t := float64(y) / float64(s.height)
					sum = sum.add(toneMap(vec{0.30, 0.46, 0.78}.lerp(vec{0.80, 0.88, 0.95}, t)))
					continue
				}
				sum = sum.add(toneMap(s.shade(s.tris[who[i]], bary[i], light, shadow, shadowSize)))
			}
			sum = sum.mul(1.0 / (ss * ss))
			img.SetNRGBA(x, y, color.NRGBA{uint8(sum[0]*255 + 0.5), uint8(sum[1]*255 + 0.5), uint8(sum[2]*255 + 0.5), 255})
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return png.Encode(f, img)
}

// toneMap is Narkowicz's fit of the ACES curve, then the sRGB transfer curve.
func toneMap(c vec) vec {
	for i, x := range c {
		x *= 0.8
		x = clamp(x*(2.51*x+0.03)/(x*(2.43*x+0.59)+0.14), 0, 1)
		if x <= 0.0031308 {
			c[i] = 12.92 * x
		} else {
			c[i] = 1.055*math.Pow(x, 1/2.4) - 0.055
		}
	}
	return c
}

func texel(img *image.NRGBA, u, v float64) color.NRGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	x, y := int(math.Floor(u*float64(w)))%w, int(math.Floor(v*float64(h)))%h
	return img.NRGBAAt((x+w)%w, (y+h)%h)
}

func (s shot) shade(t triangle, b [3]float64, light func(vec) vec, shadow []float64, size int) vec {
	var p, n, tint vec
	var u, v float64
	for k := range 3 {
		p, n = p.add(t.c[k].pos.mul(b[k])), n.add(t.c[k].nrm.mul(b[k]))
		tint = tint.add(t.c[k].tint.mul(b[k]))
		u, v = u+t.c[k].uv[0]*b[k], v+t.c[k].uv[1]*b[k]
	}
	n = n.unit()
	m := t.m
	base := m.base.scale(tint)
	if m.colour != nil {
		c := texel(m.colour, u, v)
		base = base.scale(vec{linear(c.R), linear(c.G), linear(c.B)})
	}
	if m.bump != nil {
		e1, e2 := t.c[1].pos.sub(t.c[0].pos), t.c[2].pos.sub(t.c[0].pos)
		du1, dv1 := t.c[1].uv[0]-t.c[0].uv[0], t.c[1].uv[1]-t.c[0].uv[1]
		du2, dv2 := t.c[2].uv[0]-t.c[0].uv[0], t.c[2].uv[1]-t.c[0].uv[1]
		det := du1*dv2 - du2*dv1
		if math.Abs(det) > 1e-12 {
			tan := e1.mul(dv2).sub(e2.mul(dv1)).mul(1 / det)
			tan = tan.sub(n.mul(n.dot(tan))).unit()
			bit := n.cross(tan).mul(math.Copysign(1, -det))
			c := texel(m.bump, u, v)
			l := vec{(float64(c.R)/127.5 - 1) * m.bumpScale, (float64(c.G)/127.5 - 1) * m.bumpScale, float64(c.B)/127.5 - 1}
			// Texture v runs down, a normal map's green runs up (glTF 2.0 §3.9.3).
			n = tan.mul(l[0]).sub(bit.mul(-l[1])).add(n.mul(l[2])).unit()
		}
	}
	q := light(p.add(n.mul(0.012)))
	lit := 0.0
	for dx := -1; dx <= 1; dx++ {
		for dy := -1; dy <= 1; dy++ {
			x, y := int(q[0])+dx, int(q[1])+dy
			if x < 0 || y < 0 || x >= size || y >= size || shadow[y*size+x] > q[2]-0.006 {
				lit += 1.0 / 9
			}
		}
	}
	eye := s.eye.sub(p).unit()
	nv := max(n.dot(eye), 0.02)
	f0 := vec{0.04, 0.04, 0.04}.lerp(base, m.metal)
	diffuse := base.mul(1 - m.metal)
	out := m.glow
	sun := vec{3.4, 3.1, 2.7}.mul(lit)
	if nl := n.dot(sunDir); nl > 0 {
		hv := sunDir.add(eye).unit()
		nh, vh := max(n.dot(hv), 0), max(eye.dot(hv), 0)
		a2 := math.Pow(m.rough, 4)
		d := a2 / (math.Pi * math.Pow(nh*nh*(a2-1)+1, 2))
		g := 0.5 / (nl*math.Sqrt(nv*nv*(1-a2)+a2) + nv*math.Sqrt(nl*nl*(1-a2)+a2))
		fr := f0.add(vec{1, 1, 1}.sub(f0).mul(math.Pow(1-vh, 5)))
		out = out.add(sun.scale(diffuse.mul(1 / math.Pi * 1.0).add(fr.mul(d * g))).mul(nl))
	}
	sky := vec{0.20, 0.18, 0.14}.lerp(vec{0.52, 0.64, 0.86}, n[1]*0.5+0.5)
	r := n.mul(2 * n.dot(eye)).sub(eye)
	gleam := vec{0.18, 0.16, 0.13}.lerp(vec{0.52, 0.64, 0.86}, ramp(-0.3, 0.5, r[1]))
	fr := f0.add(vec{1, 1, 1}.sub(f0).mul(math.Pow(1-nv, 5) * (1 - m.rough)))
	return out.add(sky.scale(diffuse)).add(gleam.scale(fr).mul(1 - 0.6*m.rough))
}
