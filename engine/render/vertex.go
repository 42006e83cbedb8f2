package render

import (
	"encoding/binary"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// A mesh's vertices lie in up to four streams, so that a pass reads only what it
// needs: the shadow pass reads positions and influences.
//
//	stream 0  position   float32 ×3
//	stream 1  normal     snorm16 ×4   zero where the file has none: shaded flat
//	          tangent    snorm16 ×4   zero where there is none: derived
//	          uv 0, uv 1 float32 ×2 each
//	          color      unorm16 ×4   linear
//	stream 2  joints     uint16 ×4    palette slots
//	          weights    float32 ×4   sum to 1, and to as much more as a vertex has of
//	                                  dual-quaternion skinning (Primitive.Dual)
//	stream 3  joints and weights 4 to 7
const (
	positionStride  = 12
	attributeStride = 8 + 8 + 8 + 8 + 8
	skinStride      = 8 + 16
)

// Streams describes the vertex inputs of a mesh pipeline with 0, 4 or 8
// influences a vertex, with or without stream 1. It fits shaders/mesh.glsl.
func Streams(influences int, attributes bool) []gpu.VertexInput {
	inputs := []gpu.VertexInput{{Stride: positionStride, Attributes: []gpu.Attribute{
		{Location: 0, Format: gpu.Float32x3},
	}}, {Stride: attributeStride}}
	if attributes {
		inputs[1].Attributes = []gpu.Attribute{
			{Location: 1, Format: gpu.Snorm16x4, Offset: 0},
			{Location: 2, Format: gpu.Snorm16x4, Offset: 8},
			{Location: 3, Format: gpu.Float32x2, Offset: 16},
			{Location: 4, Format: gpu.Float32x2, Offset: 24},
			{Location: 5, Format: gpu.Unorm16x4, Offset: 32},
		}
	}
	for set := range influences / 4 {
		inputs = append(inputs, gpu.VertexInput{Stride: skinStride, Attributes: []gpu.Attribute{
			{Location: 6 + 2*set, Format: gpu.Uint16x4, Offset: 0},
			{Location: 7 + 2*set, Format: gpu.Float32x4, Offset: 8},
		}})
	}
	return inputs
}

var le = binary.LittleEndian

func putFloat(dst []byte, f float32) { le.PutUint32(dst, math.Float32bits(f)) }

// putSnorm16 stores f, in -1..1, as Vulkan's SNORM reads it.
func putSnorm16(dst []byte, f float32) {
	f = min(max(f, -1), 1) * 32767
	le.PutUint16(dst, uint16(int16(math.Round(float64(f)))))
}

func putUnorm16(dst []byte, f float32) {
	f = min(max(f, 0), 1) * 65535
	le.PutUint16(dst, uint16(math.Round(float64(f))))
}

// packPositions writes stream 0.
func packPositions(dst []byte, positions []mgl32.Vec3) {
	for i, p := range positions {
		at := dst[i*positionStride:]
		putFloat(at, p[0])
		putFloat(at[4:], p[1])
		putFloat(at[8:], p[2])
	}
}

// packAttributes writes stream 1. normals and tangents may differ from the
// primitive's own where morph targets moved them.
func packAttributes(dst []byte, p *assets.Primitive, normals []mgl32.Vec3, tangents []mgl32.Vec4) {
	for i := range p.Positions {
		at := dst[i*attributeStride : (i+1)*attributeStride]
		clear(at[:32])
		if normals != nil {
			for c := range 3 {
				putSnorm16(at[2*c:], normals[i][c])
			}
		}
		if tangents != nil {
			for c := range 4 {
				putSnorm16(at[8+2*c:], tangents[i][c])
			}
		}
		for set := range min(len(p.UV), 2) {
			putFloat(at[16+8*set:], p.UV[set][i][0])
			putFloat(at[20+8*set:], p.UV[set][i][1])
		}
		color := mgl32.Vec4{1, 1, 1, 1}
		if p.Colors != nil {
			color = p.Colors[i]
		}
		for c := range 4 {
			putUnorm16(at[32+2*c:], color[c])
		}
	}
}

// packInfluences writes stream 2 or 3. dual is nil, or by vertex from 0 to 1.
func packInfluences(dst []byte, joints [][4]uint16, weights [][4]float32, dual []float32) {
	for i := range joints {
		at, scale := dst[i*skinStride:], float32(1)
		if dual != nil {
			scale += dual[i]
		}
		for c := range 4 {
			le.PutUint16(at[2*c:], joints[i][c])
			putFloat(at[8+4*c:], scale*weights[i][c])
		}
	}
}

// packIndices writes 32-bit indices.
func packIndices(dst []byte, indices []uint32) {
	for i, v := range indices {
		le.PutUint32(dst[4*i:], v)
	}
}
