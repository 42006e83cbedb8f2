package assets

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/bindpose/bindpose/engine/mgl32"
)

// Field is what of a material, light or camera a Property is.
type Field uint8

// The fields that clips and expressions can move.
const (
	BaseColorField Field = iota // of a material, 4 numbers
	MetallicField
	RoughnessField
	EmissiveField // 3 numbers, without the strength
	EmissiveStrengthField
	NormalScaleField
	OcclusionStrengthField
	AlphaCutoffField
	ClearcoatField
	ClearcoatRoughnessField
	ClearcoatNormalScaleField
	OffsetField // of a material's map (Property.Map), 2 numbers
	RotationField
	UVScaleField   // 2 numbers
	LightColor     // of a light, 3 numbers
	LightIntensity // as Light tells them
	LightRange
	LightInnerCone
	LightOuterCone
	CameraYFov // of a camera, as Camera tells them
	CameraAspect
	CameraXMag
	CameraYMag
	CameraNear
	CameraFar
)

// Width is how many numbers a field has.
func (f Field) Width() int {
	switch f {
	case BaseColorField:
		return 4
	case EmissiveField, LightColor:
		return 3
	case OffsetField, UVScaleField:
		return 2
	}
	return 1
}

// Kind is what the field belongs to.
func (f Field) Kind() PropertyKind {
	switch {
	case f >= CameraYFov:
		return OfCamera
	case f >= LightColor:
		return OfLight
	}
	return OfMaterial
}

// PropertyKind is what has a Property.
type PropertyKind uint8

// What has properties.
const (
	OfMaterial PropertyKind = iota
	OfLight
	OfCamera
)

// Map is one of a material's uses of textures.
type Map uint8

// A material's maps.
const (
	BaseColorMap Map = iota
	MetalRoughMap
	NormalMap
	OcclusionMap
	EmissiveMap
	ClearcoatMap
	ClearcoatRoughMap
	ClearcoatNormalMap
	Maps = 8
)

// Property is what of a material, light or camera changes while a clip plays or a
// face is made: numbers of each entity's pose, which rest at the model's own.
type Property struct {
	Field Field
	Map   Map   // of OffsetField, RotationField, UVScaleField
	Index int32 // of the material, light or camera
	At    int32 // the first of its numbers in animation.Pose.Weights
}

// Property returns that property, which it adds to the model where it is not yet
// there; ok is false where the model has no such thing. It is for loading time,
// before there are poses of the model's skeleton.
func (m *Model) Property(f Field, of Map, index int32) (p Property, ok bool) {
	p = Property{Field: f, Map: of, Index: index}
	i, found := slices.BinarySearchFunc(m.Properties, p, Property.compare)
	if found {
		return m.Properties[i], true
	}
	rest := m.restOf(f, of, index)
	if rest == nil {
		return Property{}, false
	}
	p.At = m.Skeleton.AddProperty(rest...)
	m.Properties = slices.Insert(m.Properties, i, p)
	return p, true
}

// compare is the order of Model.Properties.
func (p Property) compare(q Property) int {
	return cmp.Or(p.owner(q), cmp.Compare(p.Field, q.Field), cmp.Compare(p.Map, q.Map))
}

// owner compares what two properties are of.
func (p Property) owner(q Property) int {
	return cmp.Or(cmp.Compare(p.Field.Kind(), q.Field.Kind()), cmp.Compare(p.Index, q.Index))
}

// restOf is what a property rests at; nil where there is no such thing.
func (m *Model) restOf(f Field, of Map, index int32) []float32 {
	switch f.Kind() {
	case OfLight:
		if index < 0 || int(index) >= len(m.Lights) {
			return nil
		}
		return slices.Clone(m.Lights[index].field(f))
	case OfCamera:
		if index < 0 || int(index) >= len(m.Cameras) {
			return nil
		}
		return slices.Clone(m.Cameras[index].field(f))
	}
	if index < 0 || int(index) >= len(m.Materials) {
		return nil
	}
	x := &m.Materials[index]
	switch f {
	case EmissiveStrengthField:
		return []float32{x.EmissiveStrength()}
	case EmissiveField:
		e := x.Emissive.Mul(1 / x.EmissiveStrength())
		return e[:]
	}
	return slices.Clone(x.field(f, of))
}

// EmissiveStrength is the factor of KHR_materials_emissive_strength by which
// Emissive is larger than what glTF holds, at least 1.
func (x *Material) EmissiveStrength() float32 {
	return max(x.Emissive[0], x.Emissive[1], x.Emissive[2], 1)
}

