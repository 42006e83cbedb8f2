package ordinary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Pending is a file that is written beside another, to take its place once it
// is whole. Until Commit, what was there before stays.
type Pending struct {
	*os.File
	path string
}

// Create makes a file in path's folder. Its name ends as path does, for those
// who judge by it.
func Create(path string) (*Pending, error) {
	to := followed(path)
	ext := filepath.Ext(to)
	f, err := os.CreateTemp(filepath.Dir(to), strings.TrimSuffix(filepath.Base(to), ext)+".part-*"+ext)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	return &Pending{f, path}, nil
}

// Commit closes the file and puts it in its place; what path links to, where it
// is a symbolic link. On an error nothing of it is left.
func (p *Pending) Commit() error {
	err := errors.Join(p.Chmod(0o644), p.Close())
	if err == nil {
		err = os.Rename(p.Name(), followed(p.path))
	}
	if err != nil {
		err = errors.Join(fmt.Errorf("%s cannot be written: %w", p.path, cause(err)), os.Remove(p.Name()))
	}
	return err
}

// Drop closes the file and removes it.
func (p *Pending) Drop() error { return errors.Join(p.Close(), os.Remove(p.Name())) }

// Write writes a file whole or, on an error, not at all: what was there stays. A
// device or a pipe, as /dev/stdout, is written to, and not put aside. Errors name
// path.
func Write(path string, write func(io.Writer) error) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if err := errors.Join(write(f), f.Close()); err != nil {
			return fmt.Errorf("%s cannot be written: %w", path, err)
		}
		return nil
	}
	p, err := Create(path)
	if err != nil {
		return err
	}
	if err := write(p); err != nil {
		return errors.Join(fmt.Errorf("%s cannot be written: %w", path, cause(err)), p.Drop())
	}
	return p.Commit()
}

// WriteBytes is Write of what is there already.
func WriteBytes(path string, data []byte) error {
	return Write(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// followed is what path is a symbolic link to.
func followed(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// cause is a system's error without its path, which is of the file beside.
func cause(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	if at := (*os.LinkError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}
