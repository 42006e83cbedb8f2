package framegraph

// Format is a texel's layout; each value equals VkFormat (Vulkan 1.3 §45.1). The list is what a renderer's attachments
// and storage images need; any other VkFormat may be cast to Format, and then Caps.Sizer must size it.
type Format uint32

const (
	FormatNone     Format = 0
	R8Unorm        Format = 9
	R8Uint         Format = 13
	RG8Unorm       Format = 16
	RGBA8Unorm     Format = 37
	RGBA8Snorm     Format = 38
	RGBA8Uint      Format = 41
	RGBA8Srgb      Format = 43
	BGRA8Unorm     Format = 44
	BGRA8Srgb      Format = 50
	A2BGR10Unorm   Format = 64
	R16Unorm       Format = 70
	R16Uint        Format = 74
	R16Float       Format = 76
	RG16Unorm      Format = 77
	RG16Snorm      Format = 78
	RG16Uint       Format = 81
	RG16Float      Format = 83
	RGBA16Unorm    Format = 91
	RGBA16Uint     Format = 95
	RGBA16Float    Format = 97
	R32Uint        Format = 98
	R32Sint        Format = 99
	R32Float       Format = 100
	RG32Uint       Format = 101
	RG32Float      Format = 103
	RGBA32Uint     Format = 107
	RGBA32Float    Format = 109
	B10GR11Float   Format = 122
	D16Unorm       Format = 124
	X8D24Unorm     Format = 125
	D32Float       Format = 126
	S8Uint         Format = 127
	D16UnormS8Uint Format = 128
	D24UnormS8Uint Format = 129
	D32FloatS8Uint Format = 130
)

// formats is what the functions below say, of the formats up to the last that is named.
var formats = func() (of [D32FloatS8Uint + 1]struct {
	aspect Aspect
	texel  uint8
}) {
	for f := range of {
		of[f].aspect, of[f].texel = Format(f).aspect(), uint8(Format(f).texelBytes())
	}
	return of
}()

// Aspect is the planes f has.
func (f Format) Aspect() Aspect {
	if int(f) < len(formats) {
		return formats[f].aspect
	}
	return AspectColor
}

func (f Format) aspect() Aspect {
	switch f {
	case D16Unorm, X8D24Unorm, D32Float:
		return AspectDepth
	case S8Uint:
		return AspectStencil
	case D16UnormS8Uint, D24UnormS8Uint, D32FloatS8Uint:
		return AspectDepth | AspectStencil
	}
	return AspectColor
}

// IsDepth says whether f may be a depth or stencil attachment, and so no colour attachment.
func (f Format) IsDepth() bool { return f.Aspect() != AspectColor }

// IsInteger says whether f holds whole numbers, which are not averaged.
func (f Format) IsInteger() bool {
	switch f {
	case R8Uint, RGBA8Uint, R16Uint, RG16Uint, RGBA16Uint, R32Uint, R32Sint, RG32Uint, RGBA32Uint:
		return true
	}
	return false
}

// TexelBytes is the bytes one texel takes, tightly packed; 0 for a format the package does not name.
func (f Format) TexelBytes() int {
	if int(f) < len(formats) {
		return int(formats[f].texel)
	}
	return 0
}

func (f Format) texelBytes() int {
	switch f {
	case R8Unorm, R8Uint, S8Uint:
		return 1
	case RG8Unorm, R16Unorm, R16Uint, R16Float, D16Unorm:
		return 2
	case D16UnormS8Uint, RGBA8Unorm, RGBA8Snorm, RGBA8Uint, RGBA8Srgb, BGRA8Unorm, BGRA8Srgb, A2BGR10Unorm, RG16Unorm,
		RG16Snorm, RG16Uint, RG16Float, R32Uint, R32Sint, R32Float, B10GR11Float, X8D24Unorm, D32Float, D24UnormS8Uint:
		return 4
	case RGBA16Unorm, RGBA16Uint, RGBA16Float, RG32Uint, RG32Float, D32FloatS8Uint:
		return 8
	case RGBA32Uint, RGBA32Float:
		return 16
	}
	return 0
}