// Use is the material's use of a texture in a role; nil where it has none such.
func (x *Material) Use(of Map) *TextureRef {
	switch of {
	case BaseColorMap:
		return &x.BaseColorMap
	case MetalRoughMap:
		return &x.MetalRoughMap
	case NormalMap:
		return &x.NormalMap
	case OcclusionMap:
		return &x.OcclusionMap
	case EmissiveMap:
		return &x.EmissiveMap
	}
	if x.Clearcoat == nil {
		return nil
	}
	switch of {
	case ClearcoatMap:
		return &x.Clearcoat.Map
	case ClearcoatRoughMap:
		return &x.Clearcoat.RoughMap
	case ClearcoatNormalMap:
		return &x.Clearcoat.NormalMap
	}
	return nil
}

func one(f *float32) []float32 { return unsafe.Slice(f, 1) }

// field is the place of a field's numbers; nil where there is none.
func (x *Material) field(f Field, of Map) []float32 {
	switch f {
	case BaseColorField:
		return x.BaseColor[:]
	case MetallicField:
		return one(&x.Metallic)
	case RoughnessField:
		return one(&x.Roughness)
	case EmissiveField:
		return x.Emissive[:]
	case NormalScaleField:
		return one(&x.NormalScale)
	case OcclusionStrengthField:
		return one(&x.OcclusionStrength)
	case AlphaCutoffField:
		return one(&x.AlphaCutoff)
	case OffsetField, RotationField, UVScaleField:
		use := x.Use(of)
		switch {
		case use == nil || use.Texture < 0:
			return nil
		case f == OffsetField:
			return use.Offset[:]
		case f == RotationField:
			return one(&use.Rotation)
		}
		return use.Scale[:]
	}
	c := x.Clearcoat
	switch {
	case c == nil:
	case f == ClearcoatField:
		return one(&c.Factor)
	case f == ClearcoatRoughnessField:
		return one(&c.Roughness)
	case f == ClearcoatNormalScaleField:
		return one(&c.NormalScale)
	}
	return nil
}

func (x *Light) field(f Field) []float32 {
	switch f {
	case LightColor:
		return x.Color[:]
	case LightIntensity:
		return one(&x.Intensity)
	case LightRange:
		return one(&x.Range)
	case LightInnerCone:
		return one(&x.InnerCone)
	case LightOuterCone:
		return one(&x.OuterCone)
	}
	return nil
}

func (x *Camera) field(f Field) []float32 {
	switch f {
	case CameraYFov:
		return one(&x.YFov)
	case CameraAspect:
		return one(&x.Aspect)
	case CameraXMag:
		return one(&x.XMag)
	case CameraYMag:
		return one(&x.YMag)
	case CameraNear:
		return one(&x.Near)
	case CameraFar:
		return one(&x.Far)
	}
	return nil
}

// PropertiesOf are the properties of one material, light or camera.
func (m *Model) PropertiesOf(kind PropertyKind, index int32) []Property {
	of := Property{Field: [...]Field{OfMaterial: BaseColorField, OfLight: LightColor, OfCamera: CameraYFov}[kind], Index: index}
	first, _ := slices.BinarySearchFunc(m.Properties, of, Property.owner)
	last := first
	for last < len(m.Properties) && m.Properties[last].owner(of) == 0 {
		last++
	}
	return m.Properties[first:last]
}

// Moved reports whether one of the properties is not at rest in a pose's weights.
func (m *Model) Moved(properties []Property, weights []float32) bool {
	rest := m.Skeleton.MorphWeights
	for _, p := range properties {
		for k := range p.Field.Width() {
			if i := int(p.At) + k; i < len(weights) && weights[i] != rest[i] {
				return true
			}
		}
	}
	return false
}

// MaterialAt writes a material as a pose's weights have it; properties are its own.
// It allocates nothing; coat is where its clear coat goes, of which the material
// has a pointer.
func (m *Model) MaterialAt(index int32, properties []Property, weights []float32, out *Material, coat *Clearcoat) {
	*out = m.Materials[index]
	if out.Clearcoat != nil {
		*coat = *out.Clearcoat
		out.Clearcoat = coat
	}
	strength, lit := float32(1), false
	for _, p := range properties {
		switch v := weights[p.At:][:p.Field.Width()]; p.Field {
		case EmissiveStrengthField:
			strength = v[0]
		case EmissiveField:
			out.Emissive, lit = mgl32.Vec3(v), true
		default:
			copy(out.field(p.Field, p.Map), v)
		}
	}
	if lit {
		out.Emissive = out.Emissive.Mul(strength)
	}
}

// LightAt is a light as a pose's weights have it.
func (m *Model) LightAt(index int32, weights []float32) Light {
	out := m.Lights[index]
	for _, p := range m.PropertiesOf(OfLight, index) {
		copy(out.field(p.Field), weights[p.At:][:p.Field.Width()])
	}
	return out
}

// CameraAt is a camera as a pose's weights have it.
func (m *Model) CameraAt(index int32, weights []float32) Camera {
	out := m.Cameras[index]
	for _, p := range m.PropertiesOf(OfCamera, index) {
		copy(out.field(p.Field), weights[p.At:][:p.Field.Width()])
	}
	return out
}
