package fbx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/internal/corpus"
)

func TestSmoke(t *testing.T) {
	root := corpus.Path(t, "fbx")
	pat := os.Getenv("PAT")
	if pat == "" {
		pat = "*/*.fbx"
	}
	files, _ := filepath.Glob(filepath.Join(root, pat))
	for _, f := range files {
		start := time.Now()
		m, err := fbx.Load(f)
		d := time.Since(start)
		if err != nil {
			fmt.Println("ERR", filepath.Base(f), err.Error()[len(f):])
			continue
		}
		b := ""
		if err := m.Skeleton.Validate(); err != nil {
			b += " SKEL " + err.Error()
		}
		for _, c := range append(m.Clips, nil) {
			if _, err := assets.Pose(m, c, 0.5); err != nil {
				b += " POSE " + err.Error()
			}
		}
		if d > 500*time.Millisecond {
			b += fmt.Sprint(" SLOW ", d)
		}
		if b != "" || os.Getenv("V") != "" {
			fmt.Println("ok", filepath.Base(f), m.Version, len(m.Nodes), len(m.Meshes), len(m.Clips), d, b)
		}
	}
}
