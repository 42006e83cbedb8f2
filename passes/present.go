package passes

import "github.com/bindpose/bindpose/framegraph"

// Present hands the backbuffer to the screen, or, without a window, to whoever
// reads the picture. It records nothing: that it reads the backbuffer keeps all
// that leads to it from being culled.
type Present struct {
	frame  *Frame
	screen bool
}

// NewPresent makes the pass; screen says whether there is a window.
func NewPresent(f *Frame, screen bool) *Present { return &Present{f, screen} }

// Declare presents the backbuffer, or leaves it for a copy to be read.
func (p *Present) Declare(b *framegraph.Builder) framegraph.Record {
	if p.screen {
		p.frame.Backbuffer = b.Present(p.frame.Backbuffer)
		return nil
	}
	b.TransferReadImage(p.frame.Backbuffer)
	b.SideEffect()
	return nil
}
