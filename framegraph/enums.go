package framegraph

// Kind says what a step of the frame does, and so which accesses it may declare.
type Kind uint8

const (
	// Phase runs on the processor: it may declare HostRead and HostWrite alone.
	Phase Kind = iota
	// Graphics may draw, and so may declare attachments; it may also dispatch and copy.
	Graphics
	// Compute dispatches.
	Compute
	// Transfer copies, fills and blits.
	Transfer
)

func (k Kind) String() string {
	switch k {
	case Phase:
		return "phase"
	case Graphics:
		return "graphics"
	case Compute:
		return "compute"
	case Transfer:
		return "transfer"
	}
	return "unknown"
}

// Queue names the queue a step is submitted to.
type Queue uint8

const (
	// GraphicsQueue can do all; it takes every step that does not ask for another, and presents.
	GraphicsQueue Queue = iota
	ComputeQueue
	TransferQueue
	queueCount
)

func (q Queue) String() string {
	switch q {
	case GraphicsQueue:
		return "graphics"
	case ComputeQueue:
		return "compute"
	case TransferQueue:
		return "transfer"
	}
	return "unknown"
}

// Stage is a set of pipeline stages. Each bit equals VkPipelineStageFlagBits2 (Vulkan 1.3 §7.1.2), so the mapping is a
// cast.
type Stage uint64

const (
	StageNone            Stage = 0
	DrawIndirect         Stage = 0x2
	VertexShader         Stage = 0x8
	TessControlShader    Stage = 0x10
	TessEvaluationShader Stage = 0x20
	GeometryShader       Stage = 0x40
	FragmentShader       Stage = 0x80
	EarlyFragmentTests   Stage = 0x100
	LateFragmentTests    Stage = 0x200
	ColorOutput          Stage = 0x400 // VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT
	ComputeShader        Stage = 0x800
	AllTransfer          Stage = 0x1000
	HostStage            Stage = 0x4000
	AllCommands          Stage = 0x10000
	IndexInput           Stage = 0x1000000000
	VertexAttributeInput Stage = 0x2000000000

	// AnyShader is the programmable stages that every device has. Tessellation and geometry shaders need features; a barrier
	// must not name their stages without.
	AnyShader = VertexShader | FragmentShader | ComputeShader

	allShaders = AnyShader | TessControlShader | TessEvaluationShader | GeometryShader
)

// Access is a set of memory accesses. Each bit equals VkAccessFlagBits2 (Vulkan 1.3 §7.1.3).
type Access uint64

const (
	AccessNone          Access = 0
	AccessIndirectRead  Access = 0x1
	AccessIndexRead     Access = 0x2
	AccessVertexRead    Access = 0x4
	AccessUniformRead   Access = 0x8
	AccessColorRead     Access = 0x80
	AccessColorWrite    Access = 0x100
	AccessDepthRead     Access = 0x200 // depth and stencil
	AccessDepthWrite    Access = 0x400 // depth and stencil
	AccessTransferRead  Access = 0x800
	AccessTransferWrite Access = 0x1000
	AccessHostRead      Access = 0x2000
	AccessHostWrite     Access = 0x4000
	AccessMemoryRead    Access = 0x8000
	AccessMemoryWrite   Access = 0x10000
	AccessSampledRead   Access = 0x100000000
	AccessStorageRead   Access = 0x200000000
	AccessStorageWrite  Access = 0x400000000

	accessWrites = AccessColorWrite | AccessDepthWrite | AccessTransferWrite | AccessHostWrite | AccessMemoryWrite |
		AccessStorageWrite
)

// Writes is the part of a that writes.
func (a Access) Writes() Access { return a & accessWrites }

// Layout is an image's layout; each value equals VkImageLayout (Vulkan 1.3 §12.4).
//
// The graph uses one layout for every attachment and one for everything that samples or tests read-only, both core in
// Vulkan 1.3 through synchronization2. So a depth image may be tested and sampled at once, and two readers of one image
// never need a transition between them.
type Layout uint32

const (
	LayoutUndefined   Layout = 0
	LayoutGeneral     Layout = 1 // storage images
	LayoutTransferSrc Layout = 6
	LayoutTransferDst Layout = 7
	LayoutReadOnly    Layout = 1000314000 // VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL: sampled images, read-only depth
	LayoutAttachment  Layout = 1000314001 // VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL: colour, depth and stencil
	LayoutPresent     Layout = 1000001002 // VK_IMAGE_LAYOUT_PRESENT_SRC_KHR
)

// ImageUsage is what an image's accesses ask it to be created with.
type ImageUsage uint32

// Each bit equals VkImageUsageFlagBits (Vulkan 1.3 §12.3).
const (
	UsageTransferSrc     ImageUsage = 0x1
	UsageTransferDst     ImageUsage = 0x2
	UsageSampled         ImageUsage = 0x4
	UsageStorage         ImageUsage = 0x8
	UsageColorAttachment ImageUsage = 0x10
	UsageDepthAttachment ImageUsage = 0x20
)

// BufferUsage is what a buffer's accesses ask it to be created with.
type BufferUsage uint32

// Each bit equals VkBufferUsageFlagBits (Vulkan 1.3 §12.1).
const (
	BufferTransferSrc BufferUsage = 0x1
	BufferTransferDst BufferUsage = 0x2
	BufferUniform     BufferUsage = 0x10
	BufferStorage     BufferUsage = 0x20
	BufferIndex       BufferUsage = 0x40
	BufferVertex      BufferUsage = 0x80
	BufferIndirect    BufferUsage = 0x100
)

// Aspect is which planes of an image a barrier or a view covers; each bit equals VkImageAspectFlagBits.
type Aspect uint32

const (
	AspectColor   Aspect = 1
	AspectDepth   Aspect = 2
	AspectStencil Aspect = 4
)

// LoadKind is what happens to an attachment's old contents; each value equals VkAttachmentLoadOp.
type LoadKind uint32

const (
	LoadKeep     LoadKind = 0
	LoadClear    LoadKind = 1
	LoadDontCare LoadKind = 2
)

// StoreKind is what happens to an attachment's new contents; each value equals VkAttachmentStoreOp.
type StoreKind uint32

const (
	StoreKeep     StoreKind = 0
	StoreDontCare StoreKind = 1
	StoreNone     StoreKind = 1000301000 // nothing was written: a read-only depth attachment
)
