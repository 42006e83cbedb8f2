package gltf

import (
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
)

// The places that KHR_animation_pointer moves, beside those of nodes: JSON
// pointers below /materials/N/, /extensions/KHR_lights_punctual/lights/N/ and
// /cameras/N/ (glTF 2.0 Asset Object Model).
var (
	materialFields = map[string]assets.Field{
		"pbrMetallicRoughness/baseColorFactor":                            assets.BaseColorField,
		"pbrMetallicRoughness/metallicFactor":                             assets.MetallicField,
		"pbrMetallicRoughness/roughnessFactor":                            assets.RoughnessField,
		"emissiveFactor":                                                  assets.EmissiveField,
		"extensions/KHR_materials_emissive_strength/emissiveStrength":     assets.EmissiveStrengthField,
		"normalTexture/scale":                                             assets.NormalScaleField,
		"occlusionTexture/strength":                                       assets.OcclusionStrengthField,
		"alphaCutoff":                                                     assets.AlphaCutoffField,
		"extensions/KHR_materials_clearcoat/clearcoatFactor":              assets.ClearcoatField,
		"extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor":     assets.ClearcoatRoughnessField,
		"extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale": assets.ClearcoatNormalScaleField,
	}
	materialMaps = map[string]assets.Map{
		"pbrMetallicRoughness/baseColorTexture":         assets.BaseColorMap,
		"pbrMetallicRoughness/metallicRoughnessTexture": assets.MetalRoughMap,
		"normalTexture":    assets.NormalMap,
		"occlusionTexture": assets.OcclusionMap,
		"emissiveTexture":  assets.EmissiveMap,
		"extensions/KHR_materials_clearcoat/clearcoatTexture":          assets.ClearcoatMap,
		"extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture": assets.ClearcoatRoughMap,
		"extensions/KHR_materials_clearcoat/clearcoatNormalTexture":    assets.ClearcoatNormalMap,
	}
	transformFields = map[string]assets.Field{
		"offset": assets.OffsetField, "rotation": assets.RotationField, "scale": assets.UVScaleField,
	}
	lightFields = map[string]assets.Field{
		"color": assets.LightColor, "intensity": assets.LightIntensity, "range": assets.LightRange,
		"spot/innerConeAngle": assets.LightInnerCone, "spot/outerConeAngle": assets.LightOuterCone,
	}
	cameraFields = map[string]assets.Field{
		"perspective/yfov": assets.CameraYFov, "perspective/aspectRatio": assets.CameraAspect,
		"perspective/znear": assets.CameraNear, "perspective/zfar": assets.CameraFar,
		"orthographic/xmag": assets.CameraXMag, "orthographic/ymag": assets.CameraYMag,
		"orthographic/znear": assets.CameraNear, "orthographic/zfar": assets.CameraFar,
	}
)

const (
	materialsAt = "/materials/"
	lightsAt    = "/extensions/KHR_lights_punctual/lights/"
	camerasAt   = "/cameras/"
	transformAt = "/extensions/KHR_texture_transform/"
)

// below splits "/materials/3/alphaCutoff" into 3 and "alphaCutoff".
func below(pointer, list string, n int) (index int32, rest string, ok bool) {
	tail, found := strings.CutPrefix(pointer, list)
	number, rest, more := strings.Cut(tail, "/")
	i, err := strconv.ParseUint(number, 10, 31)
	return int32(i), rest, found && more && err == nil && int(i) < n
}

// property finds what a pointer moves of a material, light or camera, and gives
// the model's poses room for it.
func (l *loader) property(pointer string) (p assets.Property, ok bool) {
	if i, rest, found := below(pointer, materialsAt, len(l.m.Materials)); found {
		if f, known := materialFields[rest]; known {
			return l.materialProperty(f, i)
		}
		at, field, found := strings.Cut(rest, transformAt)
		f, known := transformFields[field]
		of, mapped := materialMaps[at]
		if found && known && mapped {
			return l.m.Property(f, of, i)
		}
		return p, false
	}
	if i, rest, found := below(pointer, lightsAt, len(l.m.Lights)); found {
		f, known := lightFields[rest]
		if !known || strings.HasPrefix(rest, "spot/") && l.m.Lights[i].Kind != assets.Spot {
			return p, false
		}
		return l.m.Property(f, 0, i)
	}
	if i, rest, found := below(pointer, camerasAt, len(l.m.Cameras)); found {
		f, known := cameraFields[rest]
		if !known || strings.HasPrefix(rest, "orthographic/") != l.m.Cameras[i].Orthographic {
			return p, false
		}
		return l.m.Property(f, 0, i)
	}
	return p, false
}

