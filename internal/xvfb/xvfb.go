//go:build linux

// Package xvfb gives a test a display of its own.
package xvfb

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/internal/corpus"
)

// Start starts an X server for the test, names it in DISPLAY, and ties the test
// to its thread, as windows need. The server ends with the test.
func Start(t *testing.T) {
	t.Helper()
	path := Tool(t, "Xvfb", "xvfb")
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

// Tool finds a program that the Debian package holds. Without it the test is
// skipped, or fails where BINDPOSE_REQUIRE_SHARED=1 says that all must run.
func Tool(t *testing.T, name, debian string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		corpus.Missing(t, fmt.Errorf("%s is missing: install the package %s", name, debian))
	}
	return path
}
