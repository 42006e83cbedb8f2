package stride

import (
	"cmp"
	"math"
	"slices"
)

// The thresholds. Heights are shares of the leg and of how high this foot rises in
// this clip, speeds shares of the speed that this clip's soles have, so that a fox
// of 79 m and a man, a shuffle and a sprint are judged alike.
const (
	// A swinging foot goes forward over the body, and over the ground faster than the
	// body by 1/(1-duty). Whatever moves back at a good part of the speed stands;
	// what moves back at next to nothing does not any more.
	enterBack, leaveBack = 0.35, 0.10
	// A walk lifts its feet little and a run much: a share of the lift tells them apart
	// in the one, a share of the leg in the other.
	enterLift, leaveLift = 0.35, 0.50
	enterLeg, leaveLeg   = 0.02, 0.03
	// Of a foot's longest stance: what is shorter is no stance, what interrupts one
	// for less does not end it.
	shortest, gap = 0.2, 0.3
)

// weigh is a value with a weight.
type weigh struct{ x, w float64 }

// median is the value that half of the weight is below.
func median(of []weigh) float64 { return quantile(of, 0.5) }

// quantile is the value that a share of the weight is below.
func quantile(of []weigh, share float64) float64 {
	if len(of) == 0 {
		return 0
	}
	slices.SortFunc(of, func(a, b weigh) int { return cmp.Compare(a.x, b.x) })
	total := 0.0
	for _, v := range of {
		total += v.w
	}
	sum := 0.0
	for _, v := range of {
		if sum += v.w; sum >= share*total {
			return v.x
		}
	}
	return of[len(of)-1].x
}

// axis is the line along which the feet go to and fro, of either direction: the
// main axis of their velocities.
func axis(limbs []*limb) flat {
	var xx, xz, zz float64
	for _, l := range limbs {
		for _, u := range l.move {
			xx, xz, zz = xx+u.x*u.x, xz+u.x*u.z, zz+u.z*u.z
		}
	}
	sin, cos := math.Sincos(math.Atan2(2*xz, xx-zz) / 2)
	return flat{cos, sin}
}

// pace is a first guess of the speed: how fast what goes back goes where it is low.
func pace(limbs []*limb) float64 {
	var all []weigh
	for _, l := range limbs {
		lo, hi := l.reach()
		for i, y := range l.low {
			if l.back[i] > 0 {
				all = append(all, weigh{l.back[i], math.Exp(-(y - lo) / (0.15*(hi-lo) + 1e-9))})
			}
		}
	}
	return median(all)
}

// face sets the speeds against a heading.
func (l *limb) face(heading flat) {
	for i, u := range l.move {
		l.back[i] = -u.dot(heading)
	}
}

