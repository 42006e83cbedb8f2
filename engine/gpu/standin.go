package gpu

import "github.com/bindpose/bindpose/framegraph"

// standIns are what bindings hold that are given nothing.
type standIns struct {
	images  [FarDepth + 1]*Image
	zeros   *Buffer // for ranges
	sampler *Sampler
	shadow  *Sampler
}

const zeroBytes = 64 << 10

func (s *standIns) open(d *Device) error {
	var err error
	if s.sampler, err = d.Sampler(SamplerDesc{}); err != nil {
		return err
	}
	if s.shadow, err = d.Sampler(SamplerDesc{U: ClampToEdge, V: ClampToEdge, Compare: GreaterEqual}); err != nil {
		return err
	}
	u := d.NewUpload()
	for i, p := range [FarDepth + 1]struct {
		name   string
		format Format
		texel  string
		layers int
		cube   bool
	}{
		White:      {"white", framegraph.RGBA8Unorm, "\xff\xff\xff\xff", 1, false},
		Black:      {"black", framegraph.RGBA8Unorm, "\x00\x00\x00\xff", 1, false},
		Normal:     {"flat normal", framegraph.RGBA8Unorm, "\x80\x80\xff\xff", 1, false},
		WhiteCube:  {"white cube", framegraph.RGBA8Unorm, "\xff\xff\xff\xff", 6, true},
		BlackCube:  {"black cube", framegraph.RGBA8Unorm, "\x00\x00\x00\xff", 6, true},
		WhiteArray: {"white array", framegraph.RGBA8Unorm, "\xff\xff\xff\xff", 2, false},
		FarDepth:   {"far depth", framegraph.D32Float, "\x00\x00\x00\x00", 1, false},
	} {
		s.images[i], err = d.NewImage(ImageDesc{Name: p.name, Width: 1, Height: 1, Layers: p.layers, Cube: p.cube, Format: p.format, Usage: framegraph.UsageSampled})
		if err != nil {
			return err
		}
		for l := range p.layers {
			if err := u.Image(s.images[i], 0, l, []byte(p.texel)); err != nil {
				return err
			}
		}
	}
	if s.zeros, err = d.NewBuffer(BufferDesc{Name: "zeros", Size: zeroBytes, Usage: framegraph.BufferUniform | framegraph.BufferStorage}); err != nil {
		return err
	}
	if err := u.Buffer(s.zeros, 0, make([]byte, zeroBytes)); err != nil {
		return err
	}
	return u.Flush()
}

// StandIn is the device's own texture of that kind.
func (d *Device) StandIn(s StandIn) *Image { return d.standIns.images[s] }
