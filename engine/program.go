package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/bindpose/bindpose/engine/gui"
)

// Program says how a program is built anew while it runs, and what goes on in
// the new one; see Engine.WatchProgram.
type Program struct {
	// Package is the program's main package as go build takes it; empty is that
	// of the running program, as it was built.
	Package string
	// Folder is where go build runs, inside the module; empty is the current
	// one.
	Folder string
	// Entities has each entity, found by its name, put back where it was, with
	// its animator's clip and time and its body's velocity. Scripts begin anew.
	Entities bool
	// State points to what else goes on, as JSON: the new program finds it
	// filled in. Nil: nothing does.
	State any
	// Save is called before State is kept, to bring it up to date. May be nil.
	Save func()
}

// program builds the running program anew beside the frames.
type program struct {
	Program
	tags   string
	scrap  string // folder of what is built
	notify *fsnotify.Watcher
	done   chan builtProgram
	end    context.CancelFunc
	closed sync.WaitGroup
	busy   atomic.Bool
	failed string // what is wrong with the last change, with file and line

	shaders *sync.Map // SPIR-V that the watched shaders write: it is drawn with already
}

// builtProgram is what became of a change.
type builtProgram struct {
	path string // "": the running program is what was built
	text string // what the compiler said, where it failed
}

// WatchProgram has the program built anew, in the background, whenever one of
// its Go files changes: those of its module and of others that replace
// directives name by a folder. Where the build fails, the program goes on as it
// is and what the compiler said, with file and line, is shown over the picture.
// Where it succeeds, the next frame closes the engine, and the new program takes
// the process over: the same process with the same arguments, and what was kept.
// Deferred calls don't run then.
//
// Call it once the scene is set up. Where this program took over from another,
// it reports true, and goes on: the window has had its place and size since New;
// the scene's time, Paused, Show, the camera, where the panels are, and what p
// names are set now.
func (e *Engine) WatchProgram(p Program) (continued bool, err error) {
	if e.program != nil {
		return false, errors.New("engine: the program is watched already")
	}
	x := &program{Program: p, shaders: &e.reload.kept}
	info, ok := debug.ReadBuildInfo()
	if x.Package == "" {
		if !ok || info.Path == "" || info.Path == "command-line-arguments" {
			return false, errors.New("engine: the program cannot be watched, since it was built of files and not of a package: build it with go build . or set Program.Package")
		}
		x.Package = info.Path
	}
	if ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				x.tags = s.Value
			}
		}
	}
	folders, err := x.folders(context.Background())
	if err != nil {
		return false, err
	}
	if x.notify, err = fsnotify.NewWatcher(); err != nil {
		return false, fmt.Errorf("engine: the program cannot be watched: %w", err)
	}
	if x.scrap, err = os.MkdirTemp("", "bindpose-program-"); err != nil {
		_ = x.notify.Close() // nothing is watched yet
		return false, fmt.Errorf("engine: the program cannot be watched: %w", err)
	}
	for _, f := range folders {
		if err := x.notify.Add(f); err != nil {
			_, _ = x.notify.Close(), os.RemoveAll(x.scrap)
			return false, fmt.Errorf("engine: %s cannot be watched: %w", f, err)
		}
	}
	if k := e.continued; k != nil {
		e.continued = nil
		continued = true
		if err := e.restore(k, &x.Program); err != nil {
			e.options.Warn(nil, err.Error())
		}
	}
	x.done = make(chan builtProgram, 1)
	var ctx context.Context
	ctx, x.end = context.WithCancel(context.Background())
	x.closed.Go(func() { x.watch(ctx) })
	e.program = x
	return continued, nil
}

// ProgramError is what the compiler says of the program's last change, with file
// and line; "" where it is in use.
func (e *Engine) ProgramError() string {
	if e.program == nil {
		return ""
	}
	return e.program.failed
}

// goTool runs the go command in the program's folder.
func (p *program) goTool(ctx context.Context, args ...string) (out []byte, text string, err error) {
	c := exec.CommandContext(ctx, "go", args...)
	c.Dir = p.Folder
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // it ends the compilers that it started
	c.WaitDelay = 2 * time.Second
	var said bytes.Buffer
	c.Stderr = &said
	out, err = c.Output()
	return out, strings.TrimSpace(said.String()), err
}

