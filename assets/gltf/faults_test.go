package gltf_test

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
)

// Faults that few files have, each under the name that the Khronos validator has
// for it, and nothing else told.
func TestRareFaults(t *testing.T) {
	head := func(rest string) []byte { return []byte(`{"asset":{"version":"2.0"},` + rest + `}`) }
	chunk := func(kind uint32, body string) []byte {
		return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), kind), body...)
	}
	glb := func(chunks ...[]byte) []byte {
		body := slices.Concat(chunks...)
		b := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
		return append(binary.LittleEndian.AppendUint32(b, uint32(12+len(body))), body...)
	}
	const json, bin = 0x4E4F534A, 0x004E4942
	lights := func(l string) []byte {
		return head(`"extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[` + l + `]}}`)
	}
	keys := base64.StdEncoding.EncodeToString(make([]byte, 32))
	pointer := func(target string) []byte {
		return head(fmt.Sprintf(`"extensionsUsed":["KHR_animation_pointer"],"nodes":[{}],"buffers":[{"byteLength":32,"uri":"data:application/octet-stream;base64,%s"}],`+
			`"bufferViews":[{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":4,"byteLength":12}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},`+
			`{"bufferView":1,"componentType":5126,"count":1,"type":"VEC3"}],"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":%s}]}]`, keys, target))
	}
	variants := func(mapping string) []byte {
		return head(`"extensionsUsed":["KHR_materials_variants"],"extensions":{"KHR_materials_variants":{"variants":[{"name":"a"}]}},"materials":[{}],` +
			`"accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],` +
			`"meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{"KHR_materials_variants":{"mappings":[` + mapping + `]}}}]}]`)
	}
	sparse := base64.StdEncoding.EncodeToString([]byte{0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQYV2P4z/AfAAQAAf+I0P3MAAAAAElFTkSuQmCC"
	for _, c := range []struct {
		code string // "" of a file without a fault
		data []byte
	}{
		{"", lights(`{"type":"spot","spot":{"innerConeAngle":0.2}}`)},
		{"khr-lights-punctual-light-spot-angles", lights(`{"type":"spot","spot":{"innerConeAngle":0.6,"outerConeAngle":0.5}}`)},
		{"duplicate-elements", head(`"extensionsUsed":["KHR_materials_unlit","KHR_materials_unlit"]`)},
		{"asset-min-version-greater-than-version", []byte(`{"asset":{"version":"2.0","minVersion":"2.1"}}`)},
		{"", []byte(`{"asset":{"version":"2.1","minVersion":"2.0"}}`)},
		{"buffer-missing-glb-data", glb(chunk(json, `{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}`))},
		{"glb-unexpected-bin-chunk", glb(chunk(json, `{"asset":{"version":"2.0"}} `), chunk(0x1234, "abcd"), chunk(bin, "abcd"))},
		{"glb-unexpected-end-of-chunk-header", glb(chunk(json, `{"asset":{"version":"2.0"}} `), []byte{0, 0})},
		{"", pointer(`{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/0/translation"}}}`)},
		{"undefined-property", pointer(`{"path":"pointer","extensions":{"KHR_animation_pointer":{}}}`)},
		{"type-mismatch", pointer(`{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":3}}}`)},
		{"pattern-mismatch", pointer(`{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/a~2"}}}`)},
		{"khr-animation-pointer-animation-channel-target-path", pointer(`{"path":"translation","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/0/translation"}}}`)},
		{"", variants(`{"material":0,"variants":[0]}`)},
		{"unresolved-reference", variants(`{"material":0,"variants":[1]}`)},
		{"unresolved-reference", variants(`{"material":1,"variants":[0]}`)},
		{"khr-materials-variants-non-unique-variant", variants(`{"material":0,"variants":[0]},{"material":0,"variants":[0]}`)},
		{"accessor-sparse-index-oob", head(`"buffers":[{"byteLength":12,"uri":"data:application/octet-stream;base64,` + sparse + `"}],` +
			`"bufferViews":[{"buffer":0,"byteLength":4},{"buffer":0,"byteOffset":4,"byteLength":8}],` +
			`"accessors":[{"componentType":5126,"count":3,"type":"SCALAR","sparse":{"count":2,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":1}}}]`)},
		{"texture-invalid-image-mime-type", head(`"extensionsUsed":["EXT_texture_webp"],"images":[{"uri":"data:image/png;base64,` + png + `"}],"textures":[{"extensions":{"EXT_texture_webp":{"source":0}}}]`)},
		{"", head(`"images":[{"uri":"data:image/png;base64,` + png + `"}],"textures":[{"source":0}]`)},
		{"invalid-uri", head(`"images":[{"uri":"data:image/gif;base64,` + png + `"}]`)},
		{"", pointer(`{"path":"pointer"}`)},
		{"", append(glb(chunk(json, `{"asset":{"version":"2.0"}} `)), "beyond"...)},
		{"invalid-uri", head(`"images":[{"uri":"data:application/octet-stream;base64,AAAA"}]`)},
		{"image-unexpected-eos", head(`"images":[{"uri":"data:image/png;base64,` + png[:48] + `"}]`)},
		{"node-matrix-non-trs", head(`"nodes":[{"matrix":[1,0,0,0, 0,1,0,0, 0,0,0,0, 0,0,0,1]}]`)},
		{"node-matrix-non-trs", head(`"nodes":[{"matrix":[1,0,0,0, 0,1,0,0, 0.01,0,1,0, 0,0,0,1]}]`)},
		{"", head(`"nodes":[{"matrix":[-1e-5,0,0,0, 0,1e-5,0,0, 0,0,1e-5,0, 0,0,0,1]}]`)},
		{"glb-unexpected-end-of-header", []byte("glTF\x02\x00\x00\x00")},
		{"glb-invalid-version", []byte("glTF\x03\x00\x00\x00\x20\x00\x00\x00")},
		{"glb-unexpected-first-chunk", glb(chunk(bin, `{"asset":{"version":"2.0"}} `))},
		{"invalid-gl-value", head(`"accessors":[{"componentType":5121,"count":1,"type":"SCALAR","max":[256]}]`)},
		{"", head(`"accessors":[{"componentType":5120,"count":1,"type":"SCALAR","min":[-128],"max":[127]}]`)},
		{"pattern-mismatch", []byte(`{"asset":{"version":"2.0","minVersion":"two"}}`)},
		{"pattern-mismatch", []byte(`{"asset":{"version":"2"}}`)},
		{"undeclared-extension", head(`"nodes":[{"extensions":{"someone_else":{}}}]`)},
		{"type-mismatch", head(`"extensionsUsed":["someone_else"],"nodes":[{"extensions":{"someone_else":[]}}]`)},
		{"type-mismatch", head(`"nodes":[{"extensions":7}]`)},
		{"", head(`"nodes":[{"extras":{"extensions":{"KHR_materials_unlit":1}}}]`)},
		{"", head(`"extensionsUsed":["VRM"],"extensions":{"VRM":{"a":{"extensions":{"KHR_materials_unlit":1}}}}`)},
		{"duplicate-elements", head(`"nodes":[{}],"scenes":[{"nodes":[0,0]}]`)},
	} {
		var codes []string
		for _, f := range gltf.CheckBytes("made", c.data, nil) {
			codes = append(codes, f.Code)
		}
		if c.code == "" && len(codes) > 0 || c.code != "" && (len(codes) != 1 || codes[0] != c.code) {
			t.Errorf("want %q, got %q: %s", c.code, codes, c.data)
		}
	}
}

// Colours of a type that there is not are told, and end.
func TestColoursOfNoType(t *testing.T) {
	data := []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"data:application/octet-stream;base64,AAAAAA=="}],` +
		`"bufferViews":[{"buffer":0,"byteLength":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,"type":"COLOUR"}],` +
		`"meshes":[{"primitives":[{"attributes":{"COLOR_0":0}}]}]}`)
	if faults := gltf.CheckBytes("made", data, nil); len(faults) == 0 {
		t.Error("nothing is told")
	}
}

// A fault where sizes are told hides none of those behind it.
func TestFaultsBehindOneAnother(t *testing.T) {
	data := []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":-1}],"bufferViews":[{"buffer":3,"byteLength":4}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3"}],` +
		`"meshes":[{"primitives":[{"attributes":{"POSITION":0,"FOO":0}}]}],"nodes":[{"mesh":0,"rotation":[1,1,0,0]}],"skins":[{"joints":[0]}],` +
		`"animations":[{"channels":[{"sampler":2,"target":{"path":"scale","node":0}}],"samplers":[{"input":0,"output":0}]}]}`)
	places := map[string]string{
		"value-not-in-range": "buffers[0].byteLength", "unresolved-reference": "bufferViews[0].buffer", "undefined-property": "accessors[0]",
		"mesh-primitive-invalid-attribute":                "meshes[0].primitives[0].attributes.FOO",
		"mesh-primitive-position-accessor-without-bounds": "meshes[0].primitives[0].attributes.POSITION",
		"rotation-non-unit":                               "nodes[0].rotation",
		"animation-sampler-input-accessor-invalid-format": "animations[0].samplers[0].input",
	}
	faults := gltf.CheckBytes("made", data, nil)
	for code, where := range places {
		if !slices.ContainsFunc(faults, func(f gltf.Fault) bool { return f.Code == code && f.Where == where }) {
			t.Errorf("%s is not told at %s: %+v", code, where, faults)
		}
	}
}
