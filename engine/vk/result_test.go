package vk

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestErrorText(t *testing.T) {
	err := check("vkQueueSubmit2", int32(ERROR_DEVICE_LOST))
	if got, want := err.Error(), "vkQueueSubmit2: VK_ERROR_DEVICE_LOST (the GPU stopped answering or was reset)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	wrapped := fmt.Errorf("frame 7: %w", err)
	if !errors.Is(wrapped, ERROR_DEVICE_LOST) || errors.Is(wrapped, ERROR_OUT_OF_HOST_MEMORY) {
		t.Error("errors.Is does not find the result")
	}
	var e *Error
	if !errors.As(wrapped, &e) || e.Call != "vkQueueSubmit2" {
		t.Error("errors.As does not find the call")
	}
	if got := check("vkX", -99999).Error(); got != "vkX: VkResult(-99999)" {
		t.Errorf("unknown result: %q", got)
	}
	if check("vkX", int32(SUBOPTIMAL_KHR)) != nil || check("vkX", 0) != nil {
		t.Error("a success code is an error")
	}
}

func TestMissingLoader(t *testing.T) {
	err := open("libvulkan-that-nobody-has.so.1")
	if !errors.Is(err, ErrNoLoader) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{"apt install libvulkan1", "libvulkan-that-nobody-has.so.1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("%q is more than one line", err)
	}
}

func TestClearValues(t *testing.T) {
	c := ClearColor(1, 0.5, 0.25, 0)
	color := c.Color()
	if color.Float32() != [4]float32{1, 0.5, 0.25, 0} {
		t.Errorf("colour %v", color.Float32())
	}
	d := ClearDepth(0.5, 7)
	if got := d.DepthStencil(); got != (ClearDepthStencilValue{0.5, 7}) {
		t.Errorf("depth and stencil %v", got)
	}
}

func TestVersions(t *testing.T) {
	if MakeAPIVersion(1, 3, 0) != API_VERSION_1_3 {
		t.Error("MakeAPIVersion(1, 3, 0) is not API_VERSION_1_3")
	}
	if a, b, c := APIVersion(MakeAPIVersion(1, 2, 345)); a != 1 || b != 2 || c != 345 {
		t.Errorf("got %d.%d.%d", a, b, c)
	}
}
