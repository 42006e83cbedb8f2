package framegraph

// Caps is what the device can do and what the caller wants of the compiler. The zero value takes every format, sizes
// images by their texels, and switches every optimisation on.
type Caps struct {
	// Sizer says the memory a transient needs (vkGetDeviceImageMemoryRequirements). It is called at a compile, once for
	// each used transient, never for an unchanged structure. nil estimates by texels, aligned to 256 bytes.
	Sizer func(r *Resource) Requirements
	// Supports says whether an image of this format may have these usages; nil says yes. It is called once for each image, with all
	// that it is used for, and for single ones where it said no.
	Supports func(f Format, u ImageUsage) bool
	// Granularity is bufferImageGranularity; 0 means 1. Every transient is aligned to it.
	Granularity uint64

	MaxColorAttachments int    // 0 means 8
	MaxImageSize        int    // texels a side; 0 means 16384
	MaxSamples          int    // 0 means 64
	SampleCounts        uint32 // samples a texel that the device has, added up: 1+4, say; 0 means all up to MaxSamples

	// AsyncCompute and AsyncTransfer say that the device has such a queue beside the graphics queue.
	// Passes that ask for it by Builder.Async then run there, where something on the graphics queue can run meanwhile.
	AsyncCompute, AsyncTransfer bool

	// UnifiedLayouts says that an image in LayoutGeneral is as quick as in any other layout (a device that is a processor;
	// VK_KHR_unified_image_layouts). Transient images then stay in it, those whose memory is theirs alone from frame to frame,
	// and what must stand before a pass becomes one memory barrier, but for what changes a layout all the same. A graph that has
	// histories, or uses several queues, keeps exact layouts.
	UnifiedLayouts bool

	Options Options
}

// Options switch parts of the compiler off, to compare: pictures must not change.
type Options struct {
	NoCull    bool // record every pass
	NoReorder bool // keep the declared order
	NoMerge   bool // one rendering scope for each pass
	NoAlias   bool // memory of its own for each transient
	// ExactLayouts has images change their layout with their use, even where Caps.UnifiedLayouts says that the device doesn't
	// mind.
	ExactLayouts bool
}

// Requirements is the memory a resource needs.
type Requirements struct {
	Bytes uint64
	Align uint64 // a power of two; 0 means 1
	Types uint32 // allowed memory types; resources of differing masks never share a heap
}
