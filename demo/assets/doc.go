// Package demoassets embeds the models that the demo shows. tools/mkdemo writes
// them; all are metres, +Y up, and face +Z.
//
//   - mannequin.glb: one skinned mesh, 65 joints from root, a T-pose as rest
//     pose, clips idle, walk and run in place. An animation's extras say in
//     speed_m_s how fast the root must move for its feet to stand.
//
//   - porter.glb: another person, short and broad, 213 joints under a character
//     generator's names with twist, face and finger helpers, an A-pose as rest
//     pose, bones that look along +Y. It has no clips: its motion is retargeted.
//
//   - carrier.glb: a walking machine on four legs, 2 m long, 17 joints, with a
//     load on its back; clips idle and walk in place, speed_m_s as above.
//
//   - mannequin.json: its state machine, in the format of docs/animation.md: states
//     idle, walk and run by the parameter speed (m/s that are wanted); pace is how
//     fast it steps, 1 as the clips are; halt stops it where it is.
//
//   - house.glb: nodes house and door. The door's origin is its hinge; a turn
//     about +Y opens it into the house (90° is wide open). The doorway's middle
//     is at x = 0.65 in the front wall z = 2.5; its threshold is at y = 0.16.
//
//   - props.glb: nodes ground, path, crate (origin at its centre, half a metre
//     each way), tree, tree_small, bush, grass, flowers, rock, fence (2 m along
//     +X), bench, lantern, all at the origin, to be picked and placed by name.
//     The path begins at its origin and runs 7.5 m along +Z.
//
//   - sword.glb: its origin is where a hand holds it, the blade along +Y.
//
//     b, err := demoassets.Files.ReadFile("mannequin.glb")
//
// The files add about 8 MB to a program.
package demoassets
