package fbx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/fbx"

	"github.com/bindpose/bindpose/internal/corpus"
)

// A hole of gigabytes is refused by its head: it is not read.
func TestAHoleIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hole.fbx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(3 << 30); err != nil {
		corpus.Missing(t, fmt.Errorf("a file system that makes holes: %w", err))
	}
	f.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = fbx.Load(path)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "hole.fbx") {
		t.Errorf("the error is %v; want one that names the file", err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}
