// Package framegraph turns one frame's declared work into a plan that is safe to run on a Vulkan device: in what order,
// with which barriers between, in which memory. It imports no Vulkan, so all of it is tested without a device; an executor
// (engine/gpu) runs the plan.
package framegraph
