package gltf

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/internal/ordinary"
)

// Load reads the glTF 2.0 file at path: .gltf, .glb, or one of their kin such as
// .vrm; the bytes decide, not the name. Buffers and images beside it are read
// from its folder and the folders below; none is read from anywhere else, be it
// through "..", an absolute path or a symbolic link.
//
// Errors are *Error, which names the file and the JSON path, or wrap the
// system's error. A missing image is a Warning.
func Load(path string) (*assets.Model, error) {
	f, err := ordinary.Open(path)
	if err != nil {
		return nil, &Error{File: path, Message: "cannot be opened: " + cause(err), Kind: err}
	}
	defer f.Close()
	s := takeScratch()
	defer s.free()
	m, err := readModel(f, s.head)
	if err != nil {
		return nil, &Error{File: path, Message: err.Error(), Kind: kindOf(err)}
	}
	beside := ordinary.NewFolder(filepath.Dir(path))
	defer beside.Close()
	return decode(path, m, beside, &s.doc)
}

// Decode reads a glTF 2.0 file from memory. name is used in messages and for
// Model.Name and Model.Path. fsys is the folder that the file's relative URIs
// start from; nil where there is none, then every external buffer is an error
// and every external image a Warning.
//
// Image.Data, joints, and the floats of the model's attributes and clips may be
// part of data, and of each other, so neither data nor they may be changed
// afterwards. Memory beyond data is at most 48 MiB and 40 times the size of the
// file and of what it names.
func Decode(name string, data []byte, fsys fs.FS) (*assets.Model, error) {
	json, bin, err := split(data)
	if err != nil {
		return nil, &Error{File: name, Message: err.Error(), Kind: kindOf(err)}
	}
	s := takeScratch()
	defer s.free()
	return decode(name, parts{json, bin, int64(len(data)), false}, fsys, &s.doc)
}

// parts are those of a file that count. What is decoded from them keeps bin, and
// nothing of json.
type parts struct {
	json, bin []byte // bin is nil where there is none
	size      int64  // the file's, in bytes
	own       bool   // nobody else knows of bin
}

// decode is Decode. doc is given back empty.
func decode(name string, file parts, fsys fs.FS, doc *document) (*assets.Model, error) {
	doc.text = file.json
	if err := doc.parse(); err != nil {
		return nil, &Error{File: name, Message: err.Error()}
	}
	base := filepath.Base(name)
	l := &loader{
		doc: doc, file: name, fsys: fsys, bin: file.bin, own: file.own, input: file.size,
		m: &assets.Model{
			Name: strings.TrimSuffix(base, filepath.Ext(base)), Path: name,
			Scene: -1, Skeleton: &animation.Skeleton{},
		},
	}
	l.root = value{l, 0}
	for _, step := range []func(){
		l.asset,      // version and extensions: may this file be read at all
		l.storage,    // buffers, views, accessors: only their sizes
		l.images,     // encoded, not decoded
		l.textures,   //
		l.materials,  //
		l.meshes,     // attributes, indices, morph targets
		l.cameras,    //
		l.lights,     //
		l.nodes,      // hierarchy, parents first
		l.skins,      // joints by the skeleton's numbering
		l.bindings,   // each skinned mesh fits its skin
		l.scenes,     //
		l.animations, // clips
		l.unitNormals,
	} {
		if step(); l.err != nil {
			return nil, l.err
		}
	}
	return l.m, nil
}

// loader is one file on its way into a Model.
type loader struct {
	doc  *document
	root value
	file string
	fsys fs.FS
	bin  []byte
	m    *assets.Model
	err  error // the first mistake; the steps stop at it

	lenient bool // storage goes on behind a mistake
	own     bool // the buffers' bytes are nobody else's

	input, spent int64               // bytes read and bytes allocated, see charge
	external     map[string]external // by path below the folder

	buffers   []buffer
	views     []bufferView
	accessors []accessor
	// How many of these are the file's; those behind hold what was unpacked.
	fileBuffers, fileViews, fileAccessors int

	floatRuns []floatRun
	normals   []int32 // of floatRuns, those that unitNormals is to make unit
	jointRuns map[jointKey]*jointRun
	indexRuns map[indexKey]*indexRun
	summed    map[*[4]float32]bool // weights checked by checkSums
	meshFits  []meshFit            // by mesh

	glossTextures map[glossKey]int32 // the first of the two that solvePixels made
	nodeAt        []int              // by node of the file: its token
	materialAt    []int              // by material, once a clip moves one
	joint         []int32            // by node of the file: its joint in the skeleton
}

