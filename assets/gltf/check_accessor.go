package gltf

import (
	"encoding/binary"
	"math"
	"strings"

	"github.com/bindpose/bindpose/assets/image"
)

// matrixColumns is the columns and rows of a matrix type, whose columns begin at
// multiples of four bytes (glTF 2.0 §3.6.2.4).
var matrixColumns = map[string]int64{"MAT2": 2, "MAT3": 3, "MAT4": 4}

func (c *checker) accessors() {
	for i, v := range c.top("accessors") {
		a := c.l.accessors[i]
		c.sparse(v, a)
		if at := member(v, "byteOffset"); at.exists() && !member(v, "bufferView").exists() {
			c.fault(at, "unsatisfied-dependency", "byteOffset needs a bufferView")
		}
		size := componentSize(a.component)
		if size == 0 {
			continue
		}
		if a.elements == 0 {
			continue
		}
		if a.normalized && (a.component == f32 || a.component == u32) {
			c.fault(member(v, "normalized"), "accessor-normalized-invalid", "only bytes and shorts are normalised, not %s", componentName[a.component])
		}
		for _, key := range []string{"min", "max"} {
			m := member(v, key)
			if m.kind() == kindArray && m.length() != int(a.elements) {
				c.fault(m, "array-length-not-in-list", "has %d numbers for elements of %d", m.length(), a.elements)
			}
			if a.component == f32 {
				continue
			}
			for _, e := range all(m) {
				if x, ok := number(e); ok && !fits(x, a.component) {
					c.fault(m, "invalid-gl-value", "%v is nothing that %s can be", x, componentName[a.component])
					break
				}
			}
		}
		element := size * int64(a.elements)
		if columns := matrixColumns[str(member(v, "type"))]; columns > 0 {
			if column := size * columns; column%4 != 0 {
				element = (columns-1)*((column+3)/4*4) + column // the last is not padded
				c.alignedMatrix(v, i, a)
			}
		}
		if a.view >= 0 {
			w := c.l.views[a.view]
			stride := (element + size - 1) / size * size
			if matrixColumns[str(member(v, "type"))] > 0 {
				stride = (element + 3) / 4 * 4
			}
			if w.stride != 0 {
				stride = w.stride
			}
			if w.stride != 0 && w.stride < element {
				c.fault(v, "accessor-small-bytestride", "elements of %d bytes lie %d apart", element, w.stride)
			}
			if a.offset%size != 0 {
				c.fault(v, "accessor-offset-alignment", "byteOffset %d is no multiple of the component's %d bytes", a.offset, size)
			}
			if (w.offset+a.offset)%size != 0 {
				c.fault(v, "accessor-total-offset-alignment", "begins at byte %d, no multiple of the component's %d bytes", w.offset+a.offset, size)
			}
			if end := a.offset + stride*(a.count-1) + element; a.count > 0 && a.count < maxInt/256 && end > w.length {
				c.fault(v, "accessor-too-long", "reads bytes %d..%d of bufferView %d, which has %d", a.offset, end, a.view, w.length)
				continue
			}
			if w.packed != 0 {
				continue
			}
		}
		if matrixColumns[str(member(v, "type"))] == 0 || a.component == f32 {
			c.elements(v, int32(i), a)
		}
	}
}

// fits tells whether a component type has a number.
func fits(x float64, component int32) bool {
	bits := 8 * componentSize(component)
	least, most := 0.0, math.Exp2(float64(bits))-1
	if component == i8 || component == i16 {
		least, most = -math.Exp2(float64(bits-1)), math.Exp2(float64(bits-1))-1
	}
	return x == math.Trunc(x) && x >= least && x <= most
}

func (c *checker) alignedMatrix(v value, i int, a accessor) {
	if a.view < 0 {
		return
	}
	w := c.l.views[a.view]
	if a.offset%4 != 0 || w.stride%4 != 0 {
		c.fault(v, "accessor-matrix-alignment", "the columns of accessor %d's matrices do not begin at multiples of 4 bytes", i)
	}
}

