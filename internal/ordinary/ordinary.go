package ordinary

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

var (
	// ErrKind is wrapped where something is no ordinary file.
	ErrKind = errors.New("it is not an ordinary file")
	// ErrSize is wrapped where a file holds more than is read.
	ErrSize = errors.New("the file is too large")
)

// Open opens a file for reading. It does not wait for a pipe's writer.
func Open(path string) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, ErrKind
	}
	return os.Open(path)
}

// Read reads the first bytes of a file, most at most: as many as it has, or
// fewer where it shrinks meanwhile.
func Read(f fs.File, most int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, ErrKind
	}
	data := make([]byte, min(st.Size(), most))
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return data[:n], err
}

// ReadFile reads a whole file, unless it holds more than most bytes.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size() > most {
		return nil, fmt.Errorf("%w: it has %d bytes, and at most %d are read", ErrSize, st.Size(), most)
	}
	return Read(f, most)
}
