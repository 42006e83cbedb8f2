// Package animation plays clips on skeletons, on the CPU alone: it knows no GPU,
// no window and no file format.
//
// # Concept
//
// A Skeleton, its Skins and its Clips are immutable and shared by every entity
// made from one model. What belongs to one entity is small: a Player (which
// clip, where in it, how fast, fading from what) and a Pose (the local transform
// of each joint). The work is done by jobs: plain structs of inputs and outputs
// with Validate and Run. Buffers belong to the caller and nothing allocates.
//
//	clip ──SamplingJob──▶ pose ─┐
//	clip ──SamplingJob──▶ pose ─┴─BlendJob──▶ pose ──ToModel──▶ model ──Palette──▶ bone matrices
//
// A SamplingJob reads one clip at one time. A BlendJob mixes poses. Pose.ToModel
// walks the hierarchy once, parents first, and Skin.Palette multiplies by the
// inverse bind matrices. An Animator is those four in a row for one entity, with
// buffers that it keeps. The matrix of the node that carries a skinned mesh does
// not enter anywhere (glTF 2.0 §3.7.3.3).
//
// What a step passed on its way is a Span's to tell: events, and root motion, which
// ExtractRoot hands from a joint to the entity. Additive clips (MakeAdditive) lie on
// a blend as differences. A Driver poses an Animator instead of its Player: package
// machine's state machines do, and Rated asks another driver less often. A Modifier
// changes the pose after either: package spring's chains, package ground's feet,
// faces, IK; Modifiers are several. Package blendspace weighs clips, ik bends poses
// to goals, reduce makes clips smaller, retarget plays them on other skeletons, whose
// bones humanoid finds. NewLod drops joints for the distance, JointBoxes bounds what
// is skinned, and a Pool updates crowds over all cores.
//
// Times are seconds from the clip's start. Before the first key of a track its
// first value holds, after the last its last (glTF 2.0 §3.11). A joint without a
// track keeps its rest transform. Between LINEAR rotation keys the shorter arc
// is taken; CUBICSPLINE rotations are brought back to unit length.
//
// # Example
//
//	a := animation.NewAnimator(model.Skeleton, model.Skins, model.Clips)
//	if err := a.PlayName("Run", 0.2); err != nil { … }  // fades over 0.2 s
//	for … {
//		if err := a.Update(dt); err != nil { … }        // seconds
//		upload(a.Palette(skin))
//	}
//
// # Cost
//
// Each instance keeps cursors, so that playing onward costs no search; a seek
// costs one binary search a timeline. Playing a clip first lays its LINEAR keys
// out in rows (Clip.Pack): tracks of the same key times share one search, and
// kernels of baseline SSE2 interpolate four rotations at a time. The kernels
// compute the same bits on every amd64 machine; others, and the build tag purego,
// run the same in plain Go. STEP, CUBICSPLINE and weights are sampled track by
// track.
//
// Play validates the clip and may grow buffers; Update allocates nothing. A
// character of 65 joints takes about 3 µs for two clips sampled, blended, taken
// to model space and to palettes, three times that in plain Go; BenchmarkPose and
// BenchmarkPoseScale measure 1,000 of them.
package animation
