package fbx_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/internal/corpus"
)

// FuzzDecode: whatever the bytes are, Decode returns a model that keeps the
// promises of package assets or an error, within memory bounded by their number.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(hand))
	f.Add([]byte("Kaydara FBX Binary  \x00\x1a\x00\xe8\x1c\x00\x00"))
	if os.Getenv("BINDPOSE_SHARED") != "" {
		files, _ := filepath.Glob(filepath.Join(corpus.Path(f, "fbx/ufbx-fuzz"), "*.fbx"))
		more, _ := filepath.Glob(filepath.Join(corpus.Path(f, "fbx/ufbx"), "*binary*.fbx"))
		for _, path := range append(files, more...) {
			if data, err := os.ReadFile(path); err == nil && len(data) < 16000 {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m, err := fbx.Decode("fuzz.fbx", data, nil)
		runtime.ReadMemStats(&after)
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<20+32*len(data)); got > most {
			t.Errorf("%d bytes allocated, at most %d expected", got, most)
		}
		if err == nil {
			checkModel(t, "fuzz.fbx", m)
		} else if !strings.HasPrefix(err.Error(), "fuzz.fbx: ") {
			t.Error(err)
		}
	})
}

// Cutting a file anywhere is an error or a smaller model, never a panic.
func TestCutAnywhere(t *testing.T) {
	for _, name := range []string{"maya_game_sausage_7500_binary.fbx", "maya_cube_big_endian_6100_binary.fbx", "max7_cube_5000_binary.fbx", "maya_blend_shape_cube_7700_ascii.fbx"} {
		data, err := os.ReadFile(corpus.Path(t, "fbx/ufbx/"+name))
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(data); n += 1 + len(data)/150 {
			if m, err := fbx.Decode(name, data[:n], nil); err == nil {
				checkModel(t, name, m)
			}
		}
	}
}
