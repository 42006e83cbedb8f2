// Package gpu is the part of Bindpose that talks to the graphics card: it opens a device, owns its memory, builds
// pipelines, and runs the plans that package framegraph compiles.
//
// # Concept
//
// One [Device] per process is the usual case. From it come [Buffer], [Image], [Sampler], [SetLayout], [Layout] and
// [Pipeline] values, which live until their Release and are destroyed after the last frame that uses them. What is new
// each frame (instance records, palettes, GUI vertices) is written into the frame's ring through [Frame.Alloc].
//
// A frame runs between [Device.BeginFrame] and [Frame.End]; two are in flight. Inside it an [Executor] realises a
// framegraph plan: it gives each transient its memory, emits the plan's barriers, begins and ends rendering, and calls
// each pass's record closure. There, [From] turns the framegraph.Context into [Commands], whose methods write into a
// command stream that one C call replays for each pass.
//
// A [Target] is where pictures end: [Device.NewOffscreen] for images that are read back, [Device.NewWindow] for a
// swapchain. Both are imported into the graph as its backbuffer.
//
// # Cost
//
// Recording a command costs a few nanoseconds and no allocation. A steady frame allocates nothing on the Go heap.
// [Commands.Bind] writes descriptors only when what is bound at that place differs from two frames ago.
//
// # Where time is measured
//
// [Overlapped] submits a frame at once, with a timestamp around each pass; other queues take part where the plan says so and
// the device was opened with them, see [QueueUse]. [Serialised] submits and waits once a pass; it is slower and the default on
// a CPU device, whose timestamps inside one command buffer are wrong.
package gpu
