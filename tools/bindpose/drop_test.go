//go:build linux

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/bindpose/bindpose/internal/corpus"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// Files, folders and archives that are dragged onto the window are shown, as the
// X server delivers them; what holds no model leaves what is shown.
func TestDropOntoTheWindow(t *testing.T) {
	device(t)
	first := fox(t)
	folder := corpus.Path(t, "gltf/InterpolationTest/glTF")
	archive := zipped(t, "pack/", folder)
	spaced := filepath.Join(t.TempDir(), "with space & ümlaut.glb")
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(spaced, data, 0o666); err != nil {
		t.Fatal(err)
	}
	xvfb.Start(t)
	f := &drawFlags{size: "64x48", validate: true}
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	v, err := openViewer(f, []string{first})
	if err != nil {
		t.Fatal(err)
	}
	v.key = v.keys
	v.changes = watch(v.files)
	drops := []struct {
		path  string
		shown string // the model's name
	}{
		{folder, "InterpolationTest"},
		{t.TempDir(), "InterpolationTest"}, // empty
		{spaced, "with space & ümlaut"},
		{archive, "InterpolationTest"},
	}
	next, deadline := 0, time.Now().Add(2*time.Minute)
	var finished chan error
	settle := 0
	v.engine.BeforeFrame = func(float32) error {
		switch {
		case time.Now().After(deadline):
			return errors.New("the drops take too long")
		case next == len(drops):
			v.engine.Window.RequestClose()
		case finished == nil:
			finished = make(chan error, 1)
			go func(to chan error) { to <- xvfb.Drop(drops[next].path) }(finished)
		case settle > 0: // a frame or two until what was dropped is read
			if settle--; settle == 0 {
				if name := v.models[0].Name; name != drops[next].shown {
					t.Errorf("after a drop of %s, %s is shown", drops[next].path, name)
				}
				next, finished = next+1, nil
			}
		default:
			select {
			case err := <-finished:
				if err != nil {
					return err
				}
				settle = 3
			default:
			}
		}
		return nil
	}
	err = v.run()
	v.changes.close()
	if err := errors.Join(err, v.close(nil)); err != nil {
		t.Error(err)
	}
	if next != len(drops) {
		t.Errorf("%d of %d drops were made", next, len(drops))
	}
}
