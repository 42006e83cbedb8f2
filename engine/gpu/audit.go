package gpu

import "slices"

// audit is which passes use which resources by name, noted while one frame is recorded.
type audit struct {
	wanted, running bool
	uses            map[string][]string // passes by resource, in the order of the plan
}

// Audit has the next Execute note which passes bind which buffers and images. That frame allocates.
func (e *Executor) Audit() { e.audit.wanted = true }

// Uses are the passes that bound resources of a name in the frame that was audited last.
func (e *Executor) Uses(name string) []string { return append([]string{}, e.audit.uses[name]...) }

func (a *audit) begin() {
	if a.running = a.wanted; a.running {
		a.wanted, a.uses = false, map[string][]string{}
	}
}

// used notes that the pass being recorded uses what is called name.
func (c *Commands) used(name string) {
	u := c.e.audit.uses
	if pass := c.Pass(); !slices.Contains(u[name], pass) {
		u[name] = append(u[name], pass)
	}
}

// usedValues notes what a descriptor set names.
func (c *Commands) usedValues(values []Value) {
	if !c.e.audit.running {
		return
	}
	for i := range values {
		if b := values[i].buffer; b != nil {
			c.used(b.desc.Name)
		}
		if m := values[i].image; m != nil {
			c.used(m.desc.Name)
		}
	}
}
