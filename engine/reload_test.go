package engine_test

import (
	"bytes"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
	"github.com/bindpose/bindpose/internal/golden"
	"github.com/bindpose/bindpose/shaders"
)

// until draws frames until what is wanted holds.
func until(t *testing.T, e *engine.Engine, what string, holds func(*image.NRGBA) bool) *image.NRGBA {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		enginetest.Frames(t, e, 1, 0)
		p := enginetest.Picture(t, e)
		if holds(p) {
			return p
		}
		if time.Now().After(end) {
			t.Fatalf("not in time: %s; the shaders' errors are %q", what, e.ShaderErrors())
		}
	}
}

// A changed shader is drawn with; a broken one is not, and says on the screen
// where it is wrong until it is mended.
func TestShadersReloadWhileRunning(t *testing.T) {
	if _, err := exec.LookPath("glslc"); err != nil {
		corpus.Missing(t, err)
	}
	folder := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	warned := ""
	e := enginetest.Open(t, engine.Options{Width: 640, Height: 160, Shaders: []string{folder}, Warn: func(_ *assets.Model, message string) { warned = message }})
	camera(e, mgl32.Vec3{0, 0, 3}, mgl32.Vec3{})
	enginetest.Frames(t, e, 2, 0)
	const low = 150 // a row that the panel does not reach
	first := at(enginetest.Picture(t, e), 320, low)

	source := "#version 460\nlayout(location = 0) out vec4 outColor;\nvoid main() {\n    outColor = vec4(1.0, 0.0, 1.0, 1.0);\n}\n"
	magenta := func(p *image.NRGBA) bool { c := at(p, 320, low); return c.R > 250 && c.G < 5 && c.B > 250 }
	if first.G < 5 {
		t.Fatalf("the sky is %v", first)
	}
	write("background.frag", source)
	good := until(t, e, "the picture is magenta", magenta)
	const compiled = "background.frag.spv"
	if _, err := os.Stat(filepath.Join(folder, compiled)); err == nil {
		t.Error("SPIR-V is written where there was none")
	}
	write(compiled, "of before")

	write("background.frag", strings.Replace(source, "vec4(1.0", "vec5(1.0", 1))
	until(t, e, "an error is told", func(*image.NRGBA) bool { return len(e.ShaderErrors()) > 0 })
	if text := e.ShaderErrors()[0]; !strings.Contains(text, "background.frag:4:") || !strings.Contains(text, "vec5") {
		t.Errorf("the error is %q", text)
	}
	if got, err := os.ReadFile(filepath.Join(folder, compiled)); err != nil || string(got) != "of before" {
		t.Errorf("a mistake changes the SPIR-V beside the shader: %d bytes, %v", len(got), err)
	}
	if !strings.Contains(warned, "background.frag:4:") {
		t.Errorf("the warning is %q", warned)
	}
	enginetest.Frames(t, e, 2, 0) // the panel finds its size
	bad := enginetest.Picture(t, e)
	if !magenta(bad) {
		t.Errorf("with a broken shader the picture is %v: the last good one is not in use", at(bad, 320, low))
	}
	if differing(good, bad) < 2000 {
		t.Errorf("only %d pixels show an error", differing(good, bad))
	}
	if out := os.Getenv("BINDPOSE_RELOAD_PICTURE"); out != "" {
		save(t, out, bad)
	}

	// A binding that the pass has no room for is no good either.
	write("background.frag", "#version 460\nlayout(set = 1, binding = 7) uniform sampler2D more;\nlayout(location = 0) out vec4 outColor;\nvoid main() {\n    outColor = texture(more, vec2(0));\n}\n")
	until(t, e, "the binding is refused", func(*image.NRGBA) bool {
		return len(e.ShaderErrors()) > 0 && strings.Contains(e.ShaderErrors()[0], "binding 7")
	})

	write("background.frag", source+"\n")
	mended := until(t, e, "no error is left", func(*image.NRGBA) bool { return len(e.ShaderErrors()) == 0 })
	golden.Same(t, mended, good)
	want, err := shaders.Compile(filepath.Join(folder, "background.frag"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(folder, compiled)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the SPIR-V beside the shader is not what is drawn: %d bytes, %v", len(got), err)
	}

	// What a shader includes is part of it.
	write("tint.glsl", "const vec3 TINT = vec3(0.0, 1.0, 0.0);\n")
	write("background.frag", "#version 460\n#extension GL_GOOGLE_include_directive : require\n#include \"tint.glsl\"\nlayout(location = 0) out vec4 outColor;\nvoid main() {\n    outColor = vec4(TINT, 1.0);\n}\n")
	until(t, e, "the picture is green", func(p *image.NRGBA) bool { c := at(p, 320, low); return c.G > 250 && c.R < 5 })
	write("tint.glsl", "const vec3 TINT = vec3(1.0, 0.0, 1.0);\n")
	until(t, e, "the picture is magenta again", magenta)
}

func TestAFolderThatIsNotThereCannotBeWatched(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 8, Height: 8})
	if err := e.WatchShaders(filepath.Join(t.TempDir(), "nowhere")); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("the error is %v", err)
	}
}
