//go:build linux && !wayland

package window

/*
#cgo LDFLAGS: -lX11
#include <X11/Xlib.h>

static void *bp_open(void) { return XOpenDisplay(0); }
static void bp_close(void *d) { XCloseDisplay(d); }
*/
import "C"

import (
	"fmt"
	"os"
	"time"
	"unsafe"
)

// HasDisplay reports whether the environment names a display to open windows
// on. It asks nobody, so the display may still refuse; Open tells.
func HasDisplay() bool { return os.Getenv("DISPLAY") != "" }

// probeDisplay comes before GLFW, which would log its failure and go on. Its
// connection stays until done is called: an X server resets itself when the last
// client leaves (Xserver(1), -noreset), and GLFW would come just then. For the
// same reason it asks more than once.
func probeDisplay() (done func(), err error) {
	display := os.Getenv("DISPLAY")
	switch {
	case display == "" && os.Getenv("WAYLAND_DISPLAY") != "":
		return nil, fmt.Errorf("window: %w that this build can use: start XWayland and set DISPLAY, build with -tags wayland, or render headless", ErrNoDisplay)
	case display == "":
		return nil, fmt.Errorf("window: %w: set DISPLAY (or run under xvfb-run), or render headless", ErrNoDisplay)
	}
	var connection unsafe.Pointer
	for try := 0; try < 3 && connection == nil; try++ {
		if try > 0 {
			time.Sleep(50 * time.Millisecond)
		}
		connection = C.bp_open()
	}
	if connection == nil {
		return nil, fmt.Errorf("window: %w: the X server %q (DISPLAY) does not answer or refuses this user, so correct DISPLAY or render headless", ErrNoDisplay, display)
	}
	return func() { C.bp_close(connection) }, nil
}
