package gpu

import (
	"fmt"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
	"github.com/bindpose/bindpose/framegraph"
)

// NewGraphics builds a graphics pipeline.
func (d *Device) NewGraphics(desc GraphicsDesc) (*Pipeline, error) {
	d.lock() // a record closure may be what builds it
	defer d.unlock()
	p, err := d.newGraphics(&desc)
	d.arena.Reset()
	d.drain()
	if err != nil {
		return nil, fmt.Errorf("pipeline %s: %w", desc.Name, err)
	}
	d.name(vk.OBJECT_TYPE_PIPELINE, uint64(p.handle), desc.Name)
	d.cache.dirty = true
	d.owned[p] = struct{}{}
	return p, nil
}

func (d *Device) newGraphics(desc *GraphicsDesc) (*Pipeline, error) {
	if desc.Layout == nil {
		return nil, fmt.Errorf("gpu: it has no layout")
	}
	a := &d.arena
	info := vk.New[vk.GraphicsPipelineCreateInfo](a)
	stages := vk.MakeSlice[vk.PipelineShaderStageCreateInfo](a, 2)
	vertex, fragment := d.shader(desc.Vertex), d.shader(desc.Fragment)
	uses, err := desc.Layout.suits(vertex, VertexStage)
	if err != nil {
		return nil, err
	}
	done, err := d.stage(&stages[0], vk.SHADER_STAGE_VERTEX_BIT, vertex)
	if err != nil {
		return nil, err
	}
	defer done()
	info.StageCount, info.PStages = 1, &stages[0]
	if fragment.Code != nil {
		more, err := desc.Layout.suits(fragment, FragmentStage)
		if err != nil {
			return nil, err
		}
		uses = append(uses, more...)
		done, err := d.stage(&stages[1], vk.SHADER_STAGE_FRAGMENT_BIT, fragment)
		if err != nil {
			return nil, err
		}
		defer done()
		info.StageCount = 2
	}
	info.PVertexInputState = vertexInput(a, desc.Inputs)
	assembly := vk.New[vk.PipelineInputAssemblyStateCreateInfo](a)
	assembly.Topology = desc.Topology.vk()
	info.PInputAssemblyState = assembly
	viewport := vk.New[vk.PipelineViewportStateCreateInfo](a)
	viewport.ViewportCount, viewport.ScissorCount = 1, 1
	info.PViewportState = viewport
	info.PRasterizationState = d.raster(a, desc)
	samples := vk.New[vk.PipelineMultisampleStateCreateInfo](a)
	samples.RasterizationSamples = vk.SampleCountFlags(max(desc.Samples, 1))
	info.PMultisampleState = samples
	depth := vk.New[vk.PipelineDepthStencilStateCreateInfo](a)
	if desc.Depth.Format != 0 {
		depth.DepthTestEnable = vk.Bool(desc.Depth.Compare != CompareNone || desc.Depth.Write)
		depth.DepthWriteEnable = vk.Bool(desc.Depth.Write)
		depth.DepthCompareOp = desc.Depth.Compare.vk()
	}
	info.PDepthStencilState = depth
	info.PColorBlendState = blendState(a, desc.Color)
	dynamic := vk.New[vk.PipelineDynamicStateCreateInfo](a)
	states := vk.MakeSlice[vk.DynamicState](a, 2)
	states[0], states[1] = vk.DYNAMIC_STATE_VIEWPORT, vk.DYNAMIC_STATE_SCISSOR
	dynamic.DynamicStateCount, dynamic.PDynamicStates = 2, &states[0]
	info.PDynamicState = dynamic

	rendering := vk.New[vk.PipelineRenderingCreateInfo](a)
	if n := len(desc.Color); n > 0 {
		formats := vk.MakeSlice[vk.Format](a, n)
		for i := range formats {
			formats[i] = vk.Format(desc.Color[i].Format)
		}
		rendering.ColorAttachmentCount, rendering.PColorAttachmentFormats = uint32(n), &formats[0]
	}
	if aspect := desc.Depth.Format.Aspect(); desc.Depth.Format != 0 {
		if aspect&framegraph.AspectDepth != 0 {
			rendering.DepthAttachmentFormat = vk.Format(desc.Depth.Format)
		}
		if aspect&framegraph.AspectStencil != 0 {
			rendering.StencilAttachmentFormat = vk.Format(desc.Depth.Format)
		}
	}
	info.PNext = ptr(rendering)
	info.Layout = desc.Layout.handle
	made, _, err := vk.CreateGraphicsPipelines(d.handle, d.cache.handle, unsafe.Slice(info, 1))
	if err != nil {
		return nil, fmt.Errorf("gpu: building it: %w", d.check(err))
	}
	return &Pipeline{d: d, handle: made[0], layout: desc.Layout, point: vk.PIPELINE_BIND_POINT_GRAPHICS, topology: desc.Topology, name: desc.Name, graphics: desc, uses: uses}, nil
}

