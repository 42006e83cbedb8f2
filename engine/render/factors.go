package render

import (
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
)

// A material's numbers lie in a buffer that all who show its model share. Where a
// clip or an expression moves them, the entity gets numbers of its own for that
// frame, and is drawn by itself; all others stay in one instanced draw.

// movingMaterial is a material of a model that properties can move.
type movingMaterial struct {
	index      int32
	resident   *Material
	properties []assets.Property
}

// Factors are an entity's own numbers of a material, this frame.
type Factors struct {
	material *Material
	values   materialValues
}

// movingMaterials are those of a model that have properties.
func movingMaterials(m *assets.Model, set *materialSet) []movingMaterial {
	var out []movingMaterial
	for i := range m.Materials {
		if p := m.PropertiesOf(assets.OfMaterial, int32(i)); len(p) > 0 {
			out = append(out, movingMaterial{int32(i), set.at(int32(i)), p})
		}
	}
	return out
}

// writeFactors writes the numbers of every material that is not at rest on an
// entity that is shown.
func (f *Frame) writeFactors(g *gpu.Frame) {
	f.factors = f.factors[:0]
	for _, p := range f.parts {
		if len(p.model.moving) == 0 {
			continue
		}
		source := p.model.Source
		for i := range p.shown {
			sh := &p.shown[i]
			a := sh.entity.Animator
			if a == nil || len(a.Pose().Weights) != len(source.Skeleton.MorphWeights) {
				continue
			}
			weights := a.Pose().Weights
			sh.factors = len(f.factors)
			for k := range p.model.moving {
				m := &p.model.moving[k]
				if !source.Moved(m.properties, weights) {
					continue
				}
				source.MaterialAt(m.index, m.properties, weights, &f.moved.material, &f.moved.coat)
				r := g.Alloc(materialSize, 16)
				packMaterial(r.Bytes, &f.moved.material)
				x := Factors{m.resident, m.resident.values}
				x.values[0] = gpu.Uniform(0, r)
				f.factors = append(f.factors, x)
			}
			sh.factorsEnd = len(f.factors)
			p.changed = p.changed || sh.changed()
		}
	}
}

// changed reports whether the entity shows some material otherwise than the model
// has it.
func (sh *shown) changed() bool { return sh.factorsEnd > sh.factors }

// factorsOf are the entity's own numbers of a material; nil where it has the
// model's.
func (f *Frame) factorsOf(sh *shown, m *Material) *Factors {
	for i := sh.factors; i < sh.factorsEnd; i++ {
		if f.factors[i].material == m {
			return &f.factors[i]
		}
	}
	return nil
}

// BindMaterial binds set 1: the primitive's material, or the entity's own numbers
// of it.
func (b *Batch) BindMaterial(c *gpu.Commands) {
	if b.Factors != nil {
		c.Bind(1, b.Factors.values[:]...)
		return
	}
	c.BindSet(1, b.Primitive.Material.Set)
}
