package passes

import (
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/render"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/shaders"
)

// Frame is what the passes of one frame share: what is drawn, and the handles of
// the images that they pass on. A pass that writes an image puts the new handle
// in the old one's place.
type Frame struct {
	Library *render.Library
	Draw    *render.Frame
	Graph   *framegraph.Graph // for images and buffers of a pass's own, made while it declares

	Width, Height int // pixels of the picture

	// Uploaded is written by the phase that fills the frame's ring; each pass
	// that reads instances, palettes or the globals reads it.
	Uploaded framegraph.CPU

	Backbuffer framegraph.Image                  // what the display is given, in the target's format
	Color      framegraph.Image                  // the same before antialiasing: sRGB-encoded values
	Depth      framegraph.Image                  // reversed: 1 near, 0 far or nothing
	Shadow     framegraph.Image                  // zero where nothing casts shadows
	LampMaps   [render.MaxLamps]framegraph.Image // zero where no lamp casts shadows

	// A clear coat lies in what the others leave: shaders/geometry.frag says how.
	BaseColor framegraph.Image // rgb the linear color's square root; a above 1/2 where lit, 0 unlit
	Normal    framegraph.Image // xyz world, to be normalized
	Material  framegraph.Image // occlusion, roughness, metallic, clear coat
	Emissive  framegraph.Image // rgb linear; behind the lamps, also their light; see Added

	// Added is set where the program has passes of its own, which may read any of
	// these images. Without them Emissive is left undefined in frames in which
	// nothing glows and no lamp shines: writing and reading it took a fifth of the
	// geometry pass and a tenth of lighting.
	Added bool
}

// glows reports whether Emissive is written and read.
func (f *Frame) glows() bool {
	return f.Added || f.Draw.Glows || f.Draw.Coats || len(f.Draw.Lamps()) > 0 || !f.Library.Device.Properties().Has.IndependentBlend
}

// The formats of the frame's images.
const (
	ColorFormat     = framegraph.RGBA8Unorm
	BaseColorFormat = framegraph.RGBA8Unorm
	DepthFormat     = framegraph.D32Float
	ShadowFormat    = framegraph.D16Unorm
	NormalFormat    = framegraph.RGBA16Float
	MaterialFormat  = framegraph.RGBA8Unorm
	EmissiveFormat  = framegraph.RGBA16Float
)

// Begin creates the frame's transient images.
func (f *Frame) Begin(g *framegraph.Graph, backbuffer framegraph.Image, width, height int) {
	image := func(name string, format framegraph.Format, w, h int) framegraph.Image {
		return g.CreateImage(name, framegraph.ImageDesc{Format: format, Width: w, Height: h})
	}
	f.Width, f.Height = width, height
	f.Backbuffer = backbuffer
	f.Color = image("color", ColorFormat, width, height)
	f.Depth = image("depth", DepthFormat, width, height)
	f.BaseColor = image("base color", BaseColorFormat, width, height)
	f.Normal = image("normal", NormalFormat, width, height)
	f.Material = image("material", MaterialFormat, width, height)
	f.Emissive = image("emissive", EmissiveFormat, width, height)
	f.Shadow = framegraph.Image{}
	f.LampMaps = [render.MaxLamps]framegraph.Image{}
}

// stage is a shader of this project. constants are its specialisation
// constants, by constant_id from 0.
func stage(name string, constants ...uint32) gpu.Shader {
	s := gpu.Shader{Name: name, Code: shaders.Code(name)}
	if len(constants) > 0 {
		s.Const = map[uint32]uint32{}
		for id, v := range constants {
			s.Const[uint32(id)] = v
		}
	}
	return s
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// textureSet is a set layout of n textures for the fragment shader.
func textureSet(d *gpu.Device, name string, n int) (*gpu.SetLayout, error) {
	desc := gpu.SetLayoutDesc{Name: name}
	for slot := range n {
		desc.Bindings = append(desc.Bindings, gpu.Binding{Slot: slot, Kind: gpu.Texture, Stages: gpu.FragmentStage})
	}
	return d.NewSetLayout(desc)
}
