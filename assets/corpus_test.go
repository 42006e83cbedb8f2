package assets_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Whatever loads can be posed: each clip of each model at its start, middle and
// end, the oddities that a loader lets through included, and is finite.
func TestWhateverLoadsCanBePosed(t *testing.T) {
	models, poses := 0, 0
	for _, set := range []string{"gltf", "gltf-derived", "gltf-magnum", "gltf-invalid", "gltf-validator", "asset-generator", "vrm"} {
		root := corpus.Path(t, set)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".gltf", ".glb", ".vrm":
			default:
				return nil
			}
			m, err := gltf.Load(path)
			if err != nil {
				return nil
			}
			models++
			if err := m.Skeleton.Validate(); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if _, err := assets.Pose(m, nil, 0); err != nil {
				t.Error(err)
			}
			poses++
			for _, clip := range m.Clips {
				for _, at := range []float32{0, clip.Duration / 2, clip.Duration} {
					if _, err := assets.Pose(m, clip, at); err != nil {
						t.Error(err)
					}
					poses++
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d models, %d poses", models, poses)
	if models < 600 || poses < 1000 {
		t.Errorf("only %d models and %d poses", models, poses)
	}
}
