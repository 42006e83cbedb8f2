// Package docs_test keeps the documentation true: it runs the commands that
// README.md and the pages here show, and compiles their Go.
package docs_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/framegraph"
	"github.com/bindpose/bindpose/internal/corpus"
)

// block is a fenced block of a page.
type block struct {
	page, language string
	line           int
	text           string
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// pages are the project's pages, relative to this folder.
func pages(t *testing.T) []string {
	t.Helper()
	here, err := filepath.Glob("*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"../README.md", "../CONTRIBUTING.md"}, here...)
}

// blocks are the fenced blocks of a page.
func blocks(t *testing.T, page string) []block {
	t.Helper()
	f, err := os.Open(page)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []block
	inside := false
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		switch text := lines.Text(); {
		case strings.HasPrefix(text, "```") && !inside:
			inside = true
			out = append(out, block{page: page, language: text[3:], line: n})
		case strings.HasPrefix(text, "```"):
			inside = false
		case inside:
			out[len(out)-1].text += text + "\n"
		}
	}
	if err := lines.Err(); err != nil || inside {
		t.Fatalf("%s: a block is not closed, or %v", page, err)
	}
	return out
}

// command is a command line that a page shows.
type command struct {
	where string
	words []string
}

var inTable = regexp.MustCompile("`(bindpose [^`]+|make [a-z-]+|go run [^`]+)`")

// commands are the command lines of a page: those in its sh and console blocks
// and in its tables.
func commands(t *testing.T, page string) []command {
	t.Helper()
	var out []command
	add := func(where, line string) {
		line, _, _ = strings.Cut(line, " #")
		line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
		if words := strings.Fields(line); len(words) > 1 {
			switch words[0] {
			case "bindpose", "make":
				out = append(out, command{where, words})
			case "go":
				if words[1] == "run" {
					out = append(out, command{where, words})
				}
			}
		}
	}
	for _, b := range blocks(t, page) {
		if b.language == "sh" || b.language == "console" {
			for i, line := range strings.Split(b.text, "\n") {
				add(fmt.Sprintf("%s:%d", b.page, b.line+1+i), line)
			}
		}
	}
	whole, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(whole), "\n") {
		if !strings.HasPrefix(line, "|") {
			continue // running text only speaks of commands
		}
		for _, m := range inTable.FindAllStringSubmatch(line, -1) {
			add(fmt.Sprintf("%s:%d", page, i+1), m[1])
		}
	}
	return out
}

// build compiles a main package of the project.
func build(t *testing.T, pkg, into string) {
	t.Helper()
	c := exec.Command("go", "build", "-o", into, pkg)
	c.Dir = ".."
	if said, err := c.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, said)
	}
}

// stand-ins for the files that the examples name.
var files = map[string]string{
	"fox.glb":   "gltf/Fox/glTF-Binary/Fox.glb",
	"walks.glb": "gltf/KayKit/Med_MovementBasic.glb",
	"hero.glb":  "gltf/CesiumMan/glTF-Binary/CesiumMan.glb",
}

// headless adds what keeps a command short and off the screen.
func headless(words []string) []string {
	out := slices.Clone(words)
	has := func(flag string) bool { return slices.Contains(words, flag) }
	switch words[1] {
	case "demo", "view":
		out = append(out, "--headless")
	case "profile":
		out = append(out, "--warmup", "1")
		if at := slices.Index(words, "--frames"); at >= 0 {
			out[at+1] = "3"
		} else {
			out = append(out, "--frames", "3")
		}
	case "graph":
	default:
		return out
	}
	if has("--size") {
		return out
	}
	return append(out, "--size", "160x90")
}

// Every command that a page shows does its work: bindpose and the examples run,
// without a display and small; make is asked what it would do; other programs of
// the project are built.
func TestCommandsInThePagesRun(t *testing.T) {
	enginetest.Open(t, engine.Options{Width: 8, Height: 8}) // skips where there is no device
	bin := t.TempDir()
	bindpose := filepath.Join(bin, "bindpose")
	build(t, "./tools/bindpose", bindpose)
	seen := map[string]bool{}
	for _, page := range pages(t) {
		work := t.TempDir()
		for _, c := range commands(t, page) {
			line := strings.Join(c.words, " ")
			if seen[line] {
				continue
			}
			seen[line] = true
			t.Run(c.where, func(t *testing.T) { try(t, bindpose, work, c.words) })
		}
	}
	for _, name := range []string{"demo", "view", "inspect", "pose", "profile", "graph", "new-pass", "stride", "measure"} {
		if !slices.ContainsFunc(keys(seen), func(line string) bool { return strings.HasPrefix(line, "bindpose "+name) }) {
			t.Errorf("no page shows bindpose %s", name)
		}
	}
}

func keys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	return out
}

