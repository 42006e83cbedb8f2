package gpu

import (
	"errors"

	"github.com/bindpose/bindpose/framegraph"
)

// This file holds the signatures whose bodies follow; it shrinks to nothing.

// ErrDeviceLost is what every call returns once the device is lost: the program must open a new one.
var ErrDeviceLost = errors.New("gpu: the device was lost; restart the program, and look at the driver's log")

// ErrNotReady is what [Device.BeginFrame] returns while its target can't be drawn to: a minimised window, or one whose
// swapchain was just remade. Skip the frame, poll events, try again.
var ErrNotReady = errors.New("gpu: the target can't be drawn to now")

// Device is an open device with its queue, memory and caches. Its methods are for one goroutine at a time.
type Device struct{}

// Open loads Vulkan, chooses a device (discrete before integrated, virtual, CPU; the environment variable
// BINDPOSE_DEVICE chooses by index or by a part of the name) and opens it. Each error is a sentence that says what to
// install or set.
func Open(o Options) (*Device, error) { panic("stub") }

// Close waits for the device, destroys all that came from it, and closes it.
func (d *Device) Close() {}

// Properties of the open device.
func (d *Device) Properties() Properties { panic("stub") }

// Messages of the validation layer so far.
func (d *Device) Messages() []Message { panic("stub") }

// WaitIdle until the device has done all its work.
func (d *Device) WaitIdle() error { panic("stub") }

// Buffer is device memory with a use. See [Device.NewBuffer].
type Buffer struct{}

// NewBuffer makes a buffer. Its contents are undefined.
func (d *Device) NewBuffer(desc BufferDesc) (*Buffer, error) { panic("stub") }

// Size in bytes, as described.
func (b *Buffer) Size() int { panic("stub") }

// Bytes of a Host buffer as the CPU has them mapped (coherent: no flush); nil for others.
func (b *Buffer) Bytes() []byte { panic("stub") }

// Range of n bytes from offset; n below 0 is the rest.
func (b *Buffer) Range(offset, n int) Range { panic("stub") }

// Release destroys the buffer after the last frame that may use it. Releasing nil or twice does nothing.
func (b *Buffer) Release() {}

// Image is a 2D image, perhaps of several layers and mips.
type Image struct{}

// NewImage makes an image. Its contents are undefined until uploaded or drawn.
func (d *Device) NewImage(desc ImageDesc) (*Image, error) { panic("stub") }

// NewTexture makes a sampled 2D image of one level's tightly packed pixels, with a whole chain of mips if mips.
func (d *Device) NewTexture(name string, w, h int, f Format, pixels []byte, mips bool) (*Image, error) {
	panic("stub")
}

// Desc as the image was made, with defaults filled in.
func (m *Image) Desc() ImageDesc { panic("stub") }

// Release destroys the image after the last frame that may use it. Releasing nil or twice does nothing.
func (m *Image) Release() {}

// Shape of the image as the frame graph describes it, for Graph.ImportImage.
func (m *Image) Shape() framegraph.ImageDesc { panic("stub") }

// Import says how the image enters and leaves a graph, for Graph.ImportImage.
func (m *Image) Import(arrive, leave framegraph.State) framegraph.Import { panic("stub") }

// Import says how the buffer enters and leaves a graph, for Graph.ImportBuffer.
func (b *Buffer) Import(arrive, leave framegraph.State) framegraph.Import { panic("stub") }

// Caps is what the device can do, for Graph.Compile.
func (d *Device) Caps() framegraph.Caps { panic("stub") }

// CanSample says whether images of the format can be sampled with linear filtering.
func (d *Device) CanSample(f Format) bool { panic("stub") }

// StandIn is the device's own texture of that kind.
func (d *Device) StandIn(s StandIn) *Image { panic("stub") }

// Sampler says how an image is sampled; it lives as long as the device.
type Sampler struct{}

// Sampler of that description; equal descriptions give the same one.
func (d *Device) Sampler(desc SamplerDesc) (*Sampler, error) { panic("stub") }

