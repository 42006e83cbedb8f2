package gltf_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// modelFiles lists the glTF files below a folder of the corpus.
func modelFiles(t testing.TB, set string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(corpus.Path(t, set), func(path string, d fs.DirEntry, err error) error {
		switch strings.ToLower(filepath.Ext(path)) {
		case ".gltf", ".glb", ".vrm", ".vrma":
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every file loads or says why not, quickly, and within memory that its size
// accounts for.
func TestCorpusIsHarmless(t *testing.T) {
	loaded, refused := 0, 0
	for _, set := range []string{"gltf", "gltf-derived", "asset-generator", "gltf-magnum", "vrm", "gltf-validator", "gltf-invalid"} {
		for _, path := range modelFiles(t, set) {
			st, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			m, err := gltf.Load(path)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+32*st.Size()); got > most {
				t.Errorf("%s: %d bytes allocated, at most %d expected", path, got, most)
			}
			if took > 10*time.Second {
				t.Errorf("%s: took %v", path, took)
			}
			if err == nil {
				loaded++
				checkModel(t, path, m)
				continue
			}
			refused++
			var e *gltf.Error
			if !errors.As(err, &e) || e.File != path || e.Message == "" {
				t.Errorf("%s: %#v is no proper *gltf.Error", path, err)
			}
			if testing.Verbose() {
				t.Log(err)
			}
		}
	}
	t.Logf("%d loaded, %d refused", loaded, refused)
	if loaded < 500 {
		t.Errorf("only %d files loaded", loaded)
	}
}

// What the validator finds no fault with must load, if it requires nothing that
// is not supported.
func TestValidFilesLoad(t *testing.T) {
	text, err := os.ReadFile(corpus.Path(t, "oracle/gltf-validator.json"))
	if err != nil {
		t.Fatal(err)
	}
	var verdicts map[string]struct{ Errors int }
	if err := json.Unmarshal(text, &verdicts); err != nil {
		t.Fatal(err)
	}
	valid, invalidLoaded := 0, 0
	for name, v := range verdicts {
		_, err := gltf.Load(corpus.Path(t, name))
		switch {
		case v.Errors == 0 && err == nil:
			valid++
		case v.Errors == 0 && !errors.Is(err, gltf.ErrUnsupported):
			t.Errorf("valid, but: %v", err)
		case v.Errors > 0 && err == nil:
			invalidLoaded++
		}
	}
	t.Logf("%d valid files loaded; %d more with faults that do no harm", valid, invalidLoaded)
	if valid < 300 {
		t.Errorf("only %d valid files loaded", valid)
	}
}