// try runs a command in a folder, where what the page's commands before it wrote
// is still there. Behind ">" stands the file that its output goes to.
func try(t *testing.T, bindpose, work string, words []string) {
	var c *exec.Cmd
	into := ""
	if at := slices.Index(words, ">"); at >= 0 && at+1 < len(words) {
		words, into = words[:at], filepath.Join(work, words[at+1])
	}
	switch {
	case words[0] == "make":
		c = exec.Command("make", append([]string{"-n"}, words[1:]...)...)
		work = ".."
	case words[0] == "go":
		program := filepath.Join(work, "program")
		build(t, words[2], program)
		if !slices.Contains(words, "-out") {
			return // what writes into the project, or needs a window, is only built
		}
		c = exec.Command(program, words[3:]...)
	case words[1] == "new-pass":
		if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte("module example.com/game\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		c = exec.Command(bindpose, append(slices.Clone(words[1:]), "--no-picture")...) // its own test draws one
	default:
		c = exec.Command(bindpose, headless(words)[1:]...)
	}
	for _, word := range words[1:] {
		if file := files[word]; file != "" {
			data, err := os.ReadFile(corpus.Path(t, file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(work, word), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Dir = work
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "DISPLAY=") && !strings.HasPrefix(v, "WAYLAND_DISPLAY=") {
			c.Env = append(c.Env, v)
		}
	}
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if into != "" {
		out, err := os.Create(into)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		c.Stdout = out
	}
	if err := c.Run(); err != nil {
		// A few frames on a busy machine may well be slower: that is a finding, and
		// the command did its work.
		if found := new(exec.ExitError); !errors.As(err, &found) || found.ExitCode() != 1 || !slices.Contains(words, "--max-regression") {
			t.Fatalf("%s: %v\n%s", strings.Join(words, " "), err, said.String())
		}
	}
	if into != "" {
		if s, err := os.Stat(into); err != nil || s.Size() == 0 {
			t.Errorf("%s wrote nothing into %s", strings.Join(words, " "), into)
		}
	}
	for i, word := range words[:len(words)-1] {
		switch word {
		case "--out", "-out", "-o", "--html", "--trace", "--csv", "--pprof", "--go-trace":
			if s, err := os.Stat(filepath.Join(work, words[i+1])); err != nil || s.Size() == 0 {
				t.Errorf("%s wrote no %s", strings.Join(words, " "), words[i+1])
			}
		}
	}
}

// A command that is wrong must not pass: a flag that is not there, a file that is
// not there, a target that is not there.
func TestAWrongCommandIsNoticed(t *testing.T) {
	bindpose := filepath.Join(t.TempDir(), "bindpose")
	build(t, "./tools/bindpose", bindpose)
	for _, words := range [][]string{{"inspect", "nobody.glb"}, {"demo", "--headles"}} {
		if err := exec.Command(bindpose, words...).Run(); err == nil {
			t.Errorf("bindpose %v succeeded", words)
		}
	}
	if err := exec.Command("make", "-n", "-C", "..", "coffee").Run(); err == nil {
		t.Error("make coffee succeeded")
	}
}

// prelude makes a program of a few lines: the packages and the values that they
// speak of.
const prelude = `package snippet

import (
	"os"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/framegraph"
)

var (
	_ *gpu.Device
	_ *framegraph.Graph
	_ = os.Stdout
)

func _(e *engine.Engine, b *framegraph.Builder, color framegraph.Image, pipeline *gpu.Pipeline) {
%s}
`

// The Go in the pages compiles.
func TestGoInThePagesCompiles(t *testing.T) {
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	var packages []string
	for _, page := range pages(t) {
		for _, b := range blocks(t, page) {
			if b.language != "go" {
				continue
			}
			text := b.text
			if !strings.HasPrefix(text, "package ") {
				text = fmt.Sprintf(prelude, text)
			}
			name := fmt.Sprintf("block%d", len(packages))
			source := filepath.Join(dir, name+".go")
			if err := os.WriteFile(source, []byte("//line "+b.String()+"\n"+text), 0o644); err != nil {
				t.Fatal(err)
			}
			overlay.Replace[filepath.Join(root, "docs", name, "main.go")] = source
			packages = append(packages, "./docs/"+name)
		}
	}
	if len(packages) < 2 {
		t.Fatalf("the pages hold %d blocks of Go", len(packages))
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", append([]string{"build", "-overlay", file}, packages...)...)
	c.Dir = root
	if said, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// What the README says of its program: a pass that clears the picture behind the
// background makes the background unwanted.
func TestABackdropCullsTheSky(t *testing.T) {
	e := enginetest.Open(t, engine.Options{Width: 32, Height: 32})
	e.Scene.Camera = e.Scene.Spawn("camera", nil)
	enginetest.Frames(t, e, 1, 0)
	if text := e.Plan().Explain("background"); strings.Contains(text, "culled") {
		t.Fatalf("without a backdrop:\n%s", text)
	}
	err := e.AddPass("background", "backdrop", framegraph.Graphics, func(b *framegraph.Builder) framegraph.Record {
		images := e.Images()
		images.Color = b.ColorAttachment(images.Color, framegraph.Clear(1, 0, 0, 1))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	enginetest.Frames(t, e, 1, 0)
	if text := e.Plan().Explain("background"); !strings.Contains(text, "culled") {
		t.Errorf("with a backdrop:\n%s", text)
	}
	if c := enginetest.Picture(t, e).NRGBAAt(16, 16); c.R != 255 || c.G != 0 {
		t.Errorf("the backdrop is %v, not red", c)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)\)`)

// fenced is code, in which brackets are no links.
var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

// Every file and folder that a page links to is there.
func TestLinksInThePagesLeadSomewhere(t *testing.T) {
	for _, page := range append(pages(t), "../CHANGELOG.md", "../THIRD_PARTY.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}
