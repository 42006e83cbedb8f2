package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// chance is a small random sequence (splitmix64), the same on every machine.
type chance uint64

func (c *chance) next() uint64 {
	*c += 0x9E3779B97F4A7C15
	z := uint64(*c)
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
	z = (z ^ (z >> 27)) * 0x94D049BB133111EB
	return z ^ (z >> 31)
}

// unit is uniform in [0, 1); around is uniform in [-a, a).
func (c *chance) unit() float64            { return float64(c.next()>>11) / (1 << 53) }
func (c *chance) around(a float64) float64 { return (2*c.unit() - 1) * a }

func hash2(x, y int, seed uint64) float64 {
	c := chance(seed*0x1000193 + uint64(uint32(x))*0x8DA6B343 + uint64(uint32(y))*0xD8163841)
	c.next()
	return c.unit()
}

// noise is smooth value noise in 0…1 on a lattice that repeats after px, py cells.
func noise(x, y float64, px, py int, seed uint64) float64 {
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := ramp(0, 1, x-x0), ramp(0, 1, y-y0)
	wrap := func(i, p int) int { return ((i % p) + p) % p }
	at := func(dx, dy int) float64 { return hash2(wrap(int(x0)+dx, px), wrap(int(y0)+dy, py), seed) }
	return mix(mix(at(0, 0), at(1, 0), fx), mix(at(0, 1), at(1, 1), fx), fy)
}

// cloud sums octaves of noise over the unit square; it repeats, and lies in 0…1.
func cloud(u, v float64, nx, ny, octaves int, seed uint64) float64 {
	sum, weight, scale := 0.0, 0.0, 1.0
	for o := range octaves {
		k := 1 << o
		sum += scale * noise(u*float64(nx*k), v*float64(ny*k), nx*k, ny*k, seed+uint64(o)*77)
		weight += scale
		scale *= 0.55
	}
	return sum / weight
}

// swatch is a texture as a function of the unit square: a shade that picks from
// a row of colours, and a height in texels for its normal map.
type swatch struct {
	size   int
	stops  []color.NRGBA // sRGB
	shade  func(u, v float64) float64
	height func(u, v float64) float64
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}
}

func (s swatch) colourPNG() ([]byte, error) {
	const steps = 64
	pal := make(color.Palette, steps)
	for i := range pal {
		t := float64(i) / (steps - 1) * float64(len(s.stops)-1)
		k := min(int(t), len(s.stops)-2)
		f, a, b := t-float64(k), s.stops[k], s.stops[k+1]
		m := func(x, y uint8) uint8 { return uint8(math.Round(mix(float64(x), float64(y), f))) }
		pal[i] = color.NRGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 255}
	}
	img := image.NewPaletted(image.Rect(0, 0, s.size, s.size), pal)
	for y := range s.size {
		for x := range s.size {
			v := s.shade((float64(x)+0.5)/float64(s.size), (float64(y)+0.5)/float64(s.size))
			img.SetColorIndex(x, y, uint8(math.Round(clamp(v, 0, 1)*(steps-1))))
		}
	}
	return encodePNG(img)
}

func (s swatch) normalPNG() ([]byte, error) {
	n := s.size
	h := make([]float64, n*n)
	for y := range n {
		for x := range n {
			h[y*n+x] = s.height((float64(x)+0.5)/float64(n), (float64(y)+0.5)/float64(n))
		}
	}
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			dx := (h[y*n+(x+1)%n] - h[y*n+(x+n-1)%n]) / 2
			dy := (h[(y+1)%n*n+x] - h[(y+n-1)%n*n+x]) / 2
			v := vec{-dx, dy, 1}.unit() // green points up the picture
			b := func(f float64) uint8 { return uint8(math.Round((f*0.5+0.5)*127)) * 2 }
			img.SetNRGBA(x, y, color.NRGBA{b(v[0]), b(v[1]), b(v[2]), 255})
		}
	}
	return encodePNG(img)
}

func encodePNG(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
	err := e.Encode(&b, img)
	return b.Bytes(), err
}

// cells is the distance to the nearest and second nearest of scattered points
// (Worley 1996), in cells, repeating, and a random number of the nearest.
func cells(u, v float64, nx, ny int, seed uint64) (d1, d2, id float64) {
	x, y := u*float64(nx), v*float64(ny)
	d1, d2 = 9, 9
	for j := -1; j <= 1; j++ {
		for i := -1; i <= 1; i++ {
			cx, cy := int(math.Floor(x))+i, int(math.Floor(y))+j
			wx, wy := ((cx%nx)+nx)%nx, ((cy%ny)+ny)%ny
			px := float64(cx) + 0.15 + 0.7*hash2(wx, wy, seed)
			py := float64(cy) + 0.15 + 0.7*hash2(wx, wy, seed+1)
			d := math.Hypot(px-x, py-y)
			if d < d1 {
				d1, d2, id = d, d1, hash2(wx, wy, seed+2)
			} else if d < d2 {
				d2 = d
			}
		}
	}
	return d1, d2, id
}

