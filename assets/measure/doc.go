// Package measure records what a character measures, and says what a later version
// of it changes: joints, channels, clips, strides, soles.
//
// # Concept
//
// Take measures a model and clips for it into a Character: counts, sizes and, of each
// clip, its channels, its steps as package stride measures them on the skinned soles,
// and where hands, head and other ends of what it moves go. A Record of characters is
// JSON, to be kept beside the program that was made for them. Compare lists each
// figure that differs, old and new: a rig that lost joints, a clip of 85 channels that
// comes back with 42, a walk that is faster than the movement it was tuned to.
//
// # Example
//
//	is, err := measure.Take(model, model.Clips)
//	for _, change := range measure.Compare(was, is) {
//		fmt.Println(change) // clip "walk": channels 42, were 85
//	}
//
// The command bindpose measure writes and checks records; package measuretest does so
// in a Go test.
//
// # Cost
//
// Take samples each clip as stride.Job does, some milliseconds a second of clip.
package measure
