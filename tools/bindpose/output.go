package main

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/bindpose/bindpose/internal/ordinary"
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
	f, err := ordinary.Create(out)
	if err != nil {
		return fmt.Errorf("--out %w", err)
	}
	return f.Drop()
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
	if err := ordinary.Write(path, func(w io.Writer) error { return encoder.Encode(w, picture) }); err != nil {
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
