// Package fakevk stands in for a Vulkan driver in tests of the command stream: C function tables that write down what
// they are called with, or do nothing. It serves one goroutine.
package fakevk
