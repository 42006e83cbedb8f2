package fbx

import (
	"math"
	"sort"
)

type interpolation uint8

const (
	constant interpolation = iota
	constantNext
	linear
	cubic
)

// key is a key of a curve, and how the time up to the next one is filled.
type key struct {
	tick   int64
	value  float64
	interp interpolation
	auto   bool // its slopes are to be found from its neighbours
	tcb    bool // as auto, by tension, continuity and bias: right, nextLeft and bias
	bias   float64
	flags  int64
	// right is the slope after this key, nextLeft that before the next one, a
	// second. The weights are how long the tangents are, of the time between.
	right, nextLeft             float64
	rightWeight, nextLeftWeight float64
}

// extrapolation is what a curve does outside its keys: its Type is 'C' (hold),
// 'R' (repeat), 'M' (mirror), 'A' (repeat, each time starting from where it
// ended) or 'K' (go on with the slope).
type extrapolation struct {
	mode  byte
	count int64 // repetitions, -1 without end
}

// curve is one animated number over time.
type curve struct {
	keys      []key // ticks rise
	pre, post extrapolation
	ticks     float64 // a second
	cursor    int     // where the last search ended
}

// finish sorts the keys and finds automatic slopes.
func (c *curve) finish() *curve {
	good := c.keys[:0]
	for _, k := range c.keys {
		if math.IsNaN(k.value) || math.Abs(k.value) > 1e30 || k.tick < -maxTick || k.tick > maxTick {
			continue
		}
		for _, w := range []*float64{&k.rightWeight, &k.nextLeftWeight} {
			if !(*w >= 0 && *w <= 1) {
				*w = defaultWeight
			}
		}
		for _, s := range []*float64{&k.right, &k.nextLeft, &k.bias} {
			if math.IsNaN(*s) || math.Abs(*s) > 1e30 {
				*s = 0
			}
		}
		good = append(good, k)
	}
	c.keys = good
	if len(c.keys) == 0 {
		return nil
	}
	if !sort.SliceIsSorted(c.keys, func(i, j int) bool { return c.keys[i].tick < c.keys[j].tick }) {
		sort.SliceStable(c.keys, func(i, j int) bool { return c.keys[i].tick < c.keys[j].tick })
	}
	// Of keys at one time the last holds.
	n := 0
	for i := range c.keys {
		if n > 0 && c.keys[n-1].tick == c.keys[i].tick {
			n--
		}
		c.keys[n] = c.keys[i]
		n++
	}
	c.keys = c.keys[:n]
	for i := range c.keys {
		k := &c.keys[i]
		if k.tcb {
			before, after := c.tcbSlopes(i)
			if i > 0 && c.keys[i-1].interp == cubic {
				c.keys[i-1].nextLeft = before
			}
			k.right = after
			continue
		}
		if !k.auto {
			continue
		}
		// What stands for the slopes of an automatic key are biases in percent,
		// unless it is independent of time.
		// The slope before it is its own, whatever the key before it is.
		if i > 0 && c.keys[i-1].interp == cubic {
			a := &c.keys[i-1]
			bias := a.nextLeft
			if !a.auto || a.tcb {
				bias = 0
			}
			a.nextLeft = c.autoSlope(i, bias)
		}
		k.right = c.autoSlope(i, k.right)
	}
	return c
}

// tcbSlopes are the slopes before and after a key by Kochanek and Bartels
// ("Interpolating Splines with Local Tension, Continuity, and Bias Control",
// 1984, eq. 8 and 9), over time instead of over keys. At the ends the one
// neighbour counts whole.
func (c *curve) tcbSlopes(i int) (before, after float64) {
	k := &c.keys[i]
	tension, continuity, bias := k.right, k.nextLeft, k.bias
	half, left, right := 0.5, 0.0, 0.0
	if i > 0 {
		a := &c.keys[i-1]
		left = (k.value - a.value) / (float64(k.tick-a.tick) / c.ticks)
	}
	if i+1 < len(c.keys) {
		b := &c.keys[i+1]
		right = (b.value - k.value) / (float64(b.tick-k.tick) / c.ticks)
	}
	if i == 0 || i+1 == len(c.keys) {
		half = 1
	}
	from, to := half*(1-tension)*(1+bias)*left, half*(1-tension)*(1-bias)*right
	return from*(1-continuity) + to*(1+continuity), from*(1+continuity) + to*(1-continuity)
}

const maxTick = 1 << 60

