package shaders

import (
	"encoding/binary"
	"io/fs"
	"strings"
	"testing"
)

func TestEachShaderIsSPIRV(t *testing.T) {
	found := 0
	fs.WalkDir(compiled, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		found++
		code := Code(strings.TrimSuffix(path, ".spv"))
		if len(code) < 20 || len(code)%4 != 0 || binary.LittleEndian.Uint32(code) != 0x07230203 {
			t.Errorf("%s isn't SPIR-V", path)
		}
		return nil
	})
	if found == 0 {
		t.Error("nothing is embedded")
	}
}

func TestMissingShaderSaysWhatToDo(t *testing.T) {
	defer func() {
		if s, _ := recover().(string); !strings.Contains(s, "make shaders") {
			t.Errorf("panic %q doesn't say what to do", s)
		}
	}()
	Code("nosuch.vert")
}