func (c *checker) sparse(v value, a accessor) {
	s := member(v, "sparse")
	if s.kind() != kindObject {
		return
	}
	count, _ := number(member(s, "count"))
	if count > float64(a.count) {
		c.fault(member(s, "count"), "accessor-sparse-count-out-of-range", "replaces %v of %d elements", count, a.count)
	}
	for key, size := range map[string]int64{
		"indices": componentSize(int32(ref(member(member(s, "indices"), "componentType"), 1<<16))),
		"values":  componentSize(a.component),
	} {
		part := member(s, key)
		i := ref(member(part, "bufferView"), len(c.l.views))
		if i < 0 || size == 0 {
			continue
		}
		c.unstrided(member(part, "bufferView"), i, "sparse "+key)
		offset, _ := number(member(part, "byteOffset"))
		w := c.l.views[i]
		if int64(offset)%size != 0 || (w.offset+int64(offset))%size != 0 {
			c.fault(part, "accessor-total-offset-alignment", "the sparse %s begin at byte %d, no multiple of %d", key, w.offset+int64(offset), size)
		}
		if key == "values" {
			size *= int64(a.elements)
		}
		if count < maxInt/256 && int64(offset)+int64(count)*size > w.length {
			c.fault(part, "accessor-too-long", "the sparse %s end beyond bufferView %d of %d bytes", key, i, w.length)
		}
	}
}

// elements reads an accessor and compares it with what it tells of itself.
func (c *checker) elements(v value, i int32, a accessor) {
	if a.count > 1<<26 {
		return
	}
	p, ok := c.l.open(v, i)
	if !ok {
		// Told where the buffer or the sparse part is, but for this.
		if e, wrong := c.l.err.(*Error); wrong && e.Kind == errSparseIndex {
			c.fault(member(v, "sparse"), "accessor-sparse-index-oob", "%s", e.Message)
		}
		c.l.err = nil
		return
	}
	if p.data == nil && p.sparseCount == 0 {
		return // zeros
	}
	n := p.elements
	if !c.l.charge(v, int64(p.count)*int64(n)*4) {
		c.l.err = nil
		return
	}
	p.normalized = false
	f := make([]float32, p.count*n)
	if p.data != nil {
		p.convert(f, n, p.data, p.stride, p.count)
	}
	last := -1
	for k := range p.sparseCount {
		if x := p.replaced(k); x <= last {
			c.fault(member(member(v, "sparse"), "indices"), "accessor-sparse-indices-non-increasing", "index %d is %d after %d", k, x, last)
			break
		} else {
			last = x
		}
	}
	if p.sparseCount > 0 {
		c.l.overlay(&p, f, n)
	}
	if p.component == f32 {
		if k := notFinite(f); k >= 0 {
			c.fault(v, "accessor-invalid-float", "element %d is not a finite number", k/n)
			return
		}
	}
	least, most := make([]float32, n), make([]float32, n)
	copy(least, f)
	copy(most, f)
	for k, x := range f {
		least[k%n], most[k%n] = min(least[k%n], x), max(most[k%n], x)
	}
	for _, key := range []string{"min", "max"} {
		m, got, beyond := member(v, key), least, "below"
		if key == "max" {
			got, beyond = most, "above"
		}
		if m.kind() != kindArray || m.length() != n {
			continue
		}
		for k, e := range all(m) {
			if x, ok := number(e); ok && float32(x) != got[k] {
				c.fault(e, "accessor-"+key+"-mismatch", "the accessor says %v, but its elements have %v", x, got[k])
				if (float32(x) > got[k]) == (key == "min") {
					c.fault(e, "accessor-element-out-of-"+key+"-bound", "some elements are %s %v", beyond, x)
				}
			}
		}
	}
}

