//go:build linux && !wayland

package window

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// onDisplay gives the test an X server of its own and a thread to itself.
func onDisplay(t *testing.T) {
	t.Helper()
	path := tool(t, "Xvfb", "xvfb")
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	server := exec.Command(path, "-displayfd", "3", "-screen", "0", "1280x800x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
	})
	read.SetReadDeadline(time.Now().Add(20 * time.Second))
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb named no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
}

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

// tool finds a program. Without it the test is skipped, or fails where the
// environment says that all must run.
func tool(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	switch {
	case err == nil:
	case os.Getenv("BINDPOSE_REQUIRE_SHARED") == "1":
		t.Fatalf("%s is missing, and BINDPOSE_REQUIRE_SHARED=1 wants this test run: install the package %s", name, debian)
	default:
		t.Skipf("%s is missing: install the package %s to run this test", name, debian)
	}
	return path
}
