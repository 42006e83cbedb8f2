package shaders

import (
	"math"
	"regexp"
	"strconv"
	"testing"
)

// The polynomial of encode, as tonemap.glsl has it, is the curve of sRGB within a
// quarter of a step of 8 bits, and meets the line below it as closely.
func TestEncodeIsSRGB(t *testing.T) {
	source, err := included.ReadFile("tonemap.glsl")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`curve = \(\(\((\S+) \* s \+ (\S+)\) \* s - (\S+)\) \* s \+ (\S+)\) \* s - (\S+);`).FindSubmatch(source)
	if found == nil {
		t.Fatal("tonemap.glsl holds no such polynomial any more")
	}
	var k [5]float64
	for i := range k {
		if k[i], err = strconv.ParseFloat(string(found[1+i]), 64); err != nil {
			t.Fatal(err)
		}
	}
	const line = 0.0031308 // IEC 61966-2-1
	for i := range 100001 {
		c := line + (1-line)*float64(i)/100000
		s := math.Sqrt(c)
		got := (((k[0]*s+k[1])*s-k[2])*s+k[3])*s - k[4]
		want := 1.055*math.Pow(c, 1/2.4) - 0.055
		if steps := math.Abs(got-want) * 255; steps > 0.25 {
			t.Fatalf("encode(%v) is %v and should be %v: %.3f steps of 8 bits away", c, got, want, steps)
		}
	}
	s := math.Sqrt(line)
	if got := (((k[0]*s+k[1])*s-k[2])*s+k[3])*s - k[4]; math.Abs(got-12.92*line)*255 > 0.25 {
		t.Errorf("the curve begins at %v where the line ends at %v", got, 12.92*line)
	}
}