// read returns an accessor's elements as floats, normalised; nil where the file
// has none.
func (c *checker) read(i int) []float32 {
	if i < 0 {
		return nil
	}
	a := c.l.accessors[i]
	if a.view < 0 && a.sparse < 0 || a.view >= 0 && c.l.views[a.view].packed != 0 {
		return nil
	}
	v := value{c.l, c.l.accessors[i].token}
	p, ok := c.l.open(v, int32(i))
	if !ok || !c.l.charge(v, int64(p.count)*int64(p.elements)*4) {
		c.l.err = nil
		return nil
	}
	f := make([]float32, p.count*p.elements)
	if p.data != nil {
		p.convert(f, p.elements, p.data, p.stride, p.count)
	}
	if p.sparseCount > 0 {
		c.l.overlay(&p, f, p.elements)
	}
	return f
}

func (c *checker) images() {
	kinds := make([]string, len(c.top("images")))
	defer c.textureKinds(kinds)
	for n, v := range c.top("images") {
		uri, view := member(v, "uri"), member(v, "bufferView")
		if uri.exists() == view.exists() {
			c.fault(v, "one-of-mismatch", "has %s of uri and bufferView, and needs one", map[bool]string{true: "both", false: "neither"}[uri.exists()])
			continue
		}
		if view.exists() && !member(v, "mimeType").exists() {
			c.fault(v, "unsatisfied-dependency", "bufferView needs a mimeType")
		}
		var data []byte
		if view.exists() {
			i := ref(view, len(c.l.views))
			if i < 0 {
				continue
			}
			c.useView(v, i, "pictures")
			if c.l.views[i].stride != 0 {
				c.fault(view, "image-buffer-view-with-bytestride", "the picture's bufferView %d has a stride", i)
			}
			if c.l.views[i].packed != 0 {
				continue
			}
			data = c.l.view(int32(i), view, "the image")
		} else if uri.kind() == kindString {
			raw := []byte(uri.text())
			bytes, ok, err := dataURI(raw)
			if !ok {
				if remote(string(raw)) {
					continue
				}
				if bytes, err = c.l.beside(string(raw), image.MaxBytes+1); err != nil {
					c.fault(uri, "io-error", "%q cannot be read: %v", shorten(string(raw)), err)
					continue
				}
			} else if err != nil {
				c.fault(uri, "invalid-uri", "%v", err)
				continue
			}
			data = bytes
			head, _, _ := strings.Cut(strings.TrimPrefix(str(uri), "data:"), ",")
			says, _, _ := strings.Cut(head, ";")
			if kind := image.Sniff(data); ok && says != kind && (kind == "" || kind == "image/png" || kind == "image/jpeg" || kind == "image/webp") {
				c.fault(uri, "invalid-uri", "the data URI says %q, but its bytes are %s", shorten(says), kind)
			}
		}
		if c.l.err != nil || data == nil {
			c.l.err = nil
			continue
		}
		kind := image.Sniff(data)
		kinds[n] = kind
		if says := str(member(v, "mimeType")); says != "" && kind != says && (kind == "image/png" || kind == "image/jpeg" || kind == "image/webp") {
			c.fault(v, "image-mime-type-invalid", "says %q, but its bytes are %s", shorten(says), kind)
		}
		if kind == "image/png" && !pngHasPixels(data) {
			c.fault(v, "image-unexpected-eos", "the PNG ends before its pixels")
		} else if kind == "image/png" || kind == "image/jpeg" {
			if _, _, err := image.Size(data); err != nil {
				c.fault(v, "image-data-invalid", "%v", err)
			}
		}
		if kind == "image/webp" && !c.usesExtension("EXT_texture_webp") {
			c.fault(v, "image-non-enabled-mime-type", "is a WebP picture, which needs the extension EXT_texture_webp")
		}
	}
}