// stand finds where the foot stands at a speed, and then its stances.
func (l *limb) stand(speed, leg float64, loops bool) {
	lo, hi := l.reach()
	// Where it stands is where a foot that goes back dwells: the densest height of the
	// lower half. The lowest would be that of a toe that dips into the ground.
	width := max(0.03*(hi-lo), 0.001*leg)
	best := -1.0
	l.floor = lo
	var standing []float64
	for i, y := range l.low {
		if l.back[i] >= enterBack*speed && y <= (lo+hi)/2 {
			standing = append(standing, y)
		}
	}
	standing = thin(standing)
	for _, y := range standing {
		density := 0.0
		for _, z := range standing {
			x := (z - y) / width
			density += math.Exp(-x * x / 2)
		}
		if density > best {
			best, l.floor = density, y
		}
	}
	l.lift = hi - l.floor
	enter := min(enterLift*l.lift, enterLeg*leg)
	leave := min(leaveLift*l.lift, leaveLeg*leg)

	n := len(l.low)
	strong, weak := make([]bool, n), make([]bool, n)
	for i := range n {
		strong[i] = l.back[i] >= enterBack*speed && l.low[i] <= l.floor+enter
		weak[i] = l.back[i] >= leaveBack*speed && l.low[i] <= l.floor+leave
	}
	l.stances = runs(weak, loops)
	l.stances = slices.DeleteFunc(l.stances, func(s span) bool {
		for i := s.from; i < s.to; i++ {
			if strong[i%n] {
				return false
			}
		}
		return true
	})
	l.join(n, loops, l.floor+leave, leaveBack*speed)

	var scatter []weigh
	for _, s := range l.stances {
		for i := s.from; i < s.to; i++ {
			scatter = append(scatter, weigh{math.Abs(l.low[i%n] - l.floor), 1})
		}
	}
	l.scatter = quantile(scatter, 0.75)
	// It stands from the first moment to the last in which it touches.
	for k := range l.stances {
		s := &l.stances[k]
		for s.to-s.from > 1 && !l.touches(s.from, leg) {
			s.from++
		}
		for s.to-s.from > 1 && !l.touches(s.to-1, leg) {
			s.to--
		}
		if loops && s.from >= n {
			s.from, s.to = s.from-n, s.to-n
		}
	}
	slices.SortFunc(l.stances, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

// near is how far above where it stands a sole touches, metres.
func (l *limb) near(leg float64) float64 { return clamp(2*l.scatter, 0.002*leg, 0.02*leg) }

func (l *limb) touches(i int, leg float64) bool {
	return l.low[i%len(l.low)] <= l.floor+l.near(leg)
}

// thin keeps so many of the heights of a long clip, evenly by rank, that comparing
// each with each is cheap.
func thin(heights []float64) []float64 {
	const most = 512
	if len(heights) <= most {
		return heights
	}
	slices.Sort(heights)
	out := make([]float64, most)
	for i := range out {
		out[i] = heights[i*(len(heights)-1)/(most-1)]
	}
	return out
}

// join closes short gaps in which the foot stays low, and drops short stances.
func (l *limb) join(n int, loops bool, low, forward float64) {
	longest := 0
	for _, s := range l.stances {
		longest = max(longest, s.len())
	}
	stays := func(from, to int) bool {
		if float64(to-from) > gap*float64(longest) {
			return false
		}
		for i := from; i < to; i++ {
			if l.low[i%n] > low || l.back[i%n] < -forward {
				return false
			}
		}
		return true
	}
	for i := 0; i+1 < len(l.stances); {
		if a, b := l.stances[i], l.stances[i+1]; stays(a.to, b.from) {
			l.stances[i].to = b.to
			l.stances = slices.Delete(l.stances, i+1, i+2)
			continue
		}
		i++
	}
	if k := len(l.stances); loops && k > 1 && stays(l.stances[k-1].to, l.stances[0].from+n) {
		l.stances[k-1].to = l.stances[0].to + n
		l.stances = slices.Delete(l.stances, 0, 1)
	}
	for _, s := range l.stances {
		longest = max(longest, s.len())
	}
	l.stances = slices.DeleteFunc(l.stances, func(s span) bool { return float64(s.len()) < shortest*float64(longest) })
}

// runs are the runs of true. Those of a loop go over its seam.
func runs(on []bool, loops bool) []span {
	var out []span
	n := len(on)
	for i := 0; i < n; i++ {
		if !on[i] {
			continue
		}
		from := i
		for i < n && on[i] {
			i++
		}
		out = append(out, span{from, i})
	}
	if k := len(out); loops && k > 1 && out[0].from == 0 && out[k-1].to == n {
		out[k-1].to = n + out[0].to
		out = out[1:]
	}
	return out
}

// tread is what touches the ground in an interval of a stance: how fast it goes,
// and the share of the sole's length that it spans. Touching is what lies at the
// height where this foot stands, or below, within what that height scatters by.
func (l *limb) tread(i int, leg float64, heading flat) (u flat, share float64, touches bool) {
	i %= len(l.low)
	touches = l.touches(i, leg)
	limit := max(l.floor, l.low[i]) + l.near(leg)
	a, b := l.points[i], l.points[i+1]
	count := 0.0
	lo, hi := math.Inf(1), math.Inf(-1)
	for v := range a {
		if l.height(i, v) > limit {
			continue
		}
		u = u.add(along(b[v].Sub(a[v])))
		count++
		x := along(a[v]).dot(heading)
		lo, hi = min(lo, x), max(hi, x)
	}
	if l.length > 0 {
		share = min((hi-lo)/l.length, 1)
	}
	return u.mul(1 / (count * l.dt)), share, touches
}