// materialProperty is Model.Property; emissive factor and strength come as a pair,
// each with what the file says, of which the material has the product.
func (l *loader) materialProperty(f assets.Field, i int32) (p assets.Property, ok bool) {
	switch {
	case f == assets.NormalScaleField && l.m.Materials[i].NormalMap.Texture < 0,
		f == assets.OcclusionStrengthField && l.m.Materials[i].OcclusionMap.Texture < 0:
		return p, false
	case f != assets.EmissiveField && f != assets.EmissiveStrengthField:
		return l.m.Property(f, 0, i)
	}
	if l.materialAt == nil {
		for _, v := range l.root.get("materials").elements() {
			l.materialAt = append(l.materialAt, v.i)
		}
	}
	v := value{l, l.materialAt[i]}
	factor, okFactor := l.m.Property(assets.EmissiveField, 0, i)
	strength, okStrength := l.m.Property(assets.EmissiveStrengthField, 0, i)
	if !okFactor || !okStrength {
		return p, false
	}
	rest := l.m.Skeleton.MorphWeights
	copy(rest[factor.At:][:3], []float32{0, 0, 0})
	v.get("emissiveFactor").floats(rest[factor.At:][:3])
	rest[strength.At] = v.get("extensions").get("KHR_materials_emissive_strength").get("emissiveStrength").float(1)
	if f == assets.EmissiveField {
		return factor, true
	}
	return strength, true
}

// weightsPointed are the nodes whose morph weights a pointer moves: one, or of a
// mesh's those that have none of their own. only is which weight of each, -1 for
// all.
func (l *loader) weightsPointed(pointer string) (joints []int32, only int32) {
	node, rest, ofNode := below(pointer, "/nodes/", len(l.joint))
	var mesh int32
	if !ofNode {
		var ok bool
		if mesh, rest, ok = below(pointer, "/meshes/", len(l.m.Meshes)); !ok {
			return nil, 0
		}
	}
	which, one := strings.CutPrefix(rest, "weights/")
	switch k, err := strconv.ParseUint(which, 10, 31); {
	case rest == "weights":
		only = -1
	case !one || err != nil:
		return nil, 0
	default:
		only = int32(k)
	}
	offset := l.m.Skeleton.MorphOffset
	for j := range l.m.Nodes {
		n := &l.m.Nodes[j]
		if ofNode && int32(j) != l.joint[node] || n.Mesh < 0 || offset == nil || offset[j+1]-offset[j] <= max(only, 0) ||
			!ofNode && (n.Mesh != mesh || (value{l, l.nodeAt[n.Source]}).get("weights").exists()) {
			continue
		}
		joints = append(joints, int32(j))
	}
	return joints, only
}

// pointerChannel reads a channel that moves what no node's channel can.
func (l *loader) pointerChannel(c, pointer value, name string, s *sampler, clip *animation.Clip) {
	var tracks []animation.PropertyTrack
	var whole []int32 // joints whose morph weights are moved, all of them
	width := 0
	if p, ok := l.property(name); ok {
		width = p.Field.Width()
		tracks = append(tracks, animation.PropertyTrack{At: p.At})
	} else {
		joints, only := l.weightsPointed(name)
		offset := l.m.Skeleton.MorphOffset
		for _, j := range joints {
			if width = 1; only >= 0 {
				tracks = append(tracks, animation.PropertyTrack{At: offset[j] + only})
				continue
			}
			width = int(offset[j+1] - offset[j])
			whole = append(whole, j)
		}
	}
	switch {
	case l.err != nil:
		return
	case width == 0:
		l.warn(pointer, "%s cannot be animated here; the channel was ignored", shorten(name))
		return
	case !l.charge(c, int64(len(tracks)+len(whole))*80):
		return
	}
	if !s.read {
		l.sampler(s)
	}
	if l.err != nil {
		return
	}
	if len(s.times) == 0 {
		l.warn(c, "has no keys; the channel was ignored")
		return
	}
	components := width
	if len(whole) > 0 {
		components = 1
	}
	values := l.floats(s.outputAt, s.output, components, components, plain)
	want := int64(len(s.times)) * int64(width)
	if s.interpolation == animation.CubicSpline {
		want *= 3
	}
	if l.err == nil && int64(len(values)) != want {
		l.fail(s.outputAt, "accessor %d has %d numbers where %d keys of %s need %d", s.output, len(values), len(s.times), shorten(name), want)
	}
	if l.err != nil {
		return
	}
	for _, j := range whole {
		clip.Tracks = append(clip.Tracks, animation.Track{
			Joint: j, Path: animation.Weights, Width: width, Interpolation: s.interpolation, Times: s.times, Values: values,
		})
	}
	for _, t := range tracks {
		t.Width, t.Interpolation, t.Times, t.Values = width, s.interpolation, s.times, values
		clip.Properties = append(clip.Properties, t)
	}
}