// Upload gathers copies to the device and submits them together. Get it from [Device.NewUpload].
type Upload struct{}

// NewUpload starts a batch.
func (d *Device) NewUpload() *Upload { panic("stub") }

// Buffer copies data to dst from offset bytes on. Data may be reused after the call.
func (u *Upload) Buffer(dst *Buffer, offset int, data []byte) error { panic("stub") }

// Image copies one level of one layer: tightly packed rows from the top. Data may be reused after the call.
func (u *Upload) Image(dst *Image, mip, layer int, data []byte) error { panic("stub") }

// Mips fills levels 1 on of every layer from level 0 by linear blits.
func (u *Upload) Mips(dst *Image) error { panic("stub") }

// Flush submits the batch and waits. Images end readable by shaders.
func (u *Upload) Flush() error { panic("stub") }

// ReadBuffer copies n bytes from offset into new memory, after all work submitted so far.
func (d *Device) ReadBuffer(b *Buffer, offset, n int) ([]byte, error) { panic("stub") }

// ReadImage copies one level of one layer, tightly packed rows from the top, after all work submitted so far.
func (d *Device) ReadImage(m *Image, mip, layer int) ([]byte, error) { panic("stub") }

// SetLayout is a descriptor set layout. It lives as long as the device.
type SetLayout struct{}

// NewSetLayout makes a descriptor set layout.
func (d *Device) NewSetLayout(desc SetLayoutDesc) (*SetLayout, error) { panic("stub") }

// Layout is a pipeline layout. It lives as long as the device.
type Layout struct{}

// NewLayout makes a pipeline layout.
func (d *Device) NewLayout(desc LayoutDesc) (*Layout, error) { panic("stub") }

// Value is what a binding is given. Make it with [Uniform], [StorageBytes], [Tex], [TexView] or [StorageImage].
type Value struct{}

// Uniform gives a [UniformRange] or [DynamicUniformRange] binding its range.
func Uniform(slot int, r Range) Value { panic("stub") }

// StorageBytes gives a [StorageRange] or [DynamicStorageRange] binding its range.
func StorageBytes(slot int, r Range) Value { panic("stub") }

// Tex gives a [Texture] binding an image, whole, and a sampler. A nil image is the binding's stand-in.
func Tex(slot int, m *Image, s *Sampler) Value { panic("stub") }

// TexView gives a [Texture] binding a part of an image.
func TexView(slot int, m *Image, v View, s *Sampler) Value { panic("stub") }

// StorageImage gives a [StorageTexture] binding one level of an image.
func StorageImage(slot int, m *Image, v View) Value { panic("stub") }

// At is the same value for element i of an array binding.
func (v Value) At(i int) Value { panic("stub") }

// Set is a persistent descriptor set, of a material for instance.
type Set struct{}

// NewSet makes a set. Bindings without a value get their stand-in. What it names must outlive it.
func (d *Device) NewSet(l *SetLayout, values ...Value) (*Set, error) { panic("stub") }

// Release gives the set back after the last frame that may use it. Releasing nil or twice does nothing.
func (s *Set) Release() {}

// Pipeline is a graphics or compute pipeline.
type Pipeline struct{}

// NewGraphics builds a graphics pipeline.
func (d *Device) NewGraphics(desc GraphicsDesc) (*Pipeline, error) { panic("stub") }

// NewCompute builds a compute pipeline.
func (d *Device) NewCompute(desc ComputeDesc) (*Pipeline, error) { panic("stub") }

// Release destroys the pipeline after the last frame that may use it. Releasing nil or twice does nothing.
func (p *Pipeline) Release() {}

// Target is where pictures end: an [Offscreen] or a [Window].
type Target interface {
	// Size in pixels; 0, 0 while minimised.
	Size() (w, h int)
	// Format of its images.
	Format() Format
	// Release the target when its last frame is done.
	Release()
}

// Offscreen is a target without a window.
type Offscreen struct{}

// NewOffscreen makes a headless target of w×h pixels in RGBA8Srgb.
func (d *Device) NewOffscreen(w, h int) (*Offscreen, error) { panic("stub") }