// What a file may ask for: so much, and so much for each of its bytes.
const chargeLeast, chargePerByte = 48 << 20, 20

// charge accounts for memory that the file asks for, so that a few bytes of JSON
// cannot ask for gigabytes.
func (l *loader) charge(at value, n int64) bool {
	if l.err != nil {
		return false
	}
	if n < 0 || n > 1<<50 || l.spent+n > chargeLeast+chargePerByte*l.input {
		l.fail(at, "needs %d bytes more than the %d in use; a file of %d bytes does not account for that, so it is wrong", n, l.spent, l.input)
		return false
	}
	l.spent += n
	return true
}

// list returns the elements of a top-level array as a value, having paid for
// size bytes an element.
func (l *loader) list(key string, size int64) (value, int) {
	v := l.root.get(key)
	if v.exists() && v.kind() != kindArray {
		l.fail(v, "is %s, not an array", v.kind())
		return value{l, -1}, 0
	}
	n := v.length()
	if n > 0 && !l.charge(v, int64(n)*size) {
		return value{l, -1}, 0
	}
	return v, n
}

// supported are the extensions that a file may require.
var supported = map[string]bool{
	"KHR_materials_unlit":                 true,
	"KHR_materials_emissive_strength":     true,
	"KHR_materials_pbrSpecularGlossiness": true,
	"KHR_texture_transform":               true,
	"KHR_lights_punctual":                 true,
	"KHR_mesh_quantization":               true,
	"KHR_draco_mesh_compression":          true,
	"EXT_meshopt_compression":             true,
	"KHR_materials_clearcoat":             true,
	"KHR_animation_pointer":               true,
	"EXT_texture_webp":                    true,
}

// additive tells of an extension that adds to a model and changes nothing of
// what glTF itself says of it: a file that requires it may be read without.
// VRM's are such.
func additive(name string) bool { return name == "VRM" || strings.HasPrefix(name, "VRMC_") }

// reasons say of a known extension why it is refused.
var reasons = map[string]string{
	"KHR_texture_basisu": "its textures are Basis-compressed KTX2, which is not decoded; export PNG, JPEG or WebP",
}

func (l *loader) asset() {
	if k := l.root.kind(); k != kindObject {
		l.fail(value{l, -1}, "the JSON is %s, not an object; this is no glTF file", k)
		return
	}
	a := l.root.need("asset")
	version := a.need("version").text()
	l.m.Generator, l.m.Version = a.get("generator").text(), version
	if l.err != nil {
		return
	}
	need := version
	at := a.get("version")
	if least := a.get("minVersion"); least.exists() {
		need, at = least.text(), least
	}
	major, minor, _ := strings.Cut(need, ".")
	_, errMinor := strconv.Atoi(minor)
	if major != "2" || errMinor != nil && minor != "" || at.i != a.get("version").i && minor != "0" && minor != "" {
		l.failKind(at, ErrUnsupported, "glTF %q is not read, only 2.0", shorten(need))
		return
	}
	for _, e := range l.root.get("extensionsUsed").elements() {
		if l.charge(e, 16) {
			l.m.Extensions = append(l.m.Extensions, e.text())
		}
	}
	for _, e := range l.root.get("extensionsRequired").elements() {
		name := e.text()
		if !supported[name] && !additive(name) && l.err == nil {
			why, known := reasons[name]
			if !known {
				why = "the file cannot be shown rightly without it, and it is not known here"
			}
			l.failKind(e, ErrUnsupported, "the file requires the extension %s: %s", shorten(name), why)
		}
		if l.charge(e, 16) {
			l.m.ExtensionsRequired = append(l.m.ExtensionsRequired, name)
		}
	}
	for _, e := range l.root.get("extensionsUsed").elements() {
		if name := e.text(); !supported[name] {
			l.warn(e, "the extension %s is not known here and was ignored", shorten(name))
		}
	}
}

// cause is a system error without the path, which the message has already.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

func kindOf(err error) error {
	if errors.Is(err, ErrUnsupported) {
		return ErrUnsupported
	}
	return nil
}
