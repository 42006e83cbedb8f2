// Package vrm reads and writes what VRM adds to glTF: which joint is which bone of
// a person, expressions, where to look, and springs.
//
// # Concept
//
// An Avatar goes with the assets.Model of the same file and speaks of it by the
// model's numbers: joints of its skeleton, its meshes and materials. VRM 0.x
// (extension VRM, UniVRM's specification) is read into the same terms as VRM 1.0
// (VRMC_vrm, VRMC_springBone), whose names are used throughout: a 0.x thumb's
// Proximal becomes Metacarpal, the expression joy becomes happy. What a 0.x file
// faces is +Z turned by half, as its specification has it; Avatar.Version says
// which it was.
//
// Write makes a VRM 1.0 file of a model and an avatar; humanoid.Guess finds the bones
// of a person in a skeleton without one, by hierarchy and names.
//
// An Instance is one entity's avatar in motion. As the Modifier of its
// animation.Animator it weighs expressions, which override one another, turns eyes
// and moves what swings, after each update's clips.
//
// # Example
//
//	model, avatar, err := vrm.Load("Alicia.vrm")
//	head := avatar.Bones["head"] // a joint of model.Skeleton
//	hero := scene.SpawnModel("hero", model, nil)
//	alive, err := vrm.NewInstance(model, avatar)
//	hero.Animator.Modify(alive)
//	err = alive.Express("happy", 0.7)
//
// # Cost
//
// The file's JSON is read a second time, for what gltf leaves out. An Instance costs
// what its springs cost (package spring), and allocates nothing in a frame.
package vrm
