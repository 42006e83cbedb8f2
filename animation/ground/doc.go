// Package ground puts feet on the ground by what is measured on the skinned mesh.
//
// # Concept
//
// FindFeet finds a body's feet, of two legs, four or more, by how its skeleton rests.
// FindSoles chooses, once a mesh, the few dozen vertices of each that can touch the
// ground however the foot is held; a test holds them against all vertices over whole
// clips. A Sole skins them from a pose's matrices in about a microsecond.
//
// What they stand on is a Ground: a Func, a HeightField, level ground at a height
// (Flat), or engine/physics' rays (World.Ground). Contact says how high the lowest
// sole vertex is over the ground under it. Slope lays a long body along its slope: of
// five points along it the ends set the pitch and all five the height.
//
// A Stance does this for one entity, as a Modifier of its Animator:
//
//	clips ──▶ IK, faces ──▶ Stance: pitch the body, measure, lift it, bend its legs ──▶ springs ──▶ palettes
//
// The root alone moves, along the world's +Y; the legs keep the clip's shape. What
// height a clip itself has over its floor it keeps (Measured), so that a jump leaves
// the ground; Planted and Airborne are the other modes. Heights change no faster than
// the ground under a walker can, so that ledges are taken in some frames.
//
// FootIK also bends the legs: the body sinks as far as the lower foot needs it, knees
// bend to the side that they bend to at rest, soles turn to the ground's normal, and
// what stands is held where it is, whatever the entity's speed, until the clip lifts
// it.
//
// The Stance takes the animator's Place for where the body stands: its World, moved on
// by this update's root motion. The scene then moves the entity so, and by Rise to the
// ground under its origin, in the same frame.
//
// # Example
//
//	stance, err := entity.Stand(ground.Func(height))  // engine/scene: three lines
//	if err != nil { … }
//	stance.Feet = ground.NewFootIK(stance.Soles())
//
// Without a scene:
//
//	soles, err := model.Soles()
//	stance, err := ground.NewStance(terrain, soles)
//	animator.Modify(stance)
//	for … {
//		animator.World = place
//		if err := animator.Update(dt); err != nil { … }
//		place = mgl32.Translate3D(0, stance.Rise, 0).Mul4(animator.Place())
//	}
//
// # Limits
//
// Model space has +Y up at rest, as package assets' models have; joints may have any
// axes and scales, also mirrored. Morph targets do not move soles. Where ground ends,
// a body stays as high as it was.
//
// # Cost
//
// A person of 72 sole vertices over a height field costs some 5 µs a frame beyond its
// clips, and some 20 µs with foot IK (BenchmarkStance).
// Ground is asked for each vertex once for contact and up to three times with IK;
// Samples bounds that where asking is dear, as by rays. Updates allocate nothing.
package ground
