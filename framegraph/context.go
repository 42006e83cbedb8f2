package framegraph

// Context is what the executor hands to a Record closure. What records commands is the executor's own: with engine/gpu a
// pass gets it by gpu.From(c). To find a resource, the executor looks up handle.Index() among Plan().Resources.
type Context interface {
	// Pass is the name of the pass being recorded.
	Pass() string
	// Plan is the plan being executed.
	Plan() *Plan
	// Step is the pass's place in Plan().Steps.
	Step() int
}

// Record records a pass's commands. It runs once a frame, after the phases it depends on, between the barriers and inside
// the rendering scope its declarations ask for. It must not record barriers or begin rendering itself.
type Record func(c Context)
