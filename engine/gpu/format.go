package gpu

import "github.com/bindpose/bindpose/framegraph"

// The GPU layer speaks of formats and usages in the frame graph's words; their values are Vulkan's.
type (
	Format      = framegraph.Format
	ImageUsage  = framegraph.ImageUsage
	BufferUsage = framegraph.BufferUsage
)

// Block-compressed formats that files bring; each value equals VkFormat. Whether a device samples them is asked with
// [Device.CanSample].
const (
	BC1Unorm Format = 133 // with alpha
	BC1Srgb  Format = 134
	BC3Unorm Format = 137
	BC3Srgb  Format = 138
	BC4Unorm Format = 139
	BC5Unorm Format = 141
	BC7Unorm Format = 145
	BC7Srgb  Format = 146
)

// texelBlock is the edge in texels and the bytes of the smallest unit of f; 0, 0 for a format that can't be copied.
func texelBlock(f Format) (edge, bytes int) {
	switch {
	case f >= 131 && f <= 134, f == 139, f == 140:
		return 4, 8
	case f >= 135 && f <= 146:
		return 4, 16
	}
	switch f {
	case framegraph.X8D24Unorm, framegraph.D32Float:
		return 1, 4
	case framegraph.D16Unorm:
		return 1, 2
	case framegraph.D16UnormS8Uint, framegraph.D24UnormS8Uint, framegraph.D32FloatS8Uint:
		return 0, 0 // planes are copied apart, which nothing needs
	}
	if n := f.TexelBytes(); n > 0 {
		return 1, n
	}
	return 0, 0
}

// levelBytes is the size of one mip level, tightly packed.
func levelBytes(f Format, w, h int) int {
	edge, bytes := texelBlock(f)
	if edge == 0 {
		return 0
	}
	return (w + edge - 1) / edge * ((h + edge - 1) / edge) * bytes
}

func mipSize(w, h, mip int) (int, int) { return max(1, w>>mip), max(1, h>>mip) }
