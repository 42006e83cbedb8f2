package window

/*
#include <stdint.h>

// Defined by GLFW, which the binding compiles into the program. Declared here
// with plain types, because the binding's own CreateWindowSurface hands out the
// address of a handle that the garbage collector may have freed. Weak, so that
// this package links on its own while it is being built.
extern int glfwCreateWindowSurface(void *instance, void *window, const void *allocator, uint64_t *surface) __attribute__((weak));

static int bp_create_surface(uintptr_t instance, void *window, uint64_t *surface) {
	if (!glfwCreateWindowSurface)
		return -3;
	return glfwCreateWindowSurface((void *)instance, window, 0, surface);
}
*/
import "C"

import (
	"errors"
	"fmt"

	"github.com/go-gl/glfw/v3.3/glfw"
)

// RequiredExtensions are the instance extensions that CreateSurface needs,
// VK_KHR_surface and the display system's own. The error says that there is no
// Vulkan loader, or none that can draw to windows.
func (w *Window) RequiredExtensions() ([]string, error) {
	if !glfw.VulkanSupported() {
		return nil, errors.New("window: no Vulkan loader with a driver was found: install one (Debian: libvulkan1 mesa-vulkan-drivers)")
	}
	names := w.w.GetRequiredInstanceExtensions()
	if len(names) == 0 {
		return nil, errors.New("window: the Vulkan driver cannot draw to windows of this display, so render headless instead")
	}
	return names, nil
}

// CreateSurface makes a VkSurfaceKHR for this window. instance is a VkInstance
// made with RequiredExtensions; the caller destroys the surface, before the
// window.
func (w *Window) CreateSurface(instance uintptr) (uint64, error) {
	if instance == 0 {
		return 0, errors.New("window: a surface needs a VkInstance, and it is null")
	}
	var surface C.uint64_t
	if result := C.bp_create_surface(C.uintptr_t(instance), w.w.Handle(), &surface); result != 0 {
		return 0, fmt.Errorf("window: no surface could be made (VkResult %d): was the instance made with RequiredExtensions?", int(result))
	}
	return uint64(surface), nil
}
