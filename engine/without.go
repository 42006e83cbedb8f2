package engine

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/framegraph"
)

// absence is how the frames go without a pass.
type absence struct {
	name    string
	emptied bool // declared, and records nothing: others need what it writes
}

const uploadPhase = "palette upload"

// Without leaves phases and passes out of the frames to come, instead of those
// that were left out before; no names bring all back. A pass whose results the
// frame cannot be planned without is declared all the same and records nothing.
// Names are those of the frames drawn so far; for others an error lists them.
func (e *Engine) Without(names ...string) error {
	for _, name := range names {
		if known := e.PassNames(); !slices.Contains(known, name) {
			return fmt.Errorf("engine: the frame has no pass %q to leave out: there are %s", name, strings.Join(known, ", "))
		}
		if name == uploadPhase {
			return fmt.Errorf("engine: no frame can do without %s: every pass reads what it wrote in the frame", name)
		}
	}
	e.absent = e.absent[:0]
	for _, name := range names {
		e.absent = append(e.absent, absence{name: name})
	}
	return nil
}

// HowWithout says how the last frame went without a pass; "" where it did not.
func (e *Engine) HowWithout(name string) string {
	for _, a := range e.absent {
		if a.name == name {
			if a.emptied {
				return "declared and empty: others need what it writes"
			}
			return "left out"
		}
	}
	return ""
}

// PassNames are the phases and passes of the frames drawn so far, in order.
func (e *Engine) PassNames() []string {
	if len(e.absent) == 0 && e.plan != nil {
		e.names = e.names[:0]
		for i := range e.plan.Passes() {
			e.names = append(e.names, e.plan.PassName(i))
		}
	}
	return e.names
}

// SetGraph switches parts of the frame-graph compiler off or on, from the next
// frame on.
func (e *Engine) SetGraph(o framegraph.Options) { e.caps.Options = o }

// without is how the frame goes without a pass; nil where it does not.
func (e *Engine) without(name string) *absence {
	for i := range e.absent {
		if e.absent[i].name == name {
			return &e.absent[i]
		}
	}
	return nil
}

// compile declares the frame and compiles it. Where it cannot be planned without
// a pass that is left out, that one is declared empty.
func (e *Engine) compile() (*framegraph.Plan, error) {
	for {
		e.declare()
		plan, err := e.graph.Compile(e.caps)
		if err == nil {
			return plan, nil
		}
		i := slices.IndexFunc(e.absent, func(a absence) bool { return !a.emptied })
		if i < 0 {
			return nil, err
		}
		e.absent[i].emptied = true
	}
}

// phase is the declaration of a phase, or one of its that runs nothing.
func (e *Engine) phase(name string, declare func(*framegraph.Builder) func() error) func(*framegraph.Builder) func() error {
	a := e.without(name)
	if a == nil {
		return declare
	}
	a.emptied = true
	return func(b *framegraph.Builder) func() error {
		declare(b)
		return nil
	}
}

// pass is the declaration of a pass, or one of its that records nothing; nil
// where it is left out.
func (e *Engine) pass(name string, declare func(*framegraph.Builder) framegraph.Record) func(*framegraph.Builder) framegraph.Record {
	a := e.without(name)
	switch {
	case a == nil:
		return declare
	case !a.emptied:
		return nil
	}
	return func(b *framegraph.Builder) framegraph.Record {
		declare(b)
		return nil
	}
}
