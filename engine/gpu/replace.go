package gpu

import (
	"errors"
	"fmt"
)

// ReplaceShader gives all shaders of that name other code, and builds the pipelines that use it anew, between two frames.
// Where one cannot be built all stay as they are, and the error says why. Pipelines built later use the new code. nil
// code brings back each pipeline's own. It returns how many pipelines were built.
func (d *Device) ReplaceShader(name string, code []byte) (int, error) {
	if d.current != nil {
		return 0, errors.New("gpu: ReplaceShader inside a frame")
	}
	before, had := d.replaced[name]
	if d.replaced == nil {
		d.replaced = map[string][]byte{}
	}
	d.replaced[name] = code
	if code == nil {
		delete(d.replaced, name)
	}
	var users []*Pipeline // found first: what is built now is owned too
	for r := range d.owned {
		if p, ok := r.(*Pipeline); ok && p.has(name) {
			users = append(users, p)
		}
	}
	type change struct{ old, new *Pipeline }
	var changes []change
	for _, p := range users {
		made, err := p.again()
		if err != nil {
			for _, c := range changes {
				c.new.Release()
			}
			delete(d.replaced, name)
			if had {
				d.replaced[name] = before
			}
			return 0, fmt.Errorf("shader %s: %w", name, err)
		}
		changes = append(changes, change{p, made})
	}
	for _, c := range changes {
		delete(d.owned, c.new)
		d.discard(discardPipeline, uint64(c.old.handle), allocation{})
		c.old.handle, c.old.uses = c.new.handle, c.new.uses
	}
	return len(changes), nil
}

func (p *Pipeline) has(shader string) bool {
	if p.graphics != nil {
		return p.graphics.Vertex.Name == shader || p.graphics.Fragment.Name == shader
	}
	return p.compute.Shader.Name == shader
}

// again builds the pipeline once more, with what the shaders are now.
func (p *Pipeline) again() (*Pipeline, error) {
	if p.graphics != nil {
		return p.d.NewGraphics(*p.graphics)
	}
	return p.d.NewCompute(*p.compute)
}

// shader is s with the code that replaces its own.
func (d *Device) shader(s Shader) Shader {
	if code, ok := d.replaced[s.Name]; ok {
		s.Code = code
	}
	return s
}
