package render

import (
	"errors"
	"fmt"
	stdimage "image"
	"runtime"
	"sync"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

// textures are a model's pictures in GPU memory, by image and role: the same
// picture used as a colour and as a measure lies there twice.
type textures struct {
	model    *assets.Model
	resident map[pictureKey]*gpu.Image
}

type pictureKey struct {
	image int32
	srgb  bool
}

// newTextures decodes the pictures that the materials use, over all cores, and
// uploads them. A picture that is missing or broken is reported and replaced by
// the checkerboard of missing.
func newTextures(l *Library, m *assets.Model, materials []assets.Material, up *gpu.Upload) (textures, error) {
	t := textures{model: m, resident: map[pictureKey]*gpu.Image{}}
	var keys []pictureKey
	wanted := map[int32]bool{}
	for i := range materials {
		for _, use := range uses(&materials[i]) {
			if use.Texture < 0 {
				continue
			}
			key := t.key(use)
			if _, ok := t.resident[key]; ok {
				continue
			}
			t.resident[key] = nil
			keys = append(keys, key)
			wanted[key.image] = true
		}
	}
	pictures := decodeAll(m, wanted)
	for _, key := range keys {
		picture, name := pictures[key.image].picture, "missing"
		if key.image >= 0 {
			name = m.Images[key.image].Name
		}
		if err := pictures[key.image].err; err != nil {
			l.warn(m, fmt.Sprintf("images[%d] %s: %v; a checkerboard stands in", key.image, name, err))
		}
		format := framegraph.RGBA8Unorm
		if key.srgb {
			format = framegraph.RGBA8Srgb
		}
		img, err := l.Device.NewImage(gpu.ImageDesc{
			Name: m.Name + " " + name, Width: picture.Rect.Dx(), Height: picture.Rect.Dy(),
			Mips: gpu.FullMips, Format: format, Usage: framegraph.UsageSampled,
		})
		if err != nil {
			return t, err
		}
		t.resident[key] = img
		if err := up.Image(img, 0, 0, picture.Pix); err != nil {
			return t, err
		}
		if err := up.Mips(img); err != nil {
			return t, err
		}
	}
	return t, nil
}

func (t *textures) key(use textureUse) pictureKey {
	return pictureKey{t.model.Textures[use.Texture].Image, use.srgb}
}

func (t *textures) images() []*gpu.Image {
	var all []*gpu.Image
	for _, img := range t.resident {
		if img != nil {
			all = append(all, img)
		}
	}
	return all
}

// get returns the picture and sampler of a use; a nil image is the binding's
// stand-in.
func (t *textures) get(l *Library, use textureUse) (*gpu.Image, *gpu.Sampler, error) {
	desc := gpu.SamplerDesc{}
	if use.Texture < 0 {
		s, err := l.Device.Sampler(desc)
		return nil, s, err
	}
	tex := t.model.Textures[use.Texture]
	filter := func(f assets.Filter) gpu.Filter {
		if f == assets.NearestFilter {
			return gpu.Nearest
		}
		return gpu.Linear
	}
	wrap := [...]gpu.Wrap{
		assets.Repeat: gpu.Repeat, assets.ClampToEdge: gpu.ClampToEdge, assets.MirroredRepeat: gpu.MirroredRepeat,
	}
	desc.Mag, desc.Min, desc.Mip = filter(tex.Mag), filter(tex.Min), filter(tex.MipFilter)
	desc.U, desc.V = wrap[tex.WrapU], wrap[tex.WrapV]
	desc.NoMips = !tex.Mipmaps
	if desc.Mag == gpu.Nearest || desc.Min == gpu.Nearest {
		desc.Anisotropy = 0
	}
	s, err := l.Device.Sampler(desc)
	return t.resident[t.key(use)], s, err
}

type decoded struct {
	picture *stdimage.NRGBA
	err     error
}

func decodeAll(m *assets.Model, wanted map[int32]bool) map[int32]decoded {
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := make(map[int32]decoded, len(wanted))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range wanted {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			d := decoded{picture: missing}
			switch {
			case i < 0:
				d.err = errors.New("the texture names no image")
			case m.Images[i].Data == nil:
				d.err = errors.New("the picture is missing")
			default:
				if p, err := image.Decode(m.Images[i].Data); err != nil {
					d.err = err
				} else {
					d.picture = p
				}
			}
			mu.Lock()
			out[i] = d
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

// missing is the picture that stands in for one that cannot be had: a magenta
// and black checkerboard that nobody takes for a texture.
var missing = func() *stdimage.NRGBA {
	p := stdimage.NewNRGBA(stdimage.Rect(0, 0, 16, 16))
	for y := range 16 {
		for x := range 16 {
			at := p.Pix[p.PixOffset(x, y):]
			if (x/4+y/4)%2 == 0 {
				at[0], at[2] = 255, 255
			}
			at[3] = 255
		}
	}
	return p
}()
