// Mkdemo makes the demo's models: a skinned mannequin with three clips, a porter of
// 213 joints for the mannequin's motion to be retargeted to, a four-legged carrier
// with a load, a small house with a door to open, the props around it, and a sword.
// It writes mannequin.glb, porter.glb, carrier.glb, house.glb, props.glb and
// sword.glb, the same bytes every time on one kind of processor.
//
//	go run ./tools/mkdemo -o demo/assets            # rewrite the committed files
//	go run ./tools/mkdemo -o DIR -preview PICTURES -only walk  # and draw some
//	go run ./tools/mkdemo -variants DIR             # the people in all guises, for tests
//
// Nothing is modelled by hand. The mannequin's body is a field of rounded lumps
// (body.go), polygonised by surface nets (nets.go), cut into panels (panels.go)
// and bound to 65 joints (skin.go). Its legs follow authored soles by inverse
// kinematics (gait.go) and stand on the skinned sole, so that a foot neither
// slides nor sinks. House and props are boards, tiles and leaves placed by rule
// over small procedural textures (texture.go).
//
// A run takes about ten seconds on one core, half a minute more with pictures.
package main
