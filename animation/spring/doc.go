// Package spring swings chains of joints, hair, skirts and tails, behind what a
// clip moves, and keeps them out of spheres and capsules.
//
// # Concept
//
// A Chain lists joints with their stiffness, drag, gravity and radius; the end of
// each, its tail, is a point that moves by Verlet's method as VRM 1.0 says
// (VRMC_springBone 1.0, "Spring Bone Algorithm"): it goes on as it went, less the
// drag, is drawn to where the rest pose has it, falls, and is brought back to its
// distance from the joint. Out of colliders it is turned about its joint, exactly,
// where the specification pushes once.
//
// The method depends on its step, and models are tuned at 60 Hz. So a State steps
// 60 times a second whatever the frame's length, with what the clip moves
// interpolated to each step's time, and shows the time between two steps by a part
// of a step that is not kept. Equal frames give equal bits.
//
// A Job takes one State on, after the pose has been made and before the palettes:
//
//	pose ──ToModel──▶ model ──spring.Job──▶ ──Palette──▶ bone matrices
//
// The points live in the world, or in the space of the chain's Center, whose motion
// then does not swing it. What jumps in a Run, farther than a metre and than ten of
// the longest tail and faster than 30 m/s, was teleported: its State begins anew at
// rest. Rotations count from the
// skeleton's rest, so that clips do not turn joints of chains.
//
// # Example
//
//	state, err := spring.New(skeleton, chains, colliders)
//	job := spring.Job{State: state, Pose: pose, Model: model, World: entity, Dt: dt}
//	if err := job.Run(); err != nil { … }
//
// # Cost
//
// A step costs a microsecond or two a joint, its colliders included, and a frame is
// one or two steps. New allocates, Run does not.
package spring
