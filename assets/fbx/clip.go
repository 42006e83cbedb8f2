package fbx

import (
	"math"
	"slices"

	"github.com/bindpose/bindpose/animation"
)

// Tracks are sampled where curves have keys, and between them as often as it
// takes for the track to stay within these of what the file means.
const (
	turnTolerance  = 5e-6 // of a unit quaternion's components: 1e-5 rad
	scaleTolerance = 1e-5
	moveTolerance  = 2e-6 // of the distance moved, or of a metre where that is more
	finest         = 1.0 / 240
	bytesOfSample  = 160
)

// clips makes a clip of each stack.
func (l *loader) clips() {
	l.reserve = l.budget.left / 4
	for _, s := range l.motions {
		if c := l.clip(s); c != nil && l.err == nil {
			l.m.Clips = append(l.m.Clips, c)
		}
	}
}

func (l *loader) clip(s *stack) *animation.Clip {
	if len(s.layers) == 0 {
		return nil
	}
	start, stop := s.span()
	origin := start
	if l.Native {
		origin = 0
		start = max(start, 0)
		stop = max(stop, start)
	}
	clip := &animation.Clip{Name: s.name, Duration: float32(float64(stop-origin) / l.ticks)}
	sampler := &sampler{l: l, origin: origin, cost: 1}
	movers := map[*node]*mover{}
	for _, n := range l.all {
		if n.moved && len(s.moves[n.obj]) > 0 {
			movers[n] = s.mover(n)
		}
	}
	for j := range l.joint {
		jt := &l.joint[j]
		if jt.kind == jointFixed {
			continue
		}
		n := jt.node
		own := movers[n]
		var dependents []*mover // what moves the joint: the node, and the scales it takes over
		if own != nil {
			dependents = append(dependents, own)
		}
		compensated := n.parent != nil && n.parent.split && n.inherit != inheritRSrs
		if compensated {
			for p := n.parent; p != nil; p = p.parent {
				if m := movers[p]; m != nil {
					dependents = append(dependents, m)
				}
				if p.parent == nil || !p.parent.split || p.inherit == inheritRSrs {
					break
				}
			}
		}
		if len(dependents) == 0 {
			continue
		}
		sampler.cost = int64(len(dependents))
		l.work -= sampler.cost
		if l.work < -workBase {
			l.fail("AnimationStack "+s.name, -1, "moves far more than a file of this size accounts for")
			return nil
		}
		var times []int64
		for _, m := range dependents {
			if l.work < 0 {
				break
			}
			for _, mv := range m.moves {
				times = mv.times(start, stop, times)
			}
		}
		times = between(times, start, stop)
		if !l.pay(int64(len(times))*8, "AnimationStack", -1) {
			return nil
		}
		// One evaluation serves all three tracks.
		local := func(tick float64, before bool) transform {
			of := func(n *node) values {
				if m := movers[n]; m != nil {
					v, _ := m.at(tick, before)
					return v
				}
				return n.rest
			}
			if jt.kind == jointScale {
				return transform{q: identity.q, s: l.effective(n, of)}
			}
			v, p := n.rest, &n.pivots
			if own != nil {
				v, p = own.at(tick, before)
			}
			return l.jointFrom(n, p.local(v), of)
		}
		var memo struct {
			tick   float64
			before bool
			known  bool
			x      transform
		}
		get := func(tick float64, before bool) *transform {
			if !memo.known || memo.tick != tick || memo.before != before {
				memo.tick, memo.before, memo.known, memo.x = tick, before, true, local(tick, before)
			}
			return &memo.x
		}
		// What does not vary is looked at once.
		when := func(varies bool) []int64 {
			if varies || compensated {
				return times
			}
			return times[:1]
		}
		rest := &l.m.Skeleton.Rest[j]
		if jt.kind == jointNode {
			sampler.track(clip, int32(j), animation.Translation, when(own != nil && own.translates), rest.Translation[:], func(tick float64, before bool, out []float64) {
				copy(out, get(tick, before).t[:])
			})
			q := rest.Rotation.XYZW()
			sampler.track(clip, int32(j), animation.Rotation, when(own != nil && own.rotates), q[:], func(tick float64, before bool, out []float64) {
				copy(out, get(tick, before).q[:])
			})
		}
		sampler.track(clip, int32(j), animation.Scale, when(own != nil && own.scales), rest.Scale[:], func(tick float64, before bool, out []float64) {
			copy(out, get(tick, before).s[:])
		})
		if l.err != nil {
			return nil
		}
	}
	sampler.cost = 1
	l.morphTracks(s, clip, sampler, start, stop)
	slices.SortStableFunc(clip.Tracks, func(a, b animation.Track) int {
		if a.Joint != b.Joint {
			return int(a.Joint - b.Joint)
		}
		return int(a.Path) - int(b.Path)
	})
	last := float32(0)
	for i := range clip.Tracks {
		last = max(last, clip.Tracks[i].Times[len(clip.Tracks[i].Times)-1])
	}
	clip.Duration = max(clip.Duration, last)
	return clip
}

// span is the time of a stack: its own, widened by its keys.
func (s *stack) span() (start, stop int64) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for _, moves := range s.moves {
		for i := range moves {
			for _, c := range moves[i].curves {
				if c != nil {
					first = min(first, c.keys[0].tick)
					last = max(last, c.keys[len(c.keys)-1].tick)
				}
			}
		}
	}
	switch {
	case first > last:
		return s.start, s.stop
	case s.start == s.stop:
		return first, last
	}
	// Blender 2.7 begins some takes a frame before time 0, where no key is.
	return max(s.start, min(0, first)), s.stop
}

func (m *move) times(start, stop int64, times []int64) []int64 {
	for _, c := range m.curves {
		if c != nil {
			c.times(start, stop, func(t int64) { times = append(times, t) })
		}
	}
	if c := m.layer.fade; c != nil {
		c.times(start, stop, func(t int64) { times = append(times, t) })
	}
	return times
}

// between sorts times, drops doubles and what is outside, and adds the ends.
func between(times []int64, start, stop int64) []int64 {
	times = append(times, start, stop)
	slices.Sort(times)
	times = slices.Compact(times)
	out := times[:0]
	for _, t := range times {
		if t >= start && t <= stop {
			out = append(out, t)
		}
	}
	return out
}

// morphTracks samples the weights of blend shapes.
func (l *loader) morphTracks(s *stack, clip *animation.Clip, sampler *sampler, start, stop int64) {
	for _, b := range l.morphed {
		var times []int64
		moved := false
		for _, c := range b.mesh.channels {
			for i := range s.moves[c.obj] {
				if m := &s.moves[c.obj][i]; m.property == c.property && m.animated() {
					times = m.times(start, stop, times)
					moved = true
				}
			}
		}
		if !moved {
			continue
		}
		// Between shapes of one channel, weights have corners.
		times = between(times, start, stop)
		o := l.m.Skeleton.MorphOffset
		rest := l.m.Skeleton.MorphWeights[o[b.joint]:o[b.joint+1]]
		sampler.track(clip, b.joint, animation.Weights, times, rest, func(tick float64, before bool, out []float64) {
			for _, c := range b.mesh.channels {
				c.weights(c.at(s, tick, before), out)
			}
		})
	}
}
