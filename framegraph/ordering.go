package framegraph

import "math/bits"

// ordering knows which stages are already ordered behind which: ahead[b][a] = s says that what stage a did in slots before
// s is done before stage b runs from here on; behind[b][a] = s, that it is done before what follows a barrier from stage b.
// Two barriers chain where some work in the stage between them exists (Vulkan 1.3 §7.1, execution dependency chains), so
// work brings behind what is ahead of it.
type ordering struct {
	ahead, behind [16][16]int32
}

// never is before every slot of the frame before.
const never = -1 << 30

func (o *ordering) reset() { *o = ignorant }

// ignorant knows nothing.
var ignorant = func() (o ordering) {
	for b := range o.ahead {
		for a := range o.ahead[b] {
			o.ahead[b][a], o.behind[b][a] = never, never
		}
	}
	return o
}()

// frame begins a frame, with a slot: a barrier from a stage is behind what the stage did before.
func (o *ordering) frame(slot int32) {
	for b := range o.behind {
		o.behind[b][b] = max(o.behind[b][b], slot)
	}
}

// compact maps the stages the package knows to 16 bits.
func compact(s Stage) uint32 {
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
	for d := compact(dst); d != 0; d &= d - 1 {
		ahead := &o.ahead[bits.TrailingZeros32(d)]
		for s := compact(src); s != 0; s &= s - 1 {
			behind := &o.behind[bits.TrailingZeros32(s)]
			for a := range ahead {
				ahead[a] = max(ahead[a], behind[a])
			}
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
	for c := compact(s); c != 0; c &= c - 1 {
		b := bits.TrailingZeros32(c)
		behind, ahead := &o.behind[b], &o.ahead[b]
		for a := range behind {
			behind[a] = max(behind[a], ahead[a])
		}
		behind[b] = slot + 1
	}
}

// ordered says whether everything the stages from did up to slot is done before the stages to run now.
func (o *ordering) ordered(from Stage, slot int32, to Stage) bool {
	for f := compact(from); f != 0; f &= f - 1 {
		for t := compact(to); t != 0; t &= t - 1 {
			if o.ahead[bits.TrailingZeros32(t)][bits.TrailingZeros32(f)] <= slot {
				return false
			}
		}
	}
	return true
}
