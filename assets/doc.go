// Package assets holds the model that every file format is read into and every
// part of the engine draws, animates and checks. It knows no format: packages
// gltf, fbx, vrm and bvh below it fill a Model.
//
// A Model has one animation.Skeleton with all its nodes, parents before
// children, and beside it Nodes of the same order, which say what each carries:
//
//	for j, node := range model.Nodes {
//		if node.Mesh < 0 || !node.InScene {
//			continue
//		}
//		for _, primitive := range model.Meshes[node.Mesh].Primitives {
//			draw(primitive, world[j])
//		}
//	}
//
// A mesh on a node with a skin is drawn by the skin's palette instead, and the
// node's own matrix does not enter (glTF 2.0 §3.7.3.3).
//
// A Model is immutable after loading and shared by all that use it. Slices may be
// shared between its primitives and tracks where the file shares them. Images
// stay encoded until package image decodes them. Model.Footprint tells what a
// model costs.
package assets
