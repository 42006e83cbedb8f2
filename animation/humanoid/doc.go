// Package humanoid finds which joint of a skeleton is which bone of a person.
//
// # Concept
//
// Bones bear the names of VRM 1.0: hips, spine, leftUpperArm, rightIndexDistal.
// Guess goes by the names that tools give (Mixamo, Unreal, Character Creator,
// Rigify, 3ds Max's Biped, HumanIK, CMU's captures, VRM, KayKit) and by the hierarchy
// between those that are known. Shape goes by hierarchy and place alone, for
// skeletons whose joints are called joint_12 or nothing: limbs are pairs of chains
// that mirror one another, and left is left of where the toes point.
//
// # Example
//
//	bones := humanoid.Guess(skeleton)
//	if missing := bones.Missing(); len(missing) > 0 {
//		bones, err = humanoid.Shape(skeleton)
//	}
//
// # Cost
//
// Well under a millisecond for a character; it is for loading time.
package humanoid
