package gltf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// Fault is a place where a file breaks the rules of glTF 2.0, whether or not it
// loads.
type Fault struct {
	Code    string // such as accessor-min-mismatch
	Where   string // JSON path; "" for the whole file
	Message string
}

// maxFaults bounds what a broken file can say.
const maxFaults = 200

// Check reads a file as Load does and tells where it breaks the rules of glTF
// 2.0: of its JSON (types, ranges, references), of its accessors against their
// bytes, and of what uses them. Load is more forgiving, since most such faults do
// no harm there; other programs may refuse the file. An error is a file that
// cannot be opened.
func Check(path string) ([]Fault, error) {
	f, err := ordinary.Open(path)
	if err != nil {
		return nil, &Error{File: path, Message: "cannot be opened: " + cause(err), Kind: err}
	}
	defer f.Close()
	data, err := readWhole(f)
	if errors.Is(err, errNotGLTF) {
		code := "invalid-json"
		if strings.EqualFold(filepath.Ext(path), ".glb") || strings.EqualFold(filepath.Ext(path), ".vrm") {
			code = "glb-invalid-magic"
		}
		return []Fault{{Code: code, Message: err.Error()}}, nil
	}
	if err != nil {
		return nil, &Error{File: path, Message: err.Error(), Kind: kindOf(err)}
	}
	beside := ordinary.NewFolder(filepath.Dir(path))
	defer beside.Close()
	return CheckBytes(path, data, beside), nil
}

// CheckBytes is Check of a file in memory; see Decode for fsys.
func CheckBytes(name string, data []byte, fsys fs.FS) []Fault {
	c := &checker{used: map[string]bool{}, undeclared: map[string]bool{}, viewUse: map[int]string{}, accessorUse: map[int]string{}, fed: map[int]bool{}, lists: map[string][]value{}, readers: map[int]int{}}
	c.container(data)
	c.glb = bytes.HasPrefix(data, []byte(glbMagic))
	json, bin, err := split(data)
	if err != nil {
		if len(c.faults) == 0 {
			c.at("", "glb-invalid", "%v", err)
		}
		return c.faults
	}
	if at := bytes.Index(data[:min(len(data), 32)], byteOrderMark); at >= 0 {
		c.at("", "invalid-json", "the JSON begins with a byte order mark, which glTF 2.0 §3.1 forbids")
	}
	doc, err := parseJSON(json)
	if err != nil {
		c.at("", "invalid-json", "%v", err)
		return c.faults
	}
	c.l = &loader{
		doc: doc, file: name, fsys: fsys, bin: bin, input: int64(len(data)),
		m: &assets.Model{Scene: -1, Skeleton: &animation.Skeleton{}}, lenient: true,
	}
	c.root = value{c.l, 0}
	c.l.root = c.root
	if c.root.kind() != kindObject {
		c.at("", "type-mismatch", "the JSON is %s, not an object", c.root.kind())
		return c.faults
	}
	for _, e := range all(member(c.root, "extensionsUsed")) {
		c.used[str(e)] = true
	}
	c.extended(c.root)
	c.shape(c.root, rootShape)
	c.extensions()
	c.nodes()
	c.materials()
	c.cameras()
	c.l.storage()
	if len(c.l.buffers) != len(c.top("buffers")) || len(c.l.views) != len(c.top("bufferViews")) || len(c.l.accessors) != len(c.top("accessors")) {
		c.loadError() // longer than memory allows
		return c.faults
	}
	c.l.err = nil
	c.buffers()
	c.views()
	c.accessors()
	c.images()
	c.meshes()
	c.skins()
	c.animations()
	return c.faults
}

type checker struct {
	l      *loader
	root   value
	faults []Fault
	lists  map[string][]value
	glb    bool // the file is one

	used, undeclared map[string]bool // extensions among extensionsUsed; those told not to be

	viewUse, accessorUse map[int]string
	fed                  map[int]bool // accessors whose floats were checked for being unit
	parents              []int32
	readers              map[int]int  // by bufferView: how many accessors read vertices from it
	bound                map[int]bool // meshes that a skin moves
}

func (c *checker) at(where, code, format string, args ...any) {
	if len(c.faults) < maxFaults {
		if code == "type-mismatch" && slices.ContainsFunc(c.faults, func(f Fault) bool { return f.Code == code && f.Where == where }) {
			return
		}
		c.faults = append(c.faults, Fault{code, where, fmt.Sprintf(format, args...)})
	}
}

func (c *checker) fault(v value, code, format string, args ...any) {
	where := ""
	if v.i >= 0 && len(c.faults) < maxFaults {
		where = c.l.doc.path(v.i)
	}
	c.at(where, code, format, args...)
}

