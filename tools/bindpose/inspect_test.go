package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/internal/corpus"
)

func inspected(t *testing.T, path string) inspection {
	t.Helper()
	var r inspection
	if err := json.Unmarshal([]byte(succeed(t, "inspect", path, "--json")), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// The figures of Fox are those that its README and glTF file give.
func TestInspectFox(t *testing.T) {
	r := inspected(t, fox(t))
	if len(r.Meshes) != 1 || len(r.Meshes[0].Primitives) != 1 {
		t.Fatalf("Fox has one mesh of one primitive, not %+v", r.Meshes)
	}
	p := r.Meshes[0].Primitives[0]
	if p.Vertices != 1728 || p.Count != 576 || p.Topology != "triangles" {
		t.Errorf("Fox has 1728 vertices and 576 triangles, not %+v", p)
	}
	if want := []string{"position", "uv0", "joints×4"}; !slices.Equal(p.Attributes, want) {
		t.Errorf("attributes are %q, want %q", p.Attributes, want)
	}
	if len(r.Skins) != 1 || r.Skins[0].Joints != 24 || !r.Skins[0].InverseBind || !slices.Equal(r.Skins[0].Roots, []string{"_rootJoint"}) {
		t.Errorf("Fox has one skin of 24 joints below _rootJoint, not %+v", r.Skins)
	}
	var clips []string
	for _, c := range r.Clips {
		clips = append(clips, c.Name)
	}
	if want := []string{"Survey", "Walk", "Run"}; !slices.Equal(clips, want) {
		t.Errorf("clips are %q, want %q", clips, want)
	}
	if d := r.Clips[2].Duration; math.Abs(float64(d)-1.158333) > 1e-5 {
		t.Errorf("Run lasts %v s, want 1.158333", d)
	}
	if len(r.Images) != 1 || r.Images[0].Width != 1024 || r.Images[0].MIME != "image/png" || r.Memory.Decoded != 1024*1024*4 {
		t.Errorf("Fox has one image of 1024×1024, not %+v, of %d bytes decoded", r.Images, r.Memory.Decoded)
	}
	if r.Bounds == nil || math.Abs(float64(r.Bounds.Size[2])-154.7) > 0.1 {
		t.Errorf("Fox is 154.7 long, not %+v", r.Bounds)
	}
	if r.Bytes != 162852 {
		t.Errorf("the file is %d bytes, want 162852", r.Bytes)
	}
}

func TestInspectText(t *testing.T) {
	out := succeed(t, "inspect", fox(t))
	for _, want := range []string{"Fox.glb, 162.9 kB, glTF 2.0", "1,728", "576", "_rootJoint", "Survey", "1024×1024", "0 fox_material"} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if strings.TrimRight(line, " \n")+"\n" != line {
			t.Errorf("a line ends in space: %q", line)
		}
	}
	if strings.Contains(out, "\nnodes") {
		t.Error("the tree of nodes is there without --joints")
	}
	tree := succeed(t, "inspect", fox(t), "--joints")
	if !strings.Contains(tree, "\n    fox") && !strings.Contains(tree, "b_Hip_01") {
		t.Errorf("--joints lacks the tree:\n%s", tree)
	}
}

func TestInspectInterpolation(t *testing.T) {
	r := inspected(t, corpus.Path(t, "gltf/InterpolationTest/glTF/InterpolationTest.gltf"))
	kinds := map[string]int{}
	for _, c := range r.Clips {
		for _, k := range c.Interpolation {
			kinds[k]++
		}
	}
	for _, k := range []string{"step", "linear", "cubic spline"} {
		if kinds[k] != 3 {
			t.Errorf("%d clips are %s, want 3", kinds[k], k)
		}
	}
}

// Names out of a file reach the terminal without what would steer it, and a
// missing image is told.
func TestInspectHostileNames(t *testing.T) {
	path := write(t, "x.gltf", `{"asset":{"version":"2.0","generator":"\u001b]0;title\u0007"},
		"images":[{"uri":"gone.png","name":"\u001b[2J"}],"textures":[{"source":0}],
		"materials":[{"name":"a\nb","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
		"nodes":[{"name":"\u001b[31m"}],"scenes":[{"nodes":[0]}],"scene":0}`)
	out := succeed(t, "inspect", path, "--joints")
	if strings.ContainsAny(out, "\x1b\a") {
		t.Errorf("an escape sequence passed: %q", out)
	}
	for _, want := range []string{"missing", "a·b", "there are no vertices", "gone.png"} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	r := inspected(t, path)
	if r.Bounds != nil || len(r.Images) != 1 || r.Images[0].Fault != "missing" {
		t.Errorf("bounds %v and images %+v, want none and one that is missing", r.Bounds, r.Images)
	}
}

// Every list of the JSON is a list, even where it is empty.
func TestInspectEmptyLists(t *testing.T) {
	out := succeed(t, "inspect", "--json", write(t, "empty.gltf", `{"asset":{"version":"2.0"}}`))
	var raw map[string]any
	if err := json.Unmarshal([]byte(out), &raw); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"scenes", "meshes", "skins", "joints", "clips", "materials", "images", "cameras", "lights", "warnings"} {
		if _, ok := raw[key].([]any); !ok {
			t.Errorf("%s is %v, want a list", key, raw[key])
		}
	}
}

// What the command prints is what the package computes, at a time inside the
// clip, beyond it, and at rest.
func TestPoseIsAssetsPose(t *testing.T) {
	path := fox(t)
	m, err := loadModel(path, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		clip string
		time float32
		args []string
	}{
		{"Run", 0.4, []string{"--clip", "Run", "--time", "0.4"}},
		{"Run", 99, []string{"--clip", "2", "--time", "99"}},
		{"none", 0, []string{"--clip", "none"}},
		{"Survey", 0, nil},
	} {
		clip, err := m.Clip(c.clip)
		if err != nil {
			t.Fatal(err)
		}
		report, err := assets.Pose(m, clip, c.time)
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		got := strings.TrimSpace(succeed(t, append([]string{"pose", path}, c.args...)...))
		if got != string(want) {
			t.Errorf("pose %v prints\n%.300s\nwant\n%.300s", c.args, got, want)
		}
		if report.Clip != c.clip || report.Time > 1.2 {
			t.Errorf("pose %v is of %q at %v s", c.args, report.Clip, report.Time)
		}
	}
}

func TestPoseShape(t *testing.T) {
	var r struct {
		File           string
		Clip           string
		Time, Duration *float64
		Vertices       int
		Bounds         struct{ Min, Max []float64 }
		Mean           []float64
		Joints         []struct {
			Name  string
			World []float64
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, "pose", fox(t), "--clip", "Walk", "--time", "0.2")), &r); err != nil {
		t.Fatal(err)
	}
	if filepath.Base(r.File) != "Fox.glb" || r.Clip != "Walk" || r.Time == nil || r.Duration == nil || r.Vertices != 1728 ||
		len(r.Bounds.Min) != 3 || len(r.Bounds.Max) != 3 || len(r.Mean) != 3 || len(r.Joints) == 0 || len(r.Joints[0].World) != 16 {
		t.Errorf("the JSON has another shape than documented: %+v", r)
	}
}
