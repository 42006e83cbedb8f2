package stride_test

import (
	"testing"
	"time"

	"github.com/bindpose/bindpose/animation/ground/stride"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A clip of ten minutes is measured in seconds, and as one of one second that does
// the same.
func TestLongClip(t *testing.T) {
	feet := func(frames int, seconds float64) stride.Motion {
		m := stride.Motion{Clip: "stroll", Duration: seconds, Leg: 1}
		for k, name := range []string{"left", "right"} {
			p := stride.Path{Name: name}
			for i := range frames + 1 {
				at := float32(i)/float32(frames) + float32(k)/2
				at -= float32(int(at))
				var z, y float32
				if at < 0.6 { // stands
					z = 0.3 - at
				} else {
					z = -0.3 + (at-0.6)*1.5
					y = (at - 0.6) * (1 - at) * 2.5
				}
				p.Frames = append(p.Frames, []mgl32.Vec3{{0, y, z}, {0.05, y, z}, {0, y, z + 0.2}})
			}
			m.Feet = append(m.Feet, p)
		}
		return m
	}
	short, err := stride.Measure(feet(240, 1))
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	long, err := stride.Measure(feet(1<<15, 600))
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begun); d > 20*time.Second {
		t.Errorf("it took %v", d)
	}
	if !short.Steps || !long.Steps || long.Stride < 0.99*short.Stride || long.Stride > 1.01*short.Stride {
		t.Errorf("strides %v and %v (%s)", short.Stride, long.Stride, long.Why)
	}
}
