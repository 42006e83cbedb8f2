package fbx

import (
	"math"

	"github.com/bindpose/bindpose/animation"
)

// sampler turns functions of time into tracks.
type sampler struct {
	l      *loader
	origin int64 // the tick that is the clip's time 0
	cost   int64 // of an evaluation: how many nodes it looks at
}

// span is a stretch of time over which a function is smooth, with its values
// and slopes (a second) at both ends.
type span struct {
	a, b   float64 // ticks
	va, vb []float64
	sa, sb []float64
}

// inner points are where a span is checked. They stand unevenly, so that no
// motion that repeats fits by chance.
var inner = [...]float64{0.11, 0.29, 0.5, 0.73, 0.91}

// track samples f at times (rising, at least one) and between them, and adds a
// track to the clip unless f is the rest value throughout. Where straight lines
// between the given times do, the track is linear; where f only jumps, it is
// stepped; else it is a cubic spline with f's own slopes.
func (s *sampler) track(clip *animation.Clip, joint int32, path animation.Path, times []int64, rest []float32, f func(tick float64, before bool, out []float64)) {
	if s.l.err != nil {
		return
	}
	if s.l.work -= int64(len(times)); (s.l.work < 0 || s.l.budget.left < s.l.reserve) && len(times) > 2 {
		s.l.warn("AnimationStack "+clip.Name, "moves more than a file of this size accounts for; it is sampled coarsely")
		times = []int64{times[0], times[len(times)-1]}
	}
	exact := f
	f = func(tick float64, before bool, out []float64) {
		s.l.work -= s.cost
		exact(tick, before, out)
	}
	width := len(rest)
	fresh := func(tick float64, before bool) []float64 {
		v := make([]float64, width)
		f(tick, before, v)
		return v
	}
	tolerance := s.tolerance(path, times, f, width)
	tr := animation.Track{Joint: joint, Path: path, Width: width}
	// Is it the same all the time?
	still := true
	first := fresh(float64(times[0]), false)
	v := make([]float64, width)
	check := func(tick float64, before bool) {
		if still {
			f(tick, before, v)
			still = distance(path, first, v) <= tolerance
		}
	}
	for i := range times {
		check(float64(times[i]), true)
		check(float64(times[i]), false)
		if i > 0 {
			for _, u := range inner {
				check(mix(float64(times[i-1]), float64(times[i]), u), false)
			}
		}
		if !still {
			break
		}
	}
	if still {
		at := make([]float64, width)
		for i := range at {
			at[i] = float64(rest[i])
		}
		if distance(path, first, at) <= tolerance {
			return
		}
		tr.Times = []float32{s.seconds(float64(times[0]))}
		tr.Values = appendSingle(nil, first)
		if s.l.pay(bytesOfSample, "AnimationStack", -1) {
			clip.Tracks = append(clip.Tracks, tr)
		}
		return
	}
	spans := make([]span, 0, len(times)-1)
	straight, stepped := true, true
	for i := range len(times) - 1 {
		sp := span{a: float64(times[i]), b: float64(times[i+1])}
		sp.va, sp.vb = fresh(sp.a, false), fresh(sp.b, true)
		if path == animation.Rotation {
			if len(spans) > 0 {
				near(sp.va, spans[len(spans)-1].vb)
			}
			near(sp.vb, sp.va)
		}
		for _, u := range inner {
			f(mix(sp.a, sp.b, u), false, v)
			stepped = stepped && distance(path, sp.va, v) <= tolerance*0.01
			straight = straight && distance(path, straightLine(path, &sp, u), v) <= tolerance
		}
		spans = append(spans, sp)
	}
	if !s.l.pay(int64(len(spans))*(bytesOfSample+int64(width)*24), "AnimationStack", -1) {
		return
	}
	last := &spans[len(spans)-1]
	add := func(tick float64, v []float64) {
		t := s.seconds(tick)
		if n := len(tr.Times); n > 0 && t <= tr.Times[n-1] {
			// Too close for float32 to tell apart: the later one holds.
			tr.Times, tr.Values = tr.Times[:n-1], tr.Values[:len(tr.Values)-width]
			if n > 1 && t <= tr.Times[n-2] {
				t = math.Nextafter32(tr.Times[n-2], math.MaxFloat32)
			}
		}
		tr.Times = append(tr.Times, t)
		tr.Values = appendSingle(tr.Values, v)
	}
	switch {
	case stepped:
		tr.Interpolation = animation.Step
		for i := range spans {
			add(spans[i].a, spans[i].va)
		}
		add(last.b, fresh(last.b, false))
	case straight:
		for i := range spans {
			sp := &spans[i]
			if i > 0 && distance(path, spans[i-1].vb, sp.va) > tolerance*0.01 {
				s.jump(&tr, sp.a, spans[i-1].vb)
			}
			add(sp.a, sp.va)
		}
		add(last.b, last.vb)
	default:
		s.spline(&tr, spans, f, tolerance)
	}
	if s.l.err == nil && len(tr.Times) > 0 {
		clip.Tracks = append(clip.Tracks, tr)
	}
}

