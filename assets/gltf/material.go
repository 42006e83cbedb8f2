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

// specularGlossiness converts KHR_materials_pbrSpecularGlossiness. Factors are
// solved for the metalness whose reflections are as bright, as the extension's
// own appendix on conversion has it. A texture of specular colour and glossiness
// would have to be solved pixel by pixel; with one, the material is taken as a
// dielectric, which most of what such textures were made for is.
func (l *loader) specularGlossiness(v value, m *assets.Material) {
	const dielectric = 0.04 // the reflectance of what is not metal
	diffuse, specular := mgl32.Vec4{1, 1, 1, 1}, mgl32.Vec3{1, 1, 1}
	v.get("diffuseFactor").floats(diffuse[:])
	v.get("specularFactor").floats(specular[:])
	gloss := v.get("glossinessFactor").float(1)
	m.BaseColorMap = l.textureRef(v.get("diffuseTexture"))
	m.BaseColor, m.Metallic, m.Roughness = diffuse, 0, 1-gloss
	if map_ := v.get("specularGlossinessTexture"); map_.exists() {
		m.Roughness = max(m.Roughness, 0.5)
		l.warn(map_, "specular and glossiness by texture were replaced with a plain dielectric of roughness %.2g", m.Roughness)
		return
	}
	strongest := max(specular[0], specular[1], specular[2])
	m.Metallic = metalness(brightness(diffuse.Vec3()), brightness(specular), 1-strongest)
	for c := range 3 {
		fromDiffuse := diffuse[c] * (1 - strongest) / (1 - dielectric) / max(1-m.Metallic, 1e-6)
		fromSpecular := (specular[c] - dielectric*(1-m.Metallic)) / max(m.Metallic, 1e-6)
		share := m.Metallic * m.Metallic
		m.BaseColor[c] = min(max(fromDiffuse*(1-share)+fromSpecular*share, 0), 1)
	}
}

// brightness is how bright a linear colour is seen (the HSP weights).
func brightness(c mgl32.Vec3) float32 {
	return float32(math.Sqrt(float64(0.299*c[0]*c[0] + 0.587*c[1]*c[1] + 0.114*c[2]*c[2])))
}

// metalness solves the quadratic that sets diffuse and specular brightness of
// the two models equal.
func metalness(diffuse, specular, oneMinusSpecular float32) float32 {
	const dielectric = 0.04
	if specular < dielectric {
		return 0
	}
	a := float64(dielectric)
	b := float64(diffuse*oneMinusSpecular/(1-dielectric) + specular - 2*dielectric)
	c := float64(dielectric - specular)
	d := max(b*b-4*a*c, 0)
	return float32(min(max((-b+math.Sqrt(d))/(2*a), 0), 1))
}
