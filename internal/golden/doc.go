// Package golden compares rendered pictures with pictures committed beside the
// test.
//
// # Concept
//
// One driver on one machine draws the same picture bit for bit, run after run;
// another version of the driver, or another processor, may round otherwise.
// So there are two comparisons. [Check] holds a picture against a committed
// one, its golden, and forgives a little: by default at most 0.1 % of the
// pixels may differ by more than 3 of 255 in any channel. [Same] holds two
// pictures of one run against each other, and forgives nothing: use it for what
// must not change a single bit, such as another number of threads.
//
// A golden lies in testdata/golden/NAME.png below the package's folder. It is
// made, and made anew, by
//
//	BINDPOSE_GOLDEN=write go test -run Golden ./engine/...
//
// which `make golden` does for every package; so a test that calls Check has
// Golden in its name. Look at what changed before you commit it. A picture of
// one colour is never written: it is a frame that drew nothing.
//
// A comparison that fails says how many pixels differ, how much and where, and
// writes three pictures: what was drawn, what was wanted, and the difference,
// sixteen times as bright. They go to out/golden/ below the module's folder, or
// to the folder in BINDPOSE_GOLDEN_OUT.
//
// # Example
//
//	func TestGoldenTriangle(t *testing.T) {
//		golden.Check(t, "triangle", draw(t))
//		golden.Check(t, "noise", drawNoise(t), golden.Within(8, 0.02))
//	}
//
// # Cost
//
// Decoding the golden, about 10 ms for 1280×720, and one pass over the pixels.
// A golden of that size is 100 kB to 1 MB in the repository, so prefer pictures
// of 320×180.
package golden
