package gltf

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// The JSON schema of glTF 2.0 (§5), as far as others depend on it: which members
// there must be, of what type and within which range.

type fieldKind uint8

const (
	fNumber fieldKind = iota
	fInteger
	fBool
	fString
	fURI
	fRef     // an index into a top-level list
	fNumbers // an array
	fRefs    // an array of different indices
	fStrings
	fObject
	fObjects
	fRefMap // an object of indices
)

type field struct {
	key         string
	kind        fieldKind
	need        bool
	least, most float64
	above       bool // least itself is not allowed
	orZero      bool // 0 is allowed though least is above it
	multiple    float64
	list        string  // of fRef
	lengths     []int   // of fNumbers; nil: any but 0
	of          []field // of fObject
}

func num(key string) field { return field{key: key, least: math.Inf(-1), most: math.Inf(1)} }
func integer(key string, least float64) field {
	return field{key: key, kind: fInteger, least: least, most: math.Inf(1)}
}
func unitNum(key string) field            { return field{key: key, most: 1} }
func atLeast(key string, n float64) field { return field{key: key, least: n, most: math.Inf(1)} }
func above(key string, n float64) field {
	return field{key: key, least: n, most: math.Inf(1), above: true}
}
func boolean(key string) field     { return field{key: key, kind: fBool} }
func text(key string) field        { return field{key: key, kind: fString} }
func to(key, list string) field    { return field{key: key, kind: fRef, list: list} }
func toAll(key, list string) field { return field{key: key, kind: fRefs, list: list} }
func numbers(key string, least, most float64, lengths ...int) field {
	return field{key: key, kind: fNumbers, least: least, most: most, lengths: lengths}
}
func object(key string, of []field) field  { return field{key: key, kind: fObject, of: of} }
func objects(key string, of []field) field { return field{key: key, kind: fObjects, of: of} }
func need(f field) field                   { f.need = true; return f }

var inf = math.Inf(1)