// loadError takes over what the loader stopped at.
func (c *checker) loadError() {
	if e, ok := c.l.err.(*Error); ok && len(c.faults) == 0 {
		c.at(e.Path, "unreadable", "%s", e.Message)
	}
	c.l.err = nil
}

// container checks what split forgives (glTF 2.0 §4.4).
func (c *checker) container(data []byte) {
	if !bytes.HasPrefix(data, []byte(glbMagic)) {
		return
	}
	if len(data) < 12 {
		c.at("", "glb-unexpected-end-of-header", "the GLB header has %d bytes instead of 12; the file is cut off", len(data))
		return
	}
	if v := binary.LittleEndian.Uint32(data[4:]); v != 2 {
		c.at("", "glb-invalid-version", "the GLB has version %d, not 2", v)
		return
	}
	whole := int64(binary.LittleEndian.Uint32(data[8:]))
	if whole <= 20 {
		c.at("", "glb-length-too-small", "the GLB header tells of %d bytes, too few for anything", whole)
	}
	if whole > int64(len(data)) { // what lies behind is not part of it
		c.at("", "glb-length-mismatch", "the GLB header tells of %d bytes, but there are %d", whole, len(data))
	}
	if whole >= 12 {
		data = data[:min(int64(len(data)), whole)]
	}
	seen := map[uint32]bool{}
	for at, n := 12, 0; at+8 <= len(data); n++ {
		size, kind := int64(binary.LittleEndian.Uint32(data[at:])), binary.LittleEndian.Uint32(data[at+4:])
		name := map[uint32]string{chunkJSON: "JSON", chunkBIN: "BIN"}[kind]
		if n == 0 && kind != chunkJSON {
			c.at("", "glb-unexpected-first-chunk", "the first GLB chunk is of kind %#x instead of JSON", kind)
		}
		if size > whole-int64(at)-8 {
			c.at("", "glb-chunk-too-big", "GLB chunk %d tells of %d bytes, beyond the %d of the file", n, size, whole)
		}
		switch {
		case name != "" && seen[kind]:
			c.at("", "glb-duplicate-chunk", "GLB chunk %d is a second %s chunk", n, name)
		case kind == chunkJSON && size == 0:
			c.at("", "glb-empty-chunk", "the JSON chunk is empty")
		case size%4 != 0:
			c.at("", "glb-chunk-length-unaligned", "GLB chunk %d has %d bytes, no multiple of 4", n, size)
		case n == 1 && kind != chunkBIN && name != "":
			c.at("", "glb-unexpected-chunk", "GLB chunk 1 is %s", name)
		case n > 1 && kind == chunkBIN:
			c.at("", "glb-unexpected-bin-chunk", "GLB chunk %d is BIN, which the second must be", n)
		}
		seen[kind] = true
		if size > int64(len(data)-at-8) {
			c.at("", "glb-unexpected-end-of-chunk-data", "GLB chunk %d tells of %d bytes, but %d are left; the file is cut off", n, size, len(data)-at-8)
			break
		}
		if at += 8 + int(size); at < len(data) && len(data)-at < 8 {
			c.at("", "glb-unexpected-end-of-chunk-header", "%d bytes lie behind the last chunk, too few for another", len(data)-at)
		}
	}
}

// member is get without a mistake where v is no object.
func member(v value, key string) value {
	if v.kind() != kindObject {
		return value{v.l, -1}
	}
	return v.get(key)
}

// number is a JSON number, or ok false.
func number(v value) (f float64, ok bool) {
	if v.kind() != kindNumber {
		return 0, false
	}
	before := v.l.err
	f = v.number(0)
	ok = v.l.err == nil || before != nil
	v.l.err = before
	return f, ok
}

// ref is a reference into a list of n, or -1.
func ref(v value, n int) int {
	f, ok := number(v)
	if !ok || f < 0 || f >= float64(n) || f != math.Trunc(f) {
		return -1
	}
	return int(f)
}

// all are the elements of an array; none of anything else.
func all(v value) []value {
	if v.kind() != kindArray {
		return nil
	}
	out := make([]value, 0, min(v.length(), 1<<20))
	t := v.token()
	for k := v.i + 1; k < int(t.next); k = int(v.l.doc.tape[k].next) {
		out = append(out, value{v.l, k})
	}
	return out
}

// top are the objects of a top-level list.
func (c *checker) top(key string) []value {
	list, ok := c.lists[key]
	if !ok {
		list = all(member(c.root, key))
		c.lists[key] = list
	}
	return list
}

