package vk

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unsafe"
)

const validationLayer = "VK_LAYER_KHRONOS_validation"

// testDevice is an instance with validation, synchronization validation included, and a device with one queue.
type testDevice struct {
	arena    Arena
	instance Instance
	physical PhysicalDevice
	device   Device
	family   uint32
	queue    Queue
}

// newInstance makes an instance with the validation layer, or skips the test where there is no driver.
func newInstance(t *testing.T, a *Arena) Instance {
	t.Helper()
	if err := Load(); err != nil {
		t.Skip(err)
	}
	DrainMessages(func(DebugMessage) {})
	layers, err := EnumerateInstanceLayerProperties()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, l := range layers {
		found = found || String(l.LayerName[:]) == validationLayer
	}
	if !found {
		t.Skip("the validation layer is not installed")
	}
	enabled := []ValidationFeatureEnableEXT{VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT}
	features := New[ValidationFeaturesEXT](a)
	features.EnabledValidationFeatureCount = uint32(len(enabled))
	features.PEnabledValidationFeatures = Slice(a, enabled...)
	features.PNext = unsafe.Pointer(DebugMessengerInfo(a))
	app := New[ApplicationInfo](a)
	app.ApiVersion = API_VERSION_1_3
	info := New[InstanceCreateInfo](a)
	info.PNext = unsafe.Pointer(features)
	info.PApplicationInfo = app
	info.EnabledLayerCount = 1
	info.PpEnabledLayerNames = CStrings(a, validationLayer)
	info.EnabledExtensionCount = 1
	info.PpEnabledExtensionNames = CStrings(a, EXT_DEBUG_UTILS_EXTENSION_NAME)
	instance, err := CreateInstance(info)
	if errors.Is(err, ERROR_INCOMPATIBLE_DRIVER) {
		t.Skip("no Vulkan driver is installed: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	LoadInstance(instance)
	messenger, err := CreateDebugMessenger(instance)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		DestroyDebugUtilsMessengerEXT(instance, messenger)
		DestroyInstance(instance)
		DrainMessages(func(m DebugMessage) { t.Errorf("validation: %v", &m) })
	})
	return instance
}

func newDevice(t *testing.T) *testDevice {
	t.Helper()
	d := new(testDevice)
	t.Cleanup(d.arena.Free)
	d.instance = newInstance(t, &d.arena)
	physical, err := EnumeratePhysicalDevices(d.instance)
	if err != nil {
		t.Fatal(err)
	}
	if len(physical) == 0 {
		t.Skip("no Vulkan device")
	}
	d.physical = physical[0]
	for i, f := range GetPhysicalDeviceQueueFamilyProperties2(d.physical) {
		if f.QueueFamilyProperties.QueueFlags&QUEUE_GRAPHICS_BIT != 0 {
			d.family = uint32(i)
			break
		}
	}
	a := &d.arena
	queue := New[DeviceQueueCreateInfo](a)
	queue.QueueFamilyIndex = d.family
	queue.QueueCount = 1
	queue.PQueuePriorities = Slice[float32](a, 1)
	v13 := New[PhysicalDeviceVulkan13Features](a)
	v13.Synchronization2, v13.DynamicRendering = TRUE, TRUE
	v12 := New[PhysicalDeviceVulkan12Features](a)
	v12.TimelineSemaphore, v12.HostQueryReset = TRUE, TRUE
	v12.PNext = unsafe.Pointer(v13)
	info := New[DeviceCreateInfo](a)
	info.PNext = unsafe.Pointer(v12)
	info.QueueCreateInfoCount = 1
	info.PQueueCreateInfos = queue
	d.device, err = CreateDevice(d.physical, info)
	if err != nil {
		t.Fatal(err)
	}
	LoadDevice(d.device)
	t.Cleanup(func() { DestroyDevice(d.device) })
	d.queue = GetDeviceQueue(d.device, d.family, 0)
	return d
}

func TestMain(m *testing.M) {
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		os.Setenv("XDG_RUNTIME_DIR", os.TempDir()) // quiets the loader
	}
	os.Exit(m.Run())
}

func TestDeviceProperties(t *testing.T) {
	d := newDevice(t)
	props := GetPhysicalDeviceProperties(d.physical)
	if name := String(props.DeviceName[:]); name == "" || strings.ContainsRune(name, 0) {
		t.Errorf("device name %q", name)
	}
	driver := New[PhysicalDeviceDriverProperties](&d.arena)
	props2 := New[PhysicalDeviceProperties2](&d.arena)
	props2.PNext = unsafe.Pointer(driver)
	GetPhysicalDeviceProperties2(d.physical, props2)
	if props2.Properties != props {
		t.Error("GetPhysicalDeviceProperties2 and GetPhysicalDeviceProperties disagree")
	}
	if String(driver.DriverName[:]) == "" {
		t.Error("the chained PhysicalDeviceDriverProperties was not filled")
	}
	t.Logf("%s, %v, %s", String(props.DeviceName[:]), props.DeviceType, String(driver.DriverName[:]))
}