// autoSlope is the slope at an automatic key: flat at the ends, else the mean of
// the slopes to its neighbours or, where independent of time, the slope of the
// line between them; with the flags of clamping it never overshoots. A bias of
// ±100 percent leads to the greater or the lesser of the slopes to the
// neighbours (all found by measuring what FBX2glTF makes of such files).
func (c *curve) autoSlope(i int, bias float64) float64 {
	if i == 0 || i == len(c.keys)-1 {
		return 0
	}
	a, k, b := &c.keys[i-1], &c.keys[i], &c.keys[i+1]
	before := float64(k.tick-a.tick) / c.ticks
	after := float64(b.tick-k.tick) / c.ticks
	slope := (b.value - a.value) / (before + after)
	if k.flags&flagTimeIndependent == 0 {
		left, right := (k.value-a.value)/before, (b.value-k.value)/after
		slope = (left + right) / 2
		to := max(left, right)
		if bias < 0 {
			to = min(left, right)
		}
		slope += (to - slope) * min(math.Abs(bias)/100, 1)
	}
	if k.flags&(flagClamp|flagClampProgressive) != 0 {
		if k.flags&flagClamp != 0 {
			const flat = 1e-4
			if math.Abs(k.value-a.value) <= flat || math.Abs(b.value-k.value) <= flat {
				return 0
			}
		}
		if k.flags&flagClampProgressive != 0 {
			sign := 1.0
			if slope < 0 {
				sign = -1
			}
			steepest := math.Inf(1)
			if w := a.nextLeftWeight * before; w > 0 {
				steepest = min(steepest, max(0, sign*(k.value-a.value)/w))
			}
			if w := k.rightWeight * after; w > 0 {
				steepest = min(steepest, max(0, sign*(b.value-k.value)/w))
			}
			slope = sign * min(math.Abs(slope), steepest)
		}
	}
	return slope
}

// still tells whether the curve has one value throughout.
func (c *curve) still() bool {
	first := c.keys[0].value
	same := 1e-6 * max(1, math.Abs(first))
	for i := range c.keys {
		k := &c.keys[i]
		if math.Abs(k.value-first) > same || k.interp == cubic && (math.Abs(k.right) > same || math.Abs(k.nextLeft) > same) && i+1 < len(c.keys) {
			return false
		}
	}
	return true
}

// at is the curve at a time; where before is set, coming from earlier times,
// which matters at the keys of steps.
func (c *curve) at(tick float64, before bool) float64 {
	k := c.keys
	first, last := &k[0], &k[len(k)-1]
	if len(k) == 1 {
		return first.value
	}
	if tick < float64(first.tick) {
		return c.outside(tick, before, c.pre, true)
	}
	if tick > float64(last.tick) || tick == float64(last.tick) && !before && c.post.mode != 'C' {
		return c.outside(tick, before, c.post, false)
	}
	return c.inside(tick, before)
}

func (c *curve) inside(tick float64, before bool) float64 {
	k := c.keys
	if len(k) == 1 {
		return k[0].value
	}
	// The segment that tick lies in. Times are mostly asked for in order.
	i := c.cursor
	fits := func(i int) bool {
		if i < 0 || i+1 >= len(k) {
			return false
		}
		a, b := float64(k[i].tick), float64(k[i+1].tick)
		if before {
			return a < tick && tick <= b
		}
		return a <= tick && tick < b
	}
	if !fits(i) {
		if fits(i + 1) {
			i++
		} else {
			i = sort.Search(len(k), func(i int) bool {
				if before {
					return float64(k[i].tick) >= tick
				}
				return float64(k[i].tick) > tick
			}) - 1
		}
	}
	if i < 0 {
		return k[0].value
	}
	if i >= len(k)-1 {
		return k[len(k)-1].value
	}
	c.cursor = i
	a, b := &k[i], &k[i+1]
	span := float64(b.tick - a.tick)
	u := (tick - float64(a.tick)) / span
	switch a.interp {
	case constant:
		return a.value
	case constantNext:
		return b.value
	case linear:
		return a.value + (b.value-a.value)*u
	}
	return bezier(a.value, b.value, a.right, a.nextLeft, a.rightWeight, a.nextLeftWeight, u, span/c.ticks)
}

