package framegraph

import "math/bits"

// ordering knows which stages are already ordered behind which: at[a][b] = s says that what stage a did in slots before s
// is done before stage b runs in slot s or later. Two barriers chain where some work in the stage between them exists
// (Vulkan 1.3 §7.1, execution dependency chains); without work there, it takes none.
type ordering struct {
	at, old [16][16]int32
	worked  [16]int32 // last slot with work in the stage, −1 before any
}

func (o *ordering) reset() {
	for a := range o.at {
		for b := range o.at[a] {
			o.at[a][b] = -1
		}
		o.worked[a] = -1
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

// begin starts a batch, whose barriers do not chain with each other.
func (o *ordering) begin() { o.old = o.at }

func (o *ordering) barrier(src, dst Stage, slot int32) {
	for s := compact(src); s != 0; s &= s - 1 {
		via := bits.TrailingZeros32(s)
		for d := compact(dst); d != 0; d &= d - 1 {
			b := bits.TrailingZeros32(d)
			o.at[via][b] = slot
			for a := range o.old {
				if at := o.old[a][via]; at >= 0 && o.worked[via] >= at && at > o.at[a][b] {
					o.at[a][b] = at
				}
			}
		}
	}
}

func (o *ordering) ran(s Stage, slot int32) {
	for c := compact(s); c != 0; c &= c - 1 {
		o.worked[bits.TrailingZeros32(c)] = slot
	}
}

// ordered says whether everything the stages from did up to slot is done before the stages to run now.
func (o *ordering) ordered(from Stage, slot int32, to Stage) bool {
	for f := compact(from); f != 0; f &= f - 1 {
		for t := compact(to); t != 0; t &= t - 1 {
			if o.at[bits.TrailingZeros32(f)][bits.TrailingZeros32(t)] <= slot {
				return false
			}
		}
	}
	return true
}