// jump adds the value that holds up to a time at which another follows.
func (s *sampler) jump(tr *animation.Track, tick float64, v []float64) {
	t := math.Nextafter32(s.seconds(tick), float32(math.Inf(-1)))
	if n := len(tr.Times); n > 0 && t <= tr.Times[n-1] {
		return
	}
	tr.Times = append(tr.Times, t)
	tr.Values = appendSingle(tr.Values, v)
}

func (s *sampler) seconds(tick float64) float32 {
	return float32((tick - float64(s.origin)) / s.l.ticks)
}

func mix(a, b, u float64) float64 { return a + (b-a)*u }

// near takes of the two quaternions of a rotation that nearer to another.
func near(q, to []float64) {
	if quat(q).dot(quat(to)) < 0 {
		for i := range q {
			q[i] = -q[i]
		}
	}
}

// distance is the largest difference of a component; of rotations, of the nearer
// quaternion.
func distance(path animation.Path, a, b []float64) float64 {
	d, n := 0.0, 0.0
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
		n = max(n, math.Abs(a[i]+b[i]))
	}
	if path == animation.Rotation {
		return min(d, n)
	}
	return d
}

func straightLine(path animation.Path, sp *span, u float64) []float64 {
	if path == animation.Rotation {
		q := slerp(quat(sp.va), quat(sp.vb), u)
		return q[:]
	}
	out := make([]float64, len(sp.va))
	for i := range out {
		out[i] = mix(sp.va[i], sp.vb[i], u)
	}
	return out
}

// tolerance is how far a track may be off.
func (s *sampler) tolerance(path animation.Path, times []int64, f func(float64, bool, []float64), width int) float64 {
	switch path {
	case animation.Rotation:
		return turnTolerance
	case animation.Scale, animation.Weights:
		return scaleTolerance
	}
	// A metre in the model's unit; the far end of where the node goes.
	size := 1.0
	if s.l.Native {
		size = 100 / max(1e-6, s.l.doc.global.number("UnitScaleFactor", 1))
	}
	size = min(size, 10)
	v := make([]float64, width)
	for _, t := range times {
		f(float64(t), false, v)
		for _, x := range v {
			size = max(size, min(math.Abs(x), 1e12))
		}
	}
	return moveTolerance * size
}

func appendSingle(to []float32, v []float64) []float32 {
	for _, x := range v {
		to = append(to, float32(x))
	}
	return to
}

