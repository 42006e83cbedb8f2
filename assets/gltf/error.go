package gltf

import "errors"

// ErrMissing is wrapped by an Error about a file or buffer that is not there,
// ErrUnsupported by one about something valid that this loader does not read,
// such as a required extension.
var (
	ErrMissing     = errors.New("missing")
	ErrUnsupported = errors.New("unsupported")
)

// Error says why a file was refused.
type Error struct {
	File    string // as given to Load or Decode
	Path    string // JSON path of the culprit, such as meshes[0].primitives[1].attributes.POSITION; "" for the whole file
	Message string // what is wrong, and what to do where that is known
	Kind    error  // ErrMissing, ErrUnsupported, or an error of the system; may be nil
}

func (e *Error) Error() string {
	s := e.File
	if e.Path != "" {
		s += ": " + e.Path
	}
	return s + ": " + e.Message
}

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }

// errSparseIndex marks the mistake that a check has a name of its own for.
var errSparseIndex = errors.New("a sparse index is out of range")
