package gpu

// Stages of a pipeline, for bindings and push constants; combine with |.
type Stages uint8

// The stages.
const (
	VertexStage Stages = 1 << iota
	FragmentStage
	ComputeStage
)

// Kind of what a binding takes.
type Kind uint8

// The kinds of bindings.
const (
	UniformRange        Kind = iota // uniform buffer
	StorageRange                    // storage buffer
	Texture                         // combined image sampler
	StorageTexture                  // storage image
	DynamicUniformRange             // uniform buffer with an offset given by [Commands.BindSet]
	DynamicStorageRange             // storage buffer with an offset given by [Commands.BindSet]
)

// Stand-ins for a binding that is given nothing: no descriptor is left unwritten, since some drivers read all.
type StandIn uint8

// The stand-ins of [Texture] bindings. A buffer's stand-in is 64 KiB of zeros.
const (
	White  StandIn = iota // 1,1,1,1
	Black                 // 0,0,0,1
	Normal                // 0.5,0.5,1,1: a flat tangent-space normal
	WhiteCube
	BlackCube
	WhiteArray
	FarDepth // a depth image of one texel, 0 (far), for shadow samplers
)

// Binding describes one binding of a set layout.
type Binding struct {
	Slot    int
	Kind    Kind
	Count   int // array size; 0 is 1
	Stages  Stages
	StandIn StandIn
	Whole   bool // a texture of whole numbers: usampler2D
}

// SetLayoutDesc describes a descriptor set's bindings.
type SetLayoutDesc struct {
	Name     string
	Bindings []Binding
}

// LayoutDesc describes a pipeline layout.
type LayoutDesc struct {
	Name       string
	Sets       []*SetLayout
	Push       int    // bytes of push constants, at most 128
	PushStages Stages // zero with Push > 0: vertex and fragment (or compute)
}

// Shader is SPIR-V and the values of its specialisation constants.
type Shader struct {
	Name  string            // for messages: "shadow.vert"
	Code  []byte            // SPIR-V
	Entry string            // "main" when empty
	Const map[uint32]uint32 // specialisation constants by constant_id; floats as math.Float32bits, bools as 0 or 1
}

// AttributeFormat is the format of a vertex attribute.
type AttributeFormat uint8

// The attribute formats. Norm ones read as 0..1 or −1..1, the plain integer ones as integers.
const (
	Float32 AttributeFormat = iota
	Float32x2
	Float32x3
	Float32x4
	Uint8x4
	Unorm8x4
	Snorm8x4
	Uint16x2
	Uint16x4
	Unorm16x2
	Unorm16x4
	Snorm16x2
	Snorm16x4
	Float16x2
	Float16x4
	Uint32
	Uint32x2
	Uint32x4
)

// Attribute is one input of the vertex shader.
type Attribute struct {
	Location int
	Format   AttributeFormat
	Offset   int // bytes from the start of the element
}

// VertexInput describes one bound vertex buffer.
type VertexInput struct {
	Stride     int  // bytes
	Instance   bool // steps once an instance
	Attributes []Attribute
}

// Topology of a draw.
type Topology uint8

// The topologies.
const (
	Triangles Topology = iota
	TriangleStrip
	Lines
	LineStrip
	Points
)

// Cull says which faces are not drawn. Front faces are counter-clockwise as seen on the screen, as in glTF.
type Cull uint8

// The cull modes.
const (
	CullNone Cull = iota
	CullBack
	CullFront
)

// Blend says how a colour joins what is there.
type Blend uint8

// The blends.
const (
	Opaque        Blend = iota
	AlphaBlend          // straight alpha over
	Premultiplied       // premultiplied alpha over
	Additive
	Multiply
	Screen // 1 − (1 − new)(1 − old): light on light that never exceeds 1
)

// ColorOutput is one colour attachment of a pipeline.
type ColorOutput struct {
	Format                          Format
	Blend                           Blend
	NoRed, NoGreen, NoBlue, NoAlpha bool // channels left as they are
}

// Depth is a pipeline's depth state. The zero value has no depth attachment.
type Depth struct {
	Format    Format    // of the depth attachment; undefined: none
	Compare   CompareOp // CompareNone: no test
	Write     bool
	Bias      float32 // constant factor
	SlopeBias float32
	Clamp     bool // where the device has it
}

// GraphicsDesc describes a graphics pipeline. Viewport and scissor are dynamic: the executor sets both to the whole
// attachment before each pass.
type GraphicsDesc struct {
	Name     string
	Layout   *Layout
	Vertex   Shader
	Fragment Shader // no Code: depth only
	Inputs   []VertexInput
	Topology Topology
	Cull     Cull
	Wire     bool // lines instead of faces, where the device has it
	Depth    Depth
	Color    []ColorOutput
	Samples  int // 0 is 1
	// LineWidth in pixels where the device has wide lines; 0 is 1.
	LineWidth float32
}

// ComputeDesc describes a compute pipeline.
type ComputeDesc struct {
	Name   string
	Layout *Layout
	Shader Shader
}
