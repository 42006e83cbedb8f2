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
// Opening a device with validation takes about 50 ms. The layer's messages are queued for the whole process, so tests
// that open devices don't run in parallel within a package.
package gputest
