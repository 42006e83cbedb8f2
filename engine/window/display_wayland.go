//go:build linux && wayland

package window

import (
	"fmt"
	"os"
)

// HasDisplay reports whether the environment names a display to open windows
// on. It asks nobody, so the display may still refuse; Open tells.
func HasDisplay() bool { return os.Getenv("WAYLAND_DISPLAY") != "" }

func probeDisplay() (done func(), err error) {
	if !HasDisplay() {
		return nil, fmt.Errorf("window: %w: set WAYLAND_DISPLAY, build without -tags wayland for X11, or render headless", ErrNoDisplay)
	}
	return func() {}, nil
}
