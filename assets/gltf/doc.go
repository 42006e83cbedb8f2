// Package gltf reads glTF 2.0 files (.gltf, .glb and their kin) into an
// assets.Model, and writes such a model as GLB.
//
//	model, err := gltf.Load("Fox.glb")
//	if err != nil {
//		return err // Fox.glb: meshes[0].primitives[0].attributes.POSITION: accessor 0 reads bytes …
//	}
//	for _, w := range model.Warnings {
//		log.Printf("%s: %s", w.Where, w.Message)
//	}
//
// What is read: every accessor (all component types, normalised, strided,
// sparse), all primitive modes, all sets of texture coordinates and of joints
// and weights, morph targets, nodes by TRS or matrix, skins, animations, cameras,
// materials, textures, and the extensions KHR_materials_unlit,
// KHR_materials_emissive_strength, KHR_materials_pbrSpecularGlossiness
// (converted), KHR_texture_transform, KHR_lights_punctual,
// KHR_mesh_quantization, EXT_meshopt_compression, KHR_draco_mesh_compression and
// EXT_texture_webp. Another extension is a warning, or
// an error where the file requires it.
//
// What is changed: nodes are put in an order in which parents come first (Node.
// Source tells their place in the file); strips, fans and loops become triangles
// and lines; normals and tangents become unit; the joint of a zero weight becomes
// 0; a channel with nothing to move is left out, a primitive without positions
// too. In a clip's extras, the number speed_m_s becomes Clip.Speed. A model
// without a default scene gets its first, or all nodes if it has none.
//
// Faults that do harm are an *Error with the file and the JSON path; those that
// do none (weights that do not sum to 1, unaligned accessors, a missing picture)
// are warnings or pass.
//
// The bytes go from the file to the model in one pass: JSON becomes a flat list
// of tokens without reflection; floats, joints and pictures that lie in the file
// as they do in memory stay there, and other accessors are copied once; accessors
// that are used twice are shared. Of a GLB just the binary chunk is kept. Fox
// (163 kB) loads in about 0.13 ms, CesiumMan (491 kB) in 0.3 ms, more than half of
// it for reading and for the collector; pictures are not decoded. Memory is
// bounded by the file's size: see Decode. Between loads 0.4 MB at most are kept
// for the next one's JSON.
//
// Write is the way back: err := gltf.Write(model, file). What it writes is valid
// glTF 2.0 and comes back the same; see there for what is put right on the way.
package gltf
