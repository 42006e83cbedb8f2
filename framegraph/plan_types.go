package framegraph

// Plan is a compiled frame: what to run and record, in order, and what must stand between. An executor walks Steps; for
// each it records Before, begins the rendering scope where ScopeBegin is set, calls Run or Record, and ends the scope
// where ScopeEnd is set; after the last it records Final.
//
// The graph owns a plan and its slices. It stays valid, and is handed out again, while the declarations keep its
// structure; only the closures, clear values, and import keys in it are renewed. The graph remembers the last few
// structures; a plan that falls out of that memory is overwritten, so compare Serial, not the pointer.
//
// A transient's memory is shared between frames: its first barrier waits for its memory's last use in the same plan one
// frame earlier. So the steps of one queue go to one queue in all frames, and an executor that switches to a plan with another Serial while
// keeping the memory must put one full barrier between.
type Plan struct {
	Serial    uint64 // differs between any two compiles of one graph
	Steps     []Step
	Scopes    []Scope
	Resources []Resource // by handle.Index()
	Heaps     []Heap
	// After the last step the graphics queue waits for the others, then records Final: what imported resources must leave in.
	FinalWaits []Semaphore
	Final      Barriers
	Totals     Totals

	e *entry
}

// Totals are the figures a plan is judged by.
type Totals struct {
	Passes   int // kept passes, phases not counted
	Phases   int
	Culled   int
	Barriers int // barriers in all batches, the final one included
	Batches  int // vkCmdPipelineBarrier2 calls
	Scopes   int // rendering scopes
	Merged   int // passes that joined an earlier pass's scope
	// TransientBytes is what all transients take apart; AliasedBytes what the heaps take; LiveBytes the most that are alive at
	// once, which is the least that any plan in this order takes.
	TransientBytes, AliasedBytes, LiveBytes uint64
	// LoadSaved and StoreSaved are the attachment bytes that inferred load and store operations do not move.
	LoadSaved, StoreSaved uint64
	// The naive plan runs every pass that declares anything, puts a full barrier before each on every image and buffer it uses,
	// and gives each transient memory of its own: NaiveBarriers in NaiveBatches, over NaiveBytes of transients.
	NaiveBarriers, NaiveBatches int
	NaiveBytes                  uint64
}

// Step is a phase to run or a pass to record.
type Step struct {
	Name   string
	Kind   Kind
	Queue  Queue
	Pass   int // declared place, counting phases and culled passes
	Before Barriers
	After  Barriers // releases of images to another queue's family, once the pass and its scope are recorded

	// Scope is the index in Plan.Scopes of the dynamic rendering scope the pass draws in, −1 for none. A merged scope
	// spans several steps: it begins before the first and ends after the last, and no step inside has barriers.
	Scope      int
	ScopeBegin bool
	ScopeEnd   bool

	Run    func() error // a phase's work; may be nil
	Record Record       // a pass's commands; may be nil

	// Waits and Signals are values of the queues' timelines, before and after all that the step records. With one queue there
	// are none. A wait begins a submission, a signal ends one; both cover all stages.
	Waits, Signals []Semaphore
}

// Semaphore is a value of one queue's timeline, counted within the frame: each queue's signals are 1, 2, … in their order.
// Value 0 of the graphics queue is the end of the frame before, all queues' work included.
type Semaphore struct {
	Queue Queue
	Value uint64
	Stage Stage
}

// Scope is one dynamic rendering scope (VkRenderingInfo).
type Scope struct {
	X, Y          int // render area, texels
	Width, Height int
	Layers        int
	Color         []Attachment // in the order the passes declared them; that is the fragment output location
	Depth         Attachment   // Image is −1 where there is none
	First, Last   int          // steps
}

// Attachment is one attachment of a scope (VkRenderingAttachmentInfo).
type Attachment struct {
	Image         int // index in Plan.Resources, −1 for none
	Mip           int
	Layer, Layers int
	Layout        Layout
	Load          LoadKind
	Store         StoreKind
	Clear         Clear4
	Resolve       ResolveTarget // of a colour attachment with several samples
}

// ResolveTarget is where the samples of an attachment are combined to as its scope ends: averaged, or for integer formats
// the first one taken (VkRenderingAttachmentInfo.resolveMode).
type ResolveTarget struct {
	On      bool
	Image   int // index in Plan.Resources
	Mip     int
	Layer   int
	Layout  Layout
	Average bool
}

