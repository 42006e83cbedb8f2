package passes

import (
	"fmt"
	"sync"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
)

// variant is what of a batch selects its pipeline.
type variant struct {
	influences                         int
	topology                           gpu.Topology
	mask, unlit, doubleSided, mirrored bool
	dual                               bool // skinned by dual quaternions
	facets, colored                    bool // some normals are missing; it has colors
	glow                               bool // the frame's emissive image is written
	maps                               uint32
}

func variantOf(b *render.Batch) variant {
	p := b.Primitive
	return variant{
		influences: p.Influences, topology: p.Topology,
		dual: p.Dual, mask: p.Material.Mask, maps: p.Maps, unlit: p.Unlit, facets: p.Facets, colored: p.Colored,
		// Lines and points have no back.
		doubleSided: p.Material.DoubleSided, mirrored: b.Mirrored && p.Topology == gpu.Triangles,
	}
}

// cull drops back faces, which are the front ones where the matrix mirrors.
func (v variant) cull() gpu.Cull {
	switch {
	case v.doubleSided:
		return gpu.CullNone
	case v.mirrored:
		return gpu.CullFront
	}
	return gpu.CullBack
}

// vertexShader names the variant of a mesh shader for its influences.
func (v variant) vertexShader(name string) gpu.Shader {
	if v.influences == 0 {
		return stage(name + ".vert")
	}
	return stage(fmt.Sprintf("%s_skinned%d.vert", name, v.influences), bit(v.dual))
}

// surfaceShader is a fragment shader that includes surface.glsl.
func (v variant) surfaceShader(name string) gpu.Shader {
	return stage(name, bit(v.mask), v.maps, bit(v.mirrored), bit(v.unlit), bit(v.facets), bit(v.colored))
}

// meshes draws batches with the pipelines of one pass, each built when it is
// first needed.
type meshes struct {
	device *gpu.Device
	desc   func(variant) gpu.GraphicsDesc
	lock   sync.Mutex // passes that are recorded at once may share them
	built  map[variant]*gpu.Pipeline
}

func (m *meshes) pipeline(v variant) (*gpu.Pipeline, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if p, ok := m.built[v]; ok {
		return p, nil
	}
	p, err := m.device.NewGraphics(m.desc(v))
	if err != nil {
		return nil, err
	}
	if m.built == nil {
		m.built = map[variant]*gpu.Pipeline{}
	}
	m.built[v] = p
	return p, nil
}

// use makes v's pipeline current and binds the sets that all batches share.
// It reports false, having failed the pass, where there is no such pipeline.
func (m *meshes) use(c *gpu.Commands, v variant, bind func(*gpu.Commands)) bool {
	p, err := m.pipeline(v)
	if err != nil {
		c.Fail(err)
		return false
	}
	c.BindPipeline(p)
	bind(c)
	return true
}

// draw draws batches with their materials. bind binds the other sets after a
// change of pipeline. glow is whether the emissive image is written.
func (m *meshes) draw(c *gpu.Commands, batches []render.Batch, glow bool, bind func(*gpu.Commands)) {
	last := none
	for i := range batches {
		b := &batches[i]
		if b.Count == 0 {
			continue
		}
		v := variantOf(b)
		if v.glow = glow; v != last {
			if !m.use(c, v, bind) {
				return
			}
			last = v
		}
		b.BindMaterial(c)
		drawBatch(c, b, b.First, b.Count)
	}
}

// drawBatch draws some instances of a batch with the current pipeline.
func drawBatch(c *gpu.Commands, b *render.Batch, first, count int) {
	p := b.Primitive
	bindBatch(c, b)
	if p.Indexed {
		c.DrawIndexed(p.Count, count, 0, 0, first)
	} else {
		c.Draw(p.Count, count, 0, first)
	}
}

// bindBatch binds what a batch's vertices are read from.
func bindBatch(c *gpu.Commands, b *render.Batch) {
	p := b.Primitive
	c.BindVertices(0, b.Positions)
	c.BindVertices(1, b.Attributes)
	for set := range p.Influences / 4 {
		c.BindVertices(2+set, p.Skin[set])
	}
	if p.Indexed {
		c.BindIndices(p.Indices, 32)
	}
}

// none is a variant that no batch has, to start a pass with.
var none = variant{influences: -1}

func (m *meshes) release() {
	for _, p := range m.built {
		p.Release()
	}
}
