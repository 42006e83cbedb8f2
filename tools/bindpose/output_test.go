package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/internal/corpus"
)

func picture(shade uint8) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, 20, 10))
	draw.Draw(p, p.Rect, image.NewUniform(color.NRGBA{shade, 255 - shade, 80, 255}), image.Point{}, draw.Src)
	return p
}

// A GIF that is written frame by frame is, byte for byte, what the standard
// library makes of all frames at once, though colours change from one to another.
func TestGIFIsWrittenFrameByFrame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.gif")
	s, err := newSink(path, 20, 10, 0.1)
	if err != nil {
		t.Fatal(err)
	}
	want := gif.GIF{Config: image.Config{Width: 20, Height: 10}}
	for i := range 5 {
		if err := s.add(i, picture(uint8(50*i))); err != nil {
			t.Fatal(err)
		}
		palette := s.(*gifSink).palette
		if i == 0 {
			want.Config.ColorModel = palette
		}
		p := image.NewPaletted(image.Rect(0, 0, 20, 10), palette)
		draw.FloydSteinberg.Draw(p, p.Rect, picture(uint8(50*i)), image.Point{})
		want.Image, want.Delay = append(want.Image, p), append(want.Delay, 10)
		if got := p.At(5, 5); got != color.Color(color.RGBA{uint8(50 * i), 255 - uint8(50*i), 80, 255}) {
			t.Errorf("frame %d is %v", i, got)
		}
	}
	if _, err := s.close(); err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if err := gif.EncodeAll(&all, &want); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, all.Bytes()) {
		t.Errorf("%d bytes, %v; want %d", len(got), err, all.Len())
	}
}

// Until an output is complete, what was there before stays; a run that is given
// up leaves nothing else.
func TestUnfinishedOutputsLeaveWhatWasThere(t *testing.T) {
	for _, name := range []string{"x.gif", "x.mp4", "-x.GIF"} {
		t.Run(name, func(t *testing.T) {
			if kind(name) == ".mp4" {
				if _, err := exec.LookPath("ffmpeg"); err != nil {
					corpus.Missing(t, err)
				}
			}
			dir := t.TempDir()
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, finish := range []bool{false, true} {
				s, err := newSink(path, 20, 10, 0.1)
				if err != nil {
					t.Fatal(err)
				}
				for i := range 3 {
					if err := s.add(i, picture(0)); err != nil {
						t.Fatal(err)
					}
				}
				if old, err := os.ReadFile(path); err != nil || string(old) != "old" {
					t.Errorf("before the end: %q, %v", old, err)
				}
				if !finish {
					if said := s.drop(); !strings.Contains(said, "not written") {
						t.Errorf("dropping said %q", said)
					}
				} else if _, err := s.close(); err != nil {
					t.Fatal(err)
				}
				if left := entries(t, dir); !slices.Equal(left, []string{name}) {
					t.Errorf("left are %q", left)
				}
			}
			if data, err := os.ReadFile(path); err != nil || len(data) < 100 {
				t.Errorf("%d bytes were written, %v", len(data), err)
			}
		})
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

// What cannot be written is refused before anything is drawn.
func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "folder.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/null", filepath.Join(dir, "device.png")); err != nil {
		corpus.Missing(t, err)
	}
	for _, c := range []struct{ out, want string }{
		{filepath.Join(dir, "x.PNG"), ""},
		{filepath.Join(dir, "x.Gif"), ""},
		{filepath.Join(dir, "a*b?.png"), ""},
		{filepath.Join(dir, "folder.png"), "ordinary"},
		{filepath.Join(dir, "device.png"), "ordinary"},
		{filepath.Join(dir, "none", "x.png"), "no folder"},
		{"/proc/x.png", "cannot be written"},
		{filepath.Join(dir, "x"), "must end in"},
		{filepath.Join(dir, "{frame}", "x.png"), "no folder"},
	} {
		err := checkOutput(c.out, 1)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), c.out)) {
			t.Errorf("%s: %v, want %q", c.out, err, c.want)
		}
	}
	if left := entries(t, dir); len(left) != 2 {
		t.Errorf("left are %q", left)
	}
}

// The name that headless pictures get by themselves is no texture's, and a
// texture is not overwritten on demand either.
func TestPicturesOfTheModelAreSpared(t *testing.T) {
	device(t)
	dir := t.TempDir()
	t.Chdir(dir)
	var texture bytes.Buffer
	if err := encoder.Encode(&texture, picture(9)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("hero.png", texture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("hero.gltf", []byte(`{"asset":{"version":"2.0"},"images":[{"uri":"her%6f.png"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "view", "hero.gltf", "--headless", "--size", "16x16")
	succeed(t, "view", "hero.gltf", "--headless", "--size", "16x16", "--frames", "2")
	if status, _, errs := command(t, "view", "hero.gltf", "--size", "16x16", "--out", "./hero.png"); status != statusFailed || !strings.Contains(errs, "another name") {
		t.Errorf("status %d: %s", status, errs)
	}
	want := []string{"hero-view-0000.png", "hero-view-0001.png", "hero-view.png", "hero.gltf", "hero.png"}
	if left := entries(t, dir); !slices.Equal(left, want) {
		t.Errorf("left are %q, want %q", left, want)
	}
	if data, err := os.ReadFile("hero.png"); err != nil || !bytes.Equal(data, texture.Bytes()) {
		t.Error("the texture was written over")
	}
}

// What is printed where nothing more fits was not told, and the status says so.
func TestPrintingOnAFullDiskFails(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record.json")
	if status, _, said := command(t, "measure", mannequinFile, "-o", record); status != 0 {
		t.Fatal(said)
	}
	for _, args := range [][]string{
		{"retarget", mannequinFile, "../../demo/assets/porter.glb", "--print-map"},
		{"verify", mannequinFile, "../../demo/assets/porter.glb"},
		{"stride", mannequinFile},
		{"measure", mannequinFile, "--check", record},
	} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			corpus.Missing(t, err)
		}
		stdout := os.Stdout
		os.Stdout = full
		status := run(args)
		os.Stdout = stdout
		if err := full.Close(); err != nil {
			t.Error(err)
		}
		if status != statusFailed {
			t.Errorf("%s: status %d", args[0], status)
		}
	}
}
