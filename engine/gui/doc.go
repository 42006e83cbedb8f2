// Package gui is an immediate-mode user interface: Dear ImGui 1.86 behind a thin
// C shim. It touches no graphics API and no window. It takes an input.State, and
// gives out plain vertices, indices and commands that a render pass draws; so it
// runs headless, and a test clicks a button by writing a State.
//
// A frame goes from NewFrame through the widgets to EndFrame:
//
//	ui, err := gui.New(gui.Options{Scale: window.ContentScale(), Clipboard: window})
//	…
//	ui.NewFrame(in, gui.Frame{Width: 1280, Height: 720, Delta: 1.0 / 60})
//	if ui.Begin("Lighting", nil, 0) {
//		ui.Checkbox("Shadows", &shadows)
//		ui.SliderFloat("Exposure", &exposure, 0, 4, 2)
//	}
//	ui.End()
//	draw := ui.EndFrame()
//
// The pass uploads Atlas once for each of its versions, copies the lists with
// CopyVertices and CopyIndices, and issues one indexed draw a Command, with its
// scissor. Colours are sRGB-encoded: a pass that draws into an sRGB target decodes
// them first, as shaders/gui.vert does.
//
// A window's place and folding live in its Context; nothing is read from or
// written to a file. Lengths are window units: multiply fixed ones by Scale.
//
// The fonts are the Go family (Bigelow & Holmes, under the BSD licence of
// golang.org/x/image), with Latin, Greek, Cyrillic, arrows and simple shapes.
//
// Cost: a widget is one call into C, about 50 ns and what Dear ImGui does; a
// panel of a hundred widgets takes some tens of microseconds. A steady frame
// allocates nothing on the Go heap, and strings are passed without a copy.
// Textf boxes its arguments; Number, Int and the Cell… calls do not.
package gui