var (
	textureInfo = []field{need(to("index", "textures")), integer("texCoord", 0),
		object("extensions", []field{object("KHR_texture_transform", []field{
			numbers("offset", -inf, inf, 2), num("rotation"), numbers("scale", -inf, inf, 2), integer("texCoord", 0)})})}

	materialExtensions = []field{
		object("KHR_materials_unlit", []field{}),
		object("KHR_materials_emissive_strength", []field{atLeast("emissiveStrength", 0)}),
		object("KHR_materials_clearcoat", []field{unitNum("clearcoatFactor"), unitNum("clearcoatRoughnessFactor"),
			object("clearcoatTexture", textureInfo), object("clearcoatRoughnessTexture", textureInfo), object("clearcoatNormalTexture", append([]field{num("scale")}, textureInfo...))}),
		object("KHR_materials_pbrSpecularGlossiness", []field{numbers("diffuseFactor", 0, 1, 4), numbers("specularFactor", 0, 1, 3),
			unitNum("glossinessFactor"), object("diffuseTexture", textureInfo), object("specularGlossinessTexture", textureInfo)}),
		object("KHR_materials_ior", []field{{key: "ior", least: 1, most: inf, orZero: true}}),
		object("KHR_materials_sheen", []field{numbers("sheenColorFactor", 0, inf, 3), unitNum("sheenRoughnessFactor"),
			object("sheenColorTexture", textureInfo), object("sheenRoughnessTexture", textureInfo)}),
		object("KHR_materials_specular", []field{unitNum("specularFactor"), numbers("specularColorFactor", 0, inf, 3),
			object("specularTexture", textureInfo), object("specularColorTexture", textureInfo)}),
		object("KHR_materials_transmission", []field{unitNum("transmissionFactor"), object("transmissionTexture", textureInfo)}),
		object("KHR_materials_volume", []field{atLeast("thicknessFactor", 0), object("thicknessTexture", textureInfo),
			above("attenuationDistance", 0), numbers("attenuationColor", 0, 1, 3)}),
		object("KHR_materials_anisotropy", []field{unitNum("anisotropyStrength"), num("anisotropyRotation"), object("anisotropyTexture", textureInfo)}),
		object("KHR_materials_iridescence", []field{unitNum("iridescenceFactor"), atLeast("iridescenceIor", 1), atLeast("iridescenceThicknessMinimum", 0),
			atLeast("iridescenceThicknessMaximum", 0), object("iridescenceTexture", textureInfo), object("iridescenceThicknessTexture", textureInfo)}),
		object("KHR_materials_dispersion", []field{atLeast("dispersion", 0)}),
	}

	rootShape = []field{
		need(object("asset", []field{need(field{key: "version", kind: fString}), text("minVersion"), text("generator"), text("copyright")})),
		{key: "extensionsUsed", kind: fStrings}, {key: "extensionsRequired", kind: fStrings},
		to("scene", "scenes"),
		objects("scenes", []field{toAll("nodes", "nodes"), text("name")}),
		objects("nodes", []field{
			to("camera", "cameras"), toAll("children", "nodes"), to("skin", "skins"), to("mesh", "meshes"),
			numbers("matrix", -inf, inf, 16), numbers("rotation", -1, 1, 4), numbers("scale", -inf, inf, 3),
			numbers("translation", -inf, inf, 3), numbers("weights", -inf, inf), text("name"),
			object("extensions", []field{object("KHR_lights_punctual", []field{need(integer("light", 0))})}),
		}),
		objects("buffers", []field{{key: "uri", kind: fURI}, need(integer("byteLength", 1)), text("name")}),
		objects("bufferViews", []field{
			need(to("buffer", "buffers")), integer("byteOffset", 0), need(integer("byteLength", 1)),
			{key: "byteStride", kind: fInteger, least: 4, most: 252, multiple: 4}, integer("target", 0), text("name"),
			object("extensions", []field{object("EXT_meshopt_compression", []field{
				need(to("buffer", "buffers")), integer("byteOffset", 0), need(integer("byteLength", 1)),
				need(field{key: "byteStride", kind: fInteger, least: 1, most: 256}), need(integer("count", 1)),
				need(field{key: "mode", kind: fString}), text("filter")})}),
		}),
		objects("accessors", []field{
			to("bufferView", "bufferViews"), integer("byteOffset", 0), need(integer("componentType", -inf)), boolean("normalized"),
			need(integer("count", 1)), need(text("type")), numbers("max", -inf, inf, 1, 2, 3, 4, 9, 16), numbers("min", -inf, inf, 1, 2, 3, 4, 9, 16), text("name"),
			object("sparse", []field{need(integer("count", 1)),
				need(object("indices", []field{need(to("bufferView", "bufferViews")), integer("byteOffset", 0), need(integer("componentType", -inf))})),
				need(object("values", []field{need(to("bufferView", "bufferViews")), integer("byteOffset", 0)}))}),
		}),
		objects("meshes", []field{numbers("weights", -inf, inf), text("name"), need(objects("primitives", []field{
			need(field{key: "attributes", kind: fRefMap, list: "accessors"}), to("indices", "accessors"), to("material", "materials"),
			{key: "mode", kind: fInteger, most: 6}, {key: "targets", kind: fObjects},
			object("extensions", []field{object("KHR_draco_mesh_compression", []field{need(to("bufferView", "bufferViews")), need(object("attributes", nil))}),
				object("KHR_materials_variants", []field{need(objects("mappings", []field{need(integer("material", 0)), need(numbers("variants", 0, inf))}))})}),
		}))}),
		objects("skins", []field{to("inverseBindMatrices", "accessors"), to("skeleton", "nodes"), need(toAll("joints", "nodes")), text("name")}),
		objects("animations", []field{text("name"),
			need(objects("channels", []field{need(integer("sampler", 0)), need(object("target", []field{to("node", "nodes"), need(text("path"))}))})),
			need(objects("samplers", []field{need(to("input", "accessors")), text("interpolation"), need(to("output", "accessors"))})),
		}),
		objects("cameras", []field{need(text("type")), text("name"),
			object("perspective", []field{above("aspectRatio", 0), need(above("yfov", 0)), above("zfar", 0), need(above("znear", 0))}),
			object("orthographic", []field{need(num("xmag")), need(num("ymag")), need(above("zfar", 0)), need(atLeast("znear", 0))}),
		}),
		objects("images", []field{{key: "uri", kind: fURI}, {key: "mimeType", kind: fString}, to("bufferView", "bufferViews"), text("name")}),
		objects("samplers", []field{integer("magFilter", -inf), integer("minFilter", -inf), integer("wrapS", -inf), integer("wrapT", -inf), text("name")}),
		objects("textures", []field{to("sampler", "samplers"), to("source", "images"), text("name"),
			object("extensions", []field{object("EXT_texture_webp", []field{to("source", "images")}), object("KHR_texture_basisu", []field{to("source", "images")})})}),
		objects("materials", []field{
			object("pbrMetallicRoughness", []field{numbers("baseColorFactor", 0, 1, 4), object("baseColorTexture", textureInfo),
				unitNum("metallicFactor"), unitNum("roughnessFactor"), object("metallicRoughnessTexture", textureInfo)}),
			object("normalTexture", append([]field{num("scale")}, textureInfo...)),
			object("occlusionTexture", append([]field{unitNum("strength")}, textureInfo...)),
			object("emissiveTexture", textureInfo), numbers("emissiveFactor", 0, 1, 3), text("alphaMode"), atLeast("alphaCutoff", 0), boolean("doubleSided"), text("name"),
			object("extensions", materialExtensions),
		}),
		object("extensions", []field{object("KHR_materials_variants", []field{need(objects("variants", []field{need(text("name"))}))}), object("KHR_lights_punctual", []field{need(objects("lights", []field{
			numbers("color", 0, 1, 3), atLeast("intensity", 0), need(text("type")), above("range", 0), text("name"),
			object("spot", []field{{key: "innerConeAngle", most: math.Pi / 2}, {key: "outerConeAngle", most: math.Pi / 2, above: true}})}))})}),
	}
)

