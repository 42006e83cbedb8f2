package gpu_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gpu/gputest"
	"github.com/bindpose/bindpose/framegraph"
)

func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 3))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// What is uploaded is what is read back, for sizes below, at and above the staging buffer's.
func TestUploadRoundTrip(t *testing.T) {
	dev := gputest.Open(t)
	t.Run("buffers", func(t *testing.T) {
		u := dev.NewUpload()
		var buffers []*gpu.Buffer
		var want [][]byte
		for i, n := range []int{4, 1000, 8 << 20, 20<<20 + 12} {
			b := must(dev.NewBuffer(gpu.BufferDesc{Name: "round trip", Size: n, Usage: framegraph.BufferStorage}))(t)
			t.Cleanup(b.Release)
			data := noise(n, uint64(i))
			if err := u.Buffer(b, 0, data); err != nil {
				t.Fatal(err)
			}
			buffers, want = append(buffers, b), append(want, data)
		}
		if err := u.Flush(); err != nil {
			t.Fatal(err)
		}
		for i, b := range buffers {
			if got := must(dev.ReadBuffer(b, 0, b.Size()))(t); !bytes.Equal(got, want[i]) {
				t.Errorf("%d bytes came back changed", b.Size())
			}
		}
		if got := must(dev.ReadBuffer(buffers[1], 100, 50))(t); !bytes.Equal(got, want[1][100:150]) {
			t.Error("50 bytes at 100 are others")
		}
	})
	t.Run("images", func(t *testing.T) {
		for _, c := range []struct {
			w, h, layers, mips int
			cube               bool
			format             gpu.Format
			texel              int
		}{
			{1, 1, 1, 1, false, framegraph.RGBA8Unorm, 4},
			{37, 19, 1, gpu.FullMips, false, framegraph.RGBA8Srgb, 4},
			{16, 16, 6, 3, true, framegraph.RGBA16Float, 8},
			{8, 8, 3, 2, false, framegraph.R8Unorm, 1},
			{2100, 2100, 1, 1, false, framegraph.RGBA8Unorm, 4}, // in three pieces
			{5, 5, 1, 1, false, framegraph.D32Float, 4},
		} {
			m := must(dev.NewImage(gpu.ImageDesc{Name: "round trip", Width: c.w, Height: c.h, Layers: c.layers, Mips: c.mips, Cube: c.cube, Format: c.format, Usage: framegraph.UsageSampled}))(t)
			u := dev.NewUpload()
			want := map[[2]int][]byte{}
			for mip := range m.Desc().Mips {
				for layer := range m.Desc().Layers {
					n := max(c.w>>mip, 1) * max(c.h>>mip, 1) * c.texel
					data := noise(n, uint64(mip*10+layer))
					if c.format == framegraph.D32Float || c.format == framegraph.RGBA16Float {
						for i := range data {
							data[i] &= 0x3b // finite, and a depth in 0..1
						}
					}
					want[[2]int{mip, layer}] = data
					if err := u.Image(m, mip, layer, data); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := u.Flush(); err != nil {
				t.Fatal(err)
			}
			for at, data := range want {
				if got := must(dev.ReadImage(m, at[0], at[1]))(t); !bytes.Equal(got, data) {
					t.Errorf("format %d, %d×%d: level %d of layer %d came back changed", c.format, c.w, c.h, at[0], at[1])
				}
			}
			m.Release()
		}
	})
}

// A checkerboard's next level is grey: the mean in linear light for an sRGB format, of the numbers otherwise.
func TestMips(t *testing.T) {
	dev := gputest.Open(t)
	const n = 16
	pixels := make([]byte, n*n*4)
	for i := range n * n {
		v := byte(255 * ((i%n + i/n) % 2))
		copy(pixels[4*i:], []byte{v, v, v, 255})
	}
	half := byte(math.Round(255 * (1.055*math.Pow(0.5, 1/2.4) - 0.055))) // IEC 61966-2-1
	for format, want := range map[gpu.Format]byte{framegraph.RGBA8Unorm: 128, framegraph.RGBA8Srgb: half} {
		m := must(dev.NewTexture("checkers", n, n, format, pixels, true))(t)
		if m.Desc().Mips != 5 {
			t.Fatalf("%d levels, want 5", m.Desc().Mips)
		}
		for mip := 1; mip < 5; mip++ {
			got := must(dev.ReadImage(m, mip, 0))(t)
			for i := 0; i < len(got); i += 4 {
				if !near([4]byte(got[i:]), [4]byte{want, want, want, 255}, 2) {
					t.Fatalf("format %d level %d: %v, want %d", format, mip, got[i:i+4], want)
				}
			}
		}
		m.Release()
	}
}

func TestUploadMistakes(t *testing.T) {
	dev := gputest.Open(t)
	m := must(dev.NewImage(gpu.ImageDesc{Name: "small", Width: 4, Height: 4, Format: framegraph.RGBA8Unorm, Usage: framegraph.UsageSampled}))(t)
	b := must(dev.NewBuffer(gpu.BufferDesc{Name: "tiny", Size: 16}))(t)
	u := dev.NewUpload()
	for name, err := range map[string]error{
		"small":       u.Image(m, 0, 0, make([]byte, 63)),
		"level 1":     u.Image(m, 1, 0, make([]byte, 16)),
		"tiny":        u.Buffer(b, 8, make([]byte, 9)),
		"no contents": func() error { _, err := dev.ReadImage(m, 0, 0); return err }(),
		"0×4":         func() error { _, err := dev.NewImage(gpu.ImageDesc{Name: "flat", Height: 4}); return err }(),
		"0 bytes":     func() error { _, err := dev.NewBuffer(gpu.BufferDesc{Name: "none"}); return err }(),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("error %v should speak of %q", err, name)
		}
	}
	if err := u.Flush(); err != nil {
		t.Error(err)
	}
}