// Barriers is one batch (VkDependencyInfo).
type Barriers struct {
	Memory  []MemoryBarrier
	Buffers []BufferBarrier
	Images  []ImageBarrier
}

// Len is the number of barriers in the batch; where it is 0 there is nothing to record.
func (b *Barriers) Len() int { return len(b.Memory) + len(b.Buffers) + len(b.Images) }

// MemoryBarrier is a VkMemoryBarrier2. With both accesses zero it orders execution alone: writes after reads.
type MemoryBarrier struct {
	SrcStage, DstStage   Stage
	SrcAccess, DstAccess Access

	Cause Cause // the first of those it stands for

	more int32 // the newest of the others, see causes; 0 for none
	late int32 // the last slot that it waits for, of frames before this one negative
}

// BufferBarrier is a VkBufferMemoryBarrier2 over the whole buffer.
type BufferBarrier struct {
	Buffer               int // index in Plan.Resources
	SrcStage, DstStage   Stage
	SrcAccess, DstAccess Access

	Cause Cause
}

// ImageBarrier is a VkImageMemoryBarrier2.
type ImageBarrier struct {
	Image                int // index in Plan.Resources
	SrcStage, DstStage   Stage
	SrcAccess, DstAccess Access
	OldLayout, NewLayout Layout // OldLayout is LayoutUndefined where the contents are discarded
	Aspect               Aspect
	Mip, Mips            int
	Layer, Layers        int

	// From and To differ where the image changes its queue family: the release stands in From's step's After, the acquire in
	// To's step's Before, with the same layouts.
	From, To Queue

	Cause Cause
}

// Cause is the two accesses a barrier stands between, for Plan.Explain.
type Cause struct {
	From, To int32 // uses; −1 where the frame begins or ends
	Why      Hazard
}

// Hazard is why a barrier stands.
type Hazard uint8

const (
	ReadAfterWrite Hazard = iota
	WriteAfterRead
	WriteAfterWrite
	LayoutChange
	Discards   // first use of a transient, or of contents nobody wants
	MemoryUse  // the memory was another resource's, or the same one's a frame ago
	Arrives    // an imported resource's arriving state
	Leaves     // an imported resource's leaving state
	OtherQueue // another queue used it last
)

// Origin says where a resource comes from.
type Origin uint8

const (
	Transient Origin = iota // lives within the frame; the plan gives it memory
	Imported
	Host // a CPU resource: no memory
	// LastFrame and ThisFrame are the two halves of a history. Both have memory of their own, which the executor keeps from
	// frame to frame and exchanges after each frame that Resource.Turns.
	LastFrame
	ThisFrame
)

func (o Origin) String() string {
	return [...]string{"transient", "imported", "cpu", "last frame", "this frame"}[o]
}

func (o Origin) history() bool { return o == LastFrame || o == ThisFrame }

// Resource is a declared resource as the plan uses it.
type Resource struct {
	Name     string
	Origin   Origin
	IsImage  bool
	IsBuffer bool
	Key      uint64 // of an imported resource
	// Arrive is how an imported resource is found, and in which state the executor must provide a LastFrame that is new, or
	// that another plan left; Leave is how the frame leaves them. A transient image whose Arrive has a layout stays in it: the
	// executor brings it there when it makes it, and no frame discards it.
	Arrive, Leave State

	Pair  int    // of a history, the other half; −1 for others
	Start Clear4 // of a history: what LastFrame holds where there was no frame before
	// Unified says that all accesses find an image in LayoutGeneral, see Caps.UnifiedLayouts.
	Unified bool
	Shared  bool // passes of several queues use it at once: to be made for concurrent use (VK_SHARING_MODE_CONCURRENT)

	Turns bool // of ThisFrame: it is written, and is the LastFrame of the next frame

	Image       ImageDesc // with Width, Height, Mips, Layers and Samples resolved
	ImageUsage  ImageUsage
	Aspect      Aspect
	Buffer      BufferDesc
	BufferUsage BufferUsage

	First, Last int // the steps of its life, −1 where it is not used: then it needs no memory
	Heap        int // index in Plan.Heaps, −1 for none
	Offset      uint64
	Bytes       uint64 // as Caps.Sizer says

	Final State // how the frame leaves it (of an image in differing states: its first mip level and layer)
}

// Heap is one block of device memory for transients.
type Heap struct {
	Types uint32 // allowed memory types, as in VkMemoryRequirements.memoryTypeBits
	Bytes uint64
	Align uint64
}
