// Package vk is the part of Vulkan 1.3 that Bindpose uses, generated from Khronos's registry by tools/vkgen.
//
// # Concept
//
// Names are the C API's without their prefix, and otherwise unchanged: VkImageCreateInfo is [ImageCreateInfo],
// vkCreateImage is [CreateImage], VK_FORMAT_R8G8B8A8_UNORM is [FORMAT_R8G8B8A8_UNORM]. A FlagBits constant has the Flags
// type. What a call must and may do is in the Vulkan specification; this is what differs from C:
//
//   - The allocator is left out. A count and a pointer are one slice. An output pointer is a result, and the two calls of
//     an enumeration are one. A struct with a pNext chain that the driver fills stays a parameter.
//   - VkResult becomes an error, *[Error], that names the call; errors.Is finds the [Result]. Commands with more success
//     codes than VK_SUCCESS return the Result too ([AcquireNextImageKHR], [WaitForFences]).
//   - The library libvulkan.so.1 is opened by [Load], not linked. [LoadInstance] and [LoadDevice] fetch the commands; one
//     that the instance or device lacks returns ERROR_EXTENSION_NOT_PRESENT and queues a message.
//   - vkCmd* are methods of a [Stream]: written by Go, then replayed into a command buffer by one C call.
//   - Messages of the validation layers go into a queue that [DrainMessages] reads. No C thread ever calls into Go.
//
// # Memory
//
// Structs have C's layout, so a pointer inside one must not point to Go memory. An [Arena] is C memory for everything
// that is pointed to: [New], [Slice], [MakeSlice], [CString]. What is passed directly, a slice or a struct whose own pointers
// lead into an arena, may be Go memory. Structs given to a Stream by pointer must be in an arena until Replay.
//
// # Threads
//
// Load, LoadInstance, LoadDevice and DestroyDevice may run at any time, but a device must not be destroyed while another
// goroutine calls it, as in C. An Arena and a Stream belong to one goroutine at a time. Several devices may live at
// once: their calls then go through the loader's trampolines.
//
// # Cost
//
// A direct call is a cgo call, 40–90 ns. A streamed command costs about 11 ns, written and replayed, before the driver's
// own work (BenchmarkRecord: a typical mix with arrays; 7 ns for a plain draw). Neither allocates on the Go heap. Arena
// allocation is a bump of a pointer and the clearing of the memory.
package vk

//go:generate go -C ../.. run ./tools/vkgen
