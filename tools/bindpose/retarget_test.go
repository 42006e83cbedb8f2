package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/assets/vrm"
	"github.com/bindpose/bindpose/internal/corpus"
)

const mannequinFile = "../../demo/assets/mannequin.glb"

// The command writes a character with a pack's clips, some under new names, tells
// what it did as JSON, and takes back the map that it wrote.
func TestRetarget(t *testing.T) {
	pack, dir := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb"), t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(file("aliases.json"), []byte(`{"walk": "Walking_A", "run": "Running_A"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	status, told, _ := command(t, "retarget", pack, mannequinFile, "-o", file("a.glb"), "--map-out", file("map.json"), "--aliases", file("aliases.json"), "--json")
	if status != 0 {
		t.Fatalf("status %d", status)
	}
	var r struct {
		Sources []struct {
			Kind string
			Map  struct{ Pairs []map[string]any }
		}
		Clips []struct {
			Name string
			Keys int
		}
	}
	if err := json.Unmarshal([]byte(told), &r); err != nil {
		t.Fatalf("%v in %s", err, told)
	}
	if len(r.Sources) != 1 || r.Sources[0].Kind != "kaykit" || len(r.Sources[0].Map.Pairs) < 16 || len(r.Clips) != 11 {
		t.Errorf("told %+v", r)
	}
	m, err := gltf.Load(file("a.glb"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"walk", "run", "Jump_Idle"} {
		if c, err := m.Clip(name); err != nil || c.Duration < 0.5 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if status, _, _ := command(t, "retarget", pack, mannequinFile, "-o", file("b.glb"), "--map", file("map.json"), "--aliases", file("aliases.json"), "--json"); status != 0 {
		t.Fatalf("status %d with its own map", status)
	}
	a, err := os.ReadFile(file("a.glb"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file("b.glb"))
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("its own map makes another file: %v", err)
	}
}

// An avatar keeps what makes it one, so that the bones of what was written are told,
// not guessed: its joints have no names that say what they are.
func TestRetargetKeepsAvatars(t *testing.T) {
	pack := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb")
	avatar := corpus.Path(t, "vrm/blender-5.2/blend/armature_transform.vrm")
	_, was, err := vrm.Load(avatar)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"moved.glb", "moved.vrm"} {
		out := filepath.Join(t.TempDir(), name)
		if status, _, said := command(t, "retarget", pack, avatar, "--clip", "Walking_A", "-o", out); status != 0 {
			t.Fatalf("%s: status %d: %s", name, status, said)
		}
		m, is, err := vrm.Load(out)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(is.Bones) != len(was.Bones) || len(m.Clips) != 1 {
			t.Errorf("%s: %d bones of %d, %d clips", name, len(is.Bones), len(was.Bones), len(m.Clips))
		}
		if status, told, said := command(t, "verify", pack, out, "--clip", "Walking_A"); status != 0 {
			t.Errorf("%s: verify: status %d: %s%s", name, status, told, said)
		}
	}
}

// Two joints without names, and without a body, take a person's trunk by a map made by
// hand; so does a body whose map leaves out the legs. Both are proved.
func TestRetargetByHand(t *testing.T) {
	pack := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb")
	pairs, out := filepath.Join(t.TempDir(), "map.json"), filepath.Join(t.TempDir(), "out.glb")
	for target, hand := range map[string]string{
		corpus.Path(t, "gltf/RiggedSimple/glTF/RiggedSimple.gltf"): `{"pairs": [{"source": "hips", "target": "#2"}, {"source": "chest", "target": "#3"}]}`,
		mannequinFile: `{"pairs": [{"source": "hips", "target": "hips", "bone": "hips"}, {"source": "head", "target": "head", "bone": "head"}]}`,
	} {
		if err := os.WriteFile(pairs, []byte(hand), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, said := command(t, "retarget", pack, target, "--map", pairs, "-o", out); status != 0 {
			t.Fatalf("%s: status %d: %s", target, status, said)
		}
		if status, told, said := command(t, "verify", pack, out, "--map", pairs); status != 0 || !strings.Contains(told, "11 of 11") {
			t.Errorf("%s: verify: status %d: %s%s", target, status, told, said)
		}
	}
}

// What cannot be done is said, and nothing is written.
func TestRetargetRefuses(t *testing.T) {
	pack, out := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb"), filepath.Join(t.TempDir(), "out.glb")
	broken := filepath.Join(t.TempDir(), "map.json")
	if err := os.WriteFile(broken, []byte("{\"pairs\": [\n{\"source\": \"hipps\", \"target\": \"pelvis\"}]}"), 0o600); err != nil {
		t.Fatal(err)
	}
	aliases := filepath.Join(t.TempDir(), "aliases.json")
	if err := os.WriteFile(aliases, []byte(`{"Walking_A": "Running_A"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	own := ownMannequin(t, "own.glb", nil)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"an animal":           {[]string{corpus.Path(t, "gltf/Fox/glTF-Binary/Fox.glb"), mannequinFile, "-o", out}, "body of a person"},
		"no clips":            {[]string{corpus.Path(t, "gltf/Box/glTF-Binary/Box.glb"), mannequinFile, "-o", out}, "person"},
		"no such":             {[]string{pack, mannequinFile, "--clip", "Fly", "-o", out}, "Fly"},
		"format":              {[]string{pack, mannequinFile, "-o", "out.fbx"}, ".glb"},
		"broken map":          {[]string{pack, mannequinFile, "--map", broken, "-o", out}, `line 2: the source has no joint "hipps"; near: "hips"`},
		"bad offset":          {[]string{pack, mannequinFile, "--offset", "Walking_A=1,2", "-o", out}, "3 numbers"},
		"one file":            {[]string{pack}, "FILE"},
		"no such clip":        {[]string{pack, mannequinFile, "--clip", "Fly"}, "Fly"},
		"offset of none":      {[]string{pack, mannequinFile, "--offset", "Fly=0,1,0", "-o", out}, "Fly"},
		"offset of no name":   {[]string{pack, mannequinFile, "--offset", "=0,1,0", "-o", out}, "--offset"},
		"alias of another":    {[]string{pack, mannequinFile, "--aliases", aliases, "-o", out}, "Walking_A"},
		"onto its source":     {[]string{own, mannequinFile, "-o", own}, "written over"},
		"map onto its target": {[]string{pack, own, "--map-out", own}, "written over"},
		"no such map":         {[]string{pack, mannequinFile, "--map", "nowhere.json"}, "nowhere.json"},
	} {
		status, _, said := command(t, append([]string{"retarget"}, c.args...)...)
		if status != statusFailed || !strings.Contains(said, c.says) {
			t.Errorf("%s: status %d: %s", name, status, said)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something was written")
	}
}
