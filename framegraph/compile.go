package framegraph

// Compile turns the declarations since Reset into a plan, or reports every mistake in them at once, as Mistakes.
//
// Where the structure is one the graph remembers, the plan it made then is handed out again with this frame's closures,
// clear values and keys. Compile may be called more than once a frame.
func (g *Graph) Compile(caps Caps) (*Plan, error) {
	panic("not yet")
}

// entry is a remembered structure and its plan.
type entry struct {
	declaration
	plan Plan
}

type work struct{}
