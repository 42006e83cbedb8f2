package fbx

import "fmt"

// Error says why a file was refused.
type Error struct {
	File    string // as given to Load or Decode
	Path    string // the object or element at fault, such as Objects/Geometry "Cube"/Vertices; "" for the whole file
	Offset  int64  // byte offset in the file; -1 where none can be told
	Message string // what is wrong, and what to do where that is known
	Kind    error  // an error of the system; may be nil
}

func (e *Error) Error() string {
	s := e.File
	if e.Path != "" {
		s += ": " + e.Path
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(": byte %d", e.Offset)
	}
	return s + ": " + e.Message
}

// Unwrap returns Kind.
func (e *Error) Unwrap() error { return e.Kind }

// shorten keeps a name from the file readable in a message.
func shorten(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
