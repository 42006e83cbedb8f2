//go:build !linux

package window

// HasDisplay reports whether there may be a display to open windows on; outside
// Linux only opening one can tell.
func HasDisplay() bool { return true }

func probeDisplay() (done func(), err error) { return func() {}, nil }
