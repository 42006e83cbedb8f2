package gltf_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
)

// cut is a file whose second primitive reads beyond its buffer.
func cut() string {
	var f made
	p := f.triangle()
	view := f.data(0, []float32{1, 2, 3})
	long := f.accessor(view, 5126, 4, "VEC3", "")
	f.rest = fmt.Sprintf(`,"meshes":[{"primitives":[{"attributes":{"POSITION":%d}},{"attributes":{"POSITION":%d}}]}]`, p, long)
	return f.json()
}

// animated is a file with one channel of the given times and path.
func animated(output int, path string, times ...float32) string {
	var f made
	in := f.floats("SCALAR", len(times), times...)
	out := f.floats("VEC3", output, make([]float32, 3*output)...)
	f.rest = fmt.Sprintf(`,"nodes":[{}],"animations":[{"samplers":[{"input":%d,"output":%d}],"channels":[{"sampler":0,"target":{"node":0,"path":%q}}]}]`, in, out, path)
	return f.json()
}

// skinned is a file whose vertices are bound to joints 0 to 3 of a skin of two.
func skinned() string {
	var f made
	p := f.triangle()
	j := f.accessor(f.data(0, []uint8{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}), 5121, 3, "VEC4", "")
	w := f.floats("VEC4", 3, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25, 0.25)
	f.primitive(fmt.Sprintf(`"POSITION":%d,"JOINTS_0":%d,"WEIGHTS_0":%d`, p, j, w))
	f.rest += `,"nodes":[{},{},{"mesh":0,"skin":0}],"skins":[{"joints":[0,1]}]`
	return f.json()
}

func primitive(attributes func(f *made) string) string {
	var f made
	f.primitive(attributes(&f))
	return f.json()
}

const head = `{"asset":{"version":"2.0"}`

