package main

import (
	"image"
	"image/color"
	"slices"
)

// swatch is the pixels of a picture whose colours share their upper six bits.
type swatch struct {
	mean  [3]float64 // 0 to 255
	count float64
}

// swatches sorts a picture's pixels. sums is scratch of 1<<18 elements, all 0
// before and behind: red, green, blue and their number.
func swatches(picture *image.NRGBA, sums [][4]uint32) []swatch {
	var used []int32
	for y := range picture.Rect.Dy() {
		row := picture.Pix[y*picture.Stride:]
		for x := 0; x < 4*picture.Rect.Dx(); x += 4 {
			r, g, b := row[x], row[x+1], row[x+2]
			at := int32(r>>2)<<12 | int32(g>>2)<<6 | int32(b>>2)
			s := &sums[at]
			if s[3] == 0 {
				used = append(used, at)
			}
			s[0], s[1], s[2], s[3] = s[0]+uint32(r), s[1]+uint32(g), s[2]+uint32(b), s[3]+1
		}
	}
	out := make([]swatch, len(used))
	for i, at := range used {
		s := sums[at]
		n := float64(s[3])
		out[i] = swatch{[3]float64{float64(s[0]) / n, float64(s[1]) / n, float64(s[2]) / n}, n}
		sums[at] = [4]uint32{}
	}
	return out
}

// group is swatches that become one colour of a palette.
type group struct {
	of    []swatch
	mean  [3]float64
	axis  int     // along which they differ most
	error float64 // squared distances from the mean along it, summed over pixels
}

func grouped(of []swatch) group {
	g := group{of: of}
	var n float64
	var sum, square [3]float64
	for _, s := range of {
		n += s.count
		for c, v := range s.mean {
			sum[c] += v * s.count
			square[c] += v * v * s.count
		}
	}
	for c := range 3 {
		g.mean[c] = sum[c] / n
		if e := square[c] - sum[c]*g.mean[c]; e > g.error {
			g.axis, g.error = c, e
		}
	}
	return g
}

// paletteOf finds at most size colours for swatches, which it puts into another
// order: the group with the greatest error is split at its mean until there are
// enough, a variant of median cut (P. Heckbert, Color Image Quantization for
// Frame Buffer Display, 1982).
func paletteOf(all []swatch, size int) color.Palette {
	groups := []group{grouped(all)}
	for len(groups) < size {
		worst := 0
		for i := range groups {
			if groups[i].error > groups[worst].error {
				worst = i
			}
		}
		g := groups[worst]
		if len(g.of) < 2 || g.error <= 0 {
			break
		}
		slices.SortFunc(g.of, func(a, b swatch) int {
			if a.mean[g.axis] < b.mean[g.axis] {
				return -1
			}
			return 1
		})
		cut := 1
		for cut < len(g.of)-1 && g.of[cut].mean[g.axis] < g.mean[g.axis] {
			cut++
		}
		groups[worst] = grouped(g.of[:cut])
		groups = append(groups, grouped(g.of[cut:]))
	}
	p := make(color.Palette, len(groups))
	for i, g := range groups {
		p[i] = color.RGBA{uint8(g.mean[0] + 0.5), uint8(g.mean[1] + 0.5), uint8(g.mean[2] + 0.5), 255}
	}
	return p
}

// misfit is the mean squared distance of swatches from a palette.
func misfit(all []swatch, p color.Palette) float64 {
	var sum, n float64
	for _, s := range all {
		best := 1e9
		for _, c := range p {
			k := c.(color.RGBA)
			r, g, b := s.mean[0]-float64(k.R), s.mean[1]-float64(k.G), s.mean[2]-float64(k.B)
			best = min(best, r*r+g*g+b*b)
		}
		sum += best * s.count
		n += s.count
	}
	return sum / n
}
