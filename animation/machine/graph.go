package machine

import (
	"maps"
	"slices"
)

// Graph is a state machine as it is written: in JSON, or by a program. Compile
// turns it into a Definition. docs/animation.md describes every field.
type Graph struct {
	Parameters []Parameter `json:"parameters,omitempty"`
	Layers     []Layer     `json:"layers"`

	places map[string]int // of a parsed graph: path to offset in its text
	text   []byte
}

// Parameter is a number from outside that conditions and blend spaces read.
type Parameter struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"` // float, int, bool or trigger
	Default float64 `json:"default,omitempty"`
	// Min and Max are the range of a slider; values may go beyond. Both 0: none.
	Min float64 `json:"min,omitempty"`
	Max float64 `json:"max,omitempty"`
}

// Layer is a machine of its own, whose pose lies on those of the layers before.
type Layer struct {
	Name string `json:"name"`
	// Mode is override, the default, or additive. The first layer overrides.
	Mode string `json:"mode,omitempty"`
	// Weight is the layer's share, 1 where nil; WeightParameter multiplies it.
	Weight          *float64 `json:"weight,omitempty"`
	WeightParameter string   `json:"weightParameter,omitempty"`
	// Mask is the share by joint, each for the whole branch below it until another
	// is named; joints outside every branch have 0. Nil is 1 for all.
	Mask map[string]float64 `json:"mask,omitempty"`
	// Reference is the pose that an additive layer's clips are taken against; nil
	// is the rest pose. Clips that are additive already stay as they are.
	Reference *Reference `json:"reference,omitempty"`
	Machine   Machine    `json:"machine"`
}

// Reference is a clip's pose at a time in seconds.
type Reference struct {
	Clip string  `json:"clip"`
	Time float64 `json:"time,omitempty"`
}

// Machine is states and the transitions between them.
type Machine struct {
	Start       string       `json:"start"`
	States      []State      `json:"states"`
	Transitions []Transition `json:"transitions,omitempty"`
}

// State plays a clip, a blend space, or a machine within: exactly one of them.
type State struct {
	Name    string   `json:"name"`
	Clip    string   `json:"clip,omitempty"`
	Blend   *Blend   `json:"blend,omitempty"`
	Machine *Machine `json:"machine,omitempty"`

	Speed          *float64 `json:"speed,omitempty"` // 1 where nil; negative plays backward
	SpeedParameter string   `json:"speedParameter,omitempty"`
	Loop           string   `json:"loop,omitempty"` // repeat, the default, once or pingpong
}

// Blend is a blend space: a line where Y is empty, else a plane.
type Blend struct {
	X      string   `json:"x"` // parameter
	Y      string   `json:"y,omitempty"`
	Sync   string   `json:"sync,omitempty"`  // time, the default, or events
	Marks  []string `json:"marks,omitempty"` // with sync events: the names of those that count
	Points []Point  `json:"points"`
}

// Point is a sample of a Blend.
type Point struct {
	Clip string  `json:"clip"`
	X    float64 `json:"x"`
	Y    float64 `json:"y,omitempty"`
}

// Transition leads from one state to another once all its conditions hold.
type Transition struct {
	From string `json:"from"` // a state of the same machine, or * for any
	// To is a state of the same machine, a path such as combat/idle below it, or
	// one from the layer's top such as /combat/idle. A state that holds a machine
	// is entered at that machine's start.
	To   string      `json:"to"`
	When []Condition `json:"when,omitempty"`

	Duration float64  `json:"duration,omitempty"` // seconds
	Curve    string   `json:"curve,omitempty"`    // smooth, the default, linear, in or out
	Mode     string   `json:"mode,omitempty"`     // fade, the default, or inertial
	Exit     *float64 `json:"exit,omitempty"`     // rounds of the state's clip
	Priority int      `json:"priority,omitempty"` // higher ones are asked first
	// Solid transitions cannot be interrupted before they are over.
	Solid bool `json:"solid,omitempty"`
	// Self lets a transition from * or from a state that holds a machine start the
	// state again that is active.
	Self bool `json:"self,omitempty"`
	// Phase starts the new state where in its round the old one is.
	Phase bool `json:"phase,omitempty"`
}

// Condition compares a parameter. Without Is, a bool is asked to be true and a
// trigger to be set.
type Condition struct {
	Parameter string  `json:"parameter"`
	Is        string  `json:"is,omitempty"` // > < >= <= == !=
	Value     float64 `json:"value,omitempty"`
}

// Clone returns a copy of the graph that shares nothing with it.
func (g *Graph) Clone() *Graph {
	out := &Graph{Parameters: slices.Clone(g.Parameters), Layers: slices.Clone(g.Layers)}
	for i := range out.Layers {
		l := &out.Layers[i]
		l.Weight, l.Mask, l.Reference = clonePointer(l.Weight), maps.Clone(l.Mask), clonePointer(l.Reference)
		l.Machine = l.Machine.clone()
	}
	return out
}

func (m Machine) clone() Machine {
	m.States, m.Transitions = slices.Clone(m.States), slices.Clone(m.Transitions)
	for i := range m.States {
		s := &m.States[i]
		s.Speed, s.Blend = clonePointer(s.Speed), clonePointer(s.Blend)
		if s.Blend != nil {
			s.Blend.Points, s.Blend.Marks = slices.Clone(s.Blend.Points), slices.Clone(s.Blend.Marks)
		}
		if s.Machine != nil {
			inner := s.Machine.clone()
			s.Machine = &inner
		}
	}
	for i := range m.Transitions {
		t := &m.Transitions[i]
		t.When, t.Exit = slices.Clone(t.When), clonePointer(t.Exit)
	}
	return m
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	x := *p
	return &x
}
