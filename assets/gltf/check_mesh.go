package gltf

import (
	"fmt"
	"math"
	"strings"
)

func (c *checker) meshes() {
	// Weights matter where a skin moves the mesh.
	c.bound = map[int]bool{}
	for _, n := range c.top("nodes") {
		if member(n, "skin").exists() {
			c.bound[ref(member(n, "mesh"), len(c.top("meshes")))] = true
		}
	}
	for i, v := range c.top("meshes") {
		primitives := all(member(v, "primitives"))
		for k, p := range primitives {
			if n := member(p, "targets").length(); k > 0 && n != member(primitives[0], "targets").length() {
				c.fault(member(v, "primitives"), "mesh-primitives-unequal-targets-count", "primitive %d has %d morph targets, the first %d", k, n, member(primitives[0], "targets").length())
			}
			c.primitive(p, c.bound[i])
		}
		if w := member(v, "weights"); w.kind() == kindArray && len(primitives) > 0 && w.length() != member(primitives[0], "targets").length() {
			c.fault(w, "mesh-invalid-weights-count", "has %d weights for %d morph targets", w.length(), member(primitives[0], "targets").length())
		}
	}
}

// formats are the component types that an attribute's elements may have, as bits
// by format; quantized are those of KHR_mesh_quantization.
type formats struct {
	elements  []uint8
	allowed   []int32
	quantized []int32
}

func formatsOf(semantic string, target bool) (formats, bool) {
	float := []int32{f32}
	signed, every := []int32{f32, i8, i16}, []int32{f32, i8, i16, u8, u16}
	switch {
	case semantic == "POSITION" && target:
		return formats{elements: []uint8{3}, allowed: float, quantized: signed}, true
	case semantic == "POSITION":
		return formats{elements: []uint8{3}, allowed: float, quantized: every}, true
	case semantic == "NORMAL", semantic == "TANGENT" && target:
		return formats{elements: []uint8{3}, allowed: float, quantized: signed}, true
	case semantic == "TANGENT":
		return formats{elements: []uint8{4}, allowed: float, quantized: signed}, true
	case set(semantic, "TEXCOORD_") >= 0:
		f := formats{elements: []uint8{2}, allowed: []int32{f32, u8, u16}, quantized: every}
		if target {
			f.allowed = []int32{f32, i8, i16, u8, u16}
		}
		return f, true
	case set(semantic, "COLOR_") >= 0:
		f := formats{elements: []uint8{3, 4}, allowed: []int32{f32, u8, u16}}
		if target {
			f.allowed = every
		}
		return f, true
	case set(semantic, "JOINTS_") >= 0 && !target:
		return formats{elements: []uint8{4}, allowed: []int32{u8, u16}}, true
	case set(semantic, "WEIGHTS_") >= 0 && !target:
		return formats{elements: []uint8{4}, allowed: []int32{f32, u8, u16}}, true
	}
	return formats{}, false
}

// variants checks a primitive's materials by variant.
func (c *checker) variants(v value) {
	if v.kind() != kindObject {
		return
	}
	list := member(member(member(c.root, "extensions"), "KHR_materials_variants"), "variants")
	seen := map[int]bool{}
	for _, m := range all(member(v, "mappings")) {
		if m.kind() != kindObject {
			continue
		}
		if !list.exists() {
			c.fault(m, "unsatisfied-dependency", "names variants, of which the file has none")
			continue
		}
		if at := member(m, "material"); at.exists() {
			c.reference(at, "materials")
		}
		for _, e := range all(member(m, "variants")) {
			i := ref(e, list.length())
			if i < 0 {
				c.fault(e, "unresolved-reference", "is none of the file's %d variants", list.length())
				continue
			}
			if seen[i] {
				c.fault(e, "khr-materials-variants-non-unique-variant", "variant %d is used more than once by this primitive", i)
			}
			seen[i] = true
		}
	}
}

