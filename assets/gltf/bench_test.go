package gltf_test

import (
	"os"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// The names of the design's target gltf-load. Textures are not decoded.
func BenchmarkLoad(b *testing.B) {
	for _, c := range []struct{ name, path string }{
		{"Fox", "gltf/Fox/glTF-Binary/Fox.glb"},
		{"CesiumMan", "gltf/CesiumMan/glTF-Binary/CesiumMan.glb"},
		{"MorphStressTest", "gltf/MorphStressTest"},
	} {
		b.Run(c.name, func(b *testing.B) {
			path := corpus.Path(b, c.path)
			if st, err := os.Stat(path); err == nil && st.IsDir() {
				path = modelFiles(b, c.path)[0]
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gltf.Load(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
