// Package walk makes a body walk without a clip: the soles first.
//
// # Concept
//
// A leg that swings like a pendulum slides: its foot goes back as a sine does, and the
// body evenly, and they part by centimetres. Here it is the other way round. Where
// each sole is, is decided first: on the ground it stays where it came down, whatever
// the body does, and in the air it goes from there to where it will come down, leaving
// and meeting the ground at the ground's own speed. The hips ride as high as the legs
// allow over those feet, which bobs them; hip and knee follow by inverse kinematics, so
// that a knee bends in swing, and in stance only gives as the other foot comes down; the
// feet keep their own turn, level as at rest. Arms swing against the legs of their side.
//
// A Body is what is known of a rig, found once and shared: its legs by package ground,
// their lengths measured, the joint in which they meet, its arms. A Walker is an
// animation.Driver of one entity. Its speed may change at any time, and it may turn,
// and no standing foot moves over the ground for that. Two legs walk, four do in the
// lateral sequence (hind left, front left, hind right, front right), more in waves.
//
// # Example
//
//	soles, err := model.Soles()
//	body, err := walk.NewBody(model.Skeleton, soles) // once a model
//	walker := walk.New(body)
//	err = walker.SetSpeed(1.2) // metres a second
//	animator.Drive(walker)     // the entity moves by the animator's Motion
//
// # Cost
//
// A step takes the rest pose, two walks through the hierarchy and a two-bone IK a leg:
// some tens of microseconds. Nothing allocates.
package walk
