// Package doctor says what is wrong with a character file: where, how far off,
// and how to mend it; and mends what can be mended without guessing.
//
// # Concept
//
// Check goes through a model in the order an expert does: the box and the
// proportions, each part against the whole, the weights, the joints, the tracks,
// and then, with the world matrices updated, how each skin was bound; last
// triangles, pictures and budgets. Each Finding has a code that scripts can rely
// on, a level, a place, measured figures and a fix. Examine reads a file first and
// adds what breaks the rules of its format.
//
// The bind error is the largest element of bindMatrix · inverse(meshWorld) - 1,
// where bindMatrix is what the joints at rest make of the skin, joint · inverse
// bind matrix. Where it is above 1e-3 the mesh is bound with another matrix than
// it stands at, and the difference goes through every joint's own rotation: the
// character tears. glTF ignores where a skinned mesh's node stands (glTF 2.0
// §3.7.3.3), so that alone proves nothing: what does is that the vertices lie by
// their joints after binding anew and did not before.
//
// Mend binds a mismatched mesh anew at its world matrix, keeping all else, makes
// weights sum to 1 and drops joints that are listed twice. A file in which nothing
// of that was found is copied byte for byte.
//
// # Example
//
//	report, model, err := doctor.Examine("hero.glb", gltf.Load, doctor.Budget{})
//	for _, f := range report.Findings {
//		fmt.Println(f.Level, f.Code, f.Where, f.Message, f.Fix)
//	}
//
// # Cost
//
// About 0.1 µs a vertex and 0.3 µs a triangle, and one evaluation of the model a
// clip.
package doctor
