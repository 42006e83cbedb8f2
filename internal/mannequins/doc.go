// Package mannequins gives tests and tools the demo's two people in the guises in
// which characters come: 65 or 213 joints, bound in a T-pose or an A-pose, in metres,
// centimetres or hundredfold scale, with +Y or +Z up.
//
// # Concept
//
// All variants of one figure look and move the same in the world; only how the file
// says so differs. The armature, a node above the root, carries the turn to +Y and
// the scale; joints below it, rest and clips are in its space.
//
// # Example
//
//	for _, v := range mannequins.All() {
//		m, err := v.Model()
//		…
//	}
//
// # Cost
//
// A variant takes about ten milliseconds and 5 MB. go run ./tools/mkdemo -variants
// FOLDER writes them as files.
package mannequins
