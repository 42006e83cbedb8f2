package main

import (
	"image"
	"image/color"
	"testing"
)

// A picture of few colours keeps them, and one of many is a fraction of a level
// from its palette on the mean.
func TestPalette(t *testing.T) {
	sums := make([][4]uint32, 1<<18)
	few := image.NewNRGBA(image.Rect(0, 0, 30, 10))
	want := []color.NRGBA{{200, 30, 40, 255}, {10, 20, 30, 255}, {140, 142, 145, 255}}
	for i := range 300 {
		few.SetNRGBA(i%30, i/30, want[i%3])
	}
	all := swatches(few, sums)
	p := paletteOf(all, 256)
	if len(p) != 3 || misfit(all, p) != 0 {
		t.Errorf("three colours become %v", p)
	}
	for _, c := range want {
		if got := p.Convert(c); got != color.RGBA(c) {
			t.Errorf("%v becomes %v", c, got)
		}
	}

	many := image.NewNRGBA(image.Rect(0, 0, 256, 64))
	for y := range 64 {
		for x := range 256 {
			many.SetNRGBA(x, y, color.NRGBA{uint8(x), uint8(200 - x/2), uint8(100 + y), 255})
		}
	}
	all = swatches(many, sums)
	p = paletteOf(all, 256)
	if e := misfit(all, p); len(p) != 256 || e > 60 {
		t.Errorf("%d colours, %.1f from the picture", len(p), e)
	}
	if e, coarse := misfit(all, p), misfit(all, paletteOf(all, 16)); e > coarse/4 {
		t.Errorf("16 colours are as good as 256: %.1f, %.1f", coarse, e)
	}
	for _, s := range sums {
		if s != [4]uint32{} {
			t.Fatal("scratch is not left as it was found")
		}
	}
}
