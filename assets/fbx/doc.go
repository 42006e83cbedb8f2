// Package fbx reads FBX files, binary and text, into an assets.Model.
//
// # Concept
//
// An FBX file is a tree of records: objects (nodes, geometries, deformers,
// curves) and the connections between them. Load makes of it what package gltf
// makes of a glTF file: nodes are joints of one skeleton, meshes are triangles,
// bones with their bind matrices are skins, and animation stacks are clips.
// Nothing of FBX is left to know for who draws or plays the model:
//
//   - axes and units become +Y up and metres: top-level nodes are turned, and all
//     lengths are scaled (Options.Native leaves both as the file has them, and
//     the time line too);
//   - pivots, offsets, pre- and post-rotations and rotation orders become each
//     joint's translation, rotation and scale, at rest and sampled. A node whose
//     children do not inherit its scale as matrices multiply (inherit types RrSs
//     and Rrs) becomes two joints, the inner one with the scale;
//   - polygons become triangles, those of two corners lines; NURBS surfaces are
//     cut into quads first;
//   - geometric transforms, which move a mesh but no child, are worked into the
//     mesh;
//   - curves of all interpolations, weighted, repeated beyond their ends and
//     blended over layers become linear, stepped or cubic tracks, sampled as
//     densely as it takes to stay within 1e-5 of a metre or radian;
//   - a skin's inverse bind matrices are what the file's clusters tell, the bind
//     pose where they tell nothing. The node that carries a skinned mesh does
//     not move it.
//
// Versions 3000 to 8000 are read in either byte order. What is not read is told
// as a Warning: NURBS curves, trimmed surfaces, vertex caches, constraints. Dual
// quaternion skinning is read (assets.Primitive.DualQuaternion) and drawn. A file
// whose cache is nowhere is refused.
//
// The format has no public specification. Facts are from the Blender
// Foundation's description of the binary encoding (2013), from the concepts that
// the Autodesk FBX SDK's help tells (transforms, inherit types, curve flags,
// layers), and from measuring: the tests compare with scenes that the tools that
// wrote the files evaluated, and with FBX2glTF.
//
// # Example
//
//	model, err := fbx.Load("hero.fbx")
//	if err != nil {
//		return err // hero.fbx: byte 5120: a record reaches beyond what holds it; …
//	}
//	for _, w := range model.Warnings {
//		log.Printf("%s: %s", w.Where, w.Message)
//	}
//
// # Cost
//
// A character of half a megabyte loads in about 10 ms on one core, and a clip of
// 53 joints with curves on all in about 15; most of that is inflating arrays, and
// sampling: some half a microsecond a joint and sample. Memory is bounded: see
// Decode.
package fbx