// An error names the JSON path and says what is wrong.
func TestBadFiles(t *testing.T) {
	for _, c := range []struct {
		name, file, path, message string
		kind                      error
	}{
		{"cut off", cut(), "meshes[0].primitives[1].attributes.POSITION",
			"accessor 1 reads bytes 36..84 of a buffer of 48; the file is cut off or its accessor is wrong", nil},
		{"enormous accessor", strings.Replace(cut(), `"count":4`, `"count":4000000000`, 1), "meshes[0].primitives[1].attributes.POSITION",
			"accessor 1 reads bytes 36..48000000036 of a buffer of 48; the file is cut off or its accessor is wrong", nil},
		{"enormous zeros", primitive(func(f *made) string {
			return fmt.Sprintf(`"POSITION":%d`, f.accessor(-1, 5126, 4000000000, "VEC3", ""))
		}), "meshes[0].primitives[0].attributes.POSITION", "needs 48000000000 bytes more", nil},
		{"enormous sparse", primitive(func(f *made) string {
			v := f.data(0, []uint32{1, 2, 3, 4})
			return fmt.Sprintf(`"POSITION":%d`, f.accessor(-1, 5126, 4000000, "VEC3",
				fmt.Sprintf(`,"sparse":{"count":3000000,"indices":{"bufferView":%d,"componentType":5125},"values":{"bufferView":%d}}`, v, v)))
		}), "meshes[0].primitives[0].attributes.POSITION", "the sparse indices of accessor 0 read bytes 0..12000000 of bufferView 0 of 16", nil},
		{"overflow", strings.Replace(cut(), `"count":4`, `"count":99999999999999999999`, 1), "accessors[1].count", "99999999999999999999 is too large a number", nil},
		{"negative", strings.Replace(cut(), `"count":4`, `"count":-4`, 1), "accessors[1].count", "-4 is not a whole number of at least 0", nil},
		{"strange component", strings.Replace(cut(), `5126`, `5130`, 1), "meshes[0].primitives[0].attributes.POSITION", "accessor 0 has the unknown component type 5130", nil},
		{"strange type", strings.Replace(cut(), `VEC3`, `VEC9`, 1), "meshes[0].primitives[0].attributes.POSITION", "accessor 0 has the unknown type VEC9", nil},
		{"too few components", primitive(func(f *made) string { return fmt.Sprintf(`"POSITION":%d`, f.floats("VEC2", 1, 0, 0)) }),
			"meshes[0].primitives[0].attributes.POSITION", "accessor 0 has elements of 2 components where 3 belong", nil},
		{"unequal counts", primitive(func(f *made) string {
			return fmt.Sprintf(`"POSITION":%d,"NORMAL":%d`, f.triangle(), f.floats("VEC3", 2, 0, 0, 1, 0, 0, 1))
		}), "meshes[0].primitives[0].attributes.NORMAL", "accessor 1 has 2 elements, but POSITION has 3", nil},
		{"not a number", primitive(func(f *made) string {
			return fmt.Sprintf(`"POSITION":%d`, f.accessor(f.data(0, []uint32{0, 0x7fc00000, 0}), 5126, 1, "VEC3", ""))
		}), "meshes[0].primitives[0].attributes.POSITION", "element 0 of accessor 0 is not a finite number", nil},
		{"cycle", head + `,"nodes":[{"children":[1]},{"children":[2]},{"children":[0]}]}`, "nodes[0]", "the node is its own ancestor; the hierarchy is a cycle", nil},
		{"own child", head + `,"nodes":[{},{"children":[1]}]}`, "nodes[1]", "the node is its own ancestor; the hierarchy is a cycle", nil},
		{"two parents", head + `,"nodes":[{"children":[2]},{"children":[2]},{}]}`, "nodes[1].children[0]", "node 2 already is a child of node 0; a node has one parent", nil},
		{"no such child", head + `,"nodes":[{"children":[7]}]}`, "nodes[0].children[0]", "7 is out of range; the file has 1 nodes", nil},
		{"times fall", animated(3, "translation", 0, 2, 1), "animations[0].samplers[0].input", "the times of accessor 0 do not rise: key 2 is at 1 s, the one before it at 2 s", nil},
		{"too few values", animated(1, "translation", 0, 1), "animations[0].samplers[0].output", "accessor 1 has 3 numbers where 2 keys need 6", nil},
		{"rotation of three", animated(2, "rotation", 0, 1), "animations[0].samplers[0].output", "accessor 1 has elements of 3 components where 4 belong", nil},
		{"no such joint", skinned(), "meshes[0].primitives[0].attributes.JOINTS_0", "a vertex is bound to joint 3, but skins[0], which nodes[2] uses, has 2 joints", nil},
		{"required extension", head + `,"extensionsUsed":["X_new"],"extensionsRequired":["X_new"]}`, "extensionsRequired[0]",
			"the file requires the extension X_new: the file cannot be shown rightly without it, and it is not known here", gltf.ErrUnsupported},
		{"basis textures", head + `,"extensionsRequired":["KHR_texture_basisu"]}`, "extensionsRequired[0]", "Basis-compressed", gltf.ErrUnsupported},
		{"missing buffer", head + `,"buffers":[{"byteLength":4,"uri":"a b.bin"}],"bufferViews":[{"buffer":0,"byteLength":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"VEC3"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}]}`,
			"buffers[0].uri", `"a b.bin" cannot be read`, gltf.ErrMissing},
		{"version 1", `{"asset":{"version":"1.0"}}`, "asset.version", `glTF "1.0" is not read, only 2.0`, gltf.ErrUnsupported},
		{"no asset", `{}`, "asset", "is required but missing", nil},
		{"type", head + `,"nodes":[{"translation":[1,"2",3]}]}`, "nodes[0].translation[1]", "is a string, not a number", nil},
		{"vector's length", head + `,"nodes":[{"scale":[1,2]}]}`, "nodes[0].scale", "has 2 numbers where 3 belong", nil},
		{"huge number", head + `,"nodes":[{"scale":[1,1e39,1]}]}`, "nodes[0].scale[1]", "1e39 is too large a number", nil},
		{"cut JSON", head + `,"nodes":[{"name":"a`, "", "JSON byte 44: a string does not end; the text is cut off", nil},
		{"deep JSON", head + `,"extras":` + strings.Repeat("[", 100000), "", "nested more than 256 deep", nil},
		{"trailing", head + `} x`, "", "JSON byte 28: 'x' stands where the end should be", nil},
		{"empty", ``, "", "the file is empty", nil},
		{"no glTF", `<?xml`, "", "this is neither a GLB nor a JSON file", nil},
		{"short GLB", "glTF\x02\x00\x00", "", "the GLB header has 7 bytes instead of 12; the file is cut off", nil},
		{"GLB 1", "glTF\x01\x00\x00\x00\x14\x00\x00\x00", "", "GLB version 1: unsupported; only version 2 is read", gltf.ErrUnsupported},
		{"cut GLB", string(glb(head+"}", make([]byte, 40))[:60]), "", "the GLB header tells of 96 bytes, but there are 60; the file is cut off", nil},
		{"GLB chunk", strings.Replace(string(glb(head+"}", make([]byte, 40))), "\x28\x00\x00\x00BIN", "\x29\x00\x00\x00BIN", 1), "", "GLB chunk 1 tells of 41 bytes, but 40 are left; the file is cut off", nil},
		{"no JSON chunk", "glTF\x02\x00\x00\x00\x0c\x00\x00\x00", "", "the GLB file has no JSON chunk; it is cut off", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := gltf.Decode("fox.gltf", []byte(c.file), nil)
			runtime.ReadMemStats(&after)
			if got := after.TotalAlloc - before.TotalAlloc; got > 4<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", got, len(c.file))
			}
			var e *gltf.Error
			if !errors.As(err, &e) || m != nil {
				t.Fatalf("got %v, %v", m, err)
			}
			if e.Path != c.path || !strings.Contains(e.Message, c.message) {
				t.Errorf("got  %s: %s\nwant %s: %s", e.Path, e.Message, c.path, c.message)
			}
			if c.kind != nil && !errors.Is(err, c.kind) {
				t.Errorf("%v is no %v", err, c.kind)
			}
			want := "fox.gltf: " + e.Message
			if e.Path != "" {
				want = "fox.gltf: " + e.Path + ": " + e.Message
			}
			if err.Error() != want {
				t.Errorf("got %q, want %q", err, want)
			}
		})
	}
}

