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
		different := false
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
				b, err := m.Bounds(between(t, m, clip, want.T-0.5/rate, want.T+0.5/rate))
				if err != nil {
					t.Error(err)
				}
				off = min(off, distance(b.Min, b.Max))
			}
			_, known := otherBoxes[e.File]
			if off <= 2e-6+1e-3*size {
				right++
				if r.Vertices == want.Verts {
					vertices++
				}
			} else if known {
				different = true
				listed++
			} else {
				t.Errorf("%s: %s at %v s is off by %v: %v to %v, want %v to %v", e.File, r.Clip, want.T, off, r.Bounds.Min, r.Bounds.Max, want.Min, want.Max)
			}
		}
		if reason, known := otherBoxes[e.File]; known && !different {
			t.Errorf("%s is right, but listed as not: %s", e.File, reason)
		}
	}
	t.Logf("%d boxes are right (%d with the same number of vertices), %d are listed as different; %d durations differ", right, vertices, listed, durations)
	if right < wantBoxes {
		t.Errorf("expected at least %d", wantBoxes)
	}
}

// between is halfway from one time's pose to another's, by straight lines.
func between(t *testing.T, m *assets.Model, clip *animation.Clip, from, to float32) *animation.Pose {
	var poses [2]*animation.Pose
	for i, at := range []float32{from, to} {
		poses[i] = animation.NewPose(m.Skeleton)
		job := animation.SamplingJob{
			Clip: clip, Skeleton: m.Skeleton, Time: min(max(at, 0), clip.Duration), Cursors: make([]int32, len(clip.Tracks)), Out: poses[i],
		}
		if err := job.Run(); err != nil {
			t.Fatal(err)
		}
	}
	a, b := poses[0], poses[1]
	for j := range a.Local {
		x, y := &a.Local[j], &b.Local[j]
		x.Translation, x.Scale = x.Translation.Lerp(y.Translation, 0.5), x.Scale.Lerp(y.Scale, 0.5)
		x.Rotation = mgl32.QuatSlerp(x.Rotation, y.Rotation, 0.5)
	}
	for i := range a.Weights {
		a.Weights[i] = (a.Weights[i] + b.Weights[i]) / 2
	}
	return a
}

const wantBoxes = 528

// otherBoxes are files whose boxes differ, with the reason.
var otherBoxes = map[string]string{}

func init() {
	for reason, files := range map[string][]string{
		"the truth in frames.json is met, and FBX2glTF differs from it": {
			"max2009_blob_5800_ascii", "max2009_blob_5800_binary", "maya_dual_quaternion_7500_ascii", "maya_mixed_inherit_mode_7700_ascii",
			"max_geometry_transform_instances_6100_ascii", "max_geometry_transform_instances_6100_binary",
			"max_geometry_transform_instances_7700_ascii", "max_geometry_transform_instances_7700_binary",
			"max_geometry_transform_order_7700_ascii", "synthetic_geometry_transform_inherit_mode_7700_ascii",
			"maya_game_sausage_7500_ascii_combined", "maya_game_sausage_7500_ascii_deform",
			"maya_game_sausage_7500_binary_combined", "maya_game_sausage_7500_binary_deform",
			"synthetic_bind_to_root_7700_ascii", "synthetic_sausage_wiggle_no_link_7500_ascii",
		},
		"rotations of layers that override by a part are blended otherwise, by 3 % of the size": {
			"maya_anim_layers_over_acc_orders_7500_ascii", "maya_anim_layers_over_acc_orders_7500_binary",
		},
		"what is broken in the file is repaired otherwise": {
			"synthetic_cube_nan_6100_ascii", "synthetic_cube_nan_7400_ascii", "synthetic_cursed_geometry_7700_ascii", "synthetic_duplicate_id_6100_ascii",
		},
	} {
		for _, f := range files {
			otherBoxes["fbx/ufbx/"+f+".fbx"] = reason
		}
	}
}
