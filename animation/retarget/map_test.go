package retarget_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget"
)

// A map that is written and read back is the same.
func TestMapThere(t *testing.T) {
	source, target := rig(t, shared(t, "gltf/KayKit/Med_General.glb").Skeleton), rig(t, shared(t, "gltf/CesiumMan/glTF-Binary/CesiumMan.glb").Skeleton)
	m, err := retarget.NewMap(source, target)
	if err != nil {
		t.Fatal(err)
	}
	again, err := retarget.ReadMap(m.JSON(), source, target)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(m, again) {
		t.Errorf("%v came back as %v", m.Pairs, again.Pairs)
	}
	if n := len(m.Pairs) + len(m.DroppedSource); n != source.Skeleton.Len() {
		t.Errorf("%d of %d joints are paired or dropped", n, source.Skeleton.Len())
	}
}

// A map that names only some of the joints says of the others that it leaves them
// out, not that the rigs lack them.
func TestMapSaysWhatItLeavesOut(t *testing.T) {
	body := mannequin(t)
	m, err := retarget.ReadMap([]byte(`{"pairs": [{"source": "hips", "target": "hips"}, {"source": "thigh_l", "target": "thigh_l"}]}`), body, body)
	if err != nil {
		t.Fatal(err)
	}
	why := func(dropped []retarget.Dropped, joint string) string {
		for _, d := range dropped {
			if body.Skeleton.Names[d.Joint] == joint {
				return d.Reason
			}
		}
		return ""
	}
	for joint, want := range map[string]string{
		"upperarm_l": "no pair of the map names it, though upperarm_l is the other rig's leftUpperArm, its own motion is left out",
		"calf_l":     "no pair of the map names it, though calf_l is the other rig's leftLowerLeg, its own motion is left out",
	} {
		if got := why(m.DroppedSource, joint); got != want {
			t.Errorf("%s: %q, want %q", joint, got, want)
		}
	}
	if got := why(m.DroppedTarget, "upperarm_l"); !strings.HasSuffix(got, "leftUpperArm, it keeps its rest") {
		t.Errorf("of the target: %q", got)
	}
}

// Every mistake of a map file is told, with its line and what is near.
func TestMapMistakes(t *testing.T) {
	body := mannequin(t)
	_, err := retarget.ReadMap([]byte(`{
  "pairs": [
    {"source": "hand_l", "target": "hand_l"},
    {"source": "hand_l", "target": "foot_l"},
    {"source": "hadn_r", "target": "hand_r"},

    {"source": "foot_r", "target": "foot_r", "confidence": 2},
    {"source": "calf_r", "target": "#900"},
    {"source": "calf_l", "target": "calf_l", "colour": 1},
    {"target": "head"}
  ],
  "pears": []
}`), body, body)
	var mistakes *retarget.MapError
	if !errors.As(err, &mistakes) || !errors.Is(err, retarget.ErrMap) {
		t.Fatal(err)
	}
	for i, want := range []struct {
		line int
		says string
	}{{4, "line 3 already"}, {5, `near: "hand_r"`}, {7, "confidence"}, {8, "#900"}, {9, "colour"}, {10, "without a source"}, {12, `"pears"`}} {
		if i >= len(mistakes.Mistakes) {
			t.Fatalf("only %d mistakes: %v", i, err)
		}
		if got := mistakes.Mistakes[i]; got.Line != want.line || !strings.Contains(got.Message, want.says) {
			t.Errorf("line %d: %s; want line %d with %q", got.Line, got.Message, want.line, want.says)
		}
	}
}

// A joint without a name is called by its number, and who calls it otherwise is told.
func TestMapOfNamelessJoints(t *testing.T) {
	body := mannequin(t)
	nameless := *body.Skeleton
	nameless.Names = make([]string, nameless.Len())
	hips := body.Hips
	target, err := retarget.NewRig(&nameless, retarget.RigOptions{})
	if err != nil {
		t.Fatal(err)
	}
	line := func(target string) []byte {
		return fmt.Appendf(nil, `{"pairs": [{"source": %q, "target": %q}]}`, body.Skeleton.Names[hips], target)
	}
	_, err = retarget.ReadMap(line(fmt.Sprintf("node %d", hips)), body, target)
	if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("by its number: #%d", hips)) {
		t.Errorf("told %v", err)
	}
	m, err := retarget.ReadMap(line(fmt.Sprintf("#%d", hips)), body, target)
	if err != nil || len(m.Pairs) != 1 || m.Pairs[0].Target != hips {
		t.Errorf("read %v, %v", m, err)
	}
}

// What JSON has no number for does not keep a map from being written.
func TestMapWithoutNumbers(t *testing.T) {
	body := mannequin(t)
	m, err := retarget.NewMap(body, body)
	if err != nil {
		t.Fatal(err)
	}
	m.Pairs[0].Confidence = float32(math.NaN())
	m.Twists = append(m.Twists, retarget.Twist{Joint: 1, Limb: 1, Of: 1, Share: float32(math.Inf(1))})
	if text := string(m.JSON()); !strings.Contains(text, `"confidence":0`) || !strings.Contains(text, `"share":0`) {
		t.Error(text)
	}
}

// FuzzReadMap: whatever a map file holds, reading ends, and what is read can be used.
func FuzzReadMap(f *testing.F) {
	body := mannequin(f)
	m, err := retarget.NewMap(body, body)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.JSON())
	f.Add([]byte(`{"pairs":[{"source":"#1","target":"#2"}]}`))
	f.Add([]byte(`{"pairs":[`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := retarget.ReadMap(data, body, body)
		if err != nil {
			return
		}
		r, err := retarget.New(m, retarget.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Pose(animation.NewPose(body.Skeleton), animation.NewPose(body.Skeleton)); err != nil {
			t.Fatal(err)
		}
	})
}
