package main

import (
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// videoSink pipes raw frames to ffmpeg.
type videoSink struct {
	path   string
	file   *ordinary.Pending // that ffmpeg writes to
	cmd    *exec.Cmd
	in     io.WriteCloser
	errors strings.Builder
}

func newVideoSink(path string, width, height int, step float32) (*videoSink, error) {
	f, err := ordinary.Create(path)
	if err != nil {
		return nil, err
	}
	s := &videoSink{path: path, file: f}
	s.cmd = exec.Command("ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba",
		"-s", fmt.Sprintf("%dx%d", width, height), "-r", strconv.FormatFloat(float64(1/step), 'f', 3, 64), "-i", "-",
		"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-f", "mp4", "file:"+f.Name())
	s.cmd.Stderr = &s.errors
	// Ctrl-C is for bindpose, which then stops ffmpeg.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.in, err = s.cmd.StdinPipe(); err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: ffmpeg: %w", path, err), f.Drop())
	}
	return s, nil
}

func (s *videoSink) add(_ int, picture *image.NRGBA) error {
	if _, err := s.in.Write(picture.Pix); err != nil {
		_ = s.cmd.Wait() // what ffmpeg said is whole then
		return s.failed(err)
	}
	return nil
}

func (s *videoSink) close() (string, error) {
	err := s.in.Close()
	if waited := s.cmd.Wait(); waited != nil {
		err = waited
	}
	if err != nil {
		return s.path, errors.Join(s.failed(err), s.file.Drop())
	}
	return s.path, s.file.Commit()
}

func (s *videoSink) drop() string {
	// There is a greater error to tell.
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	_ = s.file.Drop()
	return s.path + " was not written"
}

func (s *videoSink) failed(err error) error {
	return fmt.Errorf("%s: ffmpeg: %w: %s", s.path, err, strings.TrimSpace(s.errors.String()))
}
