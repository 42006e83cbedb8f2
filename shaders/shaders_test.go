package shaders

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/internal/corpus"
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

func compiler(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("glslc"); err != nil {
		corpus.Missing(t, err)
	}
}

// A source compiles to what is committed, wherever it lies.
func TestCompileFindsTheSharedPieces(t *testing.T) {
	compiler(t)
	text, err := os.ReadFile("lighting.frag")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "lighting.frag")
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
	code, err := Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(code, Code("lighting.frag")) {
		t.Error("the SPIR-V is not the one that is embedded: run make shaders")
	}
}

func TestCompileSaysWhereTheMistakeIs(t *testing.T) {
	compiler(t)
	file := filepath.Join(t.TempDir(), "wrong.comp")
	if err := os.WriteFile(file, []byte("#version 460\nvoid main() {\n    gone();\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Compile(file)
	if err == nil || !strings.Contains(err.Error(), "wrong.comp:3:") || !strings.Contains(err.Error(), "gone") {
		t.Errorf("the error is %v", err)
	}
}

func TestWithoutACompilerCompileSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Compile("lighting.frag"); !errors.Is(err, ErrNoCompiler) || !strings.Contains(err.Error(), "glslc") {
		t.Errorf("the error is %v", err)
	}
}
