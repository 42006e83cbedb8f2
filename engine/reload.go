package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/shaders"
)

// reload notices that shaders change, compiles them beside the frames, and has
// the pipelines that use them built anew between two frames.
type reload struct {
	notify *fsnotify.Watcher
	done   chan compiled
	end    chan struct{}
	closed sync.WaitGroup
	broken []brokenShader
	kept   sync.Map // absolute paths of the SPIR-V that is written beside its source
}

// compiled is what became of a changed shader.
type compiled struct {
	file string // shaders/geometry.vert
	code []byte
	err  error
}

// brokenShader is one whose last change is not in use.
type brokenShader struct{ file, text string }

// settled is how long a file must stay unchanged before it is compiled, so that
// it is not compiled half written.
const settled = 60 * time.Millisecond

// WatchShaders has the shaders of a folder compiled whenever they change, and
// the pipelines of their name built anew, while the frames go on. A shader that
// is wrong changes nothing: the last good one stays in use, and what the
// compiler says, with file and line, is shown over the picture until it is
// mended. glslc must be installed.
//
// Where a shader's SPIR-V lies beside it, outline.frag.spv, that is written too,
// so that a program or test built later embeds what is drawn now.
//
// Options.Shaders and BINDPOSE_SHADERS name folders from the start.
func (e *Engine) WatchShaders(folder string) error {
	if r := &e.reload; r.notify == nil {
		w, err := fsnotify.NewWatcher()
		if err != nil {
			return fmt.Errorf("engine: shaders cannot be watched: %w", err)
		}
		r.notify, r.done, r.end = w, make(chan compiled, 64), make(chan struct{})
		r.closed.Go(r.watch)
	}
	if err := e.reload.notify.Add(folder); err != nil {
		return fmt.Errorf("engine: the shaders of %s cannot be watched: %w", folder, err)
	}
	return nil
}

// ShaderErrors are what is wrong with the shaders that were changed, one text
// for each, with file and line.
func (e *Engine) ShaderErrors() []string {
	var out []string
	for _, b := range e.reload.broken {
		out = append(out, b.text)
	}
	return out
}

func (e *Engine) watchOptions() error {
	folders := e.options.Shaders
	if more := os.Getenv("BINDPOSE_SHADERS"); more != "" {
		folders = append(slices.Clone(folders), filepath.SplitList(more)...)
	}
	for _, f := range folders {
		if err := e.WatchShaders(f); err != nil {
			return err
		}
	}
	return nil
}

// watch runs beside the frames until the engine is closed.
func (r *reload) watch() {
	changed := map[string]bool{}
	quiet := time.NewTimer(time.Hour)
	for {
		select {
		case <-r.end:
			return
		case <-r.notify.Errors: // an overflow, say: the next change is seen again
		case at := <-r.notify.Events:
			if at.Has(fsnotify.Write) || at.Has(fsnotify.Create) {
				if sources := affected(at.Name); len(sources) > 0 {
					for _, s := range sources {
						changed[s] = true
					}
					quiet.Reset(settled)
				}
			}
		case <-quiet.C:
			for file := range changed {
				delete(changed, file)
				code, err := shaders.Compile(file)
				if err == nil {
					r.keep(file+".spv", code)
				}
				select {
				case r.done <- compiled{file, code, err}:
				case <-r.end:
					return
				}
			}
		}
	}
}

// keep writes SPIR-V over what lies beside its source. Where none does, or it
// cannot be written, the picture changes all the same.
func (r *reload) keep(file string, code []byte) {
	before, err := os.ReadFile(file)
	if err != nil || bytes.Equal(before, code) {
		return
	}
	if path, err := filepath.Abs(file); err == nil {
		r.kept.Store(path, nil) // first: a watched program hears of the file as it is written
		_ = os.WriteFile(file, code, 0o666)
	}
}

// affected are the shaders that a changed file is part of.
func affected(file string) []string {
	if shaders.IsSource(file) {
		return []string{file}
	}
	if filepath.Ext(file) != ".glsl" {
		return nil
	}
	beside, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return nil
	}
	var out []string
	for _, b := range beside {
		if shaders.IsSource(b.Name()) {
			out = append(out, filepath.Join(filepath.Dir(file), b.Name()))
		}
	}
	return out
}

// reloadShaders takes up what was compiled since the last frame.
func (e *Engine) reloadShaders() {
	r := &e.reload
	for {
		select {
		case c := <-r.done:
			if c.err == nil {
				if _, c.err = e.Device.ReplaceShader(filepath.Base(c.file), c.code); c.err != nil {
					c.err = fmt.Errorf("%w\na pass keeps the bindings and push constants that it was made with: change its Go to suit, and build and start the program anew", c.err)
				}
			}
			r.broken = slices.DeleteFunc(r.broken, func(b brokenShader) bool { return b.file == c.file })
			if c.err != nil {
				r.broken = append(r.broken, brokenShader{c.file, c.err.Error()})
				e.warnOnce(c.err)
			}
		default: // a nil channel too: nothing is watched
			return
		}
	}
}

// panel shows what is wrong over the picture.
func (r *reload) panel(g *gui.Context, width float32) {
	if len(r.broken) == 0 {
		return
	}
	s := g.Scale()
	g.SetNextWindowAnchor(width/2, 12*s, 0.5, 0, gui.Always)
	if g.Begin("Shaders", nil, gui.NoResize|gui.AutoResize) {
		for _, b := range r.broken {
			g.TextColored(gui.Warn, filepath.Base(b.file)+" is wrong; the last good one is drawn")
			// The folder is the one being edited, and a line has little room.
			for line := range strings.Lines(strings.ReplaceAll(b.text, filepath.Dir(b.file)+string(filepath.Separator), "")) {
				g.Text(strings.TrimRight(line, "\n"))
			}
		}
	}
	g.End()
}

func (r *reload) close() error {
	if r.notify == nil {
		return nil
	}
	close(r.end)
	r.closed.Wait()
	err := r.notify.Close()
	*r = reload{}
	return errors.Join(err)
}