func (c *checker) primitive(v value, bound bool) {
	attributes := member(v, "attributes")
	indices := ref(member(v, "indices"), len(c.l.accessors))
	draco := member(member(v, "extensions"), "KHR_draco_mesh_compression").exists()
	c.variants(member(member(v, "extensions"), "KHR_materials_variants"))
	count, position := int64(-1), -1
	sets := map[string]int{}
	c.members(attributes, func(name string, at value) {
		i := ref(at, len(c.l.accessors))
		if i < 0 {
			return
		}
		if custom(name) {
			if c.l.accessors[i].component == u32 {
				c.fault(at, "mesh-primitive-attributes-accessor-unsigned-int", "accessor %d holds %s, which no attribute does", i, componentName[u32])
			}
			return
		}
		f, known := formatsOf(name, false)
		if !known {
			c.fault(at, "mesh-primitive-invalid-attribute", "%q is no attribute of glTF; an application's own begin with _", shorten(name))
			return
		}
		for _, prefix := range []string{"TEXCOORD_", "COLOR_", "JOINTS_", "WEIGHTS_"} {
			if set(name, prefix) >= 0 {
				sets[prefix]++
			}
		}
		if name == "POSITION" {
			position = i
			accessor := value{c.l, c.l.accessors[i].token}
			if !member(accessor, "min").exists() || !member(accessor, "max").exists() {
				c.fault(at, "mesh-primitive-position-accessor-without-bounds", "accessor %d has no min and max", i)
			}
		}
		c.attribute(at, i, name, f, draco)
		if n := c.l.accessors[i].count; count >= 0 && n != count {
			c.fault(at, "mesh-primitive-unequal-accessor-count", "accessor %d has %d elements, another attribute's %d", i, n, count)
		} else {
			count = n
		}
	})
	for prefix, n := range sets {
		for k := range n {
			if !member(attributes, fmt.Sprint(prefix, k)).exists() {
				c.fault(attributes, "mesh-primitive-indexed-semantic-continuity", "%s%d is missing, though there are %d of %s", prefix, k, n, prefix)
				break
			}
		}
	}
	if sets["JOINTS_"] != sets["WEIGHTS_"] {
		c.fault(attributes, "mesh-primitive-joints-weights-mismatch", "has %d sets of joints and %d of weights", sets["JOINTS_"], sets["WEIGHTS_"])
	}
	if position < 0 && member(attributes, "POSITION").exists() {
		return
	}
	if sets["JOINTS_"] > 0 && sets["JOINTS_"] == sets["WEIGHTS_"] && !draco && bound {
		c.influences(attributes, sets["JOINTS_"])
	}
	if indices >= 0 {
		c.indices(member(v, "indices"), indices, count, draco)
	}
	if material := ref(member(v, "material"), len(c.top("materials"))); material >= 0 {
		c.setsOf(c.top("materials")[material], func(at value, n int) {
			if n >= sets["TEXCOORD_"] {
				c.fault(member(v, "material"), "mesh-primitive-too-few-texcoords", "%s reads TEXCOORD_%d, which the primitive lacks", c.l.doc.path(at.i), n)
			}
		})
		m := c.top("materials")[material]
		coat := member(member(member(m, "extensions"), "KHR_materials_clearcoat"), "clearcoatNormalTexture")
		if coat.exists() && !member(m, "normalTexture").exists() && !member(attributes, "TANGENT").exists() {
			c.fault(member(v, "material"), "mesh-primitive-no-tangent-space", "the clear coat's normal map needs tangents, which the primitive lacks")
		}
	}
	for _, target := range all(member(v, "targets")) {
		if target.kind() == kindObject && target.length() == 0 {
			c.fault(target, "empty-entity", "is empty, which glTF does not allow")
		}
		c.members(target, func(name string, at value) {
			i := ref(at, len(c.l.accessors))
			if i < 0 {
				if at.kind() == kindNumber {
					c.fault(at, "unresolved-reference", "there is no such accessor; the file has %d", len(c.l.accessors))
				} else {
					c.fault(at, "type-mismatch", "is %s, not an index", at.kind())
				}
				return
			}
			if custom(name) {
				return
			}
			f, known := formatsOf(name, true)
			if !known {
				c.fault(at, "mesh-primitive-invalid-attribute", "%q is nothing that a morph target holds", shorten(name))
				return
			}
			if !member(attributes, name).exists() {
				c.fault(at, "mesh-primitive-morph-target-no-base-accessor", "the primitive has no %s for the target's to be added to", shorten(name))
				return
			}
			if name == "POSITION" {
				accessor := value{c.l, c.l.accessors[i].token}
				if !member(accessor, "min").exists() || !member(accessor, "max").exists() {
					c.fault(at, "mesh-primitive-position-accessor-without-bounds", "accessor %d has no min and max", i)
				}
			}
			c.attribute(at, i, "", f, draco)
			if n := c.l.accessors[i].count; count >= 0 && n != count {
				c.fault(at, "mesh-primitive-morph-target-invalid-attribute-count", "accessor %d has %d elements, POSITION has %d", i, n, count)
			}
		})
	}
}

