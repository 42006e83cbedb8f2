package gputest

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Open opens a headless device with validation for the test, and closes it at cleanup; then any message fails the test.
// Where none can be opened the test is skipped, unless BINDPOSE_REQUIRE_SHARED=1, as in CI, where it fails.
func Open(t testing.TB) *gpu.Device {
	t.Helper()
	return OpenWith(t, gpu.Options{})
}

// OpenWith is Open with further options; validation is always on. Without a CacheDir, pipelines are kept in a folder of
// the test.
func OpenWith(t testing.TB, o gpu.Options) *gpu.Device {
	t.Helper()
	o.App, o.Validate = t.Name(), true
	if o.CacheDir == "" {
		o.CacheDir = t.TempDir()
	}
	dev, err := gpu.Open(o)
	if err != nil {
		corpus.Missing(t, err)
	}
	t.Cleanup(func() {
		dev.Close()
		Check(t, dev)
	})
	return dev
}

// Check fails the test for each message of the validation layer so far.
func Check(t testing.TB, dev *gpu.Device) {
	t.Helper()
	for _, m := range dev.Messages() {
		t.Errorf("validation: %s\n%s", m.ID, m.Text)
	}
}
