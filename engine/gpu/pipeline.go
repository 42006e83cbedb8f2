package gpu

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/engine/vk"
)

// Layout is a pipeline layout. It lives as long as the device.
type Layout struct {
	handle vk.PipelineLayout
	desc   LayoutDesc
	push   vk.ShaderStageFlags
}

// NewLayout makes a pipeline layout.
func (d *Device) NewLayout(desc LayoutDesc) (*Layout, error) {
	if desc.Push > d.props.Limits.PushConstants {
		return nil, fmt.Errorf("gpu: layout %s asks for %d bytes of push constants; this device has %d", desc.Name, desc.Push, d.props.Limits.PushConstants)
	}
	defer d.arena.Reset()
	l := &Layout{desc: desc, push: desc.PushStages.vk()}
	info := vk.New[vk.PipelineLayoutCreateInfo](&d.arena)
	sets := vk.MakeSlice[vk.DescriptorSetLayout](&d.arena, len(desc.Sets))
	compute := false
	for i, s := range desc.Sets {
		if s == nil {
			return nil, fmt.Errorf("gpu: layout %s: set %d is nil", desc.Name, i)
		}
		sets[i] = s.handle
		for _, b := range s.slots {
			compute = compute || b.Stages == ComputeStage
		}
	}
	if len(sets) > 0 {
		info.SetLayoutCount, info.PSetLayouts = uint32(len(sets)), &sets[0]
	}
	if desc.Push > 0 {
		if l.push == 0 {
			l.push = vk.SHADER_STAGE_VERTEX_BIT | vk.SHADER_STAGE_FRAGMENT_BIT
			if compute {
				l.push = vk.SHADER_STAGE_COMPUTE_BIT
			}
		}
		info.PushConstantRangeCount = 1
		info.PPushConstantRanges = vk.Slice(&d.arena, vk.PushConstantRange{StageFlags: l.push, Size: uint32(desc.Push)})
	}
	var err error
	if l.handle, err = vk.CreatePipelineLayout(d.handle, info); err != nil {
		return nil, fmt.Errorf("gpu: making pipeline layout %s: %w", desc.Name, d.check(err))
	}
	d.name(vk.OBJECT_TYPE_PIPELINE_LAYOUT, uint64(l.handle), desc.Name)
	d.setups = append(d.setups, func() { vk.DestroyPipelineLayout(d.handle, l.handle) })
	d.drain()
	return l, nil
}

// Pipeline is a graphics or compute pipeline.
type Pipeline struct {
	d        *Device
	handle   vk.Pipeline
	layout   *Layout
	point    vk.PipelineBindPoint
	topology Topology
	name     string
	graphics *GraphicsDesc // or compute: what it was built from
	compute  *ComputeDesc
	uses     []Declared // bindings of its shaders
}

// stage fills in a shader stage; its module lives until done is called.
func (d *Device) stage(out *vk.PipelineShaderStageCreateInfo, stage vk.ShaderStageFlags, s Shader) (done func(), err error) {
	if len(s.Code) < 20 || len(s.Code)%4 != 0 {
		return nil, fmt.Errorf("gpu: shader %s isn't SPIR-V", s.Name)
	}
	a := &d.arena
	code := vk.MakeSlice[uint32](a, len(s.Code)/4)
	copy(vk.Bytes(code), s.Code)
	info := vk.New[vk.ShaderModuleCreateInfo](a)
	info.CodeSize, info.PCode = uint64(len(s.Code)), &code[0]
	module, err := vk.CreateShaderModule(d.handle, info)
	if err != nil {
		return nil, fmt.Errorf("gpu: loading shader %s: %w", s.Name, d.check(err))
	}
	d.name(vk.OBJECT_TYPE_SHADER_MODULE, uint64(module), s.Name)
	out.Init()
	out.Stage = stage
	out.Module = module
	entry := s.Entry
	if entry == "" {
		entry = "main"
	}
	out.PName = vk.CString(a, entry)
	if len(s.Const) > 0 {
		ids := make([]uint32, 0, len(s.Const))
		for id := range s.Const {
			ids = append(ids, id)
		}
		slices.Sort(ids) // so that the pipeline cache meets the same bytes each time
		entries := vk.MakeSlice[vk.SpecializationMapEntry](a, len(ids))
		values := vk.MakeSlice[uint32](a, len(ids))
		for i, id := range ids {
			entries[i] = vk.SpecializationMapEntry{ConstantID: id, Offset: uint32(4 * i), Size: 4}
			values[i] = s.Const[id]
		}
		special := vk.New[vk.SpecializationInfo](a)
		special.MapEntryCount, special.PMapEntries = uint32(len(entries)), &entries[0]
		special.DataSize, special.PData = uint64(4*len(values)), unsafe.Pointer(&values[0])
		out.PSpecializationInfo = special
	}
	return func() { vk.DestroyShaderModule(d.handle, module) }, nil
}

// NewCompute builds a compute pipeline.
func (d *Device) NewCompute(desc ComputeDesc) (*Pipeline, error) {
	d.lock() // a record closure may be what builds it
	defer d.unlock()
	defer d.arena.Reset()
	if desc.Layout == nil {
		return nil, fmt.Errorf("pipeline %s: gpu: it has no layout", desc.Name)
	}
	info := vk.New[vk.ComputePipelineCreateInfo](&d.arena)
	shader := d.shader(desc.Shader)
	uses, err := desc.Layout.suits(shader, ComputeStage)
	if err != nil {
		return nil, fmt.Errorf("pipeline %s: %w", desc.Name, err)
	}
	done, err := d.stage(&info.Stage, vk.SHADER_STAGE_COMPUTE_BIT, shader)
	if err != nil {
		return nil, fmt.Errorf("pipeline %s: %w", desc.Name, err)
	}
	defer done()
	info.Layout = desc.Layout.handle
	made, _, err := vk.CreateComputePipelines(d.handle, d.cache.handle, unsafe.Slice(info, 1))
	d.drain()
	if err != nil {
		return nil, fmt.Errorf("gpu: building pipeline %s: %w", desc.Name, d.check(err))
	}
	p := &Pipeline{d: d, handle: made[0], layout: desc.Layout, point: vk.PIPELINE_BIND_POINT_COMPUTE, name: desc.Name, compute: &desc, uses: uses}
	d.name(vk.OBJECT_TYPE_PIPELINE, uint64(p.handle), desc.Name)
	d.cache.dirty = true
	d.owned[p] = struct{}{}
	return p, nil
}

// Release destroys the pipeline after the last frame that may use it. Releasing nil or twice does nothing.
func (p *Pipeline) Release() {
	if p == nil || p.handle == 0 {
		return
	}
	delete(p.d.owned, p)
	p.d.discard(discardPipeline, uint64(p.handle), allocation{})
	p.handle = 0
}
