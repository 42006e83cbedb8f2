package render

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/framegraph"
)

// Material is a material's descriptor set and what its pipeline must know.
type Material struct {
	Set *gpu.Set
	// Maps has bit i set where map i of surface.glsl is there, and Coated where
	// there is a clear coat.
	Maps uint32
	// With Maps, Mask, Unlit and DoubleSided select the pipeline; a Blend
	// material is drawn by the transparent pass instead of the geometry pass.
	Mask, Unlit, DoubleSided, Blend bool
	// Glows is set where it has light of its own.
	Glows bool

	values materialValues // what Set holds
}

// materialMaps is how many maps a material may have: the bindings behind its
// numbers.
const materialMaps = 8

// materialValues is what set 1 of a surface's pass binds.
type materialValues [1 + materialMaps]gpu.Value

// Coated is the bit of Material.Maps that says that there is a clear coat.
const Coated = 1 << 8

// normalMap and coatNormalMap are the normal maps' places among a material's.
const normalMap, coatNormalMap = 2, 7

// materialSet holds a model's materials; the last is the default material.
type materialSet struct {
	records  *gpu.Buffer
	textures []*gpu.Image
	all      []Material
}

func (s *materialSet) at(material int32) *Material {
	if material < 0 || int(material) >= len(s.all)-1 {
		return &s.all[len(s.all)-1]
	}
	return &s.all[material]
}

func (s *materialSet) release() {
	for i := range s.all {
		s.all[i].Set.Release()
	}
	for _, t := range s.textures {
		t.Release()
	}
	s.records.Release()
}

// materialSize is the size of struct Material in shaders/surface.glsl, bytes.
const materialSize = 3*16 + 16 + 16 + materialMaps*2*16

func newMaterials(l *Library, m *assets.Model, up *gpu.Upload) (materialSet, error) {
	all := append(append([]assets.Material(nil), m.Materials...), assets.DefaultMaterial())
	s := materialSet{all: make([]Material, len(all))}
	align := max(l.Device.Properties().Limits.UniformAlign, 16)
	stride := (materialSize + align - 1) / align * align
	records := make([]byte, stride*len(all))
	for i := range all {
		packMaterial(records[i*stride:], &all[i])
	}
	var err error
	s.records, err = l.Device.NewBuffer(gpu.BufferDesc{
		Name: m.Name + " materials", Size: len(records), Usage: framegraph.BufferUniform,
	})
	if err != nil {
		return s, err
	}
	if err = up.Buffer(s.records, 0, records); err != nil {
		return s, err
	}
	textures, err := newTextures(l, m, all, up)
	s.textures = textures.images()
	if err != nil {
		return s, err
	}
	for i := range all {
		src := &all[i]
		var values materialValues
		values[0] = gpu.Uniform(0, s.records.Range(i*stride, materialSize))
		var maps uint32
		for slot, use := range uses(src) {
			if use.Texture >= 0 {
				maps |= 1 << slot
			}
			image, sampler, err := textures.get(l, use)
			if err != nil {
				return s, err
			}
			values[slot+1] = gpu.Tex(slot+1, image, sampler)
		}
		if src.Clearcoat != nil && (src.Clearcoat.Factor > 0 || len(m.PropertiesOf(assets.OfMaterial, int32(i))) > 0) {
			maps |= Coated
		}
		set, err := l.Device.NewSet(l.MaterialSet, values[:]...)
		if err != nil {
			return s, fmt.Errorf("materials[%d]: %w", i, err)
		}
		s.all[i] = Material{
			Set:         set,
			Maps:        maps,
			Mask:        src.Alpha == assets.Mask,
			Unlit:       src.Unlit,
			DoubleSided: src.DoubleSided,
			Blend:       src.Alpha == assets.Blend,
			Glows:       src.Emissive != mgl32.Vec3{},
			values:      values,
		}
	}
	return s, nil
}

// textureUse is a texture in a role: colours are stored sRGB, measures linear.
type textureUse struct {
	assets.TextureRef
	srgb bool
}

// uses lists a material's maps in the order of surface.glsl's bindings.
func uses(m *assets.Material) [materialMaps]textureUse {
	none := textureUse{assets.TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}, false}
	out := [materialMaps]textureUse{
		{m.BaseColorMap, true}, {m.MetalRoughMap, false}, {m.NormalMap, false},
		{m.OcclusionMap, false}, {m.EmissiveMap, true}, none, none, none,
	}
	if c := m.Clearcoat; c != nil {
		out[5], out[6], out[coatNormalMap] = textureUse{c.Map, false}, textureUse{c.RoughMap, false}, textureUse{c.NormalMap, false}
	}
	return out
}

// packMaterial writes struct Material of shaders/surface.glsl.
func packMaterial(dst []byte, m *assets.Material) {
	at := 0
	put := func(values ...float32) {
		for _, v := range values {
			putFloat(dst[at:], v)
			at += 4
		}
	}
	cutoff := float32(-1)
	if m.Alpha == assets.Mask {
		cutoff = m.AlphaCutoff
	}
	put(m.BaseColor[:]...)
	put(m.Emissive[0], m.Emissive[1], m.Emissive[2], cutoff)
	put(m.Metallic, m.Roughness, m.NormalScale, m.OcclusionStrength)
	var second uint32
	maps := uses(m)
	for i, use := range maps {
		if use.UVSet == 1 {
			second |= 1 << i
		}
	}
	le.PutUint32(dst[at:], second)
	at += 16
	if c := m.Clearcoat; c != nil {
		put(c.Factor, c.Roughness, c.NormalScale, 0)
	} else {
		put(0, 0, 1, 0)
	}
	for _, use := range maps {
		// KHR_texture_transform: translation · rotation · scale, with rotation
		// counter-clockwise in an image whose V runs down.
		sin, cos := math.Sincos(float64(use.Rotation))
		s, c := float32(sin), float32(cos)
		put(c*use.Scale[0], s*use.Scale[1], use.Offset[0], 0)
		put(-s*use.Scale[0], c*use.Scale[1], use.Offset[1], 0)
	}
}
