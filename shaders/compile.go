package shaders

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed *.glsl
var included embed.FS

// ErrNoCompiler is wrapped by Compile's error where glslc is not installed.
var ErrNoCompiler = errors.New("glslc is not installed (Debian: glslc; or with the Vulkan SDK)")

// IsSource reports whether a file's name is that of a shader stage: geometry.vert, not frame.glsl.
func IsSource(name string) bool {
	switch filepath.Ext(name) {
	case ".vert", ".frag", ".comp":
		return true
	}
	return false
}

// Compile compiles a shader's source with glslc, as make shaders does. What it includes is looked for beside it, then among
// Bindpose's own: frame.glsl and the rest. Where the source is wrong, the error is what the compiler says, each line with
// file and line. It takes about a tenth of a second.
func Compile(file string) ([]byte, error) {
	glslc, err := exec.LookPath("glslc")
	if err != nil {
		return nil, fmt.Errorf("%s cannot be compiled: %w", file, ErrNoCompiler)
	}
	dir, err := include()
	defer os.RemoveAll(dir)
	if err != nil {
		return nil, err
	}
	var out, said bytes.Buffer
	c := exec.Command(glslc, "--target-env=vulkan1.3", "-O", "-I", filepath.Dir(file), "-I", dir, "-o", "-", file)
	c.Stdout, c.Stderr = &out, &said
	if err := c.Run(); err != nil {
		text := strings.TrimSpace(said.String())
		if text == "" {
			text = fmt.Sprintf("%s: glslc: %v", file, err)
		}
		return nil, errors.New(text)
	}
	return out.Bytes(), nil
}

// include makes a folder that holds the pieces that shaders include.
func include() (string, error) {
	dir, err := os.MkdirTemp("", "bindpose-shaders-")
	if err != nil {
		return "", err
	}
	return dir, fs.WalkDir(included, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := included.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, path), text, 0o600)
	})
}
