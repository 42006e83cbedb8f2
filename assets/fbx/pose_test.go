package fbx_test

import (
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/internal/corpus"
)

// The one file of the data whose BindPose contradicts its skin is named, and none
// of the others is.
func TestPoseMismatches(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpus.Path(t, "fbx/ufbx"), "*.fbx"))
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, path := range files {
		m, err := fbx.Load(path)
		if err != nil || len(m.PoseMismatches) == 0 {
			continue
		}
		if filepath.Base(path) != "blender_279_sausage_6100_ascii.fbx" {
			t.Errorf("%s: %+v", filepath.Base(path), m.PoseMismatches)
			continue
		}
		found = true
		if p := m.PoseMismatches[0]; len(m.PoseMismatches) != 1 || p.Joint != -1 || p.Off < 0.5 {
			t.Errorf("%s: %+v", filepath.Base(path), m.PoseMismatches)
		}
	}
	if !found {
		t.Error("the sausage's mismatch was not found")
	}
}
