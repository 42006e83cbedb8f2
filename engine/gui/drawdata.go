package gui

// #include "shim.h"
import "C"

import "unsafe"

// Vertex is 20 bytes as the GPU reads them: position in window units, texture
// coordinate, colour as R, G, B, A bytes (sRGB-encoded, not premultiplied).
type Vertex struct {
	X, Y, U, V float32
	Color      Color
}

// List is one run of vertices and indices in memory of the Context.
type List struct {
	Vertices []Vertex
	Indices  []uint16
}

// TextureID names a texture to whoever draws. FontTexture is the Atlas; any
// other number is what the caller passed to Image.
type TextureID uint64

// FontTexture is the Atlas.
const FontTexture TextureID = 1

// Command is one indexed draw (triangle list, no culling, no depth, source-over
// blending of sRGB-encoded values). Its offsets count from the start of all
// lists laid one after the other, as CopyVertices and CopyIndices lay them.
type Command struct {
	Texture      TextureID
	ClipX, ClipY int32 // the scissor in framebuffer pixels, inside the framebuffer
	ClipW, ClipH int32
	IndexOffset  uint32
	IndexCount   uint32
	VertexOffset uint32 // added to each index
}

// DrawData is one frame of the GUI. A position p becomes Vulkan clip space as
// (p − (X, Y)) · 2 / (Width, Height) − 1.
type DrawData struct {
	Lists                   []List
	Commands                []Command
	VertexCount, IndexCount int // over all lists
	X, Y, Width, Height     float32
	FramebufferScale        float32
}

func (d *DrawData) read(out *C.bp_frame) {
	d.Lists = d.Lists[:0]
	for _, l := range unsafe.Slice(out.lists, int(out.list_count)) {
		d.Lists = append(d.Lists, List{
			Vertices: unsafe.Slice((*Vertex)(l.vertices), int(l.vertex_count)),
			Indices:  unsafe.Slice((*uint16)(l.indices), int(l.index_count)),
		})
	}
	d.Commands = unsafe.Slice((*Command)(unsafe.Pointer(out.commands)), int(out.command_count))
	d.VertexCount, d.IndexCount = int(out.vertex_count), int(out.index_count)
	d.X, d.Y, d.Width, d.Height = float32(out.x), float32(out.y), float32(out.width), float32(out.height)
	d.FramebufferScale = float32(out.framebuffer_scale)
}

// CopyVertices lays all vertices one after the other in dst, mapped GPU memory
// say, and returns how many it wrote: VertexCount, or less where dst is short.
func (d *DrawData) CopyVertices(dst []Vertex) int {
	n := 0
	for _, l := range d.Lists {
		n += copy(dst[n:], l.Vertices)
	}
	return n
}

// CopyIndices is CopyVertices for the indices.
func (d *DrawData) CopyIndices(dst []uint16) int {
	n := 0
	for _, l := range d.Lists {
		n += copy(dst[n:], l.Indices)
	}
	return n
}
