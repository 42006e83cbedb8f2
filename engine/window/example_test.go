package window_test

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/input"
	"github.com/bindpose/bindpose/engine/window"
)

func Example() {
	w, err := window.Open(window.Options{Title: "Bindpose", Width: 1280, Height: 720, Resizable: true})
	if err != nil {
		fmt.Println(err) // says what to do
		return
	}
	defer w.Close()
	for {
		in := w.Poll()
		if in.CloseRequested || in.Pressed(input.KeyEscape) {
			return
		}
		if w.Minimised() {
			w.WaitEvents(0.1)
			continue
		}
		// Draw a frame of w.FramebufferSize() pixels.
	}
}
