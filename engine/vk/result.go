package vk

import "fmt"

// Error is a command that returned a negative VkResult.
// errors.Is finds the result: errors.Is(err, vk.ERROR_DEVICE_LOST).
type Error struct {
	Call   string // the C command, such as "vkCreateDevice"
	Result Result
}

// Error names the command, the result, and where one can be given what it usually means.
func (e *Error) Error() string { return e.Call + ": " + e.Result.Error() }

// Unwrap returns the Result.
func (e *Error) Unwrap() error { return e.Result }

// Error is the result's C name, with what it usually means.
func (r Result) Error() string {
	if m := r.meaning(); m != "" {
		return r.String() + " (" + m + ")"
	}
	return r.String()
}

func (r Result) meaning() string {
	switch r {
	case ERROR_OUT_OF_HOST_MEMORY:
		return "out of main memory"
	case ERROR_OUT_OF_DEVICE_MEMORY:
		return "out of GPU memory"
	case ERROR_INITIALIZATION_FAILED:
		return "the driver could not start"
	case ERROR_DEVICE_LOST:
		return "the GPU stopped answering or was reset"
	case ERROR_MEMORY_MAP_FAILED:
		return "the memory cannot be mapped"
	case ERROR_LAYER_NOT_PRESENT:
		return "a requested layer is not installed"
	case ERROR_EXTENSION_NOT_PRESENT:
		return "a needed extension was not enabled, or the driver lacks it"
	case ERROR_FEATURE_NOT_PRESENT:
		return "the device lacks a requested feature"
	case ERROR_INCOMPATIBLE_DRIVER:
		return "no Vulkan driver is installed that fits"
	case ERROR_TOO_MANY_OBJECTS:
		return "too many objects of this kind"
	case ERROR_FORMAT_NOT_SUPPORTED:
		return "the device does not support the format for this use"
	case ERROR_OUT_OF_POOL_MEMORY, ERROR_FRAGMENTED_POOL:
		return "the descriptor pool has no room"
	case ERROR_SURFACE_LOST_KHR:
		return "the window's surface is gone"
	case ERROR_NATIVE_WINDOW_IN_USE_KHR:
		return "the window already has a swapchain"
	case ERROR_OUT_OF_DATE_KHR:
		return "the window changed: make the swapchain anew"
	}
	return ""
}

// check turns a VkResult into an error. Positive results are not errors.
func check(call string, r int32) error {
	if r >= 0 {
		return nil
	}
	return &Error{call, Result(r)}
}

// mismatch reports slices that C reads with one common length.
func mismatch(call string, first, other int) {
	panic(fmt.Sprintf("%s: its slices have %d and %d elements, and must have the same number", call, first, other))
}
