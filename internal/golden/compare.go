package golden

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
)

// tolerance forgives a share of the pixels that differ by more than channel.
type tolerance struct {
	channel int     // of 255
	share   float64 // of all pixels, 0 to 1
}

// difference is how two pictures of one size differ.
type difference struct {
	pixels  int // all of them
	any     int // that differ at all
	beyond  int // that differ by more than the tolerance's channel
	largest int // of 255, in any channel
	// Where the largest difference first is, from the top left corner, and
	// what is there.
	at        image.Point
	got, want color.NRGBA
}

// within reports whether the tolerance forgives the difference.
func (d difference) within(tol tolerance) bool {
	return float64(d.beyond) <= tol.share*float64(d.pixels)
}

func (d difference) String() string {
	percent := func(n int) float64 { return 100 * float64(n) / float64(d.pixels) }
	return fmt.Sprintf("%d of %d pixels differ (%.3f %%), %d too much (%.3f %%); the largest difference is %d of 255 at (%d, %d): got %s, want %s",
		d.any, d.pixels, percent(d.any), d.beyond, percent(d.beyond), d.largest, d.at.X, d.at.Y, hex(d.got), hex(d.want))
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x%02x", c.R, c.G, c.B, c.A) }

// compare compares pictures of one size, wherever their bounds begin.
func compare(got, want *image.NRGBA, tol tolerance) difference {
	w, h := got.Rect.Dx(), got.Rect.Dy()
	d := difference{pixels: w * h}
	for y := range h {
		a, b := row(got, y), row(want, y)
		for x := range w {
			most := 0
			for c := 4 * x; c < 4*x+4; c++ {
				most = max(most, distance(a[c], b[c]))
			}
			if most == 0 {
				continue
			}
			d.any++
			if most > tol.channel {
				d.beyond++
			}
			if most > d.largest {
				d.largest, d.at = most, image.Pt(x, y)
				d.got = color.NRGBA{a[4*x], a[4*x+1], a[4*x+2], a[4*x+3]}
				d.want = color.NRGBA{b[4*x], b[4*x+1], b[4*x+2], b[4*x+3]}
			}
		}
	}
	return d
}

// row is line y of the picture, from the top, 4 bytes a pixel.
func row(m *image.NRGBA, y int) []byte {
	from := m.PixOffset(m.Rect.Min.X, m.Rect.Min.Y+y)
	return m.Pix[from : from+4*m.Rect.Dx()]
}

func distance(a, b byte) int {
	if a > b {
		return int(a - b)
	}
	return int(b - a)
}

// amplified draws the difference so that the eye finds it: sixteen times as
// bright, on black. A difference in alpha brightens all channels.
func amplified(a, b *image.NRGBA) *image.NRGBA {
	const gain = 16
	w, h := a.Rect.Dx(), a.Rect.Dy()
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		p, q, o := row(a, y), row(b, y), row(out, y)
		for x := 0; x < 4*w; x += 4 {
			alpha := distance(p[x+3], q[x+3])
			for c := x; c < x+3; c++ {
				o[c] = byte(min(gain*max(distance(p[c], q[c]), alpha), 255))
			}
			o[x+3] = 255
		}
	}
	return out
}

// blank reports whether the picture has no pixel, or pixels of one colour only.
func blank(m *image.NRGBA) bool {
	if m.Rect.Empty() {
		return true
	}
	first := row(m, 0)[:4]
	for y := range m.Rect.Dy() {
		line := row(m, y)
		for x := 0; x < len(line); x += 4 {
			if [4]byte(line[x:]) != [4]byte(first) {
				return false
			}
		}
	}
	return true
}

// nrgba is m with its colours as they are in a PNG. It is exact for what PNG
// files of 8 bits decode to.
func nrgba(m image.Image) *image.NRGBA {
	if n, ok := m.(*image.NRGBA); ok {
		return n
	}
	n := image.NewNRGBA(image.Rect(0, 0, m.Bounds().Dx(), m.Bounds().Dy()))
	draw.Draw(n, n.Rect, m, m.Bounds().Min, draw.Src)
	return n
}
