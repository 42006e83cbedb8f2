package gpu

// Options say how [Open] opens a device. The zero value opens the best device without a window.
type Options struct {
	// App names the program to the driver; "bindpose" when empty.
	App string

	// Validate turns the Khronos validation layer on, synchronization validation included. The environment variable
	// BINDPOSE_VALIDATE=1 does the same. It is an error if the layer isn't installed.
	Validate bool

	// InstanceExtensions are those the window system asks for. Empty when nothing is presented.
	InstanceExtensions []string

	// Surface makes the VkSurfaceKHR that [Device.NewWindow] presents to, given the VkInstance. Nil: no window. The
	// device owns what it returns.
	Surface func(instance uintptr) (surface uint64, err error)

	// CacheDir is where compiled pipelines are kept between runs; empty is bindpose in the user's cache directory.
	CacheDir string

	// Queues says which queues are made beside the graphics queue. Where it is the zero value, the environment variable
	// BINDPOSE_QUEUES says it: own, one or split.
	Queues QueueUse

	// Hide is what to do without though the device has it, to see how that goes.
	Hide Features

	// OnMessage is called for each message of the validation layer, on the goroutine that used the device. They are
	// kept in [Device.Messages] too.
	OnMessage func(Message)
}

// Severity of a [Message].
type Severity int

// The severities, least first.
const (
	SeverityVerbose Severity = iota
	SeverityNotice
	SeverityWarning
	SeverityError
)

// Message is something the validation layer or the loader said.
type Message struct {
	Severity Severity
	ID       string   // such as "VUID-vkCmdDraw-None-02699"; may be empty
	Text     string   // as the layer wrote it, with the objects' names and the passes it happened in
	Objects  []string // debug names of the objects concerned
}

// DeviceType says what sort of processor a device is.
type DeviceType int

// The device types, in the order of the Vulkan enumeration.
const (
	DeviceOther DeviceType = iota
	DeviceIntegrated
	DeviceDiscrete
	DeviceVirtual
	DeviceCPU
)

func (t DeviceType) String() string {
	switch t {
	case DeviceIntegrated:
		return "integrated"
	case DeviceDiscrete:
		return "discrete"
	case DeviceVirtual:
		return "virtual"
	case DeviceCPU:
		return "cpu"
	}
	return "other"
}

// Properties describe an open device.
type Properties struct {
	Name   string // "llvmpipe (LLVM 15.0.6, 256 bits)"
	Driver string // "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
	Type   DeviceType
	API    string // "1.3.230"
	IsCPU  bool   // a software driver: timestamps inside a command buffer aren't trusted
	Limits Limits
	Has    Features

	vendorID, deviceID, driverVersion uint32 // key the pipeline cache, with
	cacheUUID                         [16]byte
	timestampMask                     uint64 // valid bits of a timestamp
}

// Limits are the bounds that passes need to know. Sizes are in bytes, image sizes in texels.
type Limits struct {
	UniformAlign        int // a uniform range's offset is a multiple of this
	StorageAlign        int // a storage range's offset is a multiple of this
	PushConstants       int
	MaxImage2D          int
	MaxSamplers         int // combined image samplers a stage
	MaxStorageBuffers   int // storage buffers a stage
	MaxColorAttachments int
	MaxSamples          int    // of a colour and depth image together
	SampleCounts        uint32 // the same, each count that may be as one bit: 1|4 where 1 and 4 may
	MaxAnisotropy       float32
	TimestampPeriod     float64 // nanoseconds a tick
	NonCoherentAtom     int
	BufferImageGranule  int
}

// Features are the optional ones; what Bindpose needs is checked by [Open].
type Features struct {
	PipelineStatistics bool
	Timestamps         bool // the queue can write them
	// CalibratedTimestamps can be placed on the processor's clock.
	CalibratedTimestamps bool
	DescriptorIndexing   bool
	Anisotropy           bool
	FillModeNonSolid     bool
	WideLines            bool
	DepthClamp           bool
	MultiDrawIndirect    bool
	VertexStores         bool // a vertex shader may write storage buffers
	FragmentStores       bool // a fragment shader may write storage buffers and images
	IndependentBlend     bool // a pipeline's colour outputs may differ in blending and masks

	hostQueryReset bool
}

// hide takes features away.
func (f *Features) hide(h Features) {
	f.PipelineStatistics = f.PipelineStatistics && !h.PipelineStatistics
	f.Timestamps = f.Timestamps && !h.Timestamps
	f.CalibratedTimestamps = f.CalibratedTimestamps && f.Timestamps && !h.CalibratedTimestamps
	f.DescriptorIndexing = f.DescriptorIndexing && !h.DescriptorIndexing
	f.Anisotropy = f.Anisotropy && !h.Anisotropy
	f.FillModeNonSolid = f.FillModeNonSolid && !h.FillModeNonSolid
	f.WideLines = f.WideLines && !h.WideLines
	f.DepthClamp = f.DepthClamp && !h.DepthClamp
	f.MultiDrawIndirect = f.MultiDrawIndirect && !h.MultiDrawIndirect
	f.VertexStores = f.VertexStores && !h.VertexStores
	f.FragmentStores = f.FragmentStores && !h.FragmentStores
	f.IndependentBlend = f.IndependentBlend && !h.IndependentBlend
}
