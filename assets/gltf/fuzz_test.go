package gltf_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// pointed is a file whose clip moves a material, a light and a mesh's weights.
const pointed = `{"asset":{"version":"2.0"},"extensionsUsed":["KHR_animation_pointer"],"nodes":[{"mesh":0}],
"extensions":{"KHR_lights_punctual":{"lights":[{"type":"spot","spot":{}}]}},"materials":[{"emissiveFactor":[1,0,0]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":1},"targets":[{"POSITION":1}]}]}],
"accessors":[{"componentType":5126,"count":1,"type":"SCALAR","min":[0],"max":[0]},{"componentType":5126,"count":1,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
"animations":[{"samplers":[{"input":0,"output":1},{"input":0,"output":0}],"channels":[
{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/materials/0/emissiveFactor"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/extensions/KHR_lights_punctual/lights/0/spot/outerConeAngle"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/meshes/0/weights"}}}},
{"sampler":1,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/0/weights/0"}}}}]}]}`

// FuzzDecode: whatever the bytes are, Decode returns a model that keeps the
// promises of package assets or an error, within memory bounded by their number.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{cut(), skinned(), animated(3, "translation", 0, 2, 1), pointed, head + "}"} {
		f.Add([]byte(s))
		f.Add(glb(s, make([]byte, 64)))
	}
	if os.Getenv("BINDPOSE_SHARED") != "" {
		for _, set := range []string{"gltf", "gltf-magnum", "vrm"} {
			for _, path := range modelFiles(f, set) {
				if data, err := os.ReadFile(path); err == nil && len(data) < 6000 {
					f.Add(data)
				}
			}
		}
	}
	beside := fstest.MapFS{"a.bin": {Data: make([]byte, 256)}, "a.png": {Data: []byte(pngHead)}}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := gltf.Decode("fuzz.gltf", data, beside)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+40*len(data)); got > most {
			t.Errorf("%d bytes allocated, at most %d expected", got, most)
		}
		if err == nil {
			checkModel(t, "fuzz.gltf", m)
		} else if !strings.HasPrefix(err.Error(), "fuzz.gltf: ") {
			t.Error(err)
		}
	})
}

// FuzzCheck: whatever the bytes are, checking them ends, within bounds.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{cut(), skinned(), animated(3, "translation", 0, 2, 1), pointed, head + "}"} {
		f.Add([]byte(s))
		f.Add(glb(s, make([]byte, 64)))
	}
	if os.Getenv("BINDPOSE_SHARED") != "" {
		for _, set := range []string{"gltf-validator", "gltf-magnum"} {
			for _, path := range modelFiles(f, set) {
				if data, err := os.ReadFile(path); err == nil && len(data) < 6000 {
					f.Add(data)
				}
			}
		}
	}
	beside := fstest.MapFS{"a.bin": {Data: make([]byte, 256)}, "a.png": {Data: []byte(pngHead)}}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		gltf.CheckBytes("fuzz.gltf", data, beside)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+200*len(data)); got > most {
			t.Errorf("%d bytes allocated, at most %d expected", got, most)
		}
	})
}

// Cutting a file anywhere is an error or a smaller model, never a panic.
func TestCutAnywhere(t *testing.T) {
	data, err := os.ReadFile(corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb"))
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(data); n += 997 {
		if _, err := gltf.Decode("fox.glb", data[:n], nil); err == nil {
			t.Errorf("%d of %d bytes loaded", n, len(data))
		}
	}
}
