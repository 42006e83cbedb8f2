package gltf

import (
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// images writes pictures, samplers and textures. A picture that cannot be shown
// leaves its texture without one.
func (g *writer) images() {
	var pictures, samplers, textures []obj
	at := make([]int, len(g.m.Images))
	for i, p := range g.m.Images {
		at[i] = -1
		if _, _, err := image.Size(p.Data); err != nil {
			continue
		}
		kind := image.Sniff(p.Data)
		at[i] = len(pictures)
		pictures = append(pictures, named(obj{"mimeType": kind, "bufferView": once(g, p.Data, "image", func() int { return g.view(p.Data, 0) })}, p.Name))
	}
	samplerAt := map[assets.Texture]int{}
	for _, t := range g.m.Textures {
		o := named(obj{}, t.Name)
		settings := t
		settings.Name, settings.Image = "", 0
		if settings != (assets.Texture{Mipmaps: true}) {
			k, ok := samplerAt[settings]
			if !ok {
				k = len(samplers)
				samplerAt[settings] = k
				samplers = append(samplers, samplerOf(settings))
			}
			o["sampler"] = k
		}
		if t.Image >= 0 && at[t.Image] >= 0 {
			if pictures[at[t.Image]]["mimeType"] == "image/webp" {
				o["extensions"] = obj{"EXT_texture_webp": obj{"source": at[t.Image]}}
				g.used["EXT_texture_webp"], g.required["EXT_texture_webp"] = true, true
			} else {
				o["source"] = at[t.Image]
			}
		}
		textures = append(textures, o)
	}
	list(g, "images", pictures)
	list(g, "samplers", samplers)
	list(g, "textures", textures)
}

func samplerOf(t assets.Texture) obj {
	wrap := map[assets.Wrap]int{assets.Repeat: glRepeat, assets.ClampToEdge: glClampToEdge, assets.MirroredRepeat: glMirroredRepeat}
	o := obj{"wrapS": wrap[t.WrapU], "wrapT": wrap[t.WrapV], "magFilter": glLinear}
	if t.Mag == assets.NearestFilter {
		o["magFilter"] = glNearest
	}
	nearest, nearestMip := t.Min == assets.NearestFilter, t.MipFilter == assets.NearestFilter
	switch {
	case !t.Mipmaps && nearest:
		o["minFilter"] = glNearest
	case !t.Mipmaps:
		o["minFilter"] = glLinear
	case nearest && nearestMip:
		o["minFilter"] = glNearestMipmapNearest
	case nearest:
		o["minFilter"] = glNearestMipmapLinear
	case nearestMip:
		o["minFilter"] = glLinearMipmapNearest
	default:
		o["minFilter"] = glLinearMipmapLinear
	}
	return o
}

func (g *writer) materials() {
	out := make([]obj, len(g.m.Materials))
	for i := range g.m.Materials {
		out[i] = g.material(i)
	}
	list(g, "materials", out)
}

func within(x float32) float32 { return min(max(x, 0), 1) }

func (g *writer) material(i int) obj {
	m := &g.m.Materials[i]
	o, extensions := named(obj{}, m.Name), obj{}
	rough := obj{}
	if m.BaseColor != (mgl32.Vec4{1, 1, 1, 1}) {
		rough["baseColorFactor"] = mgl32.Vec4{within(m.BaseColor[0]), within(m.BaseColor[1]), within(m.BaseColor[2]), within(m.BaseColor[3])}
	}
	if m.Metallic != 1 {
		rough["metallicFactor"] = within(m.Metallic)
	}
	if m.Roughness != 1 {
		rough["roughnessFactor"] = within(m.Roughness)
	}
	g.textureRef(rough, "baseColorTexture", m.BaseColorMap, nil, g.animates(i, assets.BaseColorMap))
	g.textureRef(rough, "metallicRoughnessTexture", m.MetalRoughMap, nil, g.animates(i, assets.MetalRoughMap))
	if len(rough) > 0 {
		o["pbrMetallicRoughness"] = rough
	}
	if e, strength := g.emissive(i); e != ([3]float32{}) || strength != 1 {
		if strength != 1 {
			g.extension(extensions, "KHR_materials_emissive_strength", obj{"emissiveStrength": strength})
		}
		o["emissiveFactor"] = mgl32.Vec3{within(e[0]), within(e[1]), within(e[2])}
	}
	g.textureRef(o, "emissiveTexture", m.EmissiveMap, nil, g.animates(i, assets.EmissiveMap))
	normal, occlusion := obj{}, obj{}
	if m.NormalScale != 1 {
		normal["scale"] = m.NormalScale
	}
	if m.OcclusionStrength != 1 {
		occlusion["strength"] = within(m.OcclusionStrength)
	}
	g.textureRef(o, "normalTexture", m.NormalMap, normal, g.animates(i, assets.NormalMap))
	g.textureRef(o, "occlusionTexture", m.OcclusionMap, occlusion, g.animates(i, assets.OcclusionMap))
	switch m.Alpha {
	case assets.Mask:
		o["alphaMode"] = "MASK"
		if m.AlphaCutoff != 0.5 {
			o["alphaCutoff"] = max(m.AlphaCutoff, 0)
		}
	case assets.Blend:
		o["alphaMode"] = "BLEND"
	}
	if m.DoubleSided {
		o["doubleSided"] = true
	}
	if m.Unlit {
		g.extension(extensions, "KHR_materials_unlit", obj{})
	}
	if c := m.Clearcoat; c != nil {
		coat, normal := obj{"clearcoatFactor": within(c.Factor), "clearcoatRoughnessFactor": within(c.Roughness)}, obj{}
		if c.NormalScale != 1 {
			normal["scale"] = c.NormalScale
		}
		g.textureRef(coat, "clearcoatTexture", c.Map, nil, g.animates(i, assets.ClearcoatMap))
		g.textureRef(coat, "clearcoatRoughnessTexture", c.RoughMap, nil, g.animates(i, assets.ClearcoatRoughMap))
		g.textureRef(coat, "clearcoatNormalTexture", c.NormalMap, normal, g.animates(i, assets.ClearcoatNormalMap))
		g.extension(extensions, "KHR_materials_clearcoat", coat)
	}
	if len(extensions) > 0 {
		o["extensions"] = extensions
	}
	return o
}

func (g *writer) extension(at obj, name string, e obj) {
	at[name] = e
	g.used[name] = true
}

// textureRef adds a use of a texture; more are its further members. One whose
// transform is animated has one, be it that of nothing.
func (g *writer) textureRef(at obj, key string, r assets.TextureRef, more obj, animated bool) {
	if r.Texture < 0 {
		return
	}
	o := obj{"index": r.Texture}
	for k, v := range more {
		o[k] = v
	}
	if r.UVSet != 0 {
		o["texCoord"] = r.UVSet
	}
	t := obj{}
	if r.Offset != (mgl32.Vec2{}) {
		t["offset"] = r.Offset
	}
	if r.Rotation != 0 {
		t["rotation"] = r.Rotation
	}
	if r.Scale != (mgl32.Vec2{1, 1}) {
		t["scale"] = r.Scale
	}
	if len(t) > 0 || animated {
		o["extensions"] = obj{"KHR_texture_transform": t}
		g.used["KHR_texture_transform"] = true
	}
	at[key] = o
}