func str(v value) string {
	if v.kind() != kindString {
		return ""
	}
	return v.text()
}

func (c *checker) extensions() {
	used, required := map[string]bool{}, map[string]bool{}
	for _, e := range all(member(c.root, "extensionsUsed")) {
		if used[str(e)] {
			c.fault(e, "duplicate-elements", "%s is named twice", shorten(str(e)))
		}
		used[str(e)] = true
	}
	for _, e := range all(member(c.root, "extensionsRequired")) {
		name := str(e)
		if required[name] {
			c.fault(e, "duplicate-elements", "%s is named twice", shorten(name))
		}
		required[name] = true
		if !used[name] {
			c.fault(e, "unused-extension-required", "the extension %s is required but not among extensionsUsed", shorten(name))
		}
	}
	for _, name := range []string{"KHR_mesh_quantization"} {
		if used[name] && !required[name] {
			c.fault(member(c.root, "extensionsUsed"), "non-required-extension", "%s cannot be optional; it must be among extensionsRequired", name)
		}
	}
	version := str(member(member(c.root, "asset"), "version"))
	for _, key := range []string{"version", "minVersion"} {
		if v := member(member(c.root, "asset"), key); v.kind() == kindString && !isVersion(str(v)) {
			c.fault(v, "pattern-mismatch", "%q is no version, which is two numbers with a point between", shorten(str(v)))
		}
	}
	if least := member(member(c.root, "asset"), "minVersion"); laterVersion(str(least), version) {
		c.fault(least, "asset-min-version-greater-than-version", "the least version %s is later than the file's own, %s", shorten(str(least)), shorten(version))
	}
	if isVersion(version) && !strings.HasPrefix(version, "2.") {
		c.fault(member(member(c.root, "asset"), "version"), "unknown-asset-major-version", "glTF %q is not 2.0", shorten(version))
	}
}

// extended checks the extensions of an object of glTF's own; what stands in
// extras or in members that glTF does not know is nobody's business.
func (c *checker) extended(v value) {
	ext := member(v, "extensions")
	if !ext.exists() {
		return
	}
	if ext.kind() != kindObject {
		c.fault(ext, "type-mismatch", "is %s, not an object", ext.kind())
		return
	}
	where := ""
	c.members(ext, func(name string, body value) {
		if body.kind() != kindObject {
			c.fault(body, "type-mismatch", "is %s, not an object", body.kind())
		}
		if places, ok := belongs[name]; ok {
			if where == "" {
				where = plainPath(c.l.doc.path(v.i))
			}
			if !holds(places, where) && !(holds(places, "Texture") && strings.HasSuffix(where, "Texture")) {
				c.fault(body, "unexpected-extension-object", "the extension %s does not belong here", name)
			}
		}
		if !c.used[name] && !c.undeclared[name] && len(c.undeclared) < maxFaults {
			c.undeclared[name] = true
			c.fault(body, "undeclared-extension", "the extension %s is used but not among extensionsUsed", shorten(name))
		}
	})
}

// laterVersion tells whether a version "2.1" is later than another; not where one
// is none.
func laterVersion(a, b string) bool {
	var x, y [2]int
	n, _ := fmt.Sscanf(a, "%d.%d", &x[0], &x[1])
	m, _ := fmt.Sscanf(b, "%d.%d", &y[0], &y[1])
	return n == 2 && m == 2 && (x[0] > y[0] || x[0] == y[0] && x[1] > y[1])
}

func isVersion(s string) bool {
	a, b, ok := strings.Cut(s, ".")
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return ok && digits(a) && digits(b)
}

// belongs says where extensions stand; "Texture" is any use of one.
var belongs = map[string][]string{
	"EXT_texture_webp": {"textures"}, "KHR_texture_basisu": {"textures"}, "KHR_texture_transform": {"Texture"},
	"KHR_materials_unlit": {"materials"}, "KHR_materials_clearcoat": {"materials"}, "KHR_materials_anisotropy": {"materials"},
	"KHR_materials_dispersion": {"materials"}, "KHR_materials_emissive_strength": {"materials"}, "KHR_materials_ior": {"materials"},
	"KHR_materials_iridescence": {"materials"}, "KHR_materials_pbrSpecularGlossiness": {"materials"}, "KHR_materials_sheen": {"materials"},
	"KHR_materials_specular": {"materials"}, "KHR_materials_transmission": {"materials"}, "KHR_materials_volume": {"materials"},
	"KHR_materials_variants": {"", "meshes.primitives"}, "KHR_lights_punctual": {"", "nodes"}, "KHR_node_visibility": {"nodes"},
	"KHR_animation_pointer": {"animations.channels.target"},
	"KHR_mesh_quantization": {},
}

