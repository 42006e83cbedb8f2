package framegraph

import (
	"fmt"
	"strings"
)

// Mistake is one thing wrong with a frame's declarations.
type Mistake struct {
	Code        string // stable, for tests and tools: "stale-handle"
	Pass        string // "" where no pass is concerned
	Resource    string // "" where no resource is concerned
	Problem     string // what is wrong
	Consequence string // what would happen, or what to do
	File        string // where it was declared
	Line        int
}

func (m *Mistake) Error() string {
	var s strings.Builder
	if m.File != "" {
		fmt.Fprintf(&s, "%s:%d: ", m.File, m.Line)
	}
	if m.Pass != "" {
		fmt.Fprintf(&s, "pass %q", m.Pass)
		if m.Resource != "" {
			s.WriteString(", ")
		}
	}
	if m.Resource != "" {
		fmt.Fprintf(&s, "resource %q", m.Resource)
	}
	if m.Pass != "" || m.Resource != "" {
		s.WriteString(": ")
	}
	s.WriteString(m.Problem)
	if m.Consequence != "" {
		s.WriteString("; ")
		s.WriteString(m.Consequence)
	}
	return s.String()
}

// Mistakes is everything wrong with a frame's declarations, in declared order. errors.As finds it, or a single *Mistake.
type Mistakes []*Mistake

func (m Mistakes) Error() string {
	lines := make([]string, 0, len(m)+1)
	if len(m) != 1 {
		lines = append(lines, fmt.Sprintf("the frame graph has %d mistakes:", len(m)))
	}
	for _, one := range m {
		lines = append(lines, one.Error())
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives errors.Is and errors.As each mistake.
func (m Mistakes) Unwrap() []error {
	all := make([]error, len(m))
	for i, one := range m {
		all[i] = one
	}
	return all
}
