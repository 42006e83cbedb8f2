package vk

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/bindpose/bindpose/internal/corpus"
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
		corpus.Missing(t, err)
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
		corpus.Missing(t, errors.New("the validation layer is not installed: install vulkan-validationlayers"))
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
		corpus.Missing(t, fmt.Errorf("no Vulkan driver is installed: %w", err))
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
		corpus.Missing(t, errors.New("no Vulkan device"))
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

// takeMessages drains the queue, so that the messages that a test provoked do not fail it.
func takeMessages() []DebugMessage {
	var out []DebugMessage
	DrainMessages(func(m DebugMessage) { out = append(out, m) })
	return out
}

func (d *testDevice) buffer(t *testing.T, size DeviceSize, usage BufferUsageFlags) (Buffer, []byte) {
	t.Helper()
	info := BufferCreateInfo{SType: STRUCTURE_TYPE_BUFFER_CREATE_INFO, Size: size, Usage: usage}
	buffer, err := CreateBuffer(d.device, &info)
	if err != nil {
		t.Fatal(err)
	}
	req := GetBufferMemoryRequirements(d.device, buffer)
	props := GetPhysicalDeviceMemoryProperties(d.physical)
	const wanted = MEMORY_PROPERTY_HOST_VISIBLE_BIT | MEMORY_PROPERTY_HOST_COHERENT_BIT
	alloc := MemoryAllocateInfo{SType: STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, AllocationSize: req.Size}
	for i, m := range props.MemoryTypes[:props.MemoryTypeCount] {
		if req.MemoryTypeBits>>i&1 != 0 && m.PropertyFlags&wanted == wanted {
			alloc.MemoryTypeIndex = uint32(i)
			break
		}
	}
	memory, err := AllocateMemory(d.device, &alloc)
	if err != nil {
		t.Fatal(err)
	}
	if err := BindBufferMemory(d.device, buffer, memory, 0); err != nil {
		t.Fatal(err)
	}
	p, err := MapMemory(d.device, memory, 0, WHOLE_SIZE, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		DestroyBuffer(d.device, buffer)
		FreeMemory(d.device, memory)
	})
	return buffer, unsafe.Slice((*byte)(p), size)
}

