package main

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// checkOutput refuses an --out that cannot be written before anything is drawn.
func checkOutput(out string, frames int) error {
	switch filepath.Ext(out) {
	case ".png":
		if frames > 1 && !strings.Contains(out, "{frame}") {
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
	if dir := filepath.Dir(out); dir != "." {
		if s, err := os.Stat(dir); err != nil || !s.IsDir() {
			return fmt.Errorf("--out %s: there is no folder %s", out, dir)
		}
	}
	return nil
}

// sink takes the frames of a run.
type sink interface {
	add(frame int, picture *image.NRGBA) error
	// close completes the output and returns what was written.
	close() (string, error)
}

// newSink opens an output; step is the time between frames, seconds.
func newSink(out string, width, height int, step float32) (sink, error) {
	switch filepath.Ext(out) {
	case ".gif":
		return &gifSink{path: out, delay: max(int(step*100+0.5), 2)}, nil
	case ".mp4":
		return newVideoSink(out, width, height, step)
	}
	return &pngSink{path: out}, nil
}

// encoder prefers speed: frames are drawn faster than they are packed well.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed}

type pngSink struct{ path, last string }

func (s *pngSink) add(frame int, picture *image.NRGBA) error {
	s.last = strings.ReplaceAll(s.path, "{frame}", fmt.Sprintf("%04d", frame))
	return writeFile(s.last, func(w io.Writer) error { return encoder.Encode(w, picture) })
}

func (s *pngSink) close() (string, error) { return s.last, nil }

// writeFile writes a file whole or, on an error, not at all.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if err = write(f); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Chmod(0o644); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// gifSink keeps the frames, each in 256 colours of its own or of a frame before.
type gifSink struct {
	path    string
	delay   int // hundredths of a second
	out     gif.GIF
	palette color.Palette
	fit     float64 // how far the palette is from the frame that it was made for
	sums    [][4]uint32
}

func (s *gifSink) add(_ int, picture *image.NRGBA) error {
	if s.sums == nil {
		s.sums = make([][4]uint32, 1<<18)
	}
	// A new palette changes each pixel a little, so one is kept while it fits.
	all := swatches(picture, s.sums)
	if s.palette == nil || misfit(all, s.palette) > 1.5*s.fit+1 {
		s.palette = paletteOf(all, 256)
		s.fit = misfit(all, s.palette)
	}
	p := image.NewPaletted(picture.Rect, s.palette)
	draw.FloydSteinberg.Draw(p, p.Rect, picture, image.Point{})
	s.out.Image = append(s.out.Image, p)
	s.out.Delay = append(s.out.Delay, s.delay)
	return nil
}

func (s *gifSink) close() (string, error) {
	return s.path, writeFile(s.path, func(w io.Writer) error { return gif.EncodeAll(w, &s.out) })
}

// videoSink pipes raw frames to ffmpeg.
type videoSink struct {
	path   string
	cmd    *exec.Cmd
	in     io.WriteCloser
	errors strings.Builder
}

func newVideoSink(path string, width, height int, step float32) (*videoSink, error) {
	s := &videoSink{path: path}
	s.cmd = exec.Command("ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
		"-s", fmt.Sprintf("%dx%d", width, height), "-r", strconv.FormatFloat(float64(1/step), 'f', 3, 64), "-i", "-",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", path)
	s.cmd.Stderr = &s.errors
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	return s, s.cmd.Start()
}

func (s *videoSink) add(_ int, picture *image.NRGBA) error {
	_, err := s.in.Write(picture.Pix)
	if err != nil {
		return s.failed(err)
	}
	return nil
}

func (s *videoSink) close() (string, error) {
	if err := s.in.Close(); err != nil {
		return s.path, s.failed(err)
	}
	if err := s.cmd.Wait(); err != nil {
		return s.path, s.failed(err)
	}
	return s.path, nil
}

func (s *videoSink) failed(err error) error {
	return fmt.Errorf("%s: ffmpeg: %w: %s", s.path, err, strings.TrimSpace(s.errors.String()))
}
