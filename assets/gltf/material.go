package gltf

import (
	"math"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func (l *loader) materials() {
	list, n := l.list("materials", 320)
	l.m.Materials = make([]assets.Material, n)
	for i, v := range list.elements() {
		l.m.Materials[i] = l.material(v)
	}
}

func (l *loader) material(v value) assets.Material {
	m := assets.DefaultMaterial()
	m.Name = v.get("name").text()
	ext := v.get("extensions")

	rough := v.get("pbrMetallicRoughness")
	rough.get("baseColorFactor").floats(m.BaseColor[:])
	m.Metallic = rough.get("metallicFactor").float(1)
	m.Roughness = rough.get("roughnessFactor").float(1)
	m.BaseColorMap = l.textureRef(rough.get("baseColorTexture"))
	m.MetalRoughMap = l.textureRef(rough.get("metallicRoughnessTexture"))
	// A file that has both kinds has its own conversion, which knows the
	// textures; ours serves where there is no other.
	if gloss := ext.get("KHR_materials_pbrSpecularGlossiness"); gloss.exists() &&
		m.BaseColorMap.Texture < 0 && m.MetalRoughMap.Texture < 0 {
		l.specularGlossiness(gloss, &m)
	}

	v.get("emissiveFactor").floats(m.Emissive[:])
	m.Emissive = m.Emissive.Mul(ext.get("KHR_materials_emissive_strength").get("emissiveStrength").float(1))
	m.EmissiveMap = l.textureRef(v.get("emissiveTexture"))
	normal := v.get("normalTexture")
	m.NormalMap = l.textureRef(normal)
	m.NormalScale = normal.get("scale").float(1)
	occlusion := v.get("occlusionTexture")
	m.OcclusionMap = l.textureRef(occlusion)
	m.OcclusionStrength = occlusion.get("strength").float(1)

	switch mode := v.get("alphaMode"); {
	case !mode.exists() || mode.is("OPAQUE"):
	case mode.is("MASK"):
		m.Alpha = assets.Mask
	case mode.is("BLEND"):
		m.Alpha = assets.Blend
	default:
		l.warn(mode, "%q is no alpha mode; the material is opaque", shorten(mode.text()))
	}
	m.AlphaCutoff = v.get("alphaCutoff").float(0.5)
	m.DoubleSided = v.get("doubleSided").boolean(false)
	m.Unlit = ext.get("KHR_materials_unlit").exists()
	if coat := ext.get("KHR_materials_clearcoat"); coat.exists() && l.charge(coat, 96) {
		normal := coat.get("clearcoatNormalTexture")
		c := assets.Clearcoat{
			Factor: coat.get("clearcoatFactor").float(0), Roughness: coat.get("clearcoatRoughnessFactor").float(0),
			NormalScale: normal.get("scale").float(1),
			Map:         l.textureRef(coat.get("clearcoatTexture")), RoughMap: l.textureRef(coat.get("clearcoatRoughnessTexture")),
			NormalMap: l.textureRef(normal),
		}
		m.Clearcoat = &c
	}
	return m
}

func (l *loader) textureRef(v value) assets.TextureRef {
	r := assets.TextureRef{Texture: -1, Scale: mgl32.Vec2{1, 1}}
	if !v.exists() {
		return r
	}
	r.Texture = v.need("index").index(len(l.m.Textures), "textures")
	r.UVSet = int32(min(v.get("texCoord").integer(0), math.MaxInt32))
	if t := v.get("extensions").get("KHR_texture_transform"); t.exists() {
		t.get("offset").floats(r.Offset[:])
		t.get("scale").floats(r.Scale[:])
		r.Rotation = t.get("rotation").float(0)
		r.UVSet = int32(min(t.get("texCoord").integer(int64(r.UVSet)), math.MaxInt32))
	}
	return r
}
