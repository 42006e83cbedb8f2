package image_test

import (
	"os"
	"testing"

	"github.com/bindpose/bindpose/assets/image"
	"github.com/bindpose/bindpose/internal/corpus"
)

func BenchmarkDecode(b *testing.B) {
	for name, path := range map[string]string{
		"PNG":  "gltf/Fox/glTF-strided-invalid/Texture.png",
		"JPEG": "gltf/CesiumMan/glTF/CesiumMan.jpg",
	} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(corpus.Path(b, path))
			if err != nil {
				b.Fatal(err)
			}
			w, h, err := image.Size(data)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := image.Decode(data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*w*h), "ns/pixel")
		})
	}
}
