package fbx_test

import (
	"os"
	"testing"

	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/internal/corpus"
)

func BenchmarkDecode(b *testing.B) {
	for name, file := range map[string]string{
		"character": "fbx/ozz/pab/arnaud.fbx", "clip": "fbx/ozz/pab/jog.fbx", "robot": "fbx/ozz/robot.fbx",
		"text": "fbx/ufbx/maya_human_ik_7400_ascii.fbx",
	} {
		data, err := os.ReadFile(corpus.Path(b, file))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := fbx.Decode(file, data, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
