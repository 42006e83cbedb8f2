// Package measuretest fails a Go test where a character measures otherwise than it
// did.
//
// # Concept
//
// A program is tuned to its characters: how fast a walk moves them, where their soles
// are, which joints its clips move. Check holds a model against the record that lies
// beside the test, figure by figure, so that a rig or clip that somebody replaced
// does not change the game unseen.
//
// # Example
//
//	func TestHeroIsAsItWas(t *testing.T) {
//		model, err := gltf.Load("hero.glb")
//		if err != nil {
//			t.Fatal(err)
//		}
//		measuretest.Check(t, "testdata/hero.json", model, model.Clips)
//	}
//
// The record is written by BINDPOSE_MEASURES=write go test, or by the command
// bindpose measure.
//
// # Cost
//
// That of measure.Take.
package measuretest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/measure"
)

// Check fails the test, naming each figure, old and new, where a model and clips for
// it measure otherwise than the record in a file says, or the file does not have
// the model. With BINDPOSE_MEASURES=write it writes the file instead.
func Check(t testing.TB, file string, m *assets.Model, clips []*animation.Clip) {
	t.Helper()
	is, err := measure.Take(m, clips)
	if err != nil {
		t.Errorf("measures: %v", err)
		return
	}
	switch mode := os.Getenv("BINDPOSE_MEASURES"); mode {
	case "":
	case "write":
		var out bytes.Buffer
		err := errors.Join(measure.Encode(&out, is), os.MkdirAll(filepath.Dir(file), 0o755))
		if err := errors.Join(err, os.WriteFile(file, out.Bytes(), 0o644)); err != nil {
			t.Errorf("measures: %v", err)
		}
		return
	default:
		t.Errorf("measures: BINDPOSE_MEASURES is %q; it may be write, or unset", mode)
		return
	}
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("measures: there is no %s to compare with; make it: BINDPOSE_MEASURES=write go test -run '^%s$'", file, t.Name())
		return
	}
	if err != nil {
		t.Errorf("measures: %v", err)
		return
	}
	record, err := measure.Decode(data)
	if err != nil {
		t.Errorf("measures: %s: %v", file, err)
		return
	}
	was, ok := record.Find(is.Name)
	if !ok {
		t.Errorf("measures: %s has no character %q", file, is.Name)
		return
	}
	changes := measure.Compare(was, is)
	for _, c := range changes {
		t.Errorf("measures: %s: %s", is.Name, c)
	}
	if len(changes) > 0 {
		t.Errorf("measures: where the changes are right: BINDPOSE_MEASURES=write go test -run '^%s$'", t.Name())
	}
}
