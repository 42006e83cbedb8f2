//go:build linux && !wayland

package engine_test

import (
	"errors"
	"testing"

	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// The demo is drawn in a real window, which is resized ten times and closed,
// and the validation layers have nothing to say.
func TestWindowResizedTenTimes(t *testing.T) {
	xvfb.Start(t)
	e, err := engine.New(engine.Options{Title: "resized", Width: 320, Height: 200, Validate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := demo.Build(e.Scene); err != nil {
		t.Fatal(err)
	}
	draw := func() (drawn bool) {
		e.Window.Poll()
		err := e.Frame(1.0 / 60)
		if err != nil && !errors.Is(err, engine.ErrSkipped) {
			t.Fatal(err)
		}
		return err == nil
	}
	for i := range 10 {
		width, height := 200+37*i, 340-23*i
		e.Window.SetSize(width, height)
		fits := false
		for try := 0; try < 200 && !fits; try++ {
			e.Window.WaitEvents(0.01)
			w, h := e.Size()
			fits = draw() && w == width && h == height
		}
		if !fits {
			t.Fatalf("resize %d: no frame of %dx%d was drawn", i, width, height)
		}
	}
	e.Window.RequestClose()
	if err := e.Run(); err != nil {
		t.Fatalf("closing: %v", err)
	}
	for _, m := range e.Messages() {
		t.Errorf("validation: %s: %s", m.ID, m.Text)
	}
}