// bezier is a curve between two keys at u, 0 to 1, of seconds' length: a cubic
// Bézier in time and value whose inner points are told by slopes (a second) and
// weights (of the time). Weights of a third make time run evenly.
func bezier(v0, v1, s0, s1, w0, w1, u, seconds float64) float64 {
	x := u
	if math.Abs(w0-defaultWeight) > sameWeight || math.Abs(w1-defaultWeight) > sameWeight {
		// Time at x is 3x(1-x)²·w0 + 3x²(1-x)·(1-w1) + x³, which rises.
		lo, hi := 0.0, 1.0
		for range 60 {
			y := 1 - x
			t := 3*x*y*y*w0 + 3*x*x*y*(1-w1) + x*x*x
			if t > u {
				hi = x
			} else {
				lo = x
			}
			d := 3*y*y*w0 + 6*x*y*(1-w1-w0) + 3*x*x*w1
			next := x - (t-u)/d
			if !(next > lo && next < hi) {
				next = (lo + hi) / 2
			}
			if math.Abs(next-x) < 1e-14 {
				break
			}
			x = next
		}
	}
	p0, p1 := v0+s0*w0*seconds, v1-s1*w1*seconds
	y := 1 - x
	return y*y*y*v0 + 3*x*y*y*p0 + 3*x*x*y*p1 + x*x*x*v1
}

// outside is the curve before its first or after its last key.
func (c *curve) outside(tick float64, before bool, x extrapolation, early bool) float64 {
	k := c.keys
	first, last := &k[0], &k[len(k)-1]
	hold := last.value
	if early {
		hold = first.value
	}
	span := float64(last.tick - first.tick)
	switch x.mode {
	case 'K':
		if early {
			slope := c.edgeSlope(true)
			return first.value + slope*(tick-float64(first.tick))/c.ticks
		}
		return last.value + c.edgeSlope(false)*(tick-float64(last.tick))/c.ticks
	case 'R', 'M', 'A':
	default:
		return hold
	}
	// away is the distance from the curve's near end, and turns how many whole
	// lengths of it that is.
	away := tick - float64(last.tick)
	if early {
		away = float64(first.tick) - tick
	}
	turns := math.Floor(away / span)
	if rest := away - turns*span; rest == 0 && before != early {
		turns-- // the end of the turn before
	}
	if x.count >= 0 && turns >= float64(x.count) {
		turns = float64(x.count) - 1
		away = float64(x.count) * span
		before = !early
		if x.count == 0 {
			return hold
		}
	}
	into := away - turns*span // 0 to span
	mirrored := x.mode == 'M' && math.Mod(turns, 2) == 0
	at := float64(first.tick) + into
	if early != mirrored {
		at = float64(last.tick) - into
	}
	if mirrored {
		before = !before
	}
	v := c.inside(min(max(at, float64(first.tick)), float64(last.tick)), before)
	if x.mode == 'A' {
		d := (last.value - first.value) * (turns + 1)
		if early {
			d = -d
		}
		v += d
	}
	return v
}

func (c *curve) edgeSlope(early bool) float64 {
	k := c.keys
	if early {
		switch a := &k[0]; a.interp {
		case linear:
			return (k[1].value - a.value) * c.ticks / float64(k[1].tick-a.tick)
		case cubic:
			return a.right
		}
		return 0
	}
	a, b := &k[len(k)-2], &k[len(k)-1]
	switch a.interp {
	case linear:
		return (b.value - a.value) * c.ticks / float64(b.tick-a.tick)
	case cubic:
		return a.nextLeft
	}
	return 0
}

// times calls f with every time from start to stop at which the curve may bend,
// as far as it repeats there.
func (c *curve) times(start, stop int64, f func(tick int64)) {
	k := c.keys
	for i := range k {
		f(k[i].tick)
	}
	span := k[len(k)-1].tick - k[0].tick
	if span <= 0 {
		return
	}
	repeat := func(x extrapolation, from, to int64, early bool) {
		if x.mode != 'R' && x.mode != 'M' && x.mode != 'A' {
			return
		}
		most := int64(extrapolatedMost / len(k))
		if x.count >= 0 {
			most = min(most, x.count)
		}
		for turn := range most + 1 {
			shift := (turn + 1) * span
			if early {
				shift = -shift
			}
			inside := false
			for i := range k {
				t := k[i].tick + shift
				if x.mode == 'M' && turn%2 == 0 {
					t = k[0].tick + k[len(k)-1].tick - k[i].tick + shift
				}
				if t >= from && t <= to {
					inside = true
					f(t)
				}
			}
			if !inside && turn > 0 {
				break
			}
		}
	}
	repeat(c.post, k[len(k)-1].tick, stop, false)
	repeat(c.pre, start, k[0].tick, true)
}
