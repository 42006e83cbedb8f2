// Package reduce makes clips smaller: it drops keys that interpolation gives back,
// and stores values in 16 bits, against an error in metres where it can be seen.
//
// # Concept
//
// A turn of the hips by a thousandth moves a hand by a millimetre, the same turn of
// a finger moves nothing. So errors are measured where a joint's motion ends: at
// its children, at their children, and where a joint has none at points about it as
// far out as its skin may reach, in model space, over the whole clip. A Job drops
// keys by each joint's lever arm, measures the result so, and is stricter until the
// measured error is within the tolerance. What a Report says was measured, not
// estimated.
//
// A Compact is the small form, to keep in memory or a file; Expand gives the clip
// that plays. LINEAR tracks are reduced and stored in 16 bits (rotations as their
// three smaller components); STEP tracks lose repeated keys; CUBICSPLINE tracks,
// whose tangents are an author's own, stay as they are unless nothing in them moves.
//
// # Example
//
//	job := reduce.Job{Clip: clip, Skeleton: model.Skeleton, Tolerance: 0.001, Quantise: true}
//	small, report, err := job.Run()
//	fmt.Println(report) // 812 of 5,025 keys, 18,304 of 120,600 bytes, off by 0.8 mm at "hand.L"
//
// # Cost
//
// A Job is for loading or building time: it samples the clip many times over and
// allocates. A reduced clip takes less memory but not less time to play: tracks
// that shared one row of keys no longer do, and the vector kernels feed on rows.
package reduce