func vertexInput(a *vk.Arena, inputs []VertexInput) *vk.PipelineVertexInputStateCreateInfo {
	out := vk.New[vk.PipelineVertexInputStateCreateInfo](a)
	n := 0
	for _, in := range inputs {
		n += len(in.Attributes)
	}
	bindings := vk.MakeSlice[vk.VertexInputBindingDescription](a, len(inputs))
	attributes := vk.MakeSlice[vk.VertexInputAttributeDescription](a, n)
	n = 0
	for i, in := range inputs {
		bindings[i] = vk.VertexInputBindingDescription{Binding: uint32(i), Stride: uint32(in.Stride), InputRate: vk.VERTEX_INPUT_RATE_VERTEX}
		if in.Instance {
			bindings[i].InputRate = vk.VERTEX_INPUT_RATE_INSTANCE
		}
		for _, at := range in.Attributes {
			attributes[n] = vk.VertexInputAttributeDescription{
				Location: uint32(at.Location), Binding: uint32(i), Format: at.Format.vk(), Offset: uint32(at.Offset),
			}
			n++
		}
	}
	if len(bindings) > 0 {
		out.VertexBindingDescriptionCount, out.PVertexBindingDescriptions = uint32(len(bindings)), &bindings[0]
	}
	if len(attributes) > 0 {
		out.VertexAttributeDescriptionCount, out.PVertexAttributeDescriptions = uint32(len(attributes)), &attributes[0]
	}
	return out
}

func (d *Device) raster(a *vk.Arena, desc *GraphicsDesc) *vk.PipelineRasterizationStateCreateInfo {
	r := vk.New[vk.PipelineRasterizationStateCreateInfo](a)
	r.PolygonMode = vk.POLYGON_MODE_FILL
	if desc.Wire && d.props.Has.FillModeNonSolid {
		r.PolygonMode = vk.POLYGON_MODE_LINE
	}
	switch desc.Cull {
	case CullBack:
		r.CullMode = vk.CULL_MODE_BACK_BIT
	case CullFront:
		r.CullMode = vk.CULL_MODE_FRONT_BIT
	}
	r.FrontFace = vk.FRONT_FACE_COUNTER_CLOCKWISE
	if desc.Depth.Bias != 0 || desc.Depth.SlopeBias != 0 {
		r.DepthBiasEnable = vk.TRUE
		r.DepthBiasConstantFactor, r.DepthBiasSlopeFactor = desc.Depth.Bias, desc.Depth.SlopeBias
	}
	r.DepthClampEnable = vk.Bool(desc.Depth.Clamp && d.props.Has.DepthClamp)
	r.LineWidth = 1
	if desc.LineWidth > 0 && d.props.Has.WideLines {
		r.LineWidth = desc.LineWidth
	}
	return r
}

