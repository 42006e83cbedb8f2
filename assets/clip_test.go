package assets

import (
	"errors"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
)

func TestClipByNameOrIndex(t *testing.T) {
	m := &Model{Path: "a.glb", Clips: []*animation.Clip{{Name: "Walk"}, {Name: ""}, {Name: "0"}}}
	for name, want := range map[string]*animation.Clip{
		"Walk": m.Clips[0], "": m.Clips[1], "0": m.Clips[2], "1": m.Clips[1], "none": nil,
	} {
		if c, err := m.Clip(name); c != want || err != nil {
			t.Errorf("%q: %v, %v", name, c, err)
		}
	}
	m.Clips = append(m.Clips, &animation.Clip{Name: "Rig|Run"}, &animation.Clip{Name: "Rig|Turn"}, &animation.Clip{Name: "Hat|Turn"})
	if c, err := m.Clip("Run"); c != m.Clips[3] || err != nil {
		t.Errorf("Run: %v, %v", c, err)
	}
	for _, name := range []string{"Turn", "walk", "6", "-1", "1.0"} {
		if _, err := m.Clip(name); !errors.Is(err, animation.ErrNoClip) || !strings.Contains(err.Error(), `0 "Walk"`) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
