package ordinary_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// Nothing but an ordinary file is opened, and a pipe that nobody writes to is
// not waited for.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, pipe, "/dev/zero"} {
		done := make(chan error, 1)
		go func() {
			_, err := ordinary.ReadFile(path, 1<<20)
			done <- err
		}()
		select {
		case err := <-done:
			if !errors.Is(err, ordinary.ErrKind) {
				t.Errorf("%s: %v", path, err)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is still being read", path)
		}
	}
}

// Of a file of gigabytes, which is a hole, no more is read than asked for.
func TestBounds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hole")
	if err := os.WriteFile(path, []byte("head"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil {
		t.Skip(err)
	}
	if _, err := ordinary.ReadFile(path, 1<<20); !errors.Is(err, ordinary.ErrSize) {
		t.Errorf("the whole file: %v", err)
	}
	f, err := ordinary.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := ordinary.Read(f, 6)
	if err != nil || string(data) != "head\x00\x00" {
		t.Errorf("read %q, %v", data, err)
	}
}
