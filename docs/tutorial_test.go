package docs_test

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/internal/corpus"
)

// The tutorial's steps lead from an empty folder to its picture. A block whose
// language is followed by a file's name is that file; one that is "sh step" is
// run.
func TestTheTutorialLeadsToItsPicture(t *testing.T) {
	enginetest.Open(t, engine.Options{Width: 8, Height: 8}) // skips where there is no device
	if _, err := exec.LookPath("glslc"); err != nil {
		corpus.Missing(t, err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	bin, work := t.TempDir(), t.TempDir()
	build(t, "./tools/bindpose", filepath.Join(bin, "bindpose"))
	t.Setenv("BINDPOSE", root)
	t.Setenv("BINDPOSE_GOLDEN", "")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir, steps := work, 0
	for _, b := range blocks(t, "add-a-pass.md") {
		_, what, named := strings.Cut(b.language, " ")
		switch {
		case what == "step":
			steps++
			c := exec.Command("bash", "-e", "-c", b.text+"\npwd >"+filepath.Join(work, "pwd"))
			c.Dir = dir
			if said, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", b, err, said)
			}
			pwd, err := os.ReadFile(filepath.Join(work, "pwd"))
			if err != nil {
				t.Fatal(err)
			}
			dir = strings.TrimSpace(string(pwd))
		case named:
			if !filepath.IsLocal(what) {
				t.Fatalf("%v: %q is no file of the program", b, what)
			}
			if err := os.WriteFile(filepath.Join(dir, what), []byte(b.text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if steps < 5 {
		t.Fatalf("the tutorial has %d steps", steps)
	}
	pictures := map[string][]byte{}
	for _, name := range []string{"1.png", "2.png", "3.png"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for other, before := range pictures {
			if bytes.Equal(data, before) {
				t.Errorf("%s is the same as %s", name, other)
			}
		}
		pictures[name] = data
	}
	p, err := png.Decode(bytes.NewReader(pictures["3.png"]))
	if err != nil {
		t.Fatal(err)
	}
	gold, violet := 0, 0
	for y := range p.Bounds().Dy() {
		for x := range p.Bounds().Dx() {
			r, g, b, _ := p.At(x, y).RGBA()
			if r > 0xe000 && g > 0xb000 && b < 0x8000 {
				gold++
			}
			if b > 0xa000 && g < 0x5000 && r > 0x4000 {
				violet++
			}
		}
	}
	if gold < 500 || violet < 500 {
		t.Errorf("the outline has %d pixels of gold and %d of violet", gold, violet)
	}
	if out := os.Getenv("BINDPOSE_TUTORIAL_PICTURE"); out != "" {
		if err := os.WriteFile(out, pictures["3.png"], 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