// Pixels waits for the last frame and gives its picture: RGBA, 4 bytes a pixel, sRGB-encoded, rows from the top.
func (o *Offscreen) Pixels() ([]byte, error) { panic("stub") }

// WindowDesc describes a swapchain.
type WindowDesc struct {
	// Size of the framebuffer in pixels now; 0, 0 while minimised. Called each frame.
	Size func() (w, h int)
	// VSync waits for the display. Without it the mailbox mode is taken where there is one.
	VSync bool
}

// NewWindow makes the swapchain target of the surface that [Options.Surface] made.
func (d *Device) NewWindow(desc WindowDesc) (Target, error) { panic("stub") }

// Frame is one frame being recorded. It is valid until [Frame.End].
type Frame struct{}

// BeginFrame waits until the frame before the last is done on the device, and acquires the target's next image.
// Target may be nil: nothing is presented. [ErrNotReady]: skip this frame.
func (d *Device) BeginFrame(t Target) (*Frame, error) { panic("stub") }

// Index of the frame since the device was opened, from 0.
func (f *Frame) Index() uint64 { panic("stub") }

// Backbuffer is the target's image of this frame; nil without a target.
func (f *Frame) Backbuffer() *Image { panic("stub") }

// Import says how the backbuffer enters and leaves a graph:
//
//	screen := graph.ImportImage("backbuffer", frame.Backbuffer().Shape(), frame.Import())
func (f *Frame) Import() framegraph.Import { panic("stub") }

// Alloc takes n bytes of the frame's ring for uniform, storage, vertex or index data, aligned to align (and to what the
// device asks of such ranges). The bytes are valid for this frame only and hold leftovers.
func (f *Frame) Alloc(n, align int) Range { panic("stub") }

// End submits what is left and presents.
func (f *Frame) End() error { panic("stub") }

// Mode says how an [Executor] submits.
type Mode uint8

// The modes.
const (
	ModeAuto   Mode = iota // Serialised on a CPU device, otherwise Overlapped
	Overlapped             // one command buffer a frame, timestamps around each pass
	Serialised             // one submit and wait a pass, timed by the clock
)

// TimingKind says what a [Timing] measured.
type TimingKind uint8

// The kinds of timings.
const (
	CPUTime TimingKind = iota
	GPUTime
	GapTime // on the device, before the pass: barriers, load operations, waiting
)

// Timing is one row of a frame's table, in frame order.
type Timing struct {
	Name       string
	Kind       TimingKind
	Duration   float64 // seconds
	Record     float64 // seconds of CPU time in the pass's record closure
	Draws      int
	Dispatches int
	Triangles  int
	Vertices   int // vertices fetched, instances counted
	// Of the pipeline statistics, where the device has them; otherwise 0.
	VertexInvocations, FragmentInvocations uint64
}

// ExecutorOptions say how plans are run.
type ExecutorOptions struct {
	Mode      Mode
	NoTimings bool // no timestamps or pipeline statistics
}

// Executor runs framegraph plans on a device and keeps the transients between frames.
type Executor struct{}

// Execute runs a plan in a frame: phases and passes in the plan's order. An error names the phase or pass. Imported
// resources are found by the key that [Image.Import] and [Buffer.Import] put in.
func (e *Executor) Execute(f *Frame, p *framegraph.Plan) error { panic("stub") }

// NewExecutor makes an executor. Several may share a device.
func (d *Device) NewExecutor(o ExecutorOptions) *Executor { panic("stub") }

// Mode in use: Overlapped or Serialised.
func (e *Executor) Mode() Mode { panic("stub") }

// SetMode changes the mode from the next frame on.
func (e *Executor) SetMode(m Mode) {}

// Timings of the latest frame whose figures are known: in Serialised mode the last one executed, in Overlapped mode the
// one before the last. The slice is reused by the next Execute.
func (e *Executor) Timings() []Timing { panic("stub") }

// Trusted says whether the GPU figures can be trusted, and why not.
func (e *Executor) Trusted() (ok bool, why string) { panic("stub") }

