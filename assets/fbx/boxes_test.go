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

const wantBoxes = 509

// otherBoxes are files whose boxes differ, with the reason.
var otherBoxes = map[string]string{}

func init() {
	for reason, files := range map[string][]string{
		"the truth in frames.json is met, and FBX2glTF differs from it": {
			"max2009_blob_5800_ascii", "max2009_blob_5800_binary", "maya_dual_quaternion_7500_ascii", "maya_mixed_inherit_mode_7700_ascii",
			"max_geometry_transform_instances_6100_ascii", "max_geometry_transform_instances_6100_binary",
			"max_geometry_transform_instances_7700_ascii", "max_geometry_transform_instances_7700_binary",
			"max_geometry_transform_order_7700_ascii", "synthetic_geometry_transform_inherit_mode_7700_ascii",
			"synthetic_bind_to_root_7700_ascii", "synthetic_sausage_wiggle_no_link_7500_ascii",
		},
		"fast turns between two frames, which FBX2glTF fills by straight lines; the truth in frames.json is met": {
			"blender_279_sausage_6100_ascii", "maya_extrapolate_cube_7700_ascii", "maya_extrapolate_cube_7700_binary",
			"maya_game_sausage_7500_ascii_combined", "maya_game_sausage_7500_ascii_deform",
			"maya_game_sausage_7500_binary_combined", "maya_game_sausage_7500_binary_deform",
			"maya_null_pivots_6100_ascii", "maya_null_pivots_6100_binary", "maya_null_pivots_7700_ascii", "maya_null_pivots_7700_binary",
			"maya_anim_layers_over_7500_ascii", "maya_anim_layers_over_7500_binary",
			"motionbuilder_tangent_smooth_7700_ascii", "motionbuilder_tangent_smooth_clamp_7700_ascii", "motionbuilder_tangent_spline_clamp_7700_ascii",
		},
		"rotations of layers that override by a part are blended otherwise, by 3 % of the size": {
			"maya_anim_layers_over_acc_orders_7500_ascii", "maya_anim_layers_over_acc_orders_7500_binary",
		},
		"edges without faces are not drawn": {"blender_279_edge_circle_6100_ascii", "blender_279_edge_circle_7400_binary"},
		"what is broken in the file is repaired otherwise": {
			"synthetic_cube_nan_6100_ascii", "synthetic_cube_nan_7400_ascii", "synthetic_cursed_geometry_7700_ascii", "synthetic_duplicate_id_6100_ascii",
		},
	} {
		for _, f := range files {
			otherBoxes["fbx/ufbx/"+f+".fbx"] = reason
		}
	}
}
