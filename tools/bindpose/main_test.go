package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/internal/corpus"
)

func TestMain(m *testing.M) {
	if os.Getenv("XDG_RUNTIME_DIR") == "" {
		// The Vulkan loader complains without one.
		if dir, err := os.MkdirTemp("", "bindpose"); err == nil {
			os.Setenv("XDG_RUNTIME_DIR", dir)
			defer os.RemoveAll(dir)
		}
	}
	m.Run()
}

// command runs a command line as main does, and returns its exit status and what
// it wrote.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	file := func(name string) *os.File {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	out, errs := file("out"), file("err")
	oldOut, oldErr := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = out, errs
	defer func() { os.Stdout, os.Stderr = oldOut, oldErr }()
	status = run(args)
	read := func(f *os.File) string {
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	return status, read(out), read(errs)
}

// captured runs f and returns what it wrote to standard output.
func captured(t *testing.T, f func()) string {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdout
	os.Stdout = out
	f()
	os.Stdout = old
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// succeed runs a command line that must do its work, and returns its output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := command(t, args...)
	if status != statusGood {
		t.Fatalf("bindpose %s: exit status %d: %s", strings.Join(args, " "), status, errs)
	}
	return out
}

func fox(t *testing.T) string { return corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb") }

// device skips a test where there is nothing to draw with; in CI it fails.
func device(t *testing.T) {
	t.Helper()
	d, err := gpu.Open(gpu.Options{})
	if err != nil {
		corpus.Missing(t, err)
	}
	d.Close()
}

// write writes a file of the test's own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// What cannot be done ends with exit status 2 and one message that names the
// culprit and says what to do.
func TestMistakes(t *testing.T) {
	fox := fox(t)
	folder := t.TempDir()
	broken := write(t, "broken.gltf", `{"asset":{"version":"2.0"},"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}]}`)
	for _, c := range []struct {
		args string
		want []string
	}{
		{"inspekt x.glb", []string{"unknown command", "inspect"}},
		{"view x.glb --heedless", []string{"--heedless", "did you mean --headless?"}},
		{"profile --frmes 3", []string{"did you mean --frames?"}},
		{"pose x.glb --qqqqqqqqqq", []string{"unknown flag", "pose --help"}},
		{"graph explain x --effects", []string{"needs an argument", "bindpose graph explain --help"}},
		{"inspect", []string{"needs a FILE", "inspect --help"}},
		{"pose", []string{"needs a FILE"}},
		{"view", []string{"needs a FILE"}},
		{"inspect a.glb b.glb", []string{`"b.glb"`}},
		{"demo x.glb", []string{`"x.glb"`}},
		{"graph explain", []string{"NAME"}},
		{"inspect " + filepath.Join(folder, "none.glb"), []string{"none.glb", "no such file"}},
		{"inspect " + filepath.Join(folder, "none.fbxx"), []string{"none.fbxx", "no such file"}},
		{"inspect " + write(t, "model.obj", "v 0 0 0"), []string{"model.obj", `".obj"`, ".glb"}},
		{"inspect " + broken, []string{"broken.gltf", "meshes[0].primitives[0].attributes.POSITION"}},
		{"pose " + broken, []string{"broken.gltf", "meshes[0].primitives[0].attributes.POSITION"}},
		{"profile " + broken, []string{"broken.gltf", "meshes[0].primitives[0].attributes.POSITION"}},
		{"pose " + fox + " --clip Swim", []string{"Fox.glb", `"Swim"`, "Survey", "Run"}},
		{"pose " + fox + " --clip 3", []string{`"3"`, "Run"}},
		{"pose " + fox + " --time soon", []string{"--time", "soon"}},
		{"pose " + fox + " --time NaN", []string{"time", "NaN"}},
		{"view " + fox + " --clip Swim --out " + folder + "/x.png", []string{`"Swim"`}},
		{"view " + fox + " --time Inf --headless", []string{"--time", "+Inf"}},
		{"view " + fox + " --environment /dev/zero", []string{"--environment", "/dev/zero", "ordinary"}},
		{"view " + fox + " --time-step 1e-300", []string{"--time-step", "0.000001"}},
		{"demo --time 1e300", []string{"--time", "3600"}},
		{"demo --scene valley", []string{"--scene", `"valley"`, "house", "hills"}},
		{"demo --scene hills --crowd 9", []string{"--crowd", "hills"}},
		{"demo --time -1", []string{"--time", "-1"}},
		{"demo --camera file:0", []string{"--camera", "file:0", "demo"}},
		{"view " + fox + " --camera 1,2", []string{"--camera", "three-quarter"}},
		{"view " + fox + " --size 12", []string{"--size", `"12"`, "1280x720"}},
		{"view " + fox + " --size 0x10", []string{"--size"}},
		{"view " + fox + " --size 99999x10", []string{"16384"}},
		{"view " + fox + " --frames -1", []string{"--frames", "-1"}},
		{"view " + fox + " --time-step 11", []string{"--time-step"}},
		{"view " + fox + " --overlay bones", []string{"--overlay", `"bones"`, "skeleton"}},
		{"view " + fox + " --out x.bmp", []string{"x.bmp", ".png"}},
		{"view " + fox + " --out " + folder + "/no/x.png", []string{"there is no folder"}},
		{"view " + fox + " --out x.png --frames 2", []string{"{frame}"}},
		{"profile " + fox + " --serialised --overlapped", []string{"--serialised", "--overlapped"}},
		{"profile " + fox + " --frames -3", []string{"--frames is -3"}},
		{"profile " + fox + " --warmup -1", []string{"--warmup is -1"}},
		{"profile " + fox + " --out x.gif", []string{"x.gif", ".png"}},
		{"profile --clip Run --frames 1", []string{"--clip", "demo"}},
		{"graph --text --json", []string{"--text", "--json"}},
		{"graph --dot --html x.html", []string{"--dot", "--html"}},
		{"demo --effects glow --out x.png", []string{"--effects", `"glow"`, "ssao", "bloom"}},
		{"demo --shaders /no/such --out x.png", []string{"/no/such"}},
		{"demo --watch --out x.png", []string{"--watch", "window"}},
		{"view " + fox + " --watch --headless", []string{"--watch", "window"}},
		{"graph --effects glow", []string{"--effects", `"glow"`}},
		{"graph --size 5", []string{"--size"}},
	} {
		t.Run(strings.ReplaceAll(c.args, "/", "⁄"), func(t *testing.T) {
			status, out, errs := command(t, strings.Fields(c.args)...)
			if status != statusFailed {
				t.Errorf("exit status %d, want %d", status, statusFailed)
			}
			if out != "" {
				t.Errorf("it wrote to standard output: %s", out)
			}
			for _, want := range append(c.want, "bindpose: ") {
				if !strings.Contains(errs, want) {
					t.Errorf("the message does not say %q: %s", want, errs)
				}
			}
		})
	}
}

// A camera is checked once the scene is there to be seen.
func TestCameraMistakes(t *testing.T) {
	fox := fox(t)
	device(t)
	for _, c := range []struct{ camera, want string }{
		{"sideways", "three-quarter"},
		{"1,2:3,4,5", "3 numbers"},
		{"1,2,3:1,2,3", "same point"},
		{"1,2,3:0,0,0:270", "between 0.1 and 179"},
		{"file:0", "no cameras"},
	} {
		status, _, errs := command(t, "view", fox, "--size", "64x64", "--out", filepath.Join(t.TempDir(), "x.png"), "--camera", c.camera)
		if status != statusFailed || !strings.Contains(errs, "--camera") || !strings.Contains(errs, c.want) {
			t.Errorf("--camera %s: exit status %d, want %d and %q: %s", c.camera, status, statusFailed, c.want, errs)
		}
	}
}

// Findings have a status of their own, which says that the command did its work.
func TestFindingsStatus(t *testing.T) {
	if got := report(fmt.Errorf("fox.glb: %w", findingsError{})); got != 1 {
		t.Errorf("exit status of findings is %d, want 1", got)
	}
}

// Each command explains itself: what it does, an example, and every flag.
func TestHelp(t *testing.T) {
	root := newRoot()
	list := succeed(t, "--help")
	for _, c := range root.Commands() {
		if c.Hidden || c.Name() == "help" {
			continue
		}
		if c.Short == "" || c.Long == "" || c.Example == "" {
			t.Errorf("%s lacks a short text, a long one, or an example", c.Name())
		}
		if !strings.Contains(list, c.Name()) {
			t.Errorf("the list of commands lacks %s:\n%s", c.Name(), list)
		}
		help := succeed(t, c.Name(), "--help")
		for _, want := range []string{"Usage:\n  bindpose " + c.Name(), "Examples:", "--help"} {
			if !strings.Contains(help, want) {
				t.Errorf("bindpose %s --help lacks %q:\n%s", c.Name(), want, help)
			}
		}
		for line := range strings.Lines(help) {
			if len(line) > 140 {
				t.Errorf("bindpose %s --help has a line of %d bytes: %s", c.Name(), len(line), line)
			}
		}
	}
	for _, name := range []string{"demo", "view", "profile"} {
		help := succeed(t, name, "--help")
		for _, flag := range []string{"headless", "frames", "time-step", "size", "out", "camera", "clip", "time", "overlay", "validate"} {
			if !strings.Contains(help, "--"+flag) {
				t.Errorf("bindpose %s --help lacks --%s", name, flag)
			}
		}
	}
}
