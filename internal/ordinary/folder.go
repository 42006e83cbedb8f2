package ordinary

import (
	"io/fs"
	"os"
)

// Folder is a directory as a file system that is confined to it, be it through
// "..", an absolute path or a symbolic link. It is opened only when a file in it
// is asked for, and only ordinary files are opened.
type Folder struct {
	path string
	root *os.Root
}

// NewFolder names a directory. Nothing is opened yet.
func NewFolder(path string) *Folder { return &Folder{path: path} }

// Open opens an ordinary file of the folder.
func (f *Folder) Open(name string) (fs.File, error) {
	if f.root == nil {
		r, err := os.OpenRoot(f.path)
		if err != nil {
			return nil, err
		}
		f.root = r
	}
	if st, err := f.root.Stat(name); err != nil {
		return nil, err
	} else if !st.Mode().IsRegular() { // opening a pipe would wait for its writer
		return nil, ErrKind
	}
	return f.root.Open(name)
}

// Close frees the directory.
func (f *Folder) Close() error {
	if f.root == nil {
		return nil
	}
	return f.root.Close()
}
