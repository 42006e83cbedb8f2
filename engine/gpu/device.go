package gpu

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
)

// ErrDeviceLost is what every call returns once the device is lost: the program must open a new one.
var ErrDeviceLost = errors.New("gpu: the graphics device was lost (driver reset, crash or removal); restart the program")

// framesInFlight is how many frames may be recorded or running at once.
const framesInFlight = 2

// Device is an open device with its queues, memory and caches. Its methods are for one goroutine at a time.
type Device struct {
	instance  vk.Instance
	messenger vk.DebugUtilsMessengerEXT
	surface   vk.SurfaceKHR
	physical  vk.PhysicalDevice
	handle    vk.Device
	queues    [queueCount]queue // by framegraph.Queue; the graphics queue is always open
	ended     uint64            // the value of the graphics queue's timeline that the latest frame ended with
	sharers   []uint32          // in C: the families of the queues, where there are several

	sharersArena vk.Arena

	props      Properties
	debug      bool // names and labels can be given
	validating bool
	lost       bool
	onMessage  func(Message)
	messages   []Message

	receiver func(vk.DebugMessage) // receive, bound once

	arena     vk.Arena // scratch for one call; reset by it
	nameArena vk.Arena // scratch for debug names

	memory   *memory
	samplers map[SamplerDesc]*Sampler
	cache    pipelineCache
	scratch  []Value // see scratchValues
	standIns standIns
	desc     descriptors
	setups   []func()              // destroys what lives as long as the device, in reverse
	replaced map[string][]byte     // code by shader name, instead of what pipelines were given
	owned    map[releaser]struct{} // pipelines, executors and windows not yet released; images and buffers are in imports

	imports map[uint64]imported // what graphs may name, by key
	lastKey uint64

	frames  [framesInFlight]*Frame
	current *Frame // between BeginFrame and End
	frameNo uint64 // of the current frame, or of the next
	done    uint64 // frames before this number have finished
	trash   trash

	shared sync.Mutex // of what record closures share, while several run
	spread bool       // several run
	once   oneShot
	upload Upload
	staged int // bytes that went through the staging buffer
}

// lock what record closures share, where several run at once.
func (d *Device) lock() {
	if d.spread {
		d.shared.Lock()
	}
}

func (d *Device) unlock() {
	if d.spread {
		d.shared.Unlock()
	}
}

type releaser interface{ Release() }

