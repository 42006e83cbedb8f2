package doctor

import (
	"encoding/json"
	"fmt"
)

// Level is how bad a finding is.
type Level uint8

// The levels, least first.
const (
	OK Level = iota
	Info
	Warning
	Error
)

var levels = [...]string{"ok", "info", "warning", "error"}

func (l Level) String() string { return levels[min(int(l), len(levels)-1)] }

// MarshalJSON writes the level's name.
func (l Level) MarshalJSON() ([]byte, error) { return json.Marshal(l.String()) }

// UnmarshalJSON reads a level's name.
func (l *Level) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	for i, name := range levels {
		if name == s {
			*l = Level(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no level", s)
}

// Finding is one thing that the doctor noticed.
type Finding struct {
	Code    string `json:"code"` // for scripts: lower case with dashes
	Level   Level  `json:"level"`
	Where   string `json:"where"` // such as meshes[0].primitives[1] "Body"; "" for the whole file
	Message string `json:"message"`
	// Measured holds the figures behind the finding by name; the name ends in
	// the unit where there is one (_m, _deg).
	Measured Figures `json:"measured"`
	Fix      string  `json:"fix"` // what to do; "" where nothing need be done
	// Mendable findings are mended by Mend.
	Mendable bool `json:"mendable,omitempty"`
}

// Figures are measured numbers by name.
type Figures map[string]any

// Report is all that the doctor says of one file.
type Report struct {
	File     string    `json:"file"`
	Level    Level     `json:"level"` // the worst of the findings
	Findings []Finding `json:"findings"`
}

func (r *Report) add(f Finding) {
	if f.Measured == nil {
		f.Measured = Figures{}
	}
	r.Findings = append(r.Findings, f)
	r.Level = max(r.Level, f.Level)
}

// Mendable tells whether Mend would change anything.
func (r *Report) Mendable() bool {
	for _, f := range r.Findings {
		if f.Mendable {
			return true
		}
	}
	return false
}
