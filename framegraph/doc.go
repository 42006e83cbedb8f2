// Package framegraph turns one frame's declared work into a plan that is safe to run on a Vulkan device: in what order,
// with which barriers between, in which rendering scopes, in which memory. It imports no Vulkan, so all of it is tested
// without a device; an executor (engine/gpu) runs the plan.
//
// # Concept
//
// A frame is declared anew each time, between Reset and Compile. AddPhase declares work of the processor, AddPass work of
// the device. Each takes one closure that declares what the step reads and writes, in verbs with a stage, and returns the
// closure that does it:
//
//	graph.AddPass("outline", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
//		b.Sample(scene.Depth, framegraph.FragmentShader)
//		scene.Color = b.ColorAttachment(scene.Color, framegraph.Load)
//		return func(c framegraph.Context) { … }
//	})
//
// Handles are typed and versioned: a write returns the new version, and the old handle is stale. So the declarations
// alone say who sees whose write, and a forgotten assignment is a mistake with a file and line, not a flicker. Names are
// for people. Compile reports all mistakes at once, as Mistakes.
//
// Compile is a row of steps, one file each: validate, survey, cull, gather, stagger, order, queues, scopes, sink, lifetimes, alias,
// barriers, plan. Every step remembers why; Plan.Explain tells. Package hazard replays a plan and proves it, from the memory model
// alone.
//
// # What a pass may rely on
//
// Between its barriers and its Record, every image a pass declared is in one layout: VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL
// where it is sampled or tested read-only, depth or colour; VK_IMAGE_LAYOUT_GENERAL where it is a storage image;
// VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL where it is an attachment; the transfer layouts where it is copied. Where
// Resource.Unified says so, it is in VK_IMAGE_LAYOUT_GENERAL throughout: on devices that don't mind. Descriptors name
// those. A transient's contents are undefined until its first write, and gone after its last use. What a pass with
// attachments records is inside a rendering scope: it draws, and neither copies nor dispatches.
//
// The device's work runs in declared order as far as anything depends on it; what is independent may move, and what
// nobody wants does not run. Options switches each of that off.
//
// HistoryImage and HistoryBuffer carry a value from frame to frame. Resolve averages the samples of a multisampled attachment
// where its scope ends. Async lets a compute or transfer pass run beside the graphics queue; a device with one queue gets
// the same result. Warnings tells of waste; Text, JSON, DOT, SVG and HTML show the plan.
//
// # Cost
//
// An unchanged structure costs a comparison for each declaration: about 3 µs for the demo's frame of 20 steps, 0.1 µs of it in
// Compile. A new structure is compiled in about 10 µs for such a frame, 10.5 where barriers melt, and the time grows with the number
// of accesses. Neither allocates, once the graph's memory has grown, where the closures are made once: a closure or method value written in
// the call allocates what it captures. Places in the source are looked up only for declarations that are new, and
// resolved to file and line only when somebody reads them.
package framegraph
