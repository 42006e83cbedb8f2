package image_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	stdimage "image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/internal/corpus"
)

func encodePNG(t testing.TB, p stdimage.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Each kind of PNG gives the same two pixels, straight alpha and all.
func TestDecodePNG(t *testing.T) {
	box := stdimage.Rect(0, 0, 2, 1)
	half, full := color.NRGBA{200, 100, 50, 128}, color.NRGBA{10, 20, 30, 255}
	nrgba := stdimage.NewNRGBA(box)
	deep := stdimage.NewNRGBA64(box)
	palette := stdimage.NewPaletted(box, color.Palette{half, full})
	for x, c := range []color.NRGBA{half, full} {
		nrgba.Set(x, 0, c)
		wide := func(v uint8) uint16 { return uint16(v) * 257 }
		deep.SetNRGBA64(x, 0, color.NRGBA64{wide(c.R), wide(c.G), wide(c.B), wide(c.A)})
		palette.SetColorIndex(x, 0, uint8(x))
	}
	opaque := stdimage.NewRGBA(box)
	opaque.Set(0, 0, color.NRGBA{1, 2, 3, 255})
	opaque.Set(1, 0, full)
	deepOpaque := stdimage.NewRGBA64(box)
	deepOpaque.SetRGBA64(0, 0, color.RGBA64{257, 514, 771, 65535})
	deepOpaque.SetRGBA64(1, 0, color.RGBA64{2570, 5140, 7710, 65535})
	grey := stdimage.NewGray(box)
	grey.Pix[0], grey.Pix[1] = 7, 255
	deepGrey := stdimage.NewGray16(box)
	deepGrey.SetGray16(0, 0, color.Gray16{7*257 + 100})
	deepGrey.SetGray16(1, 0, color.Gray16{65535})
	for _, c := range []struct {
		name string
		in   stdimage.Image
		want []byte
	}{
		{"rgba 8", nrgba, []byte{200, 100, 50, 128, 10, 20, 30, 255}},
		{"rgba 16", deep, []byte{200, 100, 50, 128, 10, 20, 30, 255}},
		{"palette", palette, []byte{200, 100, 50, 128, 10, 20, 30, 255}},
		{"rgb 8", opaque, []byte{1, 2, 3, 255, 10, 20, 30, 255}},
		{"rgb 16", deepOpaque, []byte{1, 2, 3, 255, 10, 20, 30, 255}},
		{"grey 8", grey, []byte{7, 7, 7, 255, 255, 255, 255, 255}},
		{"grey 16", deepGrey, []byte{7, 7, 7, 255, 255, 255, 255, 255}},
	} {
		got, err := image.Decode(encodePNG(t, c.in))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got.Stride != 8 || got.Rect != box || !bytes.Equal(got.Pix, c.want) {
			t.Errorf("%s: %v, stride %d, want %v", c.name, got.Pix, got.Stride, c.want)
		}
	}
}

func TestDecodeJPEG(t *testing.T) {
	for _, colour := range []bool{false, true} {
		var in stdimage.Image
		if colour {
			p := stdimage.NewRGBA(stdimage.Rect(0, 0, 19, 7))
			for i := range p.Pix {
				p.Pix[i] = []byte{200, 100, 50, 255}[i%4]
			}
			in = p
		} else {
			p := stdimage.NewGray(stdimage.Rect(0, 0, 19, 7))
			for i := range p.Pix {
				p.Pix[i] = 90
			}
			in = p
		}
		var b bytes.Buffer
		if err := jpeg.Encode(&b, in, &jpeg.Options{Quality: 95}); err != nil {
			t.Fatal(err)
		}
		got, err := image.Decode(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		want := color.NRGBAModel.Convert(in.At(0, 0)).(color.NRGBA)
		c := got.NRGBAAt(18, 6)
		near := func(a, b uint8) bool { return max(a, b)-min(a, b) <= 4 }
		if got.Rect.Dx() != 19 || got.Rect.Dy() != 7 || !near(c.R, want.R) || !near(c.G, want.G) || !near(c.B, want.B) || c.A != 255 {
			t.Errorf("colour %t: %v of %v, want %v", colour, c, got.Rect, want)
		}
	}
}

func TestDecodeWebP(t *testing.T) {
	// A lossless picture of one pixel, made by hand after RFC 9649: no
	// transforms, no colour cache, five prefix codes of one symbol each, so the
	// pixel takes no bits. It is green 64, red 128, blue 32, alpha 255.
	var bits []byte
	n := 0
	put := func(value uint32, count int) {
		for i := range count {
			if n%8 == 0 {
				bits = append(bits, 0)
			}
			bits[n/8] |= byte(value>>i&1) << (n % 8)
			n++
		}
	}
	put(0x2f, 8)                                           // signature
	put(0, 14)                                             // width - 1
	put(0, 14)                                             // height - 1
	put(1, 1)                                              // alpha is used
	put(0, 3)                                              // version
	put(0, 1)                                              // no transform
	put(0, 1)                                              // no colour cache
	put(0, 1)                                              // one prefix code group
	for _, symbol := range []uint32{64, 128, 32, 255, 0} { // green, red, blue, alpha, distance
		put(1, 1) // simple code
		put(0, 1) // one symbol
		put(1, 1) // of 8 bits
		put(symbol, 8)
	}
	for len(bits)%2 != 0 {
		bits = append(bits, 0)
	}
	file := []byte("RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00")
	binary.LittleEndian.PutUint32(file[4:], uint32(12+len(bits)))
	binary.LittleEndian.PutUint32(file[16:], uint32(len(bits)))
	got, err := image.Decode(append(file, bits...))
	if err != nil {
		t.Fatal(err)
	}
	if want := []byte{128, 64, 32, 255}; !bytes.Equal(got.Pix, want) {
		t.Errorf("got %v, want %v", got.Pix, want)
	}
}

// enormous is a PNG head that tells of w×h pixels.
func enormous(w, h uint32) []byte {
	body := []byte("IHDR")
	body = binary.BigEndian.AppendUint32(body, w)
	body = binary.BigEndian.AppendUint32(body, h)
	body = append(body, 8, 6, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(body))
}

func TestRefused(t *testing.T) {
	good := encodePNG(t, stdimage.NewNRGBA(stdimage.Rect(0, 0, 64, 64)))
	for _, c := range []struct {
		name string
		data []byte
		kind error
	}{
		{"nothing", nil, image.ErrFormat},
		{"text", []byte("hello"), image.ErrFormat},
		{"ktx2", []byte("\xABKTX 20\xBB\r\n\x1A\n"), image.ErrFormat},
		{"wide", enormous(1<<20, 1), image.ErrTooLarge},
		{"large", enormous(16384, 16384), image.ErrTooLarge},
		{"cut", good[:len(good)-20], nil},
		{"head only", good[:40], nil},
	} {
		p, err := image.Decode(c.data)
		if err == nil || p != nil || c.kind != nil && !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, %v", c.name, p, err)
		}
	}
	if w, h, err := image.Size(good); w != 64 || h != 64 || err != nil {
		t.Errorf("size %d×%d, %v", w, h, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encodePNG(f, stdimage.NewNRGBA(stdimage.Rect(0, 0, 3, 2))))
	f.Add(enormous(1<<31, 1<<31))
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10"))
	var b bytes.Buffer
	if err := jpeg.Encode(&b, stdimage.NewGray(stdimage.Rect(0, 0, 9, 9)), nil); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		if w, h, err := image.Size(data); err == nil && w*h > 1<<20 {
			t.Skip("allowed, but slow")
		}
		p, err := image.Decode(data)
		if err == nil && len(p.Pix) != 4*p.Rect.Dx()*p.Rect.Dy() {
			t.Errorf("%d bytes for %v", len(p.Pix), p.Rect)
		}
	})
}

func ExampleDecode() {
	data, _ := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	picture, err := image.Decode(data)
	fmt.Println(image.Sniff(data), picture.Rect.Dx(), picture.Rect.Dy(), picture.Pix, err)
	// Output: image/png 1 1 [0 255 0 127] <nil>
}

// Every picture of the corpus that a model shows decodes, but for those made to
// be broken.
func TestCorpusDecodes(t *testing.T) {
	n := 0
	for _, set := range []string{"gltf", "asset-generator"} {
		err := filepath.WalkDir(corpus.Path(t, set), func(path string, d fs.DirEntry, err error) error {
			switch strings.ToLower(filepath.Ext(path)) {
			case ".png", ".jpg", ".jpeg", ".webp":
			default:
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			n++
			if _, err := image.Decode(data); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 30 {
		t.Errorf("only %d pictures found", n)
	}
}
