package doctor

import (
	"bytes"
	"os"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// FuzzCheck: whatever loads can be judged, drawn, mended and written, without a
// panic, and what is written loads.
func FuzzCheck(f *testing.F) {
	f.Add([]byte(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"componentType":5126,"count":3,"type":"VEC3"}]}`))
	if os.Getenv("BINDPOSE_SHARED") != "" {
		for _, name := range []string{"gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb", "asset-generator/Animation_Skin/Animation_Skin_00.gltf", "gltf-magnum/GltfImporter/skin.glb"} {
			if data, err := os.ReadFile(corpus.Path(f, name)); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := gltf.Decode("fuzz.gltf", data, nil)
		if err != nil {
			return
		}
		report := Check(m, Budget{"joints": 1, "influences": 1})
		Pictures(m, report)
		mended, _, _ := mendModel(m)
		boxes(mended)
		var out bytes.Buffer
		if err := gltf.Write(mended, &out); err != nil {
			return // not finite
		}
		if _, err := gltf.Decode("again.glb", out.Bytes(), nil); err != nil {
			t.Errorf("what was written does not load: %v", err)
		}
	})
}