// spline cuts spans until a cubic through their ends' values and slopes stays
// within tolerance, and adds them to the track.
func (s *sampler) spline(tr *animation.Track, spans []span, f func(tick float64, before bool, out []float64), tolerance float64) {
	tr.Interpolation = animation.CubicSpline
	width := tr.Width
	v := make([]float64, width)
	w := make([]float64, width)
	type end struct {
		tick   float64
		v      []float64
		in, to []float64
	}
	var ends []end // two a span
	var cut func(sp span, depth int)
	cut = func(sp span, depth int) {
		s.slopes(&sp, tr.Path, f)
		length := (sp.b - sp.a) / s.l.ticks
		good := true
		for _, u := range inner {
			f(mix(sp.a, sp.b, u), false, v)
			hermite(&sp, length, u, w)
			if tr.Path == animation.Rotation {
				q := quat(w).unit()
				copy(w, q[:])
			}
			if !(distance(tr.Path, v, w) <= tolerance) {
				good = false
				break
			}
		}
		if good || s.l.work < 0 || depth >= 12 || length <= finest || s.l.budget.left < s.l.reserve || s.l.budget.take(2*(bytesOfSample+int64(width)*72)) != nil {
			ends = append(ends, end{sp.a, sp.va, nil, sp.sa}, end{sp.b, sp.vb, sp.sb, nil})
			return
		}
		middle := (sp.a + sp.b) / 2
		vm := make([]float64, width)
		f(middle, false, vm)
		vb := append([]float64(nil), sp.vb...)
		if tr.Path == animation.Rotation {
			near(vm, sp.va)
			near(vb, vm)
		}
		cut(span{a: sp.a, b: middle, va: sp.va, vb: vm}, depth+1)
		// The second half goes on from where the first one ended.
		cut(span{a: middle, b: sp.b, va: vm, vb: vb}, depth+1)
	}
	for _, sp := range spans {
		if tr.Path == animation.Rotation && len(ends) > 0 {
			sp.va = append([]float64(nil), sp.va...)
			sp.vb = append([]float64(nil), sp.vb...)
			near(sp.va, ends[len(ends)-1].v)
			near(sp.vb, sp.va)
		}
		cut(sp, 0)
		if s.l.err != nil {
			return
		}
	}
	zero := make([]float64, width)
	add := func(t float32, in, v, out []float64) {
		if n := len(tr.Times); n > 0 && t <= tr.Times[n-1] {
			return
		}
		tr.Times = append(tr.Times, t)
		tr.Values = appendSingle(appendSingle(appendSingle(tr.Values, in), v), out)
	}
	for i := 0; i < len(ends); i += 2 {
		a, b := &ends[i], &ends[i+1]
		in := zero
		if i > 0 {
			in = ends[i-1].in
			if distance(tr.Path, ends[i-1].v, a.v) > tolerance*0.01 {
				add(math.Nextafter32(s.seconds(a.tick), float32(math.Inf(-1))), in, ends[i-1].v, zero)
				in = zero
			}
		}
		add(s.seconds(a.tick), in, a.v, a.to)
		if i+2 == len(ends) {
			add(s.seconds(b.tick), b.in, b.v, zero)
		}
	}
}

// slopes measures f's slopes at both ends of a span, from inside.
func (s *sampler) slopes(sp *span, path animation.Path, f func(tick float64, before bool, out []float64)) {
	width := len(sp.va)
	sp.sa, sp.sb = make([]float64, width), make([]float64, width)
	h := (sp.b - sp.a) * 1e-3
	seconds := h / s.l.ticks
	v1, v2 := make([]float64, width), make([]float64, width)
	side := func(at, step float64, v, out []float64) {
		f(at+step, step < 0, v1)
		f(at+2*step, step < 0, v2)
		if path == animation.Rotation {
			near(v1, v)
			near(v2, v)
		}
		for i := range out {
			out[i] = (4*v1[i] - v2[i] - 3*v[i]) / (2 * seconds)
			if step < 0 {
				out[i] = -out[i]
			}
		}
	}
	side(sp.a, h, sp.va, sp.sa)
	side(sp.b, -h, sp.vb, sp.sb)
}

// hermite is the cubic of a span at u (glTF 2.0, appendix C.5).
func hermite(sp *span, seconds, u float64, out []float64) {
	u2, u3 := u*u, u*u*u
	for i := range out {
		out[i] = (2*u3-3*u2+1)*sp.va[i] + (u3-2*u2+u)*seconds*sp.sa[i] + (3*u2-2*u3)*sp.vb[i] + (u3-u2)*seconds*sp.sb[i]
	}
}
