// Package physics moves rigid bodies with Bullet 3.24, kept behind a shim of
// plain structs.
//
// # Concept
//
// A [World] holds bodies, each named by a [Body] number and described once by a
// [BodyDesc]: a [Shape], a [Motion] (static, dynamic or kinematic) and its
// material. [World.Step] takes the time of a frame and runs as many fixed steps
// as fit; what is left over waits for the next frame, and [World.Transforms]
// blends the last two steps by it, so motion is smooth at any frame rate. Time
// beyond the permitted number of steps is dropped and reported, so that a slow
// frame cannot make the next one slower still.
//
// A frame is three batches: [World.SetKinematic] says where the bodies that
// animation or scripts own are to go (Bullet derives the velocity they push
// with), Step runs, then Transforms and [World.Contacts] read what came of it.
//
//	w.SetKinematic(poses)
//	report, err := w.Step(dt)
//	transforms = w.Transforms(transforms[:0])
//	contacts = w.Contacts(contacts[:0])
//
// Lengths are metres, masses kilograms, times seconds, angles radians. The same
// calls on the same machine give the same bits. A World is for one goroutine at
// a time.
//
// # Cost
//
// A step is one call into C whatever the number of bodies, and a frame is five;
// a steady frame allocates nothing on the Go heap. A world starts at about 5 MB,
// which is Bullet's pools. BenchmarkStep1000 measures a thousand boxes in a heap.
//
// Building needs Bullet's headers and libraries in single precision (Debian's
// libbullet-dev); where they are missing, the compiler says so.
package physics
