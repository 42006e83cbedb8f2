package vk

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "loader.h"
#cgo noescape bpvk_proc
#cgo nocallback bpvk_proc
*/
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

// ErrNoLoader is what Load's error is when the Vulkan loader library cannot be opened.
var ErrNoLoader = errors.New("the Vulkan loader is missing")

// loader is the package's only state besides the message queue: which library and devices are loaded.
var loader struct {
	sync.Mutex
	open    bool
	devices []Device
}

// Load opens the Vulkan loader, libvulkan.so.1. Every call after the first that worked does nothing. The error says what
// to install, and is ErrNoLoader.
func Load() error {
	loader.Lock()
	defer loader.Unlock()
	if loader.open {
		return nil
	}
	err := open("libvulkan.so.1")
	loader.open = err == nil
	return err
}

func open(library string) error {
	name := C.CString(library)
	defer C.free(unsafe.Pointer(name))
	if msg := C.bpvk_open(name); msg != nil {
		return fmt.Errorf("%w: install it and a Vulkan driver (on Debian and Ubuntu: apt install libvulkan1 mesa-vulkan-drivers): %s",
			ErrNoLoader, C.GoString(msg))
	}
	return nil
}

// LoadInstance fetches the instance's commands, and those of its devices as trampolines that serve any device. It must
// come right after CreateInstance.
func LoadInstance(instance Instance) {
	loader.Lock()
	defer loader.Unlock()
	C.bpvk_load_instance(C.uintptr_t(instance))
}

// LoadDevice fetches the device's own commands, which spares each call the loader's trampoline. While more than one
// loaded device lives, calls go through the trampolines again.
func LoadDevice(device Device) {
	loader.Lock()
	defer loader.Unlock()
	loader.devices = append(loader.devices, device)
	activateDevice()
}

// DestroyDevice calls vkDestroyDevice and takes back what LoadDevice did.
func DestroyDevice(device Device) {
	destroyDevice(device)
	loader.Lock()
	defer loader.Unlock()
	for i, d := range loader.devices {
		if d == device {
			loader.devices = append(loader.devices[:i], loader.devices[i+1:]...)
			activateDevice()
			return
		}
	}
}

func activateDevice() {
	// Trampolines first: the device table must not be the active one while it is filled.
	C.bpvk_unload_device()
	if len(loader.devices) == 1 {
		C.bpvk_load_device(C.uintptr_t(loader.devices[0]))
	}
}

// InstanceProcAddr is vkGetInstanceProcAddr, for libraries that fetch their own commands; nil where there is none.
// Instance 0 asks for a global command.
func InstanceProcAddr(instance Instance, name string) unsafe.Pointer {
	return C.bpvk_proc(C.uintptr_t(instance), (*C.char)(unsafe.Pointer(unsafe.SliceData(cString(name, false)))))
}

// Pointer is the handle as a pointer, for libraries such as GLFW that want one.
func (i Instance) Pointer() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&i)) }