func holds[T comparable](list []T, x T) bool {
	for _, e := range list {
		if e == x {
			return true
		}
	}
	return false
}

func (c *checker) attribute(at value, i int, name string, f formats, draco bool) {
	a := c.l.accessors[i]
	allowed := holds(f.elements, a.elements) && holds(f.allowed, a.component)
	if allowed && a.component != f32 && !strings.HasPrefix(name, "JOINTS_") && !a.normalized {
		allowed = false
	}
	if allowed && strings.HasPrefix(name, "JOINTS_") && a.normalized {
		allowed = false
	}
	if !allowed && c.usesExtension("KHR_mesh_quantization") {
		allowed = holds(f.elements, a.elements) && holds(f.quantized, a.component)
	}
	switch {
	case a.component == u32:
		c.fault(at, "mesh-primitive-attributes-accessor-unsigned-int", "accessor %d holds %s, which no attribute does", i, componentName[u32])
	case !allowed:
		normalized := ""
		if a.normalized {
			normalized = "normalised "
		}
		c.fault(at, "mesh-primitive-attributes-accessor-invalid-format", "accessor %d holds %s%s of %d components, which such an attribute may not", i, normalized, componentName[a.component], a.elements)
	}
	fresh := c.accessorUse[i] == ""
	c.useAccessor(at, i, "vertices")
	if a.view < 0 {
		return
	}
	w := c.l.views[a.view]
	c.useView(at, int(a.view), "vertices")
	size := componentSize(a.component) * int64(a.elements)
	if fresh {
		c.readers[int(a.view)]++
	}
	if w.stride == 0 && fresh && c.readers[int(a.view)] > 1 {
		c.fault(at, "mesh-primitive-accessor-without-bytestride", "several accessors read vertices from bufferView %d, which has no stride", a.view)
	}
	if a.offset%4 != 0 || w.stride%4 != 0 || w.stride == 0 && size%4 != 0 || (w.offset+a.offset)%4 != 0 {
		c.fault(at, "mesh-primitive-accessor-unaligned", "the elements of accessor %d do not begin at multiples of 4 bytes", i)
	}
	if w.packed == 0 {
		c.directions(at, i, name)
	}
}

// directions checks normals, tangents and colours.
func (c *checker) directions(at value, i int, name string) {
	tangent, color := name == "TANGENT", strings.HasPrefix(name, "COLOR_")
	if c.fed[i] || name != "NORMAL" && !tangent && !color {
		return
	}
	c.fed[i] = true
	width := int(c.l.accessors[i].elements)
	if width == 0 {
		return // of no type that there is, which is told elsewhere
	}
	f := c.read(i)
	for k := 0; k+width <= len(f); k += width {
		if color {
			for _, x := range f[k : k+width] {
				if !(x >= 0 && x <= 1) {
					c.fault(at, "accessor-non-clamped", "element %d of accessor %d is %v, not between 0 and 1", k/width, i, x)
					return
				}
			}
			continue
		}
		if width < 3 {
			return
		}
		q := math.Sqrt(float64(f[k])*float64(f[k]) + float64(f[k+1])*float64(f[k+1]) + float64(f[k+2])*float64(f[k+2]))
		if !(math.Abs(q-1) <= unitTolerance3) {
			c.fault(at, "accessor-vector3-non-unit", "direction %d of accessor %d has length %.4g, not 1", k/width, i, q)
			return
		}
		if tangent && width == 4 && f[k+3] != 1 && f[k+3] != -1 {
			c.fault(at, "accessor-invalid-sign", "tangent %d of accessor %d has the sign %v, neither 1 nor -1", k/width, i, f[k+3])
			return
		}
	}
}

