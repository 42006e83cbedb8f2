// Command bench measures Bindpose's targets and prints them as a table, with
// what was measured and whether that meets the target. `make bench` runs it.
//
//	go run ./tools/bench                        # the table, in about two minutes
//	go run ./tools/bench --only pose,pose-scale # some of it
//	go run ./tools/bench --full                 # crowds of 500 and 1,000 too
//	go run ./tools/bench --json --count 9       # for a program; more runs
//
// # What the table says
//
// Each line is a number that a benchmark of the package concerned prints; `go
// test -bench` in that package shows the same. All benchmarks run once a round,
// five rounds, so that what else the machine does falls on all of them alike;
// fewer where two minutes would not do, and crowds, whose frames are long, in the
// first only. The measured figure is the median of the rounds, beside it the least and the
// greatest. The ratio is measured/target, which carries from machine to machine
// better than a time does: above 1 misses a target that is a most (≤), below 1
// one that is a least (≥).
//
//   - met, missed: the median does or does not meet the target. "met (3 of 5)"
//     says that not every round did, so that noise decides.
//   - not measured: something that the benchmark needs is not here; the line
//     says what. It is neither met nor missed.
//   - failed: the benchmark is broken; the line says how.
//
// The head says how much of the processors other programs used meanwhile. Where
// that is much, times are upper bounds, and what needs two processors at once,
// pose-scale, comes out low. Nothing is left out for that reason.
//
// # What is measured
//
//   - graph-compile, graph-scale: package framegraph. The structure changes from
//     turn to turn, so that no plan is reused, but for the line that says so.
//   - record: package engine/vk. One command of a typical draw's, written into
//     the stream and replayed into C functions that do nothing.
//   - pose, pose-scale: package animation. 1,000 characters of 65 joints.
//   - frame-garbage: package engine. All allocations of the program in a steady
//     frame of the demo with a crowd of 40, overlays and a panel.
//   - gltf-load: package assets/gltf, against three.js's GLTFLoader in Node, each
//     from the file to the model with its clips, in turn in each round. Neither
//     decodes pictures; for three.js they are taken out of the file's JSON
//     beforehand. Its figure for MorphStressTest is mostly how slowly Node
//     fetches data: URIs. It needs Node, and npm, which fetches three.js once;
//     BINDPOSE_THREEJS names a folder to keep it in other than the user's cache.
//   - verify: package animation/retarget/verify. 262 clips of 65 joints, made of the
//     mannequin's, compared at 60 Hz with clips on the other skeleton.
//   - crowd: package engine. Whole frames, animation included, until the device
//     is idle. The targets are the best of Filament 1.9 and three.js r187 as they
//     were seen on a machine of two cores with Mesa's lavapipe; they are not
//     measured here, so compare on such a machine.
//
// # Exit status
//
// 0 where the table was printed, even with targets missed; 1 where a benchmark
// failed; 2 where nothing was measured, as after a wrong flag.
package main
