package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"os"
)

// gifSink writes each frame when it comes, so that a long run takes no more
// memory than a short one. Frames have a palette of 6×7×6 colours, which green
// has most of since the eye sees it best.
type gifSink struct {
	path   string
	file   *os.File
	config image.Config
	delay  int // hundredths of a second
	frames int
}

func newGIFSink(path string, width, height int, step float32) (*gifSink, error) {
	f, err := createBeside(path)
	if err != nil {
		return nil, err
	}
	return &gifSink{
		path: path, file: f, delay: max(int(step*100+0.5), 2),
		config: image.Config{ColorModel: gifPalette, Width: width, Height: height},
	}, nil
}

var gifPalette = func() color.Palette {
	var p color.Palette
	for r := range 6 {
		for g := range 7 {
			for b := range 6 {
				p = append(p, color.RGBA{uint8(r * 51), uint8(g * 255 / 6), uint8(b * 51), 255})
			}
		}
	}
	return p
}()

// A GIF is a head with the palette, then the frames, then a byte. The standard
// library writes it only at once; so each frame is written as a GIF of its own,
// and its head and end are left out.
const (
	gifHead = 6 + 7 + 3*256 // signature, screen, palette
	gifEnd  = 0x3b
)

// gifLoop, behind the head, has the frames repeated for ever.
const gifLoop = "\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"

func (s *gifSink) add(_ int, picture *image.NRGBA) error {
	p := image.NewPaletted(picture.Rect, gifPalette)
	draw.FloydSteinberg.Draw(p, p.Rect, picture, image.Point{})
	var out bytes.Buffer
	err := gif.EncodeAll(&out, &gif.GIF{Image: []*image.Paletted{p}, Delay: []int{s.delay}, Config: s.config})
	if err != nil {
		return err
	}
	data := out.Bytes()
	frame := data[gifHead : len(data)-1]
	if s.frames == 0 {
		frame = append(append(bytes.Clone(data[:gifHead]), gifLoop...), frame...)
	}
	s.frames++
	_, err = s.file.Write(frame)
	return err
}

func (s *gifSink) close() (string, error) {
	if _, err := s.file.Write([]byte{gifEnd}); err != nil {
		s.drop()
		return s.path, err
	}
	return s.path, replace(s.file, s.path)
}

func (s *gifSink) drop() string {
	_ = discard(s.file) // there is a greater error to tell
	return s.path + " was not written"
}
