package main

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
)

// Clips of one name, and of none, all arrive under names of their own, and each is
// judged against what it was made of.
func TestClipsOfOneName(t *testing.T) {
	for _, name := range []string{"", "dance", "a/b|c"} {
		pack := ownMannequin(t, "pack.glb", func(m *assets.Model) {
			var clips []*animation.Clip
			for _, c := range append(slices.Clone(m.Clips), m.Clips[1]) { // the last has the second's motion
				same := c.With(c.Tracks)
				same.Name = name
				clips = append(clips, same)
			}
			m.Clips = clips
		})
		hero := ownMannequin(t, "hero.glb", func(m *assets.Model) { m.Clips = nil })
		out := filepath.Join(t.TempDir(), "out.glb")
		if status, _, errs := command(t, "retarget", pack, hero, "-o", out); status != statusGood {
			t.Fatalf("%q: status %d: %s", name, status, errs)
		}
		m, err := gltf.Load(out)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, c := range m.Clips {
			names[c.Name] = true
		}
		if len(names) != 4 {
			t.Errorf("%q: the clips are called %v", name, names)
		}
		status, r := verified(t, pack, out)
		if status != statusGood || len(r.Clips) != 4 || r.Live {
			t.Errorf("%q: status %d, %d clips, live %v: %+v", name, status, len(r.Clips), r.Live, r.Findings)
		}
	}
}
