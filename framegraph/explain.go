package framegraph

import "io"

// Explain says why about the pass or resource of that name: why it was culled or kept, why it stands at its place, each
// barrier before it with the two accesses it stands between and where they were declared, why it was merged or not, and
// where its memory is and who shares it. It is text for people; its wording may change. An unknown name gives the names
// there are.
func (p *Plan) Explain(name string) string { return "" }

// Text writes the plan as a table for people.
func (p *Plan) Text(w io.Writer) error { return nil }

// JSON writes the plan in the shape that docs call "graph".
func (p *Plan) JSON(w io.Writer) error { return nil }

// DOT writes the plan in Graphviz's language.
func (p *Plan) DOT(w io.Writer) error { return nil }
