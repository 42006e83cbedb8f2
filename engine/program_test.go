package engine_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/enginetest"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// painted is a program in a module of its own that watches itself.
type painted struct {
	t    *testing.T
	dir  string
	text string // of the file with the pass
	cmd  *exec.Cmd
	said bytes.Buffer
	done chan error
}

// paintedStatus is what it says of its latest frame.
type paintedStatus struct {
	Frames, PID int
	Time        float64
	X           float32
	Continued   bool
	Error       string
	Window      [4]int
	Corner      color.NRGBA
}

// startPainted builds and starts the program.
func startPainted(t *testing.T, args ...string) *painted {
	t.Helper()
	root := must(filepath.Abs(".."))(t)
	p := &painted{t: t, dir: filepath.Join(t.TempDir(), "a program"), done: make(chan error, 1)} // as folders of people are named
	if err := os.Mkdir(p.dir, 0o777); err != nil {
		t.Fatal(err)
	}
	own := must(os.ReadFile(filepath.Join(root, "go.mod")))(t)
	module := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(own), "module example.com/painted") +
		"\nrequire github.com/bindpose/bindpose v0.0.0\n\nreplace github.com/bindpose/bindpose => " + root + "\n"
	p.write("go.mod", module)
	p.write("go.sum", string(must(os.ReadFile(filepath.Join(root, "go.sum")))(t)))
	for _, name := range []string{"main.go", "paint.go"} {
		p.text = string(must(os.ReadFile(filepath.Join("testdata", "painted", name+".txt")))(t))
		p.write(name, p.text)
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", "painted", ".")
	build.Dir = p.dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	p.cmd = exec.Command("./painted", args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = p.dir, &p.said, &p.said
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { p.done <- p.cmd.Wait() }()
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("the program said:\n%s", p.said.String())
		}
	})
	return p
}

func (p *painted) write(name, text string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// until waits for a status of a later frame.
func (p *painted) until(what string, holds func(s *paintedStatus) bool) paintedStatus {
	p.t.Helper()
	for end := time.Now().Add(4 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var s paintedStatus
		data, err := os.ReadFile(filepath.Join(p.dir, "status.json"))
		if err == nil {
			err = json.Unmarshal(data, &s)
		}
		if err == nil && holds(&s) {
			return s
		}
		select {
		case err := <-p.done:
			p.t.Fatalf("the program ended before %s: %v", what, err)
		default:
		}
		if time.Now().After(end) {
			p.t.Fatalf("not in time: %s; the status is %+v, %v", what, s, err)
		}
	}
}

// stop ends the program, which fails where the validation layers said something.
func (p *painted) stop() {
	p.t.Helper()
	p.write("stop", "")
	if err := <-p.done; err != nil {
		p.t.Errorf("the program ended with %v", err)
	}
}

// picture is the program's picture of about now.
func (p *painted) picture() (out []byte) {
	p.t.Helper()
	os.Remove(filepath.Join(p.dir, "picture.png"))
	p.write("want", "")
	p.until("a picture", func(*paintedStatus) bool {
		_, err := os.Stat(filepath.Join(p.dir, "picture.png"))
		return err == nil
	})
	return must(os.ReadFile(filepath.Join(p.dir, "picture.png")))(p.t)
}

// A pass that changes in its Go file is drawn with: the new program takes over
// in the same process, and goes on where the old one was. A mistake is shown
// with file and line, and the old picture stays.
func TestProgramsReloadWhileRunning(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program three times")
	}
	enginetest.Open(t, engine.Options{Width: 8, Height: 8}) // skips where there is no device
	p := startPainted(t)
	red := func(s *paintedStatus) bool { return s.Corner == color.NRGBA{255, 0, 0, 255} }
	green := func(s *paintedStatus) bool { return s.Corner == color.NRGBA{0, 255, 0, 255} }
	first := p.until("the picture is red", func(s *paintedStatus) bool { return red(s) && s.Frames > 20 })
	if first.Continued {
		t.Error("the first program says that it goes on from another")
	}

	paint := strings.Replace(p.text, "Clear(1, 0, 0, 1)", "Clear(0, 1, 0, 1)", 1)
	p.write("paint.go", paint)
	second := p.until("the picture is green", green)
	if !second.Continued || second.PID != first.PID || second.Frames <= first.Frames || second.Time <= first.Time || second.X <= first.X {
		t.Errorf("it went on with %+v; before it was at %+v", second, first)
	}
	plain := p.picture()

	p.write("paint.go", strings.Replace(paint, "return nil", "return nothing", 1))
	wrong := p.until("an error is told", func(s *paintedStatus) bool { return s.Error != "" })
	if !strings.Contains(wrong.Error, "paint.go:13:10: undefined: nothing") {
		t.Errorf("the error is %q", wrong.Error)
	}
	later := p.until("it runs on", func(s *paintedStatus) bool { return s.Frames > wrong.Frames+5 })
	if !green(&later) || later.Error == "" {
		t.Errorf("with a broken pass it goes on with %+v", later)
	}
	shown := p.picture()
	a, b := must(png.Decode(bytes.NewReader(plain)))(t), must(png.Decode(bytes.NewReader(shown)))(t)
	differ := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.At(x, y) != b.At(x, y) {
				differ++
			}
		}
	}
	if differ < 4000 {
		t.Errorf("only %d pixels show an error", differ)
	}
	if out := os.Getenv("BINDPOSE_RELOAD_PICTURE"); out != "" {
		if err := os.WriteFile(out, shown, 0o666); err != nil {
			t.Error(err)
		}
	}

	// Mended to what runs already, there is nothing to take over.
	p.write("paint.go", paint)
	mended := p.until("the error is gone", func(s *paintedStatus) bool { return s.Error == "" })
	if !green(&mended) || mended.Frames <= later.Frames {
		t.Errorf("mended, it goes on with %+v", mended)
	}
	p.stop()
}

