package doctor_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Invalid and hostile files are examined quickly, within memory that their size
// accounts for, and what cannot be loaded is reported.
func TestHostileFiles(t *testing.T) {
	files, unreadable := 0, 0
	for _, set := range []string{"gltf-invalid", "gltf-validator", "vrm/broken", "fbx/ufbx-fuzz"} {
		err := filepath.WalkDir(corpus.Path(t, set), func(path string, d fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			if err != nil || !doctor.IsGLTF(path) && ext != ".fbx" {
				return err
			}
			st, err := os.Stat(path)
			if err != nil {
				return err
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			report, m, err := doctor.Examine(path, load, nil)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			files++
			if m == nil {
				unreadable++
				if report.Level < doctor.Warning {
					t.Errorf("%s could not be loaded, and nothing is said of it", path)
				}
			}
			if took > 3*time.Second {
				t.Errorf("%s: took %v", path, took)
			}
			if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+32*st.Size()); got > most {
				t.Errorf("%s: %d bytes allocated, at most %d expected", path, got, most)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d could not be loaded", files, unreadable)
	if files < 300 {
		t.Errorf("only %d files", files)
	}
}
