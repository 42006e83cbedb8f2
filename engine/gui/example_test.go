package gui_test

import (
	"fmt"

	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/input"
)

func Example() {
	ui, err := gui.New(gui.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer ui.Close()

	shadows := false
	var in input.State
	frame := func() *gui.DrawData {
		ui.NewFrame(&in, gui.Frame{Width: 640, Height: 480, Delta: 1.0 / 60})
		ui.SetNextWindowPos(0, 0, gui.Always)
		if ui.Begin("Lighting", nil, gui.NoTitleBar) {
			ui.Checkbox("Shadows", &shadows)
		}
		ui.End()
		in.BeginFrame()
		return ui.EndFrame()
	}
	frame()
	in.MoveMouse(20, 20) // over the checkbox
	frame()
	in.SetButton(input.ButtonLeft, true)
	in.SetButton(input.ButtonLeft, false)
	frame()
	draw := frame()
	fmt.Println("shadows:", shadows)
	fmt.Println("something to draw:", draw.IndexCount > 0)
	// Output:
	// shadows: true
	// something to draw: true
}
