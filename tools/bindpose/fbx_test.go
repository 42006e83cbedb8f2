package main

import (
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// A cube of 1 cm in Maya is one of a centimetre in metres, and natively of one
// unit.
func TestLoadFBX(t *testing.T) {
	path := corpus.Path(t, "fbx/ufbx/maya_cube_7500_binary.fbx")
	for _, c := range []struct {
		options fbx.Options
		max     float32
	}{{fbx.Options{}, 0.005}, {fbx.Options{Native: true}, 0.5}} {
		m, err := loadFBXAs(c.options, path, func(w string) { t.Error(w) })
		if err != nil {
			t.Fatal(err)
		}
		r, err := assets.Pose(m, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if d := r.Bounds.Max.Sub(mgl32.Vec3{c.max, c.max, c.max}).Len(); d > 1e-6 {
			t.Errorf("%+v: the box ends at %v", c.options, r.Bounds.Max)
		}
	}
}
