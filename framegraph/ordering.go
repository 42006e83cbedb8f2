package framegraph

import "math/bits"

// ordering knows which stages are already ordered behind which: ahead[b][a] = s says that what stage a did in slots before
// s is done before stage b runs from here on; behind[b][a] = s, that it is done before what follows a barrier from stage b.
// Two barriers chain where some work in the stage between them exists (Vulkan 1.3 §7.1, execution dependency chains), so
// work brings behind what is ahead of it.
//
// Only stages that the frame uses count, and they lie together: a frame that draws without vertex buffers uses five.
type ordering struct {
	stageRange
	changed       uint32 // stages of which more is ahead than when they ran last
	ahead, behind [16][16]int32

	// Of the barrier told last: its stages, in the range, and what is behind it.
	src, dst uint32
	last     [16]int32
}

// stageRange is the compact stages from the first that a frame uses to its last.
type stageRange struct {
	first, count uint8
	all          uint32
}

func rangeOf(stages uint32) stageRange {
	if stages == 0 {
		return stageRange{}
	}
	first := bits.TrailingZeros32(stages)
	count := bits.Len32(stages) - first
	return stageRange{uint8(first), uint8(count), 1<<count - 1}
}

// in is the stages of the range, the first one as bit 0.
func (r *stageRange) in(s Stage) uint32 { return compact(s) >> (r.first & 31) & r.all }

// never is before every slot of the frame before.
const never = -1 << 30

// reset makes it know nothing.
func (o *ordering) reset(r stageRange) {
	o.stageRange, o.changed = r, 0
	n := int(r.count & 31)
	for b := range min(n, 16) {
		ahead, behind := o.ahead[b][:min(n, 16)], o.behind[b][:min(n, 16)]
		for a := range ahead {
			ahead[a] = never
		}
		for a := range behind {
			behind[a] = never
		}
	}
}

// frame begins a frame, with a slot: a barrier from a stage is behind what the stage did before.
func (o *ordering) frame(slot int32) {
	for b := range min(int(o.count), 16) {
		o.behind[b][b] = max(o.behind[b][b], slot)
	}
}

// compact maps the stages the package knows to 16 bits: most are there.
func compact(s Stage) uint32 {
	if s <= 0xffff {
		return uint32(s)
	}
	return compactOthers(s)
}

//go:noinline
func compactOthers(s Stage) uint32 {
	if s&AllCommands != 0 {
		return 0xffff
	}
	c := uint32(s & 0xffff)
	if s&IndexInput != 0 {
		c |= 1
	}
	if s&VertexAttributeInput != 0 {
		c |= 4
	}
	if s>>32&0xf != 0 { // copy, resolve, blit, clear
		c |= uint32(AllTransfer)
	}
	return c
}

// barrier tells of a barrier. The barriers of one batch do not chain with each other, for no work is between.
func (o *ordering) barrier(src, dst Stage) {
	from, to := o.in(src), o.in(dst)
	o.src, o.dst = from, to
	n := min(int(o.count), 16)
	last := o.last[:n]
	if from == 0 {
		for a := range last {
			last[a] = never
		}
		return
	}
	// One by one: a wider load would wait for the narrow stores before it.
	for a, at := range o.behind[bits.TrailingZeros32(from)&15][:n] {
		last[a] = at
	}
	for s := from & (from - 1); s != 0; s &= s - 1 {
		for a, at := range o.behind[bits.TrailingZeros32(s)&15][:n] {
			last[a] = max(last[a], at)
		}
	}
	o.changed |= to
	for d := to; d != 0; d &= d - 1 {
		ahead := o.ahead[bits.TrailingZeros32(d)&15][:n]
		for a, at := range last {
			ahead[a] = max(ahead[a], at)
		}
	}
}

// joined tells that the queue waits for others, which came behind all that it did itself up to a slot.
func (o *ordering) joined(slot int32) {
	for b := range o.ahead {
		for a := range o.ahead[b] {
			o.ahead[b][a] = max(o.ahead[b][a], slot+1)
			o.behind[b][a] = max(o.behind[b][a], slot+1)
		}
	}
}

// ran tells of work in a slot.
func (o *ordering) ran(s Stage, slot int32) {
	n, work := min(int(o.count), 16), o.in(s)
	for c := work & o.changed; c != 0; c &= c - 1 {
		b := bits.TrailingZeros32(c) & 15
		behind := o.behind[b][:n]
		for a, at := range o.ahead[b][:n] {
			behind[a] = max(behind[a], at)
		}
	}
	o.changed &^= work
	for c := work; c != 0; c &= c - 1 {
		b := bits.TrailingZeros32(c) & 15
		o.behind[b][b] = slot + 1
	}
}

// ordered says whether everything the stages from did up to slot is done before the stages to run now.
func (o *ordering) ordered(from Stage, slot int32, to Stage) bool {
	after := o.in(to)
	for f := o.in(from); f != 0; f &= f - 1 {
		a := bits.TrailingZeros32(f) & 15
		for t := after; t != 0; t &= t - 1 {
			if o.ahead[bits.TrailingZeros32(t)&15][a] <= slot {
				return false
			}
		}
	}
	return true
}
