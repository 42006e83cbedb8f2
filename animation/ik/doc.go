// Package ik bends poses toward goals: a foot onto a step, a head toward a face, a
// tail behind its root.
//
// # Concept
//
// A job changes the rotations of a few joints of a pose, in place, and keeps the
// model-space matrices of those joints and all below them right. So jobs follow
// one another, after Pose.ToModel and before Skin.Palette:
//
//	pose ──ToModel──▶ model ──LookAt──▶ ──TwoBone──▶ ──Palette──▶ bone matrices
//
// With an animation.Animator they run after its Update on its Pose and Model, and
// Refresh after them makes the palettes. Goals are points in model space; bring
// one from the world by the inverse of the entity's matrix.
//
//   - TwoBone bends an arm or a leg, exactly, with a pole for the knee and a soft
//     limit that keeps it from snapping straight.
//   - LookAt turns a chain, spine to head, each joint by its share and within its
//     limit.
//   - Aim turns one joint so that a line fixed to it, a gun's barrel, meets a point.
//   - Fabrik bends a chain of any length (Aristidou and Lasenby, "FABRIK", 2011).
//
// Joints of a chain need not be each other's children: twist bones may lie between.
// Scales above a chain should be uniform; mirrored ones are right too.
//
// # Cost
//
// A job costs a few rotations and the matrices below its first joint, a few
// microseconds. Nothing allocates.
package ik
