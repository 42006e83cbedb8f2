package gpu

// BufferDesc describes a buffer.
type BufferDesc struct {
	Name  string
	Size  int         // bytes, above 0
	Usage BufferUsage // may always be copied from and to as well
	Host  bool        // in memory the CPU has mapped: see [Buffer.Bytes]
}

// ImageDesc describes an image. Zero Layers, Mips, Samples are 1.
type ImageDesc struct {
	Name          string
	Width, Height int // texels
	Layers        int
	Mips          int // FullMips for a whole chain
	Samples       int
	Cube          bool // Layers is a multiple of 6, in the order +X −X +Y −Y +Z −Z
	Format        Format
	Usage         ImageUsage // may always be copied from and to as well, multisampled ones apart

	shared bool // several queues use it at once
}

// FullMips as [ImageDesc.Mips] is a chain down to 1×1.
const FullMips = -1

// View names a part of an image. Zero Mips or Layers is all from the first on; the zero View is the whole image.
type View struct {
	Mip, Mips     int
	Layer, Layers int
	As            ViewShape

	depthOnly bool // of a format with depth and stencil: what a shader may sample
}

// ViewShape is the dimensionality a shader sees.
type ViewShape uint8

// The view shapes.
const (
	ShapeNatural ViewShape = iota // cube for a cube image, array for one of several layers, otherwise 2D
	Shape2D
	ShapeArray
	ShapeCube
)

// Filter of a sampler.
type Filter uint8

// The filters.
const (
	Linear Filter = iota
	Nearest
)

// Wrap is what a sampler does outside 0..1.
type Wrap uint8

// The wraps.
const (
	Repeat Wrap = iota
	MirroredRepeat
	ClampToEdge
	ClampToBorder // the border is opaque black, or 0 in a depth image; see [SamplerDesc.WhiteBorder]
)

// SamplerDesc describes a sampler; equal descriptions share one. The zero value is trilinear and repeats.
type SamplerDesc struct {
	Mag, Min, Mip Filter
	U, V          Wrap
	Anisotropy    float32   // 0 or 1: off; bounded by the device
	Compare       CompareOp // other than CompareNone: a shadow sampler
	WhiteBorder   bool
	MaxLod        float32 // 0: no bound
	NoMips        bool    // sample level 0 only
}

// CompareOp compares a new value with the stored one.
type CompareOp uint8

// The comparisons. Bindpose's depth is reversed (1 near, 0 far): nearer is Greater.
const (
	CompareNone CompareOp = iota
	Never
	Less
	Equal
	LessEqual
	Greater
	NotEqual
	GreaterEqual
	Always
)

// Range is a piece of a buffer: what [Frame.Alloc] gives, and what sets bind.
type Range struct {
	Buffer *Buffer
	Offset int    // bytes from the buffer's start
	Size   int    // bytes
	Bytes  []byte // the CPU's view where the buffer is mapped; nil otherwise
}
