package ordinary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// Pending is a file that is written beside another, to take its place once it
// is whole. Until Commit, what was there before stays.
type Pending struct {
	*os.File
	path, to string // to is what path links to
}

// Create makes a file in path's folder. Its name ends as path does, for those
// who judge by it. It may be read and written by whom the file that is there may,
// or else a new one; where that must not be written, Create fails.
func Create(path string) (*Pending, error) {
	to, mode := followed(path), fs.FileMode(0o666)
	st, err := os.Stat(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	there := err == nil && st.Mode().IsRegular()
	if there {
		if err := mayWrite(to); err != nil {
			return nil, fmt.Errorf("%s cannot be written: %w", path, cause(err))
		}
		mode = st.Mode().Perm()
	}
	f, err := createBeside(to, mode)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", path, cause(err))
	}
	if there { // whatever new files lack here
		if err := f.Chmod(mode); err != nil {
			return nil, errors.Join(fmt.Errorf("%s cannot be written: %w", path, cause(err)), f.Close(), os.Remove(f.Name()))
		}
	}
	return &Pending{f, path, to}, nil
}

func mayWrite(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// createBeside makes a file of a name that is free. os.CreateTemp would make one
// that nobody else may read, and new files are for whom the process says.
func createBeside(path string, mode fs.FileMode) (*os.File, error) {
	const most = 200 // bytes of a name, which may have 255
	base, ext := filepath.Base(path), filepath.Ext(path)
	base = strings.TrimSuffix(base, ext)
	if len(ext) > most/2 {
		ext = ""
	}
	base = strings.ToValidUTF8(base[:min(len(base), most-len(ext))], "")
	for try := 0; ; try++ {
		name := fmt.Sprintf("%s.part-%d%s", base, rand.Uint32(), ext)
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err == nil || !errors.Is(err, fs.ErrExist) || try > 1000 {
			return f, err
		}
	}
}

// Commit closes the file and puts it in its place; what path links to, where it
// is a symbolic link. On an error nothing of it is left.
func (p *Pending) Commit() error {
	err := p.Close()
	if err == nil {
		err = os.Rename(p.Name(), p.to)
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

// followed is where a symbolic link leads, whether or not a file is there.
func followed(path string) string {
	for range 40 { // as many as Linux follows
		if target, err := filepath.EvalSymlinks(path); err == nil {
			return target
		}
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
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
