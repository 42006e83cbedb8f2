// Package assets is the model between file formats and everything that draws,
// plays or checks one.
//
// # Concept
//
// A Model is what one file holds, in Bindpose's conventions and in no format's:
// metres, +Y up, right-handed. Each format has a package below this one that
// returns one. Its Skeleton holds every node of the file, parents first; Nodes
// says what each node carries. A Model is immutable after loading, and shared.
//
// Model.Evaluate is the reference: it computes on the CPU, plainly, where a pose
// puts every vertex. The renderer's skinning is measured against it, Pose reports
// it as the JSON of the command pose, and the character checks read it.
//
// # Example
//
//	model, err := gltf.Load("Fox.glb")
//	report, err := assets.Pose(model, model.Clips[0], 0.5) // bounds at half a second
//
// A model may also be made in Go: the example of [Model] is a floor.
//
// # Cost
//
// Evaluate walks all vertices of the default scene, about 30 ns a vertex of four
// influences, and allocates a buffer for the largest primitive. It is meant for
// checks, not for frames.
package assets
