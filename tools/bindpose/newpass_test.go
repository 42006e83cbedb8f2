package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module makes a module of one's own that requires this checkout of Bindpose,
// and makes it the current folder.
func module(t *testing.T) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	// What Bindpose requires, at the versions it requires.
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(own), "module example.com/game")
	text += "\nrequire github.com/bindpose/bindpose v0.0.0\n\nreplace github.com/bindpose/bindpose => " + root + "\n"
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"go.mod": []byte(text), "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

func goRun(t *testing.T, args ...string) string {
	t.Helper()
	said, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, said)
	}
	return string(said)
}

// A new pass in a module of one's own compiles, draws, and its test passes; the
// line that is printed adds it.
func TestNewPassCompilesAndDraws(t *testing.T) {
	device(t)
	dir := module(t)
	if err := os.Mkdir("effects", 0o777); err != nil {
		t.Fatal(err)
	}
	said := succeed(t, "new-pass", "heat-haze", "--dir", "effects")
	for _, f := range []string{"heathaze.go", "heathaze.frag", "heathaze.frag.spv", "heathaze_test.go", "testdata/golden/heathaze.png"} {
		path := filepath.Join("effects", f)
		if s, err := os.Stat(path); err != nil || s.Size() == 0 {
			t.Errorf("%s was not written: %v", path, err)
		}
		if !strings.Contains(said, path) {
			t.Errorf("it is not said that %s was written:\n%s", path, said)
		}
	}
	line := regexp.MustCompile(`(?m)^  (if _, err := .*)$`).FindStringSubmatch(said)
	if line == nil || !strings.Contains(line[1], "effects.AddHeatHaze(e)") {
		t.Fatalf("no line to add is printed:\n%s", said)
	}
	program := `package main

import (
	"example.com/game/effects"
	"github.com/bindpose/bindpose/engine"
)

func add(e *engine.Engine) error {
	` + line[1] + `
	return nil
}

func main() { _ = add }
`
	if err := os.WriteFile("main.go", []byte(program), 0o666); err != nil {
		t.Fatal(err)
	}
	goRun(t, "vet", ".", "./effects")
	t.Setenv("BINDPOSE_GOLDEN", "")
	goRun(t, "test", "-count=1", "./effects")

	// Its test can fail: another picture is not its golden.
	shader := filepath.Join(dir, "effects", "heathaze.frag")
	text, err := os.ReadFile(shader)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(shader, []byte(strings.Replace(string(text), "TINT = vec3(0.95", "TINT = vec3(0.05", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	succeed(t, "shaders", "effects")
	if said, err := exec.Command("go", "test", "-count=1", "./effects").CombinedOutput(); err == nil || !strings.Contains(string(said), "golden") {
		t.Errorf("with another shader the test passes: %s", said)
	}

	// Nothing is overwritten.
	status, _, errs := command(t, "new-pass", "heat-haze", "--dir", "effects")
	if status != statusFailed || !strings.Contains(errs, "heathaze.go") {
		t.Errorf("a second time: exit status %d, %q", status, errs)
	}
}

func TestNewPassRefuses(t *testing.T) {
	module(t)
	for name, want := range map[string]string{
		"Outline": "small letters", "9lives": "small letters", "a_b": "small letters", "-x": "unknown", "a--b": "small letters",
		"out line": "small letters", "../up": "small letters", strings.Repeat("x", 41): "small letters",
	} {
		if status, _, errs := command(t, "new-pass", name); status != statusFailed || !strings.Contains(errs, want) {
			t.Errorf("%q: exit status %d, %q", name, status, errs)
		}
	}
	if status, _, errs := command(t, "new-pass"); status != statusFailed || !strings.Contains(errs, "NAME") {
		t.Errorf("no name: exit status %d, %q", status, errs)
	}
	if err := os.WriteFile("glow.frag", []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "new-pass", "glow"); status != statusFailed || !strings.Contains(errs, "glow.frag") {
		t.Errorf("a file that is there: exit status %d, %q", status, errs)
	}
	if err := os.WriteFile("main.go", []byte("package main\n\nfunc AddShine() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "new-pass", "shine"); status != statusFailed || !strings.Contains(errs, "AddShine") {
		t.Errorf("a name that is taken: exit status %d, %q", status, errs)
	}
	if left, err := filepath.Glob("*"); err != nil || len(left) != 4 {
		t.Errorf("files were written all the same: %v", left)
	}
	t.Chdir("/")
	if status, _, errs := command(t, "new-pass", "glow"); status != statusFailed || !strings.Contains(errs, "go mod init") {
		t.Errorf("outside a module: exit status %d, %q", status, errs)
	}
}

// Without glslc the rest is written, and what to run is said.
func TestNewPassWithoutACompilerSaysWhatToRun(t *testing.T) {
	module(t)
	t.Setenv("PATH", t.TempDir())
	status, said, errs := command(t, "new-pass", "glow")
	if status != statusGood || !strings.Contains(errs, "glslc") || !strings.Contains(said, "bindpose shaders glow.frag") {
		t.Errorf("exit status %d, %q, %q", status, said, errs)
	}
	if _, err := os.Stat("glow.go"); err != nil {
		t.Error(err)
	}
}

func TestShadersSaysWhatIsWrong(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("bad.comp", []byte("#version 460\nvoid main() { no }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("glslc"); err == nil {
		if status, _, errs := command(t, "shaders"); status != statusFailed || !strings.Contains(errs, "bad.comp:2:") {
			t.Errorf("exit status %d, %q", status, errs)
		}
	}
	if status, _, errs := command(t, "shaders", "x.txt"); status != statusFailed || !strings.Contains(errs, "x.txt") {
		t.Errorf("exit status %d, %q", status, errs)
	}
}

// A module that does not know Bindpose, or not yet what Bindpose requires, is
// told the commands that mend it, and the line to add.
func TestNewPassSaysHowToRequireBindpose(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t)
	want := func(said string, lines ...string) {
		t.Helper()
		for _, l := range append(lines, "BINDPOSE_GOLDEN=write go test", "glow.go", "Glow(e)") {
			if !strings.Contains(said, l) {
				t.Errorf("%q is missing in:\n%s", l, said)
			}
		}
	}
	if err := os.WriteFile("go.mod", []byte("module example.com/game\n\ngo 1.26\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want(succeed(t, "new-pass", "glow"), "go mod edit -require github.com/bindpose/bindpose@v0.0.0 -replace", "  go mod tidy")

	goRun(t, "mod", "edit", "-require", "github.com/bindpose/bindpose@v0.0.0", "-replace", "github.com/bindpose/bindpose="+root)
	if err := os.Remove(filepath.Join(dir, "go.sum")); err != nil {
		t.Fatal(err)
	}
	want(succeed(t, "new-pass", "after-glow"), "  go mod tidy")
}