// pointer is the JSON pointer to what a track moves, in the file that is written;
// "" where it is nothing there.
func (g *writer) pointer(t *animation.PropertyTrack) string {
	for _, p := range g.m.Properties {
		if p.At != t.At || p.Field.Width() != t.Width {
			continue
		}
		switch p.Field.Kind() {
		case assets.OfLight:
			return lightsAt + strconv.Itoa(int(p.Index)) + "/" + nameOf(lightFields, p.Field, "")
		case assets.OfCamera:
			kind := "perspective/"
			if g.m.Cameras[p.Index].Orthographic {
				kind = "orthographic/"
			}
			return camerasAt + strconv.Itoa(int(p.Index)) + "/" + nameOf(cameraFields, p.Field, kind)
		}
		at := materialsAt + strconv.Itoa(int(p.Index)) + "/"
		if field := nameOf(transformFields, p.Field, ""); field != "" {
			return at + nameOf(materialMaps, p.Map, "") + transformAt + field
		}
		return at + nameOf(materialFields, p.Field, "")
	}
	offset := g.m.Skeleton.MorphOffset
	for j := range g.m.Nodes {
		if mesh := g.m.Nodes[j].Mesh; mesh >= 0 && g.meshAt[mesh] >= 0 && offset[j] <= t.At && t.At < offset[j+1] && t.Width == 1 {
			return "/nodes/" + strconv.Itoa(j) + "/weights/" + strconv.Itoa(int(t.At-offset[j]))
		}
	}
	return ""
}

// nameOf is the key of a value, of those that begin so.
func nameOf[T comparable](names map[string]T, value T, prefix string) string {
	for name, v := range names {
		if v == value && strings.HasPrefix(name, prefix) {
			return name
		}
	}
	return ""
}

// PropertyPath is the JSON pointer by which KHR_animation_pointer names what a
// track of one of the model's clips moves; "" where there is none such. Nodes count
// as joints do.
func PropertyPath(m *assets.Model, t *animation.PropertyTrack) string {
	g := &writer{m: m, meshAt: make([]int, len(m.Meshes))}
	return g.pointer(t)
}

// animates tells whether some property moves a texture's transform.
func (g *writer) animates(material int, of assets.Map) bool {
	for _, p := range g.m.PropertiesOf(assets.OfMaterial, int32(material)) {
		if p.Field >= assets.OffsetField && p.Field <= assets.UVScaleField && p.Map == of {
			return true
		}
	}
	return false
}

// emissive is a material's factor and strength as the file shall have them: at
// rest as its properties are, where there are any.
func (g *writer) emissive(material int) (factor [3]float32, strength float32) {
	m := &g.m.Materials[material]
	strength = m.EmissiveStrength()
	factor = m.Emissive.Mul(1 / strength)
	rest := g.m.Skeleton.MorphWeights
	for _, p := range g.m.PropertiesOf(assets.OfMaterial, int32(material)) {
		switch p.Field {
		case assets.EmissiveField:
			factor = [3]float32(rest[p.At:])
		case assets.EmissiveStrengthField:
			strength = rest[p.At]
		}
	}
	return factor, strength
}