func blendState(a *vk.Arena, outputs []ColorOutput) *vk.PipelineColorBlendStateCreateInfo {
	out := vk.New[vk.PipelineColorBlendStateCreateInfo](a)
	if len(outputs) == 0 {
		return out
	}
	states := vk.MakeSlice[vk.PipelineColorBlendAttachmentState](a, len(outputs))
	for i, c := range outputs {
		s := &states[i]
		for bit, off := range [4]bool{c.NoRed, c.NoGreen, c.NoBlue, c.NoAlpha} {
			if !off {
				s.ColorWriteMask |= vk.COLOR_COMPONENT_R_BIT << bit
			}
		}
		one, zero := vk.BLEND_FACTOR_ONE, vk.BLEND_FACTOR_ZERO
		rest := vk.BLEND_FACTOR_ONE_MINUS_SRC_ALPHA
		s.BlendEnable = vk.TRUE
		switch c.Blend {
		case AlphaBlend:
			s.SrcColorBlendFactor, s.DstColorBlendFactor = vk.BLEND_FACTOR_SRC_ALPHA, rest
			s.SrcAlphaBlendFactor, s.DstAlphaBlendFactor = one, rest
		case Premultiplied:
			s.SrcColorBlendFactor, s.DstColorBlendFactor = one, rest
			s.SrcAlphaBlendFactor, s.DstAlphaBlendFactor = one, rest
		case Additive:
			s.SrcColorBlendFactor, s.DstColorBlendFactor = one, one
			s.SrcAlphaBlendFactor, s.DstAlphaBlendFactor = zero, one
		case Multiply:
			s.SrcColorBlendFactor, s.DstColorBlendFactor = zero, vk.BLEND_FACTOR_SRC_COLOR
			s.SrcAlphaBlendFactor, s.DstAlphaBlendFactor = zero, one
		case Screen:
			s.SrcColorBlendFactor, s.DstColorBlendFactor = one, vk.BLEND_FACTOR_ONE_MINUS_SRC_COLOR
			s.SrcAlphaBlendFactor, s.DstAlphaBlendFactor = zero, one
		default:
			s.BlendEnable = vk.FALSE
		}
	}
	out.AttachmentCount, out.PAttachments = uint32(len(states)), &states[0]
	return out
}

func (t Topology) vk() vk.PrimitiveTopology {
	switch t {
	case TriangleStrip:
		return vk.PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP
	case Lines:
		return vk.PRIMITIVE_TOPOLOGY_LINE_LIST
	case LineStrip:
		return vk.PRIMITIVE_TOPOLOGY_LINE_STRIP
	case Points:
		return vk.PRIMITIVE_TOPOLOGY_POINT_LIST
	}
	return vk.PRIMITIVE_TOPOLOGY_TRIANGLE_LIST
}

var attributeFormats = [...]vk.Format{
	Float32: vk.FORMAT_R32_SFLOAT, Float32x2: vk.FORMAT_R32G32_SFLOAT, Float32x3: vk.FORMAT_R32G32B32_SFLOAT, Float32x4: vk.FORMAT_R32G32B32A32_SFLOAT,
	Uint8x4: vk.FORMAT_R8G8B8A8_UINT, Unorm8x4: vk.FORMAT_R8G8B8A8_UNORM, Snorm8x4: vk.FORMAT_R8G8B8A8_SNORM,
	Uint16x2: vk.FORMAT_R16G16_UINT, Uint16x4: vk.FORMAT_R16G16B16A16_UINT,
	Unorm16x2: vk.FORMAT_R16G16_UNORM, Unorm16x4: vk.FORMAT_R16G16B16A16_UNORM,
	Snorm16x2: vk.FORMAT_R16G16_SNORM, Snorm16x4: vk.FORMAT_R16G16B16A16_SNORM,
	Float16x2: vk.FORMAT_R16G16_SFLOAT, Float16x4: vk.FORMAT_R16G16B16A16_SFLOAT,
	Uint32: vk.FORMAT_R32_UINT, Uint32x2: vk.FORMAT_R32G32_UINT, Uint32x4: vk.FORMAT_R32G32B32A32_UINT,
}

func (f AttributeFormat) vk() vk.Format { return attributeFormats[f] }
