package reduce

import (
	"math"

	"github.com/bindpose/bindpose/animation"
)

// Compact is a clip in few bytes. It is immutable.
type Compact struct {
	clip   *animation.Clip // without tracks
	tracks []small
}

// small is one track: with data its values are 16 bits each, else as they were.
type small struct {
	head  animation.Track // joint, path, interpolation, width; times and values where kept whole
	keys  int
	ticks []uint16 // of the clip's duration; nil: head.Times
	data  []uint16
	lo    []float32 // by component: the least value, and what one step is
	step  []float32
}

const full = math.MaxUint16

func compact(c *animation.Clip, tracks []animation.Track, quantise bool) *Compact {
	out := &Compact{clip: c.With(nil)}
	for _, tr := range tracks {
		s := small{head: tr, keys: len(tr.Times)}
		if quantise {
			s.squeezeTimes(c.Duration)
			if tr.Interpolation != animation.CubicSpline && tr.Path != animation.Weights {
				s.squeezeValues()
			}
		}
		out.tracks = append(out.tracks, s)
	}
	return out
}

// squeezeTimes stores times in 16 bits where they stay in order and inside.
func (s *small) squeezeTimes(duration float32) {
	if duration <= 0 {
		return
	}
	ticks := make([]uint16, len(s.head.Times))
	for k, t := range s.head.Times {
		if t < 0 || t > duration {
			return
		}
		ticks[k] = uint16(math.Round(float64(t) / float64(duration) * full))
		if k > 0 && (ticks[k] == ticks[k-1]) != (t == s.head.Times[k-1]) {
			return
		}
	}
	s.ticks, s.head.Times = ticks, nil
}

func (s *small) squeezeValues() {
	v := s.head.Values
	if s.head.Path == animation.Rotation {
		for k := range s.keys {
			d := smallestThree(quatOf(v[4*k:]))
			s.data = append(s.data, d[:]...)
		}
		s.head.Values = nil
		return
	}
	for c := range s.head.Width {
		lo, hi := v[c], v[c]
		for i := c; i < len(v); i += s.head.Width {
			lo, hi = min(lo, v[i]), max(hi, v[i])
		}
		s.lo, s.step = append(s.lo, lo), append(s.step, float32((float64(hi)-float64(lo))/full))
	}
	for i, x := range v {
		c := i % s.head.Width
		n := 0.0
		if s.step[c] > 0 {
			n = math.Round((float64(x) - float64(s.lo[c])) / float64(s.step[c]))
		}
		s.data = append(s.data, uint16(min(max(n, 0), full)))
	}
	s.head.Values = nil
}

func quatOf(v []float32) [4]float32 { return [4]float32(quat(v[:4]).XYZW()) }

// smallestThree stores a rotation x, y, z, w in 48 bits: which component is the
// largest in two, the other three, within ±1/√2, in 15 each.
func smallestThree(q [4]float32) [3]uint16 {
	largest := 0
	for c := range q {
		if abs(q[c]) > abs(q[largest]) {
			largest = c
		}
	}
	sign := float64(1)
	if q[largest] < 0 {
		sign = -1
	}
	var out [3]uint16
	i := 0
	for c := range q {
		if c != largest {
			n := math.Round((sign*float64(q[c])*math.Sqrt2 + 1) / 2 * 32767)
			out[i] = uint16(min(max(n, 0), 32767))
			i++
		}
	}
	out[0] |= uint16(largest&1) << 15
	out[1] |= uint16(largest>>1) << 15
	return out
}

// fromSmallest is smallestThree's inverse.
func fromSmallest(d [3]uint16) [4]float32 {
	largest := int(d[0]>>15) | int(d[1]>>15)<<1
	var q [4]float32
	sum, i := 0.0, 0
	for c := range q {
		if c != largest {
			x := (float64(d[i]&32767)/32767*2 - 1) / math.Sqrt2
			q[c] = float32(x)
			sum += x * x
			i++
		}
	}
	q[largest] = float32(math.Sqrt(max(1-sum, 0)))
	return q
}

// Expand returns the clip that plays. It allocates; do it once.
func (c *Compact) Expand() *animation.Clip {
	tracks := make([]animation.Track, len(c.tracks))
	for i := range c.tracks {
		s := &c.tracks[i]
		tr := s.head
		if s.ticks != nil {
			tr.Times = make([]float32, len(s.ticks))
			for k, n := range s.ticks {
				tr.Times[k] = float32(float64(n) / full * float64(c.clip.Duration))
			}
		}
		switch {
		case s.data == nil:
		case tr.Path == animation.Rotation:
			for k := 0; k < len(s.data); k += 3 {
				q := fromSmallest([3]uint16(s.data[k:]))
				tr.Values = append(tr.Values, q[:]...)
			}
		default:
			for i, n := range s.data {
				c := i % tr.Width
				tr.Values = append(tr.Values, s.lo[c]+float32(n)*s.step[c])
			}
		}
		tracks[i] = tr
	}
	return c.clip.With(tracks)
}

// Bytes is how much memory times and values take, with the ranges of those in 16
// bits.
func (c *Compact) Bytes() int {
	n := 0
	for i := range c.tracks {
		s := &c.tracks[i]
		n += 2*len(s.ticks) + 2*len(s.data) + 4*len(s.lo) + 4*len(s.step) + 4*len(s.head.Values)
	}
	var whole []animation.Track
	for i := range c.tracks {
		whole = append(whole, animation.Track{Times: c.tracks[i].head.Times})
	}
	return n + rawBytes(whole)
}

// rawBytes is how much times and values of tracks take; times that tracks share
// count once.
func rawBytes(tracks []animation.Track) int {
	seen := map[*float32]bool{}
	n := 0
	for i := range tracks {
		tr := &tracks[i]
		n += 4 * len(tr.Values)
		if len(tr.Times) > 0 && !seen[&tr.Times[0]] {
			seen[&tr.Times[0]] = true
			n += 4 * len(tr.Times)
		}
	}
	return n
}
