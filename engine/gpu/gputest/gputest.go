// Package gputest opens devices for tests.
//
// # Concept
//
// A test that touches the device opens it with [Open]: headless, with validation and synchronization validation on.
// When the test ends the device is closed, and any message of the validation layer fails the test.
//
//	func TestOutline(t *testing.T) {
//		dev := gputest.Open(t)
//		…
//	}
//
// # Cost
//
// Opening a device with validation takes about 50 ms; share it between subtests.
package gputest

import (
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
)

// Open opens a headless device with validation for the test and closes it at cleanup. The test is skipped where no
// Vulkan driver is installed, unless BINDPOSE_REQUIRE_GPU=1; then it fails.
func Open(t testing.TB) *gpu.Device {
	t.Helper()
	panic("stub")
}
