package fbx_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/internal/corpus"
)

// checkModel fails where a model breaks a promise of package assets.
func checkModel(t *testing.T, name string, m *assets.Model) {
	t.Helper()
	if err := m.Skeleton.Validate(); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if len(m.Nodes) != m.Skeleton.Len() {
		t.Errorf("%s: %d nodes for %d joints", name, len(m.Nodes), m.Skeleton.Len())
	}
	for i, mesh := range m.Meshes {
		for j := range mesh.Primitives {
			p := &mesh.Primitives[j]
			n := len(p.Positions)
			for what, got := range map[string]int{
				"normals": len(p.Normals), "tangents": len(p.Tangents), "colours": len(p.Colors), "dual quaternions": len(p.DualQuaternion),
			} {
				if got != 0 && got != n {
					t.Errorf("%s: meshes[%d].primitives[%d]: %d %s for %d vertices", name, i, j, got, what, n)
				}
			}
			for _, uv := range p.UV {
				if len(uv) != n {
					t.Errorf("%s: meshes[%d].primitives[%d]: %d texture coordinates for %d vertices", name, i, j, len(uv), n)
				}
			}
			for _, x := range p.Indices {
				if int(x) >= n {
					t.Fatalf("%s: meshes[%d].primitives[%d]: index %d of %d vertices", name, i, j, x, n)
				}
			}
			if int(p.Material) >= len(m.Materials) || len(p.Indices)%[...]int{3, 2, 1}[p.Topology] != 0 {
				t.Errorf("%s: meshes[%d].primitives[%d]: material %d, %d indices", name, i, j, p.Material, len(p.Indices))
			}
		}
	}
	for i := range m.Textures {
		if int(m.Textures[i].Image) >= len(m.Images) {
			t.Errorf("%s: textures[%d]: image %d", name, i, m.Textures[i].Image)
		}
	}
	// Positions may be beyond float32 when a file means them so; they are told.
	if _, err := assets.Pose(m, nil, 0); err != nil && !strings.Contains(err.Error(), "not finite") {
		t.Error(err)
	}
	for _, c := range m.Clips {
		if err := c.Validate(m.Skeleton); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for k := range c.Tracks {
			for i, x := range c.Tracks[k].Times {
				if i > 0 && x <= c.Tracks[k].Times[i-1] {
					t.Errorf("%s: clip %q: times do not rise", name, c.Name)
					break
				}
			}
		}
		if _, err := assets.Pose(m, c, c.Duration/2); err != nil && !strings.Contains(err.Error(), "not finite") {
			t.Error(err)
		}
	}
}

// A vertex cache that is nowhere and never was refuses the file; one that stayed
// behind on the machine that it was exported on does not, nor one beside the file.
func TestMissingCache(t *testing.T) {
	path := corpus.Path(t, "fbx/ufbx/synthetic_missing_cache_fail_7500_ascii.fbx")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = fbx.Load(path)
	var e *fbx.Error
	if !errors.As(err, &e) || !strings.Contains(e.Path, "VertexCache") || !strings.Contains(e.Message, "missing_cache.xml") || e.Offset < 0 {
		t.Errorf("the error is %v", err)
	}
	if _, err := fbx.Decode("x.fbx", data, fstest.MapFS{"missing_cache.xml": {Data: []byte("<x/>")}}); err != nil {
		t.Errorf("with its cache beside it: %v", err)
	}
	elsewhere := bytes.ReplaceAll(data, []byte(`"CacheAbsoluteFileName", "KString", "", "", "missing_cache.xml"`), []byte(`"CacheAbsoluteFileName", "KString", "", "", "D:\work\missing_cache.xml"`))
	if m, err := fbx.Decode("x.fbx", elsewhere, fstest.MapFS{}); err != nil || len(m.Warnings) == 0 {
		t.Errorf("with its cache on another machine: %v", err)
	}
}

// Whatever the file, it loads or is refused, in a second and within memory
// bounded by its size.
func TestAnyFile(t *testing.T) {
	root := corpus.Path(t, "fbx")
	files, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	more, _ := filepath.Glob(filepath.Join(root, "*", "*", "*"))
	loaded, refused := 0, 0
	var worst float64
	for _, path := range append(files, more...) {
		if !strings.EqualFold(filepath.Ext(path), ".fbx") {
			continue
		}
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		m, err := fbx.Load(path)
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		used := float64(after.TotalAlloc - before.TotalAlloc)
		share := used / float64(64<<20+32*st.Size())
		if os.Getenv("FBX_OFF") != "" && share > worst {
			worst = share
			t.Logf("%s: %.1f MB of %.1f, %v", filepath.Base(path), used/1e6, float64(64<<20+32*st.Size())/1e6, took)
		}
		if share > 1 {
			t.Errorf("%s: %.0f MB allocated for %d bytes", path, used/1e6, st.Size())
		}
		if took > 5*time.Second { // a second on a machine with nothing else to do
			t.Errorf("%s took %v", path, took)
		}
		if err != nil {
			refused++
			var e *fbx.Error
			if !errors.As(err, &e) || e.File != path {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		loaded++
		if strings.Contains(path, "_fail_") {
			t.Errorf("%s loaded, and must be refused", path)
		}
		checkModel(t, filepath.Base(path), m)
	}
	t.Logf("%d files loaded, %d refused", loaded, refused)
	if loaded < 490 || refused < 4 {
		t.Errorf("%d files loaded, %d refused", loaded, refused)
	}
}
