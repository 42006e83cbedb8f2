// Package verify measures whether a clip of one skeleton plays on another as it
// does on its own. It shares nothing with what brought the clip over.
//
// # Concept
//
// Both skeletons are sampled at 60 Hz over the whole clip, the last moment
// included, and taken to model space. Rs and Rt are the rotations of two paired
// joints there, F the turn that takes the source's axes (up, left, ahead) to the
// target's. If the target's joint turns as the source's does, then
//
//	offset(t) = Rs(t)⁻¹ · F⁻¹ · Rt(t)
//
// is the same at all times: it is how differently the two joints were bound, and
// its size says nothing. What it changes by from frame to frame is the error, the
// drift. Since the bind difference hides in a constant, the directions of upper
// and lower arms and legs are compared too: a clip brought from an A-pose to a
// T-pose without aligning them has no drift, and its arms are 30° off.
//
// The pelvis is compared in height and along the ground. How much taller the
// target's legs are, and how much longer all of its limbs, is measured from both
// skeletons; so are the two ratios that the clips show. Those must agree, and what
// remains beside them is drift in metres. Of other joints, drift in metres is how
// much the bone above changes its length.
//
// Whether a finger, or any joint, that the source moves lies still on the target
// is read from the skeletons, not from the map of pairs.
//
// # Example
//
//	v, err := verify.New(source, target, pairs, verify.Options{})
//	takes, err := v.MeasureAll(len(clips), func(i int) (*animation.Clip, verify.Motion, error) {
//		return clips[i], verify.Play(target, brought[i]), nil
//	}, nil)
//	report := v.Report(takes)
//	if !report.Pass { … report.Findings … }
//
// # Cost
//
// A frame of two skeletons of 65 joints takes about 20 µs. Of a clip only drifts
// and the pelvis' path are kept, thinned to what a page can show.
package verify