// swatches are the demo's textures by name. Wood is near white so that each
// material tints it.
var swatches = map[string]swatch{
	"plaster": {256, []color.NRGBA{rgb(0xC9B797), rgb(0xDCCFB4), rgb(0xE6DCC6)},
		func(u, v float64) float64 { return 0.15 + 0.8*cloud(u, v, 5, 5, 5, 11) },
		func(u, v float64) float64 { return 2.6*cloud(u, v, 10, 10, 4, 12) + 1.3*cloud(u, v, 48, 48, 2, 13) }},
	"wood": {256, []color.NRGBA{rgb(0x8E8880), rgb(0xC4BEB6), rgb(0xE2DED8)},
		func(u, v float64) float64 {
			return 0.1 + 0.9*woodGrain(u, v)
		},
		func(u, v float64) float64 { return 4 * woodGrain(u, v) }},
	"stone": {256, []color.NRGBA{rgb(0x6E675E), rgb(0x8B857B), rgb(0xA59E92)},
		func(u, v float64) float64 {
			d1, d2, id := cells(u, v, 4, 6, 21)
			return clamp(0.25+0.5*id+0.5*(cloud(u, v, 12, 12, 4, 22)-0.5), 0.12, 1) * mix(0.25, 1, ramp(0.03, 0.13, d2-d1))
		},
		func(u, v float64) float64 {
			d1, d2, id := cells(u, v, 4, 6, 21)
			return 7*ramp(0.02, 0.28, d2-d1) + 2*id + 4*cloud(u, v, 14, 14, 4, 23)
		}},
	"brick": {256, []color.NRGBA{rgb(0xA79C8C), rgb(0x6E3C2C), rgb(0x8E4E38), rgb(0xA8654A)},
		func(u, v float64) float64 {
			m, id := brick(u, v)
			return m * (0.33 + 0.5*id + 0.35*(cloud(u, v, 16, 16, 3, 31)-0.5) + 0.1)
		},
		func(u, v float64) float64 { m, id := brick(u, v); return 5*m + id + 3*cloud(u, v, 24, 24, 3, 32) }},
	"rock": {256, []color.NRGBA{rgb(0x9A968E), rgb(0xC2BEB5), rgb(0xDEDAD2)},
		func(u, v float64) float64 { return 0.05 + 0.9*cloud(u, v, 6, 6, 5, 41) },
		func(u, v float64) float64 { return 9 * cloud(u, v, 8, 8, 5, 42) }},
	"grass": {512, []color.NRGBA{rgb(0x605A3C), rgb(0x6E7547), rgb(0x848D56), rgb(0xA0A66E)},
		func(u, v float64) float64 {
			return 0.55*cloud(u, v, 5, 5, 4, 51) + 0.60*blades(u, v) - 0.06
		},
		func(u, v float64) float64 { return 5*blades(u, v) + 6*cloud(u, v, 12, 12, 3, 53) }},
}

func woodGrain(u, v float64) float64 {
	bend := 0.06 * cloud(u, v, 2, 3, 2, 61)
	long := cloud(u, v+bend, 2, 24, 3, 62)
	ring := 0.5 + 0.5*math.Sin(2*math.Pi*(5*v+2.2*cloud(u, v, 1, 2, 2, 63)))
	return clamp(0.62*long+0.38*ring*0.9, 0, 1)
}

func brick(u, v float64) (face, id float64) {
	const rows, columns = 8, 4
	y := v * rows
	row := int(y)
	x := u*columns + 0.5*float64(row%2)
	col := int(x) % columns
	fx, fy := x-math.Floor(x), y-math.Floor(y)
	edge := min(min(fx, 1-fx)*2, min(fy, 1-fy))
	return ramp(0.04, 0.12, edge+0.03*(cloud(u, v, 24, 24, 2, 33)-0.5)), hash2(col, row, 34)
}

// blades is short strokes in many directions, as of mown grass.
func blades(u, v float64) float64 {
	a := cloud(u+v, v, 110, 40, 2, 55)
	b := cloud(u-v, v, 120, 44, 2, 56)
	c := cloud(u, v, 130, 48, 2, 58)
	k := cloud(u, v, 30, 30, 2, 57)
	return mix(mix(a, c, ramp(0.35, 0.5, k)), b, ramp(0.5, 0.65, k))
}