// A window goes on where it was, in its size.
func TestAWindowGoesOnInItsPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program twice")
	}
	xvfb.Start(t)
	p := startPainted(t, "-window")
	want := [4]int{210, 130, 500, 280}
	first := p.until("the window is in its place", func(s *paintedStatus) bool { return s.Window == want && s.Frames > 20 })
	p.write("paint.go", strings.Replace(p.text, "Clear(1, 0, 0, 1)", "Clear(0, 0, 1, 1)", 1))
	second := p.until("the new program draws", func(s *paintedStatus) bool { return s.Continued && s.Window == want })
	if second.Frames <= first.Frames || second.PID != first.PID {
		t.Errorf("it went on with %+v; before it was at %+v", second, first)
	}
	p.stop()
}

// What a program cannot go on from is told, and it begins anew; a program that
// has no source here cannot be watched.
func TestWhatCannotBeContinued(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(file, []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, file + ".none"} {
		t.Setenv("BINDPOSE_CONTINUE", path)
		var warned []string
		e := enginetest.Open(t, engine.Options{Width: 8, Height: 8, Warn: func(_ *assets.Model, m string) { warned = append(warned, m) }})
		if len(warned) != 1 || !strings.Contains(warned[0], filepath.Base(path)) {
			t.Errorf("%s: the warnings are %q", path, warned)
		}
		if _, there := os.LookupEnv("BINDPOSE_CONTINUE"); there {
			t.Error("programs that this one starts would inherit it")
		}
		enginetest.Frames(t, e, 0, 0)
		e.Close()
	}
	e := enginetest.Open(t, engine.Options{Width: 8, Height: 8})
	for _, p := range []engine.Program{
		{Package: "example.com/not/there"},
		{Package: ".", Folder: t.TempDir()},
		{Package: "fmt"},
	} {
		if _, err := e.WatchProgram(p); err == nil || !strings.Contains(err.Error(), "cannot be watched") {
			t.Errorf("%+v: the error is %v", p, err)
		}
	}
	if e.ProgramError() != "" {
		t.Error(errors.New(e.ProgramError()))
	}
}