// Release destroys the transients after the last frame that may use them.
func (e *Executor) Release() {}

// Commands records one pass. Get it from [From] inside a record closure; it is valid only there.
type Commands struct{}

// From is the command recorder behind a record closure's context.
func From(c framegraph.Context) *Commands { panic("stub") }

// Pass is the name of the pass being recorded.
func (c *Commands) Pass() string { panic("stub") }

// Plan is the plan being executed.
func (c *Commands) Plan() *framegraph.Plan { panic("stub") }

// Step is the pass's place in Plan().Steps.
func (c *Commands) Step() int { panic("stub") }

// Image behind a handle of the graph: a transient or an imported one.
func (c *Commands) Image(h framegraph.Image) *Image { panic("stub") }

// Buffer behind a handle of the graph, whole.
func (c *Commands) Buffer(h framegraph.Buffer) Range { panic("stub") }

// Extent of the attachments the pass draws into, in pixels; 0, 0 outside a graphics pass.
func (c *Commands) Extent() (w, h int) { panic("stub") }

// Device that runs the pass.
func (c *Commands) Device() *Device { panic("stub") }

// Frame the pass belongs to; its ring is [Frame.Alloc].
func (c *Commands) Frame() *Frame { panic("stub") }

// Alloc is the frame's [Frame.Alloc].
func (c *Commands) Alloc(n, align int) Range { panic("stub") }

// BindPipeline makes p current. BindSet, Bind and PushConstants use its layout.
func (c *Commands) BindPipeline(p *Pipeline) {}

// BindSet binds a persistent set, with an offset in bytes for each of its dynamic bindings in slot order.
func (c *Commands) BindSet(set int, s *Set, dynamic ...uint32) {}

// Bind binds a set of the current pipeline's layout made for this frame from values. Bindings without a value get their
// stand-in. Dynamic bindings get offset 0.
func (c *Commands) Bind(set int, values ...Value) {}

// BindVertices binds a vertex buffer range to an input slot.
func (c *Commands) BindVertices(slot int, r Range) {}

// BindIndices binds an index buffer range of 16-bit or 32-bit indices.
func (c *Commands) BindIndices(r Range, bits int) {}

// PushConstants writes push constants from offset bytes on; data is copied.
func (c *Commands) PushConstants(offset int, data []byte) {}

// SetViewport in pixels, depth 0..1.
func (c *Commands) SetViewport(x, y, w, h float32) {}

// SetScissor in pixels.
func (c *Commands) SetScissor(x, y, w, h int) {}

// Draw vertices, for each of the instances.
func (c *Commands) Draw(vertices, instances, firstVertex, firstInstance int) {}

// DrawIndexed draws indices, for each of the instances; vertexOffset is added to each index.
func (c *Commands) DrawIndexed(indices, instances, firstIndex, vertexOffset, firstInstance int) {}

// Dispatch compute work groups.
func (c *Commands) Dispatch(x, y, z int) {}

// DrawIndexedIndirect draws count records of VkDrawIndexedIndirectCommand (20 bytes each) from r.
func (c *Commands) DrawIndexedIndirect(r Range, count int) {}

// DispatchIndirect dispatches the three group counts (uint32) at the start of r.
func (c *Commands) DispatchIndirect(r Range) {}

// CopyImage copies level 0 of all layers; both have one size and compatible formats.
func (c *Commands) CopyImage(dst, src *Image) {}

// Blit scales a level of src's layer 0 onto a level of dst's layer 0, filtered linearly where the format allows.
func (c *Commands) Blit(dst *Image, dstMip int, src *Image, srcMip int) {}

// FillBuffer sets the range to copies of value; offset and size are multiples of 4.
func (c *Commands) FillBuffer(r Range, value uint32) {}

// CopyBuffer copies src to the start of dst; both have the size of src.
func (c *Commands) CopyBuffer(dst, src Range) {}

// Fail ends the frame's execution with an error that names the pass, after the closure returns.
func (c *Commands) Fail(err error) {}