// ptr is p as C takes it.
func ptr[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// Open loads Vulkan, chooses a device (discrete before integrated, virtual, CPU; the environment variable
// BINDPOSE_DEVICE chooses by index or by a part of the name) and opens it. Each error is a sentence that says what to
// install or set.
func Open(o Options) (*Device, error) {
	d := &Device{onMessage: o.OnMessage, samplers: map[SamplerDesc]*Sampler{}, imports: map[uint64]imported{}, owned: map[releaser]struct{}{}}
	d.receiver = d.receive
	if err := d.open(o); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Device) open(o Options) error {
	use, err := o.queueUse()
	if err != nil {
		return err
	}
	if err := d.openInstance(o); err != nil {
		return err
	}
	d.arena.Reset()
	if err := d.openMessenger(); err != nil {
		return err
	}
	if o.Surface != nil {
		s, err := o.Surface(uintptr(d.instance))
		if err != nil {
			return fmt.Errorf("gpu: making the window's surface: %w", err)
		}
		d.surface = vk.SurfaceKHR(s)
	}
	c, err := d.chooseDevice()
	if err != nil {
		return err
	}
	d.physical, d.props = c.handle, c.props
	for q, place := range placeQueues(c.families, use) {
		d.queues[q].queuePlace = place
	}
	d.props.Has.hide(o.Hide)
	if err := d.openHandle(); err != nil {
		return fmt.Errorf("gpu: opening %s: %w", d.props.Name, err)
	}
	d.arena.Reset()
	if err := d.openQueues(); err != nil {
		return err
	}
	d.memory = newMemory(d)
	d.cache.open(d, o.CacheDir)
	if err := d.once.open(d); err != nil {
		return err
	}
	d.desc.open(d)
	for i := range d.frames {
		if d.frames[i], err = newFrame(d, i); err != nil {
			return err
		}
	}
	if err := d.standIns.open(d); err != nil {
		return err
	}
	d.drain()
	return nil
}

// openHandle makes the logical device with what is required, and what of the optional it has.
func (d *Device) openHandle() error {
	a := &d.arena
	queues := d.queueInfos(a)
	features := vk.New[vk.PhysicalDeviceFeatures2](a)
	f12 := vk.New[vk.PhysicalDeviceVulkan12Features](a)
	f13 := vk.New[vk.PhysicalDeviceVulkan13Features](a)
	features.PNext, f12.PNext = ptr(f12), ptr(f13)
	has := d.props.Has
	features.Features.PipelineStatisticsQuery = vk.Bool(has.PipelineStatistics)
	features.Features.SamplerAnisotropy = vk.Bool(has.Anisotropy)
	features.Features.FillModeNonSolid = vk.Bool(has.FillModeNonSolid)
	features.Features.WideLines = vk.Bool(has.WideLines)
	features.Features.DepthClamp = vk.Bool(has.DepthClamp)
	features.Features.MultiDrawIndirect = vk.Bool(has.MultiDrawIndirect)
	features.Features.DrawIndirectFirstInstance = vk.Bool(has.MultiDrawIndirect)
	features.Features.VertexPipelineStoresAndAtomics = vk.Bool(has.VertexStores)
	features.Features.FragmentStoresAndAtomics = vk.Bool(has.FragmentStores)
	features.Features.IndependentBlend = vk.Bool(has.IndependentBlend)
	f12.TimelineSemaphore = vk.TRUE
	f12.HostQueryReset = vk.Bool(has.hostQueryReset)
	f12.DescriptorIndexing = vk.Bool(has.DescriptorIndexing)
	f13.DynamicRendering = vk.TRUE
	f13.Synchronization2 = vk.TRUE
	f13.Maintenance4 = vk.TRUE
	info := vk.New[vk.DeviceCreateInfo](a)
	info.PNext = ptr(features)
	info.QueueCreateInfoCount, info.PQueueCreateInfos = uint32(len(queues)), &queues[0]
	var extensions []string
	if d.surface != 0 {
		extensions = append(extensions, vk.KHR_SWAPCHAIN_EXTENSION_NAME)
	}
	if has.CalibratedTimestamps {
		extensions = append(extensions, vk.EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME)
	}
	info.EnabledExtensionCount, info.PpEnabledExtensionNames = uint32(len(extensions)), vk.CStrings(a, extensions...)
	var err error
	if d.handle, err = vk.CreateDevice(d.physical, info); err != nil {
		return err
	}
	vk.LoadDevice(d.handle)
	return nil
}

// Properties of the open device.
func (d *Device) Properties() Properties { return d.props }

// WaitIdle until the device has done all its work, and destroy what was released.
func (d *Device) WaitIdle() error {
	if err := d.check(vk.DeviceWaitIdle(d.handle)); err != nil {
		return err
	}
	if d.current == nil {
		d.done = d.frameNo
		d.trash.empty(d, d.frameNo+1)
	}
	d.drain()
	return nil
}

// check turns a lost device into [ErrDeviceLost].
func (d *Device) check(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, vk.ERROR_DEVICE_LOST) {
		d.lost = true
		return fmt.Errorf("%w (%v)", ErrDeviceLost, err)
	}
	return err
}

// Close waits for the device, destroys all that came from it, and closes it. Closing twice does nothing.
func (d *Device) Close() {
	if d.handle != 0 {
		vk.DeviceWaitIdle(d.handle) // lost or not, everything goes
		d.current = nil
		for r := range d.owned {
			r.Release()
		}
		for _, r := range d.imports {
			r.image.Release()
			r.buffer.Release()
		}
		d.trash.empty(d, ^uint64(0))
		for _, f := range d.frames {
			if f != nil {
				f.close()
			}
		}
		for i := len(d.setups) - 1; i >= 0; i-- {
			d.setups[i]()
		}
		d.setups = nil
		d.desc.close()
		d.once.close(d)
		d.cache.close(d)
		if d.memory != nil {
			d.memory.close()
		}
		for q := range d.queues {
			d.queues[q].timeline.close(d)
		}
		vk.DestroyDevice(d.handle)
		d.handle = 0
	}
	if d.instance != 0 {
		if d.surface != 0 {
			vk.DestroySurfaceKHR(d.instance, d.surface)
		}
		d.closeMessenger()
		vk.DestroyInstance(d.instance)
		d.instance = 0
		d.drain()
	}
	d.arena.Free()
	d.nameArena.Free()
	d.sharersArena.Free()
}
