package framegraph

import "math"

var (
	// Infer loads what an earlier pass wrote; where nobody wrote, the contents are undefined, as with DontCare.
	Infer = Op{}
	// Load keeps what an earlier pass wrote. It is a mistake where nobody wrote.
	Load = Op{kind: LoadKeep + 1}
	// DontCare says the pass writes every texel it needs: older contents are lost, and older writers may be culled.
	DontCare = Op{kind: LoadDontCare + 1}
)

// Clear starts the attachment from one colour, in the image's own encoding before any sRGB conversion. The value may
// change each frame without a new compile.
func Clear(r, g, b, a float32) Op {
	return Op{kind: LoadClear + 1, value: Clear4{math.Float32bits(r), math.Float32bits(g), math.Float32bits(b), math.Float32bits(a)}}
}

// ClearInts is Clear for integer formats; for signed ones, the two's complement.
func ClearInts(r, g, b, a uint32) Op {
	return Op{kind: LoadClear + 1, value: Clear4{r, g, b, a}}
}

// ClearDepth starts a depth attachment from v, and its stencil plane from 0. Depth is reversed: 0 is far.
func ClearDepth(v float32) Op { return ClearDepthStencil(v, 0) }

// ClearDepthStencil is ClearDepth with a stencil value.
func ClearDepthStencil(v float32, stencil uint32) Op {
	return Op{kind: LoadClear + 1, value: Clear4{math.Float32bits(v), stencil}}
}