func (c *checker) shape(v value, fields []field) {
	if v.kind() != kindObject {
		c.fault(v, "type-mismatch", "is %s, not an object", v.kind())
		return
	}
	var nulls map[string]bool // members that are null, which get takes for none
	if bytes.Contains(v.raw(), []byte("null")) {
		c.members(v, func(key string, m value) {
			if m.kind() == kindNull && slices.ContainsFunc(fields, func(f field) bool { return f.key == key }) {
				if nulls == nil {
					nulls = map[string]bool{}
				}
				nulls[key] = true
				c.fault(m, "type-mismatch", "is null, which no property is")
			}
		})
	}
	for _, f := range fields {
		m := v.get(f.key)
		if nulls[f.key] {
			continue
		}
		if !m.exists() {
			if f.need {
				c.fault(v, "undefined-property", "%s is required but missing", f.key)
			}
			continue
		}
		c.field(m, f)
	}
}

func (c *checker) field(m value, f field) {
	is := func(k kind) bool {
		if m.kind() != k {
			c.fault(m, "type-mismatch", "is %s, not %s", m.kind(), k)
			return false
		}
		return true
	}
	array := func() bool {
		if !is(kindArray) {
			return false
		}
		if m.length() == 0 {
			c.fault(m, "empty-entity", "is empty, which glTF does not allow")
			return false
		}
		return true
	}
	switch f.kind {
	case fNumber, fInteger:
		if is(kindNumber) {
			c.number(m, f)
		}
	case fBool:
		is(kindBool)
	case fString:
		is(kindString)
	case fURI:
		if is(kindString) {
			if s := str(m); strings.ContainsAny(s, "\\ <>\"^`{|}") && !strings.HasPrefix(s, "data:") && !strings.Contains(s, " ") || strings.Contains(s, "://") && strings.HasPrefix(s, ":") {
				c.fault(m, "invalid-uri", "%q is no URI", shorten(s))
			}
		}
	case fRef:
		c.reference(m, f.list)
	case fRefs:
		if array() {
			seen := map[int]bool{}
			for _, e := range all(m) {
				if i := c.reference(e, f.list); i >= 0 {
					if seen[i] {
						c.fault(e, "duplicate-elements", "%d is named twice", i)
					}
					seen[i] = true
				}
			}
		}
	case fNumbers:
		if !array() {
			return
		}
		ok := f.lengths == nil
		for _, n := range f.lengths {
			ok = ok || n == m.length()
		}
		if !ok {
			c.fault(m, "array-length-not-in-list", "has %d numbers, not %d", m.length(), f.lengths[0])
		}
		for _, e := range all(m) {
			if e.kind() != kindNumber {
				c.fault(e, "array-type-mismatch", "is %s, not a number", e.kind())
				continue
			}
			c.number(e, f)
		}
	case fStrings:
		if array() {
			for _, e := range all(m) {
				if e.kind() != kindString {
					c.fault(e, "array-type-mismatch", "is %s, not a string", e.kind())
				}
			}
		}
	case fObject:
		if f.key != "extensions" && f.of != nil {
			c.extended(m)
		}
		c.shape(m, f.of)
	case fObjects:
		if array() {
			for _, e := range all(m) {
				if f.of != nil { // else of names that the file gives
					c.extended(e)
				}
				c.shape(e, f.of)
			}
		}
	case fRefMap:
		if !is(kindObject) {
			return
		}
		if m.length() == 0 {
			c.fault(m, "empty-entity", "is empty, which glTF does not allow")
		}
		c.members(m, func(_ string, e value) { c.reference(e, f.list) })
	}
}

// members calls do with each member of an object.
func (c *checker) members(v value, do func(key string, m value)) {
	if v.kind() != kindObject {
		return
	}
	t := v.token()
	for k := v.i + 1; k < int(t.next); k = int(c.l.doc.tape[k+1].next) {
		do(c.l.doc.string(k), value{c.l, k + 1})
	}
}

func (c *checker) number(m value, f field) {
	x, ok := number(m)
	if !ok {
		c.fault(m, "value-not-in-range", "is too large a number")
		return
	}
	switch {
	case f.kind == fInteger && x != math.Trunc(x):
		c.fault(m, "type-mismatch", "%v is no whole number", x)
	case f.orZero && x == 0:
	case x < f.least || x > f.most || f.above && x == f.least:
		c.fault(m, "value-not-in-range", "%v is out of range", x)
	case f.multiple != 0 && math.Mod(x, f.multiple) != 0:
		c.fault(m, "value-multiple-of", "%v is no multiple of %v", x, f.multiple)
	}
}

func (c *checker) reference(m value, list string) int {
	x, ok := number(m)
	if !ok {
		c.fault(m, "type-mismatch", "is %s, not an index", m.kind())
		return -1
	}
	if x < 0 || x != math.Trunc(x) {
		c.fault(m, "invalid-index", "%v is no index", x)
		return -1
	}
	n := len(c.top(list))
	if x >= float64(n) {
		c.fault(m, "unresolved-reference", "%v is out of range; the file has %d %s", x, n, list)
		return -1
	}
	return int(x)
}