// folders are those of the packages that are edited: what the module cache holds
// does not change.
func (p *program) folders(ctx context.Context) ([]string, error) {
	const edited = "{{with .Module}}{{if or .Main .Replace}}{{$.Dir}}{{end}}{{end}}"
	out, text, err := p.goTool(ctx, "list", "-e", "-deps", "-tags", p.tags, "-f", edited, p.Package)
	if errors.Is(err, exec.ErrNotFound) {
		return nil, fmt.Errorf("engine: the program cannot be watched: go is not installed, or not in PATH: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("engine: the program cannot be watched: go list %s: %s", p.Package, text)
	}
	folders := strings.FieldsFunc(string(out), func(r rune) bool { return r == '\n' }) // a path may hold spaces
	if len(folders) == 0 {
		return nil, fmt.Errorf("engine: the program cannot be watched: there is no source of %s here; start it in the folder of its module, or set Program.Folder", p.Package)
	}
	return folders, nil
}

// isSource says whether a program may be another one once the file changes.
func isSource(file string) bool {
	switch filepath.Ext(file) {
	case ".go":
		return !strings.HasSuffix(file, "_test.go")
	case ".c", ".cpp", ".h", ".spv":
		return true
	}
	return false
}

// watch runs beside the frames until the engine is closed.
func (p *program) watch(ctx context.Context) {
	quiet := time.NewTimer(time.Hour)
	quiet.Stop() // until something changes
	stop := func() {}
	defer func() { stop() }()
	for n := 1; ; {
		select {
		case <-ctx.Done():
			return
		case <-p.notify.Errors: // an overflow, say: the next change is seen again
		case at := <-p.notify.Events:
			if _, drawn := p.shaders.Load(at.Name); !drawn && isSource(at.Name) && !at.Has(fsnotify.Chmod) {
				quiet.Reset(2 * settled)
			}
		case <-quiet.C:
			stop() // what it builds is out of date
			stop = p.begin(ctx, filepath.Join(p.scrap, fmt.Sprintf("program-%d", n)))
			n++
		}
	}
}

// begin builds the program in the background; stop cancels that, and returns
// when it has ended.
func (p *program) begin(ctx context.Context, path string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	p.busy.Store(true)
	go func() {
		defer close(ended)
		b, ok := p.build(ctx, path)
		if !ok {
			return // a newer change is to be built
		}
		select {
		case <-p.done: // that no frame took
		default:
		}
		p.done <- b
		p.busy.Store(false)
	}()
	return func() {
		cancel()
		<-ended
	}
}

// build builds the program; false where it was cancelled.
func (p *program) build(ctx context.Context, path string) (builtProgram, bool) {
	_, text, err := p.goTool(ctx, "build", "-buildvcs=false", "-tags", p.tags, "-o", path, p.Package)
	if ctx.Err() != nil {
		_ = os.Remove(path) // if it is there
		return builtProgram{}, false
	}
	if err != nil {
		if text == "" {
			text = err.Error()
		}
		// A package that is new may be what it fails in.
		if folders, err := p.folders(ctx); err == nil {
			for _, f := range folders {
				_ = p.notify.Add(f) // mostly watched already
			}
		}
		return builtProgram{text: text}, true
	}
	if self, err := os.Executable(); err == nil && sameFile(self, path) {
		_ = os.Remove(path)
		return builtProgram{}, true
	}
	return builtProgram{path: path}, true
}

// sameFile says whether two files hold the same.
func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	if errX != nil || errY != nil || x.Size() != y.Size() {
		return false
	}
	dataX, errX := os.ReadFile(a)
	dataY, errY := os.ReadFile(b)
	return errX == nil && errY == nil && bytes.Equal(dataX, dataY)
}

// reloadProgram takes up what was built since the last frame. Where that is a
// new program, it does not return.
func (e *Engine) reloadProgram() error {
	p := e.program
	if p == nil {
		return nil
	}
	select {
	case b := <-p.done:
		p.failed = b.text
		if b.text != "" {
			e.warnOnce(errors.New(b.text))
		}
		if b.path != "" {
			return e.handOver(b.path)
		}
	default:
	}
	return nil
}

// panel shows over the picture what is wrong with the program's last change, or
// that it is being built.
func (p *program) panel(g *gui.Context, width float32, below bool) {
	if p == nil || p.failed == "" && !p.busy.Load() {
		return
	}
	s := g.Scale()
	y := 12 * s
	if below {
		y += 120 * s
	}
	g.SetNextWindowAnchor(width/2, y, 0.5, 0, gui.Always)
	if g.Begin("Program", nil, gui.NoResize|gui.AutoResize) {
		if p.busy.Load() {
			g.Text("the program is being built anew")
		} else {
			g.TextColored(gui.Warn, "the program cannot be built; the last good one runs on")
			lines := slices.DeleteFunc(slices.Collect(strings.Lines(p.failed)), func(line string) bool {
				return strings.HasPrefix(line, "# ") // a package: the files say it too
			})
			for i, line := range lines {
				if i == 12 {
					g.TextDisabled(fmt.Sprintf("and %d lines more", len(lines)-i))
					break
				}
				g.Text(strings.TrimRight(line, "\n"))
			}
		}
	}
	g.End()
}

func (p *program) close() {
	if p == nil {
		return
	}
	p.end()
	p.closed.Wait()
	_ = p.notify.Close() // nothing is lost with it
	_ = os.RemoveAll(p.scrap)
}
