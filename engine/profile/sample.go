package profile

// Kind says what a row measures.
type Kind string

// The kinds of rows.
const (
	CPU Kind = "cpu" // time of the processor
	GPU Kind = "gpu" // time of the device in a pass
	Gap Kind = "gap" // time of the device between passes: barriers and bubbles

	// Whole is the frame by the clock, which the other rows are parts of.
	Whole Kind = "frame"
)

// Sample is one row of one frame.
type Sample struct {
	Name string
	Kind Kind
	// Start is seconds since the frame began; of the Whole, since whatever moment
	// all frames are counted from.
	Start   float64
	Seconds float64
	Counts
}

// Counts are what a pass, or a phase, did in a frame.
type Counts struct {
	Draws      int `json:"draws"`
	Dispatches int `json:"dispatches"`
	Triangles  int `json:"triangles"`
	Vertices   int `json:"vertices"` // vertices or indices drawn, instances counted
	// What the device counted, where it has pipeline statistics; otherwise 0.
	VertexInvocations   uint64 `json:"vertex_invocations"`
	FragmentInvocations uint64 `json:"fragment_invocations"`
	ComputeInvocations  uint64 `json:"compute_invocations"`

	Uploaded int    `json:"uploaded_bytes"` // from the processor to the device
	Barriers int    `json:"barriers"`       // before the pass
	Loaded   uint64 `json:"loaded_bytes"`   // of attachments, by the plan
	Stored   uint64 `json:"stored_bytes"`   // of attachments, by the plan
}

func (c *Counts) add(o *Counts) {
	c.Draws += o.Draws
	c.Dispatches += o.Dispatches
	c.Triangles += o.Triangles
	c.Vertices += o.Vertices
	c.VertexInvocations += o.VertexInvocations
	c.FragmentInvocations += o.FragmentInvocations
	c.ComputeInvocations += o.ComputeInvocations
	c.Uploaded += o.Uploaded
	c.Barriers += o.Barriers
	c.Loaded += o.Loaded
	c.Stored += o.Stored
}
