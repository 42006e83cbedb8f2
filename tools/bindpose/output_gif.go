package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/gif"

	"github.com/bindpose/bindpose/internal/ordinary"
)

// gifSink writes each frame when it comes, so that a long run takes no more
// memory than a short one, in 256 colours of its own or of a frame before.
type gifSink struct {
	path   string
	file   *ordinary.Pending
	config image.Config
	delay  int // hundredths of a second
	frames int

	palette color.Palette
	fit     float64 // how far the palette is from the frame that it was made for
	sums    [][4]uint32
}

func newGIFSink(path string, width, height int, step float32) (*gifSink, error) {
	f, err := ordinary.Create(path)
	if err != nil {
		return nil, err
	}
	return &gifSink{
		path: path, file: f, delay: max(int(step*100+0.5), 2),
		config: image.Config{Width: width, Height: height},
		sums:   make([][4]uint32, 1<<18),
	}, nil
}

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
	s.choose(picture)
	p := image.NewPaletted(picture.Rect, s.palette)
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

// choose makes a palette for the picture where the one that there is does not fit:
// a new one changes each pixel a little, which is seen. The first is in the
// file's head; a frame with another carries it along.
func (s *gifSink) choose(picture *image.NRGBA) {
	all := swatches(picture, s.sums)
	if s.palette != nil && misfit(all, s.palette) <= 1.5*s.fit+1 {
		return
	}
	s.palette = paletteOf(all, 256)
	s.fit = misfit(all, s.palette)
	for len(s.palette) < 256 {
		s.palette = append(s.palette, s.palette[0]) // the head's size is fixed
	}
	if s.config.ColorModel == nil {
		s.config.ColorModel = s.palette
	}
}

func (s *gifSink) close() (string, error) {
	if _, err := s.file.Write([]byte{gifEnd}); err != nil {
		s.drop()
		return s.path, err
	}
	return s.path, s.file.Commit()
}

func (s *gifSink) drop() string {
	_ = s.file.Drop() // there is a greater error to tell
	return s.path + " was not written"
}
