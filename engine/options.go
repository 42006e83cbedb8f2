package engine

import (
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// Options say how New opens an engine. The zero value opens a window of
// 1280×720.
type Options struct {
	Title         string
	Width, Height int  // window units, or pixels where Headless; 0 is 1280×720
	Headless      bool // draw into memory, with no window and no display
	Hidden        bool // a window that is not shown, for tests

	// Validate turns the validation layers on. Where one of them says
	// something, Engine.Messages has it.
	Validate bool
	// Hide is what to do without though the device has it, to see how that goes.
	Hide gpu.Features
	// Mode says whether passes are submitted together or one by one; see
	// gpu.Mode. The default is serialised on a CPU device.
	Mode gpu.Mode
	// Workers is how many goroutines record passes at once where they are
	// submitted together; see gpu.ExecutorOptions. 0 and 1: one after another.
	Workers int
	// Queues says which queues there are beside the graphics queue, for passes
	// that ask for one; see gpu.Options.
	Queues gpu.QueueUse
	// VSync waits for the display.
	VSync bool
	// Graph switches parts of the frame-graph compiler off, to compare.
	Graph framegraph.Options
	// Shaders are folders whose shaders are compiled and taken up when they
	// change; see WatchShaders. BINDPOSE_SHADERS names more.
	Shaders []string
	// Warn is told, once each, what the engine replaced by a stand-in. model may
	// be nil. Nil: written to standard error.
	Warn func(model *assets.Model, message string)
}
