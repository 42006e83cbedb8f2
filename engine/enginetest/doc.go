// Package enginetest opens engines for tests.
//
// # Concept
//
// A test that draws opens its engine here: headless, with validation and
// synchronization validation on. When the test ends the engine is closed, and
// any message of the validation layers fails the test.
//
//	func TestOutline(t *testing.T) {
//		e := enginetest.Open(t, engine.Options{Width: 64, Height: 64})
//		enginetest.Frames(t, e, 2, 1.0/60)
//		picture := enginetest.Picture(t, e)
//		…
//	}
//
// # Cost
//
// Opening takes about a tenth of a second, and the first frame builds the
// pipelines that it needs. Messages are queued for the whole process, so tests
// that open engines don't run in parallel within a package.
package enginetest