// plainPath is a JSON path without its indices.
func plainPath(path string) string {
	var out strings.Builder
	inside := false
	for _, r := range path {
		switch {
		case r == '[':
			inside = true
		case r == ']':
			inside = false
		case !inside:
			out.WriteRune(r)
		}
	}
	return out.String()
}

// remote tells of a URI with a scheme other than data.
func remote(uri string) bool {
	scheme, rest, ok := strings.Cut(uri, ":")
	return ok && strings.HasPrefix(rest, "//") && scheme != "" && scheme != "data"
}

func (c *checker) buffers() {
	for i, v := range c.top("buffers") {
		if i >= len(c.l.buffers) {
			break
		}
		uri := member(v, "uri")
		if s := str(uri); strings.HasPrefix(s, "data:") {
			head, _, _ := strings.Cut(s[5:], ",")
			if strings.Contains(head, ";;") {
				c.fault(uri, "invalid-uri", "%q is no head of a data URI", shorten(head))
			}
			if kind, _, _ := strings.Cut(strings.ToLower(head), ";"); kind != "application/octet-stream" && kind != "application/gltf-buffer" {
				c.fault(uri, "buffer-data-uri-mime-type-invalid", "the data URI's type is %q, not application/octet-stream or application/gltf-buffer", shorten(kind))
			}
		}
		if ext := member(member(v, "extensions"), "EXT_meshopt_compression"); ext.exists() {
			continue // a place for what is unpacked
		}
		if remote(str(uri)) {
			continue // only files beside the model are read, which is no fault of this one
		}
		if !uri.exists() && i == 0 && c.glb && c.l.bin == nil && c.l.buffers[0].length > 0 {
			c.fault(v, "buffer-missing-glb-data", "is the binary chunk's, but the file has none")
		}
		if !uri.exists() && (i > 0 || c.l.bin == nil) {
			continue // nothing to read; what reads it is told
		}
		c.l.bytes(int32(i), v)
		if c.l.err != nil {
			e := c.l.err.(*Error)
			code := "buffer-byte-length-mismatch"
			if e.Kind != nil {
				code = "io-error"
			} else if strings.Contains(e.Message, "base64") || strings.Contains(e.Message, "URI") {
				code = "invalid-uri"
			}
			c.at(e.Path, code, "%s", e.Message)
			c.l.err = nil
		}
	}
}

func (c *checker) views() {
	for i, v := range c.top("bufferViews") {
		w := c.l.views[i]
		if w.buffer >= 0 && w.offset+w.length > c.l.buffers[w.buffer].length {
			c.fault(v, "buffer-view-too-long", "ends at byte %d of a buffer of %d", w.offset+w.length, c.l.buffers[w.buffer].length)
		}
		stride := member(v, "byteStride")
		if stride.exists() {
			if f, _ := number(member(v, "target")); f == elementArrayBuffer {
				c.fault(stride, "buffer-view-invalid-byte-stride", "a bufferView of indices has no stride")
			}
			if w.stride > w.length {
				c.fault(stride, "buffer-view-too-big-byte-stride", "the stride of %d is more than the bufferView's %d bytes", w.stride, w.length)
			}
		}
		switch f, ok := number(member(v, "target")); {
		case ok && f == elementArrayBuffer:
			c.viewUse[i] = "indices"
		case ok && f == arrayBuffer:
			c.viewUse[i] = "vertices"
		}
	}
}

// unstrided tells where a bufferView has a stride that holds no vertices.
func (c *checker) unstrided(at value, view int, what string) {
	if view >= 0 && view < len(c.l.views) && member(value{c.l, c.l.views[view].token}, "byteStride").exists() {
		c.fault(at, "buffer-view-invalid-byte-stride", "bufferView %d has a stride, which %s have not", view, what)
	}
}

// useView notes what a bufferView is for and tells where it is for two things.
func (c *checker) useView(at value, view int, use string) {
	if view < 0 {
		return
	}
	if before := c.viewUse[view]; before != "" && before != use {
		c.fault(at, "buffer-view-target-override", "bufferView %d holds %s, but is used for %s", view, before, use)
		return
	}
	c.viewUse[view] = use
}

func (c *checker) useAccessor(at value, i int, use string) {
	if before := c.accessorUse[i]; before != "" && before != use {
		c.fault(at, "accessor-usage-override", "accessor %d is used for %s and for %s", i, before, use)
		return
	}
	c.accessorUse[i] = use
}
