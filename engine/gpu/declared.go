package gpu

import (
	"fmt"

	"github.com/bindpose/bindpose/framegraph"
)

// heed holds what a pass binds against what it declared, in the first frame of a plan: an image or buffer of the graph that a
// shader reads or writes must be declared so, for barriers stand for declarations alone.
// It reports false, having failed the pass, where they differ.
func (c *Commands) heed(p *Pipeline, set int, values []Value) bool {
	var declared []framegraph.Declared
	for i := range values {
		v := &values[i]
		b := p.declares(set, int(v.slot))
		resource := c.e.resourceOf(v)
		if b == nil || resource < 0 {
			continue
		}
		if declared == nil {
			declared = c.plan.Declared(c.plan.Steps[c.step].Pass, nil)
		}
		wants, verb := b.access()
		var has framegraph.Access
		for _, d := range declared {
			if d.Resource == resource {
				has |= d.Access
			}
		}
		if has&wants == 0 {
			c.Fail(fmt.Errorf("gpu: shader of pipeline %s uses %q as its %q (set %d, binding %d), %s; the pass declares no %s of it, so nothing orders that",
				p.name, c.plan.Resources[resource].Name, b.Name, set, v.slot, b.Kind, verb))
			return false
		}
	}
	return true
}

// access is what a pass must declare for a binding, any of it, and the verb to do it with.
func (b *Declared) access() (framegraph.Access, string) {
	image := ""
	if b.Kind == StorageTexture {
		image = "Image"
	}
	switch {
	case b.Kind == Texture:
		return framegraph.AccessSampledRead, "Sample"
	case b.Kind == UniformRange:
		return framegraph.AccessUniformRead, "UniformRead"
	case b.Writable:
		return framegraph.AccessStorageWrite, "StorageWrite" + image
	}
	return framegraph.AccessStorageRead | framegraph.AccessStorageWrite, "StorageRead" + image
}

// resourceOf is the place among the plan's resources of what v names; −1 where the graph knows nothing of it.
func (e *Executor) resourceOf(v *Value) int {
	if v.image != nil {
		for i, m := range e.images {
			if m == v.image {
				return i
			}
		}
	}
	if v.buffer != nil {
		for i, b := range e.buffers {
			if b == v.buffer {
				return i
			}
		}
	}
	return -1
}

// declares is what the pipeline's shaders have at a binding; nil where none uses it.
func (p *Pipeline) declares(set, slot int) *Declared {
	var found *Declared
	for i := range p.uses {
		b := &p.uses[i]
		if b.Set == set && b.Slot == slot && (found == nil || b.Writable) {
			found = b
		}
	}
	return found
}
