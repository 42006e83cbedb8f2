package stride

import (
	"errors"
	"fmt"
	"math"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// ErrMotion is wrapped by every error of a motion that cannot be measured.
var ErrMotion = errors.New("stride: bad motion")

// Motion is what is measured: where the sole vertices of each foot are, at even
// times over one playing of a clip. Job makes one of a clip on a skinned mesh.
type Motion struct {
	Clip     string
	Duration float64 // seconds, from the first frame to the last
	// Leg is the length of a leg, sole to hip, metres: the ruler by which heights
	// are small or large.
	Leg  float64
	Feet []Path
	// Hips is a point of the body by frame, for clips whose end is not their start;
	// nil where it is not known.
	Hips []mgl32.Vec3
}

// Path is one foot's sole: by frame the places of its vertices, model space with
// +Y up, metres. All frames of a motion's feet are as many, a foot's as long.
type Path struct {
	Name   string
	Frames [][]mgl32.Vec3
}

func (m *Motion) validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w %q: %s", ErrMotion, m.Clip, fmt.Sprintf(format, args...))
	}
	if !(m.Duration >= 0) || math.IsInf(m.Duration, 0) {
		return bad("%v seconds", m.Duration)
	}
	if !(m.Leg > 0) || math.IsInf(m.Leg, 0) {
		return bad("legs of %v metres", m.Leg)
	}
	if len(m.Feet) == 0 {
		return bad("no feet")
	}
	n := len(m.Feet[0].Frames)
	if n < 3 {
		return bad("%d frames, and three are the least", n)
	}
	if m.Hips != nil && len(m.Hips) != n {
		return bad("%d places of the hips in %d frames", len(m.Hips), n)
	}
	for _, f := range m.Feet {
		if len(f.Frames) != n {
			return bad("foot %q has %d frames, foot %q %d", f.Name, len(f.Frames), m.Feet[0].Name, n)
		}
		for i, frame := range f.Frames {
			if len(frame) == 0 || len(frame) != len(f.Frames[0]) {
				return bad("foot %q has %d sole vertices in frame %d", f.Name, len(frame), i)
			}
			for _, p := range frame {
				if x := p[0] + p[1] + p[2]; x-x != 0 {
					return bad("foot %q is at %v in frame %d", f.Name, p, i)
				}
			}
		}
	}
	for i, p := range m.Hips {
		if x := p[0] + p[1] + p[2]; x-x != 0 {
			return bad("the hips are at %v in frame %d", p, i)
		}
	}
	return nil
}

// flat is a vector along the ground: x and z.
type flat struct{ x, z float64 }

func (a flat) add(b flat) flat        { return flat{a.x + b.x, a.z + b.z} }
func (a flat) sub(b flat) flat        { return flat{a.x - b.x, a.z - b.z} }
func (a flat) mul(s float64) flat     { return flat{a.x * s, a.z * s} }
func (a flat) dot(b flat) float64     { return a.x*b.x + a.z*b.z }
func (a flat) len() float64           { return math.Hypot(a.x, a.z) }
func along(p mgl32.Vec3) flat         { return flat{float64(p[0]), float64(p[2])} }
func vec(x, y, z float64) mgl32.Vec3  { return mgl32.Vec3{float32(x), float32(y), float32(z)} }
func clamp(x, lo, hi float64) float64 { return min(max(x, lo), hi) }

// travel is how far the clip takes the body, and how far the soles at its end, that
// taken off, are from where they were at its start (root mean square).
func (m *Motion) travel() (d mgl32.Vec3, gap float64) {
	var sum [3]float64
	count := 0.0
	last := len(m.Feet[0].Frames) - 1
	for _, f := range m.Feet {
		for v := range f.Frames[0] {
			e := f.Frames[last][v].Sub(f.Frames[0][v])
			for c := range sum {
				sum[c] += float64(e[c])
			}
			count++
		}
	}
	mean := [3]float64{sum[0] / count, sum[1] / count, sum[2] / count}
	for _, f := range m.Feet {
		for v := range f.Frames[0] {
			e := f.Frames[last][v].Sub(f.Frames[0][v])
			for c := range sum {
				x := float64(e[c]) - mean[c]
				gap += x * x
			}
		}
	}
	return vec(mean[0], mean[1], mean[2]), math.Sqrt(gap / count)
}

// limb is a foot in place: the even part of the clip's travel is taken off. Between
// two frames lies an interval; all figures are of intervals, so that those of a
// loop go round without a seam.
type limb struct {
	name string
	// points are the soles' vertices by frame, one more than there are intervals.
	points [][]mgl32.Vec3
	dt     float64

	low  []float64 // by interval: how low the sole reaches, metres
	move []flat    // by interval: how fast what is lowest goes, metres a second
	back []float64 // the same against the heading

	floor, lift float64 // where it stands; how far above that it rises
	scatter     float64 // how far the heights of standing scatter, metres
	length      float64 // of the sole, along the ground
	stances     []span
}

// span is a run of intervals, from one up to before another; the end of one that
// goes over a loop's seam is beyond their number.
type span struct{ from, to int }

func (s span) len() int { return s.to - s.from }

// newLimb takes travel off a path. ruler is what lies so near to the lowest vertex
// counts with it, metres.
func newLimb(p Path, travel mgl32.Vec3, dt, ruler float64) *limb {
	n := len(p.Frames) - 1
	l := &limb{
		name: p.Name, dt: dt, points: make([][]mgl32.Vec3, n+1),
		low: make([]float64, n), move: make([]flat, n), back: make([]float64, n),
	}
	for i, frame := range p.Frames {
		off := travel.Mul(float32(i) / float32(n))
		l.points[i] = make([]mgl32.Vec3, len(frame))
		for v, x := range frame {
			l.points[i][v] = x.Sub(off)
		}
	}
	for i := range n {
		a, b := l.points[i], l.points[i+1]
		low := math.Inf(1)
		for v := range a {
			low = min(low, l.height(i, v))
		}
		l.low[i] = low
		var sum flat
		weight := 0.0
		for v := range a {
			w := math.Exp(-(l.height(i, v) - low) / ruler)
			sum = sum.add(along(b[v].Sub(a[v])).mul(w))
			weight += w
		}
		l.move[i] = sum.mul(1 / (weight * dt))
	}
	var lo, hi mgl32.Vec3
	for v, x := range l.points[0] {
		if v == 0 {
			lo, hi = x, x
		}
		lo, hi = lo.Min(x), hi.Max(x)
	}
	l.length = along(hi.Sub(lo)).len()
	return l
}

// height is that of a vertex in the middle of an interval.
func (l *limb) height(i, v int) float64 {
	return (float64(l.points[i][v][1]) + float64(l.points[i+1][v][1])) / 2
}

// reach is the lowest and the highest of low.
func (l *limb) reach() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, y := range l.low {
		lo, hi = min(lo, y), max(hi, y)
	}
	return lo, hi
}