// A small file cannot ask for much by naming the same bytes over and over.
func TestRepeatedReading(t *testing.T) {
	var f made
	view := f.data(0, make([]float32, 1<<18))
	for range 500 {
		f.accessor(view, 5126, 1<<18/3, "VEC3", "")
	}
	f.rest = `,"meshes":[`
	for i := range 500 {
		f.rest += fmt.Sprintf(`{"primitives":[{"mode":5,"attributes":{"POSITION":%d}}]},`, i)
	}
	f.rest = strings.TrimSuffix(f.rest, ",") + "]"
	file := []byte(f.json())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := gltf.Decode("again.gltf", file, nil)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "a file of") {
		t.Errorf("got %v", err)
	}
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+32*len(file)); got > most {
		t.Errorf("%d bytes allocated, at most %d expected", got, most)
	}
}

// Words that later glTF may have, which the validator only warns of, do not keep
// a file from being read; each is told.
func TestUnknownWords(t *testing.T) {
	for _, c := range []struct{ name, file, path, message string }{
		{"animated", strings.Replace(animated(2, "translation", 0, 1), "translation", "colour", 1), "animations[0].channels[0].target.path", `"colour" is nothing that can be animated`},
		{"pointer without extension", strings.Replace(animated(2, "translation", 0, 1), "translation", "pointer", 1), "animations[0].channels[0]", "has none; the channel was ignored"},
		{"interpolation", strings.Replace(animated(2, "translation", 0, 1), `"input"`, `"interpolation":"SMOOTH","input"`, 1), "animations[0].samplers[0].interpolation", `"SMOOTH" is no interpolation`},
		{"light", head + `,"extensions":{"KHR_lights_punctual":{"lights":[{"type":"moon"}]}}}`, "extensions.KHR_lights_punctual.lights[0].type", `"moon" is no kind of light`},
		{"keys without data", head + `,"nodes":[{}],"accessors":[{"componentType":5126,"count":3,"type":"SCALAR","min":[0],"max":[0]},{"componentType":5126,"count":3,"type":"VEC3"}],` +
			`"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}]}`, "animations[0].samplers[0].input", "has no data"},
	} {
		m, err := gltf.Decode("made", []byte(c.file), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		checkModel(t, c.name, m)
		found := false
		for _, w := range m.Warnings {
			found = found || w.Where == c.path && strings.Contains(w.Message, c.message)
		}
		if !found {
			t.Errorf("%s: not told at %s: %+v", c.name, c.path, m.Warnings)
		}
	}
}
