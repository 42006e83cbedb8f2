package fbx_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// Boxes in metres and +Y up are those that the format's owner's library finds
// (data/oracle/fbx.json, made with FBX2glTF 0.9.7), clips counted from their
// start.
func TestBoxes(t *testing.T) {
	raw, err := os.ReadFile(corpus.Path(t, "oracle/fbx.json"))
	if err != nil {
		t.Fatal(err)
	}
	type box struct {
		Stack       *string
		Duration, T float32
		Verts       int
		Min, Max    mgl32.Vec3
	}
	var entries []struct {
		File     string
		FBX2glTF []box
	}
	if err := json.Unmarshal(raw, &entries); err != nil {
		t.Fatal(err)
	}
	right, listed, vertices := 0, 0, 0
	durations := 0
	for _, e := range entries {
		if len(e.FBX2glTF) == 0 || strings.Contains(e.File, "_fail_") {
			continue
		}
		m, err := fbx.Load(corpus.Path(t, e.File))
		for _, want := range e.FBX2glTF {
			if err != nil {
				if otherBoxes[e.File] == "" {
					t.Error(err)
				}
				listed++
				continue
			}
			var clip *animation.Clip
			if want.Stack != nil {
				if clip, err = m.Clip(*want.Stack); err != nil {
					t.Errorf("%s: %v", e.File, err)
					err = nil
					continue
				}
				if d := clip.Duration - want.Duration; d > 1e-3 || d < -1e-3 {
					durations++
					if os.Getenv("FBX_OFF") != "" {
						t.Logf("%s: %q lasts %v, want %v", e.File, clip.Name, clip.Duration, want.Duration)
					}
				}
			}
			r, poseErr := assets.Pose(m, clip, want.T)
			if poseErr != nil {
				t.Error(poseErr)
				continue
			}
			size := want.Max.Sub(want.Min).Len()
			distance := func(lo, hi mgl32.Vec3) float32 { return max(lo.Sub(want.Min).Len(), hi.Sub(want.Max).Len()) }
			off := distance(r.Bounds.Min, r.Bounds.Max)
			for _, rate := range []float32{24, 30} {
				// FBX2glTF samples at the file's frames, and many of the times lie
				// between two.
				if clip == nil || off <= 1e-3*size {
					break
				}
				a, err := assets.Pose(m, clip, want.T-0.5/rate)
				b, err2 := assets.Pose(m, clip, want.T+0.5/rate)
				if err == nil && err2 == nil {
					off = min(off, distance(a.Bounds.Min.Lerp(b.Bounds.Min, 0.5), a.Bounds.Max.Lerp(b.Bounds.Max, 0.5)))
				}
			}
			_, known := otherBoxes[e.File]
			if off <= 2e-6+1e-3*size {
				right++
				if r.Vertices == want.Verts {
					vertices++
				}
			} else if known {
				listed++
			} else {
				t.Errorf("%s: %s at %v s is off by %v: %v to %v, want %v to %v", e.File, r.Clip, want.T, off, r.Bounds.Min, r.Bounds.Max, want.Min, want.Max)
			}
		}
	}
	t.Logf("%d boxes are right (%d with the same number of vertices), %d are listed as different; %d durations differ", right, vertices, listed, durations)
	if right < wantBoxes {
		t.Errorf("expected at least %d", wantBoxes)
	}
}

const wantBoxes = 1

// otherBoxes are files whose boxes differ, with the reason.
var otherBoxes = map[string]string{}
