package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/retarget/verify"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	demoassets "github.com/bindpose/bindpose/demo/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// ownMannequin writes the project's mannequin, its clips changed, into a folder.
func ownMannequin(t *testing.T, name string, change func(m *assets.Model)) string {
	t.Helper()
	data, err := demoassets.Files.ReadFile("mannequin.glb")
	if err != nil {
		t.Fatal(err)
	}
	m, err := gltf.Decode("mannequin.glb", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(m)
	}
	var out bytes.Buffer
	if err := gltf.Write(m, &out); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// without replaces each clip by one that lacks some tracks.
func without(drop func(joint string, p animation.Path) bool) func(*assets.Model) {
	return func(m *assets.Model) {
		for i, c := range m.Clips {
			var kept []animation.Track
			for _, tr := range c.Tracks {
				if !drop(m.Skeleton.Names[tr.Joint], tr.Path) {
					kept = append(kept, tr)
				}
			}
			m.Clips[i] = c.With(kept)
		}
	}
}

func isFingerJoint(name string) bool {
	for _, f := range []string{"thumb", "index", "middle", "ring", "pinky"} {
		if strings.HasPrefix(name, f) {
			return true
		}
	}
	return false
}

// verified is the JSON of a run, and its exit status.
func verified(t *testing.T, args ...string) (int, verify.Report) {
	t.Helper()
	status, out, errs := command(t, append([]string{"verify", "--json"}, args...)...)
	var r verify.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	return status, r
}

func finding(r verify.Report, code string) *verify.Finding {
	for i := range r.Findings {
		if r.Findings[i].Code == code {
			return &r.Findings[i]
		}
	}
	return nil
}

func TestVerifyItself(t *testing.T) {
	path := ownMannequin(t, "mannequin.glb", nil)
	status, r := verified(t, path, path)
	if status != statusGood || !r.Pass || r.Live || len(r.Findings) != 0 || len(r.Clips) != 3 {
		t.Fatalf("status %d: %+v", status, r.Findings)
	}
	for _, c := range r.Clips {
		if !c.Pass || c.MaxDeg != 0 || c.MaxM > 1e-6 || len(c.Joints) < 60 || c.Samples != int(math.Floor(c.Duration*60+1e-3))+1 {
			t.Errorf("%s: pass %v, %v°, %v m, %d joints, %d samples of %v s", c.Name, c.Pass, c.MaxDeg, c.MaxM, len(c.Joints), c.Samples, c.Duration)
		}
	}
	// The JSON has the names that other programs read.
	_, out, _ := command(t, "verify", path, path, "--json", "--clip", "walk")
	var raw struct {
		Pass  *bool
		Clips []map[string]any
	}
	if err := json.Unmarshal([]byte(out), &raw); err != nil || raw.Pass == nil || len(raw.Clips) != 1 {
		t.Fatalf("%v: %s", err, out)
	}
	for _, key := range []string{"name", "samples", "joints", "max_drift_deg", "max_drift_m", "pass"} {
		if _, ok := raw.Clips[0][key]; !ok {
			t.Errorf("a clip lacks %s", key)
		}
	}
	joint := raw.Clips[0]["joints"].([]any)[0].(map[string]any)
	for _, key := range []string{"name", "offset_deg", "drift_deg", "drift_m"} {
		if _, ok := joint[key]; !ok {
			t.Errorf("a joint lacks %s", key)
		}
	}
}

// What retarget writes, and what it would do live, passes.
func TestVerifyRetargeted(t *testing.T) {
	source := ownMannequin(t, "walks.glb", nil)
	// Longer legs, bound otherwise.
	target := ownMannequin(t, "hero.glb", func(m *assets.Model) {
		s := m.Skeleton
		for j := range s.Rest {
			switch s.Names[j] {
			case "calf_l", "calf_r", "foot_l", "foot_r":
				s.Rest[j].Translation = s.Rest[j].Translation.Mul(1.2)
			case "hips":
				s.Rest[j].Translation = s.Rest[j].Translation.Add(mgl32.Vec3{0, 0.168, 0})
			}
		}
		m.Clips = nil
	})
	status, r := verified(t, source, target)
	if status != statusGood || !r.Live || len(r.Notes) == 0 || len(r.Clips) != 3 {
		t.Errorf("live: status %d, %+v", status, r.Findings)
	}
	baked := filepath.Join(t.TempDir(), "hero-walks.glb")
	succeed(t, "retarget", source, target, "-o", baked)
	status, r = verified(t, source, baked)
	if status != statusGood || r.Live || len(r.Clips) != 3 {
		t.Errorf("baked: status %d, %+v", status, r.Findings)
	}
	if text := succeed(t, "verify", source, baked); !strings.Contains(text, "passes") || !strings.Contains(text, "3 of 3 clips pass") {
		t.Errorf("the text is\n%s", text)
	}

	// Only one clip was brought over: that one is judged, and the others are told.
	one := filepath.Join(t.TempDir(), "one.glb")
	succeed(t, "retarget", source, target, "-o", one, "--clip", "walk")
	status, r = verified(t, source, one)
	if status != statusGood || len(r.Clips) != 1 || finding(r, verify.NotMeasured) == nil {
		t.Errorf("one clip: status %d, %+v", status, r.Findings)
	}
}

// What a table of aliases renamed is judged where verify is given the table, and told
// to be missing where it is not.
func TestVerifyAliases(t *testing.T) {
	own, dir := ownMannequin(t, "mannequin.glb", nil), t.TempDir()
	table, moved := filepath.Join(dir, "table.json"), filepath.Join(dir, "moved.glb")
	if err := os.WriteFile(table, []byte(`{"go": "walk", "rest": "idle"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	succeed(t, "retarget", own, own, "--aliases", table, "-o", moved)
	status, r := verified(t, own, moved)
	if status != 0 || len(r.Clips) != 1 || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "not judged: idle, walk") || !strings.Contains(r.Notes[0], "--aliases") {
		t.Errorf("without the table: status %d, %d clips, notes %q", status, len(r.Clips), r.Notes)
	}
	status, r = verified(t, own, moved, "--aliases", table)
	if status != 0 || len(r.Clips) != 3 || len(r.Notes) != 0 || r.Live {
		t.Errorf("with the table: status %d, %d clips, notes %q", status, len(r.Clips), r.Notes)
	}
	if status, _, errs := command(t, "verify", own, moved, "--aliases", filepath.Join(dir, "none.json")); status != 2 || !strings.Contains(errs, "none.json") {
		t.Errorf("a table that is not there: status %d, %s", status, errs)
	}
}

// Each fault ends with status 1 and is called by its name.
func TestVerifyFaults(t *testing.T) {
	source := ownMannequin(t, "walks.glb", nil)
	for _, c := range []struct {
		name   string
		change func(*assets.Model)
		code   string
		joint  string
	}{
		{"fingers", without(func(j string, _ animation.Path) bool { return isFingerJoint(j) }), verify.FingersDropped, ""},
		{"forearm", without(func(j string, _ animation.Path) bool { return j == "lowerarm_l" }), verify.JointStill, "lowerarm_l"},
		{"pelvis", without(func(j string, p animation.Path) bool { return j == "hips" && p == animation.Translation }), verify.RootLost, "hips"},
	} {
		target := ownMannequin(t, c.name+".glb", c.change)
		status, r := verified(t, source, target)
		f := finding(r, c.code)
		if status != statusFindings || r.Pass || f == nil || c.joint != "" && f.Joint != c.joint {
			t.Errorf("%s: status %d, %+v", c.name, status, r.Findings)
		}
		status, text, _ := command(t, "verify", source, target)
		if status != statusFindings || !strings.Contains(text, c.code) || !strings.Contains(text, "does not pass") {
			t.Errorf("%s: status %d:\n%s", c.name, status, text)
		}
	}

	// A map from which the fingers were taken.
	file := filepath.Join(t.TempDir(), "map.json")
	succeed(t, "retarget", source, source, "--map-out", file)
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	var kept []any
	for _, p := range m["pairs"].([]any) {
		if name, _ := p.(map[string]any)["target"].(string); !isFingerJoint(name) {
			kept = append(kept, p)
		}
	}
	m["pairs"] = kept
	if data, err = json.Marshal(m); err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	status, r := verified(t, source, source, "--map", file, "--live")
	if f := finding(r, verify.FingersDropped); status != statusFindings || f == nil || f.Level != verify.Error {
		t.Errorf("a map without fingers: status %d, %+v", status, r.Findings)
	}

	// What is let pass can be said.
	shaky := ownMannequin(t, "shaky.glb", func(m *assets.Model) {
		for i, c := range m.Clips {
			tracks := append([]animation.Track(nil), c.Tracks...)
			for k, tr := range tracks {
				if m.Skeleton.Names[tr.Joint] == "head" && tr.Path == animation.Rotation {
					v := append([]float32(nil), tr.Values...)
					q := mgl32.QuatXYZW(v[12], v[13], v[14], v[15]).Mul(mgl32.QuatRotate(mgl32.DegToRad(1), mgl32.Vec3{0, 1, 0}))
					copy(v[12:], []float32{q.V[0], q.V[1], q.V[2], q.W})
					tracks[k].Values = v
				}
			}
			m.Clips[i] = c.With(tracks)
		}
	})
	status, r = verified(t, source, shaky)
	if f := finding(r, verify.Drift); status != statusFindings || f == nil || f.Joint != "head" || f.Frame != 6 || math.Abs(f.Measured-1) > 0.01 {
		t.Errorf("1° at the fourth of 30 keys a second: status %d, %+v", status, r.Findings)
	}
	if status, r = verified(t, source, shaky, "--drift", "1.5"); status != statusGood {
		t.Errorf("1° of 1.5° that are let pass: status %d, %+v", status, r.Findings)
	}
}

// A folder of packs is read one at a time.
func TestVerifyFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"one.glb", "two.glb"} {
		path := ownMannequin(t, name, func(m *assets.Model) {
			for i, c := range m.Clips {
				named := c.With(c.Tracks)
				named.Name = strings.TrimSuffix(name, ".glb") + " " + c.Name
				m.Clips[i] = named
			}
		})
		if err := os.Rename(path, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	target := ownMannequin(t, "hero.glb", func(m *assets.Model) { m.Clips = nil })
	status, r := verified(t, folder, target)
	if status != statusGood || len(r.Clips) != 6 || r.Source != "one.glb, two.glb" {
		t.Errorf("status %d, %d clips of %s: %+v", status, len(r.Clips), r.Source, r.Findings)
	}
	if status, r := verified(t, folder, target, "--clip", "two run"); status != statusGood || len(r.Clips) != 1 {
		t.Errorf("status %d, %d clips", status, len(r.Clips))
	}
}

// The page stands alone, and no name in it ends its script.
func TestVerifyPage(t *testing.T) {
	rename := func(m *assets.Model) {
		for i, c := range m.Clips {
			named := c.With(c.Tracks)
			named.Name = c.Name + "</script>"
			m.Clips[i] = named
		}
	}
	source, target := ownMannequin(t, "a.glb", rename), ownMannequin(t, "b.glb", func(m *assets.Model) {
		rename(m)
		without(func(j string, _ animation.Path) bool { return j == "lowerarm_l" })(m)
	})
	page := filepath.Join(t.TempDir(), "report.html")
	if status, _, errs := command(t, "verify", source, target, "--html", page); status != statusFindings {
		t.Fatalf("status %d: %s", status, errs)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	html := string(text)
	for _, want := range []string{"joint-still", "lowerarm_l", `walk\u003c/script\u003e`, `"height"`, "color-scheme"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"https://", "src=", "walk</script>", "{{DATA}}"} {
		if strings.Contains(html, never) {
			t.Errorf("the page has %q", never)
		}
	}
	// What the page's script reads of the report is in it.
	_, data, _ := strings.Cut(html, `<script type="application/json"`)
	for _, m := range regexp.MustCompile(`\bR\.(limits|ratios)\.(\w+)`).FindAllStringSubmatch(html, -1) {
		for _, key := range m[1:] {
			if !strings.Contains(data, `"`+key+`":`) {
				t.Errorf("the page reads %s, and the report has no %q", m[0], key)
			}
		}
	}
	if n := strings.Count(html, "http://"); n > strings.Count(html, "http://www.w3.org/") {
		t.Error("the page names something elsewhere")
	}
}

func TestVerifyMistakes(t *testing.T) {
	path := ownMannequin(t, "mannequin.glb", nil)
	bare := ownMannequin(t, "bare.glb", func(m *assets.Model) { m.Clips = nil })
	// A number of a track that is none, which no writer would write.
	var number []byte
	broken := ownMannequin(t, "broken.glb", func(m *assets.Model) {
		for _, x := range m.Clips[1].Tracks[3].Values[20:28] {
			number = binary.LittleEndian.AppendUint32(number, math.Float32bits(x))
		}
	})
	data, err := os.ReadFile(broken)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, number)
	if at < 0 {
		t.Fatal("the track is not in the file")
	}
	binary.LittleEndian.PutUint32(data[at:], math.Float32bits(float32(math.NaN())))
	if err := os.WriteFile(broken, data, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"verify", path}, "DST"},
		{[]string{"verify", path, "none.glb", path}, "none.glb"},
		{[]string{"verify", "none.glb", path}, "none.glb"},
		{[]string{"verify", path, "none.glb"}, "none.glb"},
		{[]string{"verify", bare, path}, "no clips"},
		{[]string{"verify", path, path, "--clip", "swim"}, "swim"},
		{[]string{"verify", path, path, "--clip", "none"}, "rest pose"},
		{[]string{"verify", path, path, "--map", "none.json"}, "none.json"},
		{[]string{"verify", path, path, "--map", write(t, "map.json", "{")}, "--map"},
		{[]string{"verify", path, path, "--drift", "0"}, "--drift"},
		{[]string{"verify", path, path, "--height", "NaN"}, "--height"},
		{[]string{"verify", path, path, "--hight", "1"}, "did you mean --height?"},
		{[]string{"verify", path, path, "--html", filepath.Join(t.TempDir(), "no", "x.html")}, "--html"},
		{[]string{"verify", path, broken}, "not a finite number"},
	} {
		status, _, errs := command(t, c.args...)
		if status != statusFailed || !strings.Contains(errs, c.says) {
			t.Errorf("%v: status %d: %s", c.args[1:], status, errs)
		}
	}
}
