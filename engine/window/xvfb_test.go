//go:build linux && !wayland

package window

import (
	"os/exec"
	"testing"
	"time"
)

// until polls for up to five seconds.
func until(w *Window, done func() bool) bool {
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); {
		if w.Poll(); done() {
			return true
		}
		w.WaitEvents(0.02)
	}
	return false
}

func xdotool(t *testing.T, args ...string) {
	t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
}
