package engine

import (
	"fmt"
	stdimage "image"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/framegraph"
)

// surroundings is the environment picture on the device, and the light that was
// measured in it.
type surroundings struct {
	of                      *assets.Image
	texture                 *gpu.Image
	zenith, horizon, ground mgl32.Vec3
}

// surround brings the scene's environment picture to the device when it is new,
// and lets the sky's light be what the picture shows. A picture that cannot be
// decoded is told once, and the gradient is drawn instead.
func (e *Engine) surround() error {
	env, s := &e.Scene.Environment, &e.surroundings
	if env.Picture != s.of {
		s.texture.Release()
		*s = surroundings{of: env.Picture}
		if env.Picture != nil {
			if err := s.load(e.Device); err != nil {
				e.state.note(fmt.Errorf("environment picture %s: %w; the sky's gradient stands in", env.Picture.Name, err))
			}
		}
	}
	e.Passes.Background.Picture = s.texture
	if s.texture != nil {
		env.SkyZenith, env.SkyHorizon, env.SkyGround = s.zenith, s.horizon, s.ground
	}
	return nil
}

func (s *surroundings) load(d *gpu.Device) error {
	picture, err := image.Decode(s.of.Data)
	if err != nil {
		return err
	}
	s.texture, err = d.NewTexture("environment", picture.Rect.Dx(), picture.Rect.Dy(), framegraph.RGBA8Srgb, picture.Pix, false)
	if err != nil {
		return err
	}
	s.zenith = bandLight(picture, 40, 90)
	s.horizon = bandLight(picture, -10, 25)
	s.ground = bandLight(picture, -90, -20)
	return nil
}

// bandLight is the mean linear colour of an equirectangular picture between two
// elevations in degrees, each row weighted by the solid angle that it covers.
func bandLight(p *stdimage.NRGBA, from, to float64) mgl32.Vec3 {
	var sum [3]float64
	var weight float64
	w, h := p.Rect.Dx(), p.Rect.Dy()
	step := max(w/256, 1)
	for y := range h {
		elevation := 90 - 180*(float64(y)+0.5)/float64(h)
		if elevation < from || elevation > to {
			continue
		}
		cover := math.Cos(elevation * math.Pi / 180)
		for x := 0; x < w; x += step {
			at := p.Pix[p.PixOffset(x, y):]
			for c := range sum {
				sum[c] += cover * linear[at[c]]
			}
			weight += cover
		}
	}
	if weight == 0 {
		return mgl32.Vec3{}
	}
	return mgl32.Vec3{float32(sum[0] / weight), float32(sum[1] / weight), float32(sum[2] / weight)}
}

// linear is the sRGB transfer function's inverse (IEC 61966-2-1) by byte.
var linear = func() (t [256]float64) {
	for i := range t {
		v := float64(i) / 255
		if v <= 0.04045 {
			t[i] = v / 12.92
		} else {
			t[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return t
}()