func (c *checker) indices(at value, i int, vertices int64, draco bool) {
	a := c.l.accessors[i]
	if a.elements != 1 || a.component != u8 && a.component != u16 && a.component != u32 || a.normalized {
		c.fault(at, "mesh-primitive-indices-accessor-invalid-format", "accessor %d holds %s of %d components, not single unsigned numbers", i, componentName[a.component], a.elements)
		return
	}
	c.useAccessor(at, i, "indices")
	if a.view < 0 {
		return
	}
	c.useView(at, int(a.view), "indices")
	w := c.l.views[a.view]
	if member(value{c.l, w.token}, "byteStride").exists() {
		c.fault(at, "mesh-primitive-indices-accessor-with-bytestride", "the indices' bufferView %d has a stride", a.view)
	}
	if w.packed != 0 || draco {
		return
	}
	p, ok := c.l.open(at, int32(i))
	if !ok || p.data == nil && p.sparseCount == 0 || !c.l.charge(at, int64(p.count)*4) {
		c.l.err = nil
		return
	}
	all := make([]uint32, p.count)
	if p.data != nil {
		p.integers(all, p.data, p.stride)
	}
	for k := range p.sparseCount {
		size := len(p.sparse) / p.sparseCount
		p.integers(all[p.replaced(k):][:1], p.sparse[k*size:], size)
	}
	restart := map[int32]uint32{u8: 255, u16: 65535, u32: math.MaxUint32}[a.component]
	for k, x := range all {
		if x == restart {
			c.fault(at, "accessor-index-primitive-restart", "index %d of accessor %d is %d, which means something else to a GPU", k, i, x)
			return
		}
		if vertices >= 0 && int64(x) >= vertices {
			c.fault(at, "accessor-index-oob", "index %d of accessor %d is %d, but there are %d vertices", k, i, x, vertices)
			return
		}
	}
}

// influences checks that a vertex's weights sum to 1 and name a joint once.
func (c *checker) influences(attributes value, sets int) {
	var joints, weights [][]float32
	first, named := value{c.l, -1}, value{c.l, -1}
	for s := range sets {
		j, w := member(attributes, fmt.Sprint("JOINTS_", s)), member(attributes, fmt.Sprint("WEIGHTS_", s))
		ji, wi := ref(j, len(c.l.accessors)), ref(w, len(c.l.accessors))
		if ji < 0 || wi < 0 || c.l.accessors[ji].elements != 4 || c.l.accessors[wi].elements != 4 {
			return
		}
		if s == 0 {
			if c.fed[wi] {
				return
			}
			c.fed[wi] = true
			first, named = w, j
		}
		jf, wf := c.read(ji), c.read(wi)
		if len(jf) == 0 || len(jf) != len(wf) {
			return
		}
		joints, weights = append(joints, jf), append(weights, wf)
		if len(jf) != len(joints[0]) {
			return
		}
	}
	told := map[string]bool{}
	tell := func(code, format string, args ...any) {
		if !told[code] {
			told[code] = true
			at := first
			if code == "accessor-joints-index-duplicate" {
				at = named
			}
			c.fault(at, code, format, args...)
		}
	}
	for v := 0; v+4 <= len(weights[0]); v += 4 {
		sum, used := 0.0, 0
		for s := range weights {
			for k := range 4 {
				w := weights[s][v+k]
				sum += float64(w)
				if w < 0 {
					tell("accessor-weights-negative", "vertex %d has the weight %v", v/4, w)
				}
				if w == 0 {
					continue
				}
				used++
				for o := range 4*s + k {
					if weights[o/4][v+o%4] != 0 && joints[o/4][v+o%4] == joints[s][v+k] {
						tell("accessor-joints-index-duplicate", "vertex %d names joint %v twice", v/4, joints[s][v+k])
					}
				}
			}
		}
		if math.Abs(sum-1) > weightTolerance*float64(max(used, 1)) {
			tell("accessor-weights-non-normalized", "the weights of vertex %d sum to %.6g, not 1", v/4, sum)
		}
	}
}

// weightTolerance is how far from 1 a sum may be for each weight in it.
const weightTolerance = 2e-7