// pngHasPixels walks a PNG's chunks to the first of its pixels (PNG §5.3).
func pngHasPixels(data []byte) bool {
	for at := int64(8); at+8 <= int64(len(data)); {
		if string(data[at+4:at+8]) == "IDAT" {
			return true
		}
		at += 12 + int64(binary.BigEndian.Uint32(data[at:]))
	}
	return false
}

// textureKinds checks that a texture's picture is of the kind that stands there:
// WebP under EXT_texture_webp, others elsewhere. kinds are of the pictures that
// could be read.
func (c *checker) textureKinds(kinds []string) {
	for _, v := range c.top("textures") {
		webp := member(member(member(v, "extensions"), "EXT_texture_webp"), "source")
		if i := ref(webp, len(kinds)); i >= 0 && kinds[i] != "" && kinds[i] != "image/webp" {
			c.fault(webp, "texture-invalid-image-mime-type", "picture %d is %s, not image/webp", i, kinds[i])
		}
		source := member(v, "source")
		if i := ref(source, len(kinds)); i >= 0 && kinds[i] == "image/webp" {
			c.fault(source, "texture-invalid-image-mime-type", "picture %d is image/webp, which only EXT_texture_webp may name", i)
		}
	}
}

func (c *checker) usesExtension(name string) bool {
	for _, e := range all(member(c.root, "extensionsUsed")) {
		if e.is(name) {
			return true
		}
	}
	return false
}

// materials collects what sets of texture coordinates each needs.
func (c *checker) materials() {}

// setsOf calls do with each texture use of a material and its set.
func (c *checker) setsOf(material value, do func(at value, set int)) {
	var visit func(v value, depth int)
	visit = func(v value, depth int) {
		if depth > 4 {
			return
		}
		c.members(v, func(key string, m value) {
			if m.kind() != kindObject || key == "extras" {
				return
			}
			if index := member(m, "index"); index.exists() && len(key) > 7 && key[len(key)-7:] == "Texture" {
				set, _ := number(member(m, "texCoord"))
				if t := member(member(member(m, "extensions"), "KHR_texture_transform"), "texCoord"); t.exists() {
					set, _ = number(t)
				}
				do(m, int(min(max(set, 0), math.MaxInt16)))
				return
			}
			visit(m, depth+1)
		})
	}
	visit(material, 0)
}

func (c *checker) cameras() {
	for _, v := range c.top("cameras") {
		kind := str(member(v, "type"))
		p, o := member(v, "perspective"), member(v, "orthographic")
		if p.exists() && o.exists() || kind == "perspective" && !p.exists() || kind == "orthographic" && !o.exists() {
			c.fault(v, "one-of-mismatch", "is of type %q, and needs that projection alone", shorten(kind))
		}
		for _, lens := range []value{p, o} {
			near, ok1 := number(member(lens, "znear"))
			far, ok2 := number(member(lens, "zfar"))
			if ok1 && ok2 && far <= near && (kind == "perspective" && lens == p || kind == "orthographic" && lens == o) {
				c.fault(lens, "camera-zfar-lequal-znear", "zfar %v is not beyond znear %v", far, near)
			}
			for _, key := range []string{"xmag", "ymag"} {
				if x, ok := number(member(lens, key)); ok && x == 0 {
					c.fault(lens, "camera-xmag-ymag-zero", "%s is 0", key)
				}
			}
		}
	}
	lights := member(member(member(c.root, "extensions"), "KHR_lights_punctual"), "lights")
	for _, v := range all(lights) {
		if str(member(v, "type")) == "spot" && !member(v, "spot").exists() {
			c.fault(v, "undefined-property", "spot is required but missing")
		}
	}
	for _, n := range c.top("nodes") {
		if l := member(member(member(n, "extensions"), "KHR_lights_punctual"), "light"); l.exists() && ref(l, lights.length()) < 0 {
			c.fault(l, "unresolved-reference", "there is no such light; the file has %d", lights.length())
		}
	}
}
