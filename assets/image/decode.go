package image

import (
	"bytes"
	"errors"
	"fmt"
	stdimage "image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// MaxSide and MaxPixels bound what is decoded: a few bytes can tell of a picture
// of gigabytes. 8192×8192 RGBA is 256 MiB, more than any character's texture.
const (
	MaxSide   = 16384
	MaxPixels = 8192 * 8192
	// MaxBytes is more than a picture of MaxPixels takes, packed badly, at 16
	// bits a sample.
	MaxBytes = 640 << 20
)

var (
	// ErrFormat is wrapped where the bytes are no PNG, JPEG or WebP.
	ErrFormat = errors.New("unknown image format")
	// ErrTooLarge is wrapped where a picture exceeds MaxSide or MaxPixels.
	ErrTooLarge = errors.New("image too large")
)

type codec struct {
	config func(*bytes.Reader) (stdimage.Config, error)
	decode func(*bytes.Reader) (stdimage.Image, error)
}

var codecs = map[string]codec{
	"image/png": {
		func(r *bytes.Reader) (stdimage.Config, error) { return png.DecodeConfig(r) },
		func(r *bytes.Reader) (stdimage.Image, error) { return png.Decode(r) },
	},
	"image/jpeg": {
		func(r *bytes.Reader) (stdimage.Config, error) { return jpeg.DecodeConfig(r) },
		func(r *bytes.Reader) (stdimage.Image, error) { return jpeg.Decode(r) },
	},
	"image/webp": {
		func(r *bytes.Reader) (stdimage.Config, error) { return webp.DecodeConfig(r) },
		func(r *bytes.Reader) (stdimage.Image, error) { return webp.Decode(r) },
	},
}

// Size reads a picture's width and height from its head, in pixels, without
// decoding it. It fails on what Decode would refuse by size or format.
func Size(data []byte) (width, height int, err error) {
	kind := Sniff(data)
	c, ok := codecs[kind]
	if !ok {
		if kind == "" {
			return 0, 0, fmt.Errorf("%w: its first bytes are those of no PNG, JPEG or WebP", ErrFormat)
		}
		return 0, 0, fmt.Errorf("%w: %s is not decoded; PNG, JPEG and WebP are", ErrFormat, kind)
	}
	cfg, err := c.config(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("%s header: %w", kind, err)
	}
	w, h := cfg.Width, cfg.Height
	if w <= 0 || h <= 0 {
		return 0, 0, fmt.Errorf("%s header tells of %d×%d pixels", kind, w, h)
	}
	if w > MaxSide || h > MaxSide || w*h > MaxPixels {
		return 0, 0, fmt.Errorf("%w: %d×%d pixels; at most %d a side and %d in all are decoded", ErrTooLarge, w, h, MaxSide, MaxPixels)
	}
	return w, h, nil
}

// Decode decodes a PNG, JPEG or WebP into 8-bit RGBA, alpha not multiplied in,
// rows top to bottom and tightly packed: Stride is 4·width. 16-bit samples are
// rounded, grey and palettes are spread, colour profiles and EXIF orientation
// are left unapplied, as glTF 2.0 §3.8.3 has it.
func Decode(data []byte) (*stdimage.NRGBA, error) {
	if _, _, err := Size(data); err != nil {
		return nil, err
	}
	kind := Sniff(data)
	picture, err := codecs[kind].decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return spread(picture), nil
}

// spread converts to tightly packed NRGBA.
func spread(src stdimage.Image) *stdimage.NRGBA {
	b := src.Bounds()
	w, h := b.Dx(), b.Dy()
	if p, ok := src.(*stdimage.NRGBA); ok && p.Stride == 4*w && b.Min == (stdimage.Point{}) {
		return p
	}
	out := stdimage.NewNRGBA(stdimage.Rect(0, 0, w, h))
	switch p := src.(type) {
	case *stdimage.YCbCr, *stdimage.Gray, *stdimage.CMYK:
		// Opaque, and the standard library is fast only into RGBA, which is the
		// same where alpha is full.
		draw.Draw(&stdimage.RGBA{Pix: out.Pix, Stride: out.Stride, Rect: out.Rect}, out.Rect, src, b.Min, draw.Src)
	case *stdimage.RGBA: // from png: opaque
		for y := range h {
			copy(out.Pix[y*out.Stride:][:4*w], p.Pix[y*p.Stride:])
		}
	case *stdimage.NYCbCrA:
		for y := range h {
			for x := range w {
				i := p.YOffset(x+b.Min.X, y+b.Min.Y)
				j := p.COffset(x+b.Min.X, y+b.Min.Y)
				r, g, bl := color.YCbCrToRGB(p.Y[i], p.Cb[j], p.Cr[j])
				copy(out.Pix[y*out.Stride+4*x:], []byte{r, g, bl, p.A[p.AOffset(x+b.Min.X, y+b.Min.Y)]})
			}
		}
	case *stdimage.NRGBA64:
		for y := range h {
			row := p.Pix[y*p.Stride:][:8*w]
			for k := range 4 * w {
				out.Pix[y*out.Stride+k] = narrow(row[2*k], row[2*k+1])
			}
		}
	case *stdimage.RGBA64: // from png: opaque
		for y := range h {
			row := p.Pix[y*p.Stride:][:8*w]
			for k := range 4 * w {
				out.Pix[y*out.Stride+k] = narrow(row[2*k], row[2*k+1])
			}
		}
	case *stdimage.Gray16:
		for y := range h {
			row := p.Pix[y*p.Stride:][:2*w]
			for x := range w {
				g := narrow(row[2*x], row[2*x+1])
				copy(out.Pix[y*out.Stride+4*x:], []byte{g, g, g, 255})
			}
		}
	case *stdimage.Paletted:
		var table [256][4]byte
		for i, c := range p.Palette {
			n := color.NRGBAModel.Convert(c).(color.NRGBA)
			table[i] = [4]byte{n.R, n.G, n.B, n.A}
		}
		for y := range h {
			for x, i := range p.Pix[y*p.Stride:][:w] {
				copy(out.Pix[y*out.Stride+4*x:], table[i][:])
			}
		}
	default:
		draw.Draw(out, out.Rect, src, b.Min, draw.Src)
	}
	return out
}

// narrow rounds a big-endian 16-bit sample to the nearest of 8 bits: 0 stays 0,
// 65535 becomes 255.
func narrow(high, low byte) byte {
	return byte(((uint32(high)<<8|uint32(low))*255 + 32767) / 65535)
}
