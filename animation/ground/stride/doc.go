// Package stride measures how a clip steps, on the skinned mesh: how far, how fast,
// when each foot stands, and how much it slides.
//
// # Concept
//
// A clip is played in place for a cycle: where it takes the body along, the even
// part of that travel is taken off. A sole that stands then goes back at the speed
// at which the body must go for it to stand still, and a swinging one goes forward.
// So nothing is assumed, neither speed nor heading nor where the floor is:
//
//   - the line along which the feet go to and fro is the main axis of their
//     velocities, and the heading along it is the one against which more of the soles
//     stands for longer;
//   - a foot stands where it is low and goes back. What is low is measured from the
//     height at which this foot dwells while it goes back, as a share of its own lift
//     and of the leg; what is back, as a share of the speed. Both have two thresholds,
//     one to begin and one to last, and a stance goes over a loop's seam;
//   - the speed is the one that touching soles have most: the geometric median of
//     their velocities over all stances, which is not drawn aside by a heel that
//     slips as it comes down. Speed and stances are found in turns;
//   - slide is how far what touches moves over the ground in one step, were the body
//     to go at that speed.
//
// Stride and speed are one measure: stride = speed · duration / cycles. A standing
// sole goes back by stride · duty, where duty is the share of its cycle that it
// stands. For feet that take turns without pause or overlap duty is a half, and the
// stride is twice the distance that a sole goes back; a walk, whose feet overlap,
// has more, a run, which flies, less.
//
// # Example
//
//	soles, err := model.Soles() // once a model
//	job := stride.Job{Clip: walk, Skeleton: model.Skeleton, Soles: soles}
//	report, err := job.Run()
//	player.Speed = report.Rate(1.2) // the clip walks at 1.2 m/s
//
// The command bindpose stride prints reports.
//
// # Cost
//
// A Job samples the clip 240 times a second, for some 5 ms a second of clip; it is
// for loading time.
package stride
