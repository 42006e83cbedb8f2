package measure

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Record is the figures of several characters, as they lie in a file.
type Record struct {
	Version    int         `json:"version"`
	Characters []Character `json:"characters"`
}

// version is what this package writes and reads.
const version = 1

// Find returns the character of a name.
func (r *Record) Find(name string) (Character, bool) {
	for _, c := range r.Characters {
		if c.Name == name {
			return c, true
		}
	}
	return Character{}, false
}

// Encode writes characters as a record.
func Encode(w io.Writer, characters ...Character) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(Record{Version: version, Characters: characters})
}

// Decode reads a record. What it does not know is an error that names it, so that a
// misspelt figure is not taken for one that agrees.
func Decode(data []byte) (Record, error) {
	var r Record
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&r); err != nil {
		return r, fmt.Errorf("no record of measures: %w", err)
	}
	if _, err := in.Token(); err != io.EOF {
		return r, fmt.Errorf("no record of measures: there is more behind it, at byte %d", in.InputOffset())
	}
	if r.Version != version {
		return r, fmt.Errorf("a record of version %d; this reads version %d", r.Version, version)
	}
	seen := map[string]bool{}
	for _, c := range r.Characters {
		if seen[c.Name] {
			return r, fmt.Errorf("no record of measures: it has the character %q twice", c.Name)
		}
		seen[c.Name] = true
	}
	return r, nil
}
