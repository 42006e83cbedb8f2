// Package scene holds entities: places in a tree, and what components make of
// them.
//
// # Concept
//
// An [Entity] has a local transform, a parent or none, and components: a mesh, an
// animator, a body, a collider, a light, a camera, scripts. A nil component is one
// that it does not have. Models are shared; what plays or moves belongs to the
// entity.
//
//	s, err := scene.New()
//	hero := s.SpawnModel("hero", model, nil)
//	hero.Scripts = []any{&patrol{}} // a Go value with Update(ctx, dt), and more
//	door := s.Spawn("door", nil)
//	lua, err := script.LoadLuaFile("door.lua")
//	door.Scripts = []any{lua}
//	crate := s.Spawn("crate", nil)
//	crate.Mesh = &scene.MeshRenderer{Model: box}
//	crate.Collider = scene.NewCollider(physics.Box(mgl32.Vec3{0.25, 0.25, 0.25}))
//	crate.Body = &scene.RigidBody{Motion: physics.Dynamic, Mass: 8}
//
// A frame is three steps: [Scene.RunScripts], [Scene.StepPhysics] and
// [Scene.Animate]. Bodies and scripts are made, changed and removed as their
// components come and go, and contacts are delivered after the physics step. What
// fails is named by its entity, once; the rest goes on.
//
// A lamp is an entity with a [Light]; the sun and the sky are the scene's
// [Environment].
//
//	s.Environment = scene.Evening() // whose exposure lets lamps show
//	lamp := s.Spawn("lamp", nil)
//	lamp.Local.Translation = mgl32.Vec3{-1.5, 1.6, 1}
//	lamp.Light = &scene.Light{Kind: assets.Point, Color: mgl32.Vec3{1, 0.6, 0.3}, Intensity: 15, Range: 10, Shadows: true}
//
// [Entity.Stand] puts a body's feet on the ground, whatever it is: a function, a
// height field, what rays meet.
//
// Lengths are metres, angles radians, times seconds; right-handed, +Y up. Cameras
// and lights look along their entity's -Z.
//
// # Cost
//
// World matrices are computed from the top of the tree down in one pass, a matrix
// product an entity. A steady frame allocates nothing, scripts aside.
package scene