// submit records the stream into a new command buffer, submits it and waits on a timeline semaphore.
func (d *testDevice) submit(t *testing.T, s *Stream) {
	t.Helper()
	a := &d.arena
	pool, err := CreateCommandPool(d.device, &CommandPoolCreateInfo{
		SType: STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, QueueFamilyIndex: d.family})
	if err != nil {
		t.Fatal(err)
	}
	defer DestroyCommandPool(d.device, pool)
	buffers, err := AllocateCommandBuffers(d.device, &CommandBufferAllocateInfo{
		SType: STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, CommandPool: pool, CommandBufferCount: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := BeginCommandBuffer(buffers[0], New[CommandBufferBeginInfo](a)); err != nil {
		t.Fatal(err)
	}
	s.Replay(buffers[0])
	if err := EndCommandBuffer(buffers[0]); err != nil {
		t.Fatal(err)
	}
	timeline := New[SemaphoreTypeCreateInfo](a)
	timeline.SemaphoreType = SEMAPHORE_TYPE_TIMELINE
	semaphore, err := CreateSemaphore(d.device, &SemaphoreCreateInfo{
		SType: STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, PNext: unsafe.Pointer(timeline)})
	if err != nil {
		t.Fatal(err)
	}
	defer DestroySemaphore(d.device, semaphore)
	// The submits' slice itself is Go memory; what it points to is in the arena.
	submit := SubmitInfo2{SType: STRUCTURE_TYPE_SUBMIT_INFO_2,
		CommandBufferInfoCount:   1,
		PCommandBufferInfos:      Slice(a, CommandBufferSubmitInfo{CommandBuffer: buffers[0]}),
		SignalSemaphoreInfoCount: 1,
		PSignalSemaphoreInfos:    Slice(a, SemaphoreSubmitInfo{Semaphore: semaphore, Value: 7, StageMask: PIPELINE_STAGE_2_ALL_COMMANDS_BIT}),
	}
	if err := QueueSubmit2(d.queue, []SubmitInfo2{submit}, 0); err != nil {
		t.Fatal(err)
	}
	wait := New[SemaphoreWaitInfo](a)
	wait.SemaphoreCount = 1
	wait.PSemaphores = Slice(a, semaphore)
	wait.PValues = Slice[uint64](a, 7)
	if res, err := WaitSemaphores(d.device, wait, 10e9); err != nil || res != SUCCESS {
		t.Fatal(res, err)
	}
	if v, err := GetSemaphoreCounterValue(d.device, semaphore); err != nil || v != 7 {
		t.Errorf("the semaphore is at %d, %v", v, err)
	}
}

// TestStreamOnTheDevice fills, updates and copies buffers, with barriers, labels and a timestamp between.
func TestStreamOnTheDevice(t *testing.T) {
	d := newDevice(t)
	a := &d.arena
	src, _ := d.buffer(t, 64, BUFFER_USAGE_TRANSFER_SRC_BIT|BUFFER_USAGE_TRANSFER_DST_BIT)
	dst, memory := d.buffer(t, 64, BUFFER_USAGE_TRANSFER_DST_BIT)
	barrier := New[DependencyInfo](a)
	barrier.MemoryBarrierCount = 1
	barrier.PMemoryBarriers = Slice(a, MemoryBarrier2{
		SrcStageMask: PIPELINE_STAGE_2_ALL_TRANSFER_BIT, SrcAccessMask: ACCESS_2_TRANSFER_WRITE_BIT,
		DstStageMask: PIPELINE_STAGE_2_ALL_TRANSFER_BIT, DstAccessMask: ACCESS_2_TRANSFER_READ_BIT | ACCESS_2_TRANSFER_WRITE_BIT,
	})
	label := New[DebugUtilsLabelEXT](a)
	label.PLabelName = CString(a, "copy")
	queries, err := CreateQueryPool(d.device, &QueryPoolCreateInfo{
		SType: STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, QueryType: QUERY_TYPE_TIMESTAMP, QueryCount: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer DestroyQueryPool(d.device, queries)
	ResetQueryPool(d.device, queries, 0, 1)

	var s Stream
	s.CmdFillBuffer(src, 0, WHOLE_SIZE, 0x04030201)
	s.CmdPipelineBarrier2(barrier)
	s.CmdUpdateBuffer(src, 4, []byte{9, 8, 7, 6})
	s.CmdPipelineBarrier2(barrier)
	s.CmdBeginDebugUtilsLabelEXT(label)
	s.CmdCopyBuffer(src, dst, []BufferCopy{{SrcOffset: 0, DstOffset: 32, Size: 8}, {SrcOffset: 8, DstOffset: 0, Size: 4}})
	s.CmdEndDebugUtilsLabelEXT()
	s.CmdWriteTimestamp2(PIPELINE_STAGE_2_ALL_COMMANDS_BIT, queries, 0)
	d.submit(t, &s)

	if got, want := [12]byte(append(memory[32:40:40], memory[:4]...)), [12]byte{1, 2, 3, 4, 9, 8, 7, 6, 1, 2, 3, 4}; got != want {
		t.Errorf("the buffer holds %v, want %v", got, want)
	}
	stamp := make([]uint64, 1)
	res, err := GetQueryPoolResults(d.device, queries, 0, 1, Bytes(stamp), 8, QUERY_RESULT_64_BIT)
	if err != nil || res != SUCCESS || stamp[0] == 0 {
		t.Errorf("timestamp %d, %v, %v", stamp[0], res, err)
	}
}

// TestSynchronizationValidationIsOn leaves a barrier out and names the object that the message must name.
func TestSynchronizationValidationIsOn(t *testing.T) {
	d := newDevice(t)
	src, _ := d.buffer(t, 64, BUFFER_USAGE_TRANSFER_SRC_BIT|BUFFER_USAGE_TRANSFER_DST_BIT)
	dst, _ := d.buffer(t, 64, BUFFER_USAGE_TRANSFER_DST_BIT)
	var s Stream
	s.CmdFillBuffer(src, 0, WHOLE_SIZE, 1)
	s.CmdCopyBuffer(src, dst, []BufferCopy{{Size: 64}})
	d.submit(t, &s)
	messages := takeMessages()
	if len(messages) != 1 || !messages[0].Error() || messages[0].IDName != "SYNC-HAZARD-READ-AFTER-WRITE" {
		t.Errorf("got %v, want one SYNC-HAZARD-READ-AFTER-WRITE", messages)
	}
}

func TestMessagesNameObjects(t *testing.T) {
	d := newDevice(t)
	buffer, _ := d.buffer(t, 64, BUFFER_USAGE_UNIFORM_BUFFER_BIT)
	name := New[DebugUtilsObjectNameInfoEXT](&d.arena)
	name.ObjectType = OBJECT_TYPE_BUFFER
	name.ObjectHandle = uint64(buffer)
	name.PObjectName = CString(&d.arena, "palette ring")
	if err := SetDebugUtilsObjectNameEXT(d.device, name); err != nil {
		t.Fatal(err)
	}
	var s Stream
	s.CmdFillBuffer(buffer, 0, 4, 0) // the buffer lacks the usage
	d.submit(t, &s)
	found := false
	for _, m := range takeMessages() {
		found = found || m.Error() && m.IDName == "VUID-vkCmdFillBuffer-dstBuffer-00029" &&
			strings.Contains(m.String(), `"palette ring"`)
	}
	if !found {
		t.Error("no message about the usage names the buffer")
	}
}

func TestCommandOfAnExtensionThatIsNotEnabled(t *testing.T) {
	d := newDevice(t)
	_, _, err := GetCalibratedTimestampsEXT(d.device, make([]CalibratedTimestampInfoEXT, 1))
	if !errors.Is(err, ERROR_EXTENSION_NOT_PRESENT) {
		t.Errorf("got %v", err)
	}
	messages := takeMessages()
	if len(messages) != 1 || !strings.Contains(messages[0].Text, "vkGetCalibratedTimestampsEXT") {
		t.Errorf("got messages %v", messages)
	}
}

// TestTwoDevices uses two devices of two instances in turn, the second made while the first lives.
func TestTwoDevices(t *testing.T) {
	one := newDevice(t)
	t.Run("second", func(t *testing.T) {
		two := newDevice(t)
		for _, d := range []*testDevice{one, two, one} {
			if err := DeviceWaitIdle(d.device); err != nil {
				t.Error(err)
			}
		}
	})
	buffer, memory := one.buffer(t, 16, BUFFER_USAGE_TRANSFER_DST_BIT)
	var s Stream
	s.CmdFillBuffer(buffer, 0, 16, 0x05050505)
	one.submit(t, &s)
	if memory[15] != 5 {
		t.Error("the first device no longer works")
	}
}

// TestCallsAllocateNothing covers the calls of a steady frame.
func TestCallsAllocateNothing(t *testing.T) {
	d := newDevice(t)
	fence, err := CreateFence(d.device, &FenceCreateInfo{SType: STRUCTURE_TYPE_FENCE_CREATE_INFO, Flags: FENCE_CREATE_SIGNALED_BIT})
	if err != nil {
		t.Fatal(err)
	}
	defer DestroyFence(d.device, fence)
	n := testing.AllocsPerRun(100, func() {
		if _, err := WaitForFences(d.device, []Fence{fence}, TRUE, 0); err != nil {
			t.Fatal(err)
		}
		if err := ResetFences(d.device, []Fence{fence}); err != nil {
			t.Fatal(err)
		}
		if err := QueueSubmit2(d.queue, []SubmitInfo2{{SType: STRUCTURE_TYPE_SUBMIT_INFO_2}}, fence); err != nil {
			t.Fatal(err)
		}
		if _, err := WaitForFences(d.device, []Fence{fence}, TRUE, 1e9); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("a submit and its waits allocate %v times", n)
	}
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
