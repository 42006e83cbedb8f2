package main

import (
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// kind is what an --out is by its name: .png, .gif or .mp4, in any case.
func kind(out string) string { return strings.ToLower(filepath.Ext(out)) }

// checkOutput refuses an --out that cannot be written before anything is drawn.
func checkOutput(out string, frames int) error {
	switch kind(out) {
	case ".png":
		if frames > 1 && !strings.Contains(filepath.Base(out), "{frame}") {
			return fmt.Errorf("--out %s would hold only the last of %d frames: put {frame} into its name, or use .gif or .mp4", out, frames)
		}
	case ".gif":
	case ".mp4":
		if _, err := exec.LookPath("ffmpeg"); err != nil {
			return fmt.Errorf("--out %s needs ffmpeg, which is not here: install it (apt-get install ffmpeg), or use .gif or frame-{frame}.png", out)
		}
	default:
		return fmt.Errorf("--out %s: must end in .png, .gif or .mp4", out)
	}
	dir := filepath.Dir(out)
	if s, err := os.Stat(dir); err != nil || !s.IsDir() {
		return fmt.Errorf("--out %s: there is no folder %s", out, dir)
	}
	if s, err := os.Stat(out); err == nil && !s.Mode().IsRegular() {
		return fmt.Errorf("--out %s: there is something of that name which is not an ordinary file; give another name", out)
	}
	f, err := createBeside(out)
	if err != nil {
		return fmt.Errorf("--out %w", err)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// sink takes the frames of a run. What it writes is there whole once it is
// closed; until then, and where it is dropped, what was there before stays.
type sink interface {
	add(frame int, picture *image.NRGBA) error
	// close completes the output and returns what was written.
	close() (string, error)
	// drop gives up what is not complete, and says what is kept.
	drop() string
}

// newSink opens an output; step is the time between frames, seconds.
func newSink(out string, width, height int, step float32) (sink, error) {
	switch kind(out) {
	case ".gif":
		return newGIFSink(out, width, height, step)
	case ".mp4":
		return newVideoSink(out, width, height, step)
	}
	return &pngSink{path: out}, nil
}

// encoder prefers speed: frames are drawn faster than they are packed well.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

type pngSink struct{ path, last string }

func (s *pngSink) add(frame int, picture *image.NRGBA) error {
	path := strings.ReplaceAll(s.path, "{frame}", fmt.Sprintf("%04d", frame))
	if err := writeFile(path, func(w io.Writer) error { return encoder.Encode(w, picture) }); err != nil {
		return err
	}
	s.last = path
	return nil
}

func (s *pngSink) close() (string, error) { return s.last, nil }

func (s *pngSink) drop() string {
	if s.last == "" {
		return "nothing was written"
	}
	return "the pictures up to " + s.last + " are kept"
}

// writeFile writes a file whole or, on an error, not at all: what was there stays. A
// device or a pipe, as /dev/stdout, is written to, and not put aside.
func writeFile(path string, write func(io.Writer) error) error {
	open, done, drop := createBeside, replace, discard
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		open = func(path string) (*os.File, error) { return os.OpenFile(path, os.O_WRONLY, 0) }
		done = func(f *os.File, _ string) error { return f.Close() }
		drop = (*os.File).Close
	}
	f, err := open(path)
	if err != nil {
		return err
	}
	if err := write(f); err != nil {
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // its path is of the file beside
		}
		return errors.Join(fmt.Errorf("%s cannot be written: %w", path, err), drop(f))
	}
	return done(f, path)
}

// writeBytes is writeFile of what is there already.
func writeBytes(path string, data []byte) error {
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// createBeside makes a file in path's folder, to take path's place once it is
// whole. Its name ends as path does.
func createBeside(path string) (*os.File, error) {
	to := followed(path)
	ext := filepath.Ext(to)
	f, err := os.CreateTemp(filepath.Dir(to), strings.TrimSuffix(filepath.Base(to), ext)+".part-*"+ext)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %s", path, cause(err))
	}
	return f, nil
}

// followed is what path is a symbolic link to.
func followed(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// replace closes a file of createBeside and puts it in path's place.
func replace(f *os.File, path string) error {
	err := errors.Join(f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), followed(path))
	}
	if err != nil {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// discard closes a file of createBeside and removes it.
func discard(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }
