package framegraph

// Size makes an image's extent follow another image's. The zero value means ImageDesc.Width and Height hold.
type Size struct {
	of     Image
	sx, sy float32
}

// Relative is scale times the width and height of another image, rounded up, at least 1.
func Relative(of Image, scale float32) Size { return Size{of: of, sx: scale, sy: scale} }

// RelativeXY is Relative with a scale for each axis.
func RelativeXY(of Image, x, y float32) Size { return Size{of: of, sx: x, sy: y} }

// ImageDesc is an image's shape. Usage flags are not declared: the plan deduces them from the accesses.
type ImageDesc struct {
	Format        Format
	Width, Height int  // texels; ignored where Size is set
	Size          Size // extent relative to another image
	Mips          int  // 0 means 1
	Layers        int  // 0 means 1
	Samples       int  // a power of two; 0 means 1
}

// BufferDesc is a buffer's shape.
type BufferDesc struct {
	Bytes uint64
}

// State is what last happened to a resource outside the frame, or what must hold when the frame is done: the barrier
// between waits for Stage and Access and starts or ends in Layout.
//
// For a resource that arrives, Stage and Access are what must be waited for: zero where the work is already known to be
// done (a fence was waited for; the host wrote before the submit). LayoutUndefined says that an image's contents are
// not wanted. For one that leaves, the zero State asks for nothing: Resource.Final says how it was left.
type State struct {
	Stage  Stage
	Access Access
	Layout Layout
}

var (
	// Undefined arrives with no contents, and nothing to wait for.
	Undefined = State{}
	// Acquired is a swapchain image whose acquire semaphore the submit waits for at ColorOutput.
	Acquired = State{Stage: ColorOutput}
	// PresentState is what a swapchain image must leave in.
	PresentState = State{Layout: LayoutPresent}
	// SampledState arrives ready to sample in any shader, or leaves so.
	SampledState = State{Stage: AnyShader, Access: AccessSampledRead, Layout: LayoutReadOnly}
	// HostWritten is a buffer that the host filled before the submit. A submit makes such writes visible (Vulkan 1.3
	// §7.9), so no barrier follows.
	HostWritten = State{Stage: HostStage, Access: AccessHostWrite}
)

// Import says how a resource that lives outside the graph enters and leaves the frame. Key, Arrive and Leave are the
// caller's promise: the graph cannot see what happens to the resource between frames.
type Import struct {
	Key    uint64 // the caller's name for the resource, handed back in Resource.Key; it may change each frame for free
	Arrive State
	Leave  State
	// Shared says that a buffer was made for concurrent use by all the device's queues, so that passes on each may use it.
	Shared bool
	start  Clear4 // of a history
}

// Op is what an attachment does with the contents it finds. The zero value, Infer, loads what an earlier pass wrote and
// ignores what nobody wrote.
type Op struct {
	kind  LoadKind // one above, so that the zero value is Infer
	value Clear4
}

// Clear4 is a clear value: the bits of four float32, int32 or uint32 by the image's format, or a depth as float32 in the
// first and a stencil value in the second. It equals VkClearValue in memory.
type Clear4 [4]uint32
