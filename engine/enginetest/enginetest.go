package enginetest

import (
	"image"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Open opens a headless engine with validation, and closes it at cleanup; then
// any message fails the test. Warnings fail it too, unless o.Warn is set. Where
// no device can be opened the test is skipped, unless BINDPOSE_REQUIRE_SHARED=1,
// as in CI, where it fails.
func Open(t testing.TB, o engine.Options) *engine.Engine {
	t.Helper()
	o.Headless, o.Validate = true, true
	if o.Title == "" {
		o.Title = t.Name()
	}
	if o.Warn == nil {
		o.Warn = func(m *assets.Model, message string) {
			if m != nil {
				message = m.Name + ": " + message
			}
			t.Errorf("warning: %s", message)
		}
	}
	e, err := engine.New(o)
	if err != nil {
		corpus.Missing(t, err)
	}
	device := e.Device
	t.Cleanup(func() {
		e.Close()
		gputest.Check(t, device)
	})
	return e
}

// Frames draws n frames of dt seconds each.
func Frames(t testing.TB, e *engine.Engine, n int, dt float32) {
	t.Helper()
	for range n {
		if err := e.Frame(dt); err != nil {
			t.Fatal(err)
		}
	}
}

// Picture is what the last frame drew.
func Picture(t testing.TB, e *engine.Engine) *image.NRGBA {
	t.Helper()
	p, err := e.Picture()
	if err != nil {
		t.Fatal(err)
	}
	return p
}
