package passes

import "github.com/bindpose/bindpose/framegraph"

// Present hands the backbuffer to the screen, or, without a window, to whoever
// reads the picture. It records nothing: that it reads the backbuffer keeps all
// that leads to it from being culled.
type Present struct{ frame *Frame }

// NewPresent makes the pass.
func NewPresent(f *Frame) *Present { return &Present{f} }

// Declare presents the backbuffer.
func (p *Present) Declare(b *framegraph.Builder) framegraph.Record {
	p.frame.Backbuffer = b.Present(p.frame.Backbuffer)
	return nil
}
