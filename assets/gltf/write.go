package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"unsafe"

	"github.com/bindpose/bindpose/assets"
)

// Write writes a model as binary glTF 2.0 (GLB) with everything embedded. Node i
// of the file is joint i of the skeleton.
//
// What is written is valid, so what glTF forbids is put right on the way, and
// moves no vertex by more than rounding does: skin weights are scaled to sum to
// 1, several influences of a vertex by one joint become one, a skin on a mesh
// that has no joints is left out, as are clips that move nothing, meshes without
// primitives, and pictures that are missing or of no known kind; a skin whose
// joints are under several roots gets a node above them all. All else comes back
// from Decode as it was. Pictures are written as they are, never encoded
// again.
func Write(m *assets.Model, w io.Writer) error { return WriteExtended(m, w, Extended{}) }

// Extended is what a format on top of glTF adds to a file.
type Extended struct {
	// Extensions are members of the root's extensions; their names are added to
	// extensionsUsed.
	Extensions map[string]any
	// NodeExtensions are members of nodes' extensions, by joint; their names
	// must be in Used.
	NodeExtensions map[int]map[string]any
	// Used are further names of extensionsUsed.
	Used []string
	// Generator is the asset's generator; "" is Bindpose.
	Generator string
}

// WriteExtended is Write with extensions of another format.
func WriteExtended(m *assets.Model, w io.Writer, extended Extended) error {
	g := &writer{m: m, extended: extended, used: map[string]bool{}, required: map[string]bool{}, shared: map[sharedKey]int{}}
	for _, step := range []func(){
		g.asset,
		g.images, // textures, samplers
		g.materials,
		g.meshes,
		g.skins,
		g.animations, // in front of nodes: whether a joint is moved decides how its rest is written
		g.nodes,
		g.cameras,
		g.scenes,
		g.extensions,
	} {
		if step(); g.err != nil {
			return fmt.Errorf("%s: %w", m.Name, g.err)
		}
	}
	return g.file(w)
}

// obj is a JSON object; its keys are written sorted.
type obj map[string]any

type writer struct {
	m        *assets.Model
	extended Extended
	err      error

	root             obj
	bin              []byte
	views, accessors []obj
	meshAt           []int // by mesh: its place in the file, -1 for none
	skinned          []bool
	moved            map[int32]bool // joints that a written channel moves
	root1            bool           // a node was added above all
	used, required   map[string]bool
	shared           map[sharedKey]int
}

// sharedKey is a slice that was written, and as what.
type sharedKey struct {
	at   unsafe.Pointer
	n    int
	what string
}

func (g *writer) asset() {
	generator := g.extended.Generator
	if generator == "" {
		generator = "Bindpose"
	}
	g.root = obj{"asset": obj{"version": "2.0", "generator": generator}}
}

// GL's numbers of bufferView targets.
const (
	arrayBuffer        = 34962
	elementArrayBuffer = 34963
)

// view appends bytes to the binary chunk, at a multiple of four.
func (g *writer) view(data []byte, target int) int {
	for len(g.bin)%4 != 0 {
		g.bin = append(g.bin, 0)
	}
	v := obj{"buffer": 0, "byteOffset": len(g.bin), "byteLength": len(data)}
	if target != 0 {
		v["target"] = target
	}
	g.bin = append(g.bin, data...)
	g.views = append(g.views, v)
	return len(g.views) - 1
}

// once returns the accessor that was made of the same slice before, or makes it.
func once[T any](g *writer, s []T, what string, make func() int) int {
	key := sharedKey{unsafe.Pointer(unsafe.SliceData(s)), len(s), what}
	if a, ok := g.shared[key]; ok && len(s) > 0 {
		return a
	}
	a := make()
	g.shared[key] = a
	return a
}

var typeOf = map[int]string{1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}

// floats writes elements of width floats; bounds adds the least and most, which
// positions and times must have.
func (g *writer) floats(f []float32, width, target int, bounds bool) int {
	a := obj{"componentType": f32, "count": len(f) / width, "type": typeOf[width]}
	if i := notFinite(f); i >= 0 && g.err == nil {
		g.err = fmt.Errorf("number %d of %d is not finite, which glTF cannot hold", i, len(f))
	}
	if bounds {
		least, most := make([]float32, width), make([]float32, width)
		copy(least, f)
		copy(most, f)
		for i, x := range f {
			least[i%width], most[i%width] = min(least[i%width], x), max(most[i%width], x)
		}
		a["min"], a["max"] = least, most
	}
	data := make([]byte, 0, 4*len(f))
	for _, x := range f {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	}
	a["bufferView"] = g.view(data, target)
	return g.accessor(a)
}

func (g *writer) accessor(a obj) int {
	g.accessors = append(g.accessors, a)
	return len(g.accessors) - 1
}

// flat is a run of vectors or matrices as the run of floats that it is.
func flat[T any](s []T) []float32 {
	var one T
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(one))/4)
}

// list adds a list to the root, unless it is empty, which glTF forbids.
func list[T any](g *writer, key string, l []T) {
	if len(l) > 0 {
		g.root[key] = l
	}
}

func named(o obj, name string) obj {
	if name != "" {
		o["name"] = name
	}
	return o
}

func (g *writer) extensions() {
	own, _ := g.root["extensions"].(obj)
	if own == nil {
		own = obj{}
	}
	for name, e := range g.extended.Extensions {
		own[name] = e
		g.used[name] = true
	}
	for _, name := range g.extended.Used {
		g.used[name] = true
	}
	if len(own) > 0 {
		g.root["extensions"] = own
	}
	if len(g.used) > 0 {
		g.root["extensionsUsed"] = sortedKeys(g.used)
	}
	if len(g.required) > 0 {
		g.root["extensionsRequired"] = sortedKeys(g.required)
	}
}

// file puts the chunks together (glTF 2.0 §4.4).
func (g *writer) file(w io.Writer) error {
	for len(g.bin)%4 != 0 {
		g.bin = append(g.bin, 0)
	}
	if len(g.bin) > 0 {
		g.root["buffers"] = []obj{{"byteLength": len(g.bin)}}
	}
	list(g, "bufferViews", g.views)
	list(g, "accessors", g.accessors)
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(g.root); err != nil {
		return fmt.Errorf("%s: %w", g.m.Name, err)
	}
	chunk := bytes.TrimRight(text.Bytes(), "\n")
	for len(chunk)%4 != 0 {
		chunk = append(chunk, ' ')
	}
	size := 12 + 8 + len(chunk)
	if len(g.bin) > 0 {
		size += 8 + len(g.bin)
	}
	if int64(size) > math.MaxUint32 {
		return fmt.Errorf("%s: %d bytes are more than a GLB file can hold", g.m.Name, size)
	}
	head := append([]byte(glbMagic), make([]byte, 0, 16)...)
	head = binary.LittleEndian.AppendUint32(head, 2)
	head = binary.LittleEndian.AppendUint32(head, uint32(size))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(chunk)))
	head = binary.LittleEndian.AppendUint32(head, chunkJSON)
	parts := [][]byte{head, chunk}
	if len(g.bin) > 0 {
		between := binary.LittleEndian.AppendUint32(nil, uint32(len(g.bin)))
		parts = append(parts, binary.LittleEndian.AppendUint32(between, chunkBIN), g.bin)
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return fmt.Errorf("%s: %w", g.m.Name, err)
		}
	}
	return nil
}
