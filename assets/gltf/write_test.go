package gltf_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/internal/corpus"
)

// What is written comes back: every file of the corpus that loads, written,
// read and compared, and put in the poses of its clips.
func TestWrittenComesBack(t *testing.T) {
	files := 0
	for _, set := range []string{"gltf", "gltf-derived", "asset-generator", "gltf-magnum", "vrm"} {
		for _, path := range modelFiles(t, set) {
			m, err := gltf.Load(path)
			if err != nil {
				continue
			}
			files++
			var out bytes.Buffer
			if err := gltf.Write(m, &out); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			again, err := gltf.Decode(path, out.Bytes(), nil)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			checkModel(t, path, again)
			same(t, path, m, again)
		}
	}
	t.Logf("%d files", files)
	if files < 400 {
		t.Errorf("only %d files", files)
	}
}

// same compares what a file may hold, and the poses that come of it.
func same(t *testing.T, path string, a, b *assets.Model) {
	t.Helper()
	equal := func(what string, x, y any) {
		t.Helper()
		if !reflect.DeepEqual(x, y) {
			t.Errorf("%s: %s differ: %.300s and %.300s", path, what, fmt.Sprintf("%+v", x), fmt.Sprintf("%+v", y))
		}
	}
	if len(a.Nodes) == 0 {
		return
	}
	if b.Skeleton.Len() != a.Skeleton.Len()+1 { // not with a node above joints that had several roots
		equal("names", a.Skeleton.Names, b.Skeleton.Names)
		equal("parents", a.Skeleton.Parents, b.Skeleton.Parents)
		equal("scenes", a.Scenes, b.Scenes)
	}
	equal("lights", a.Lights, b.Lights)
	equal("cameras", a.Cameras, b.Cameras)
	equal("textures", len(a.Textures), len(b.Textures))
	if len(a.Materials) == len(b.Materials) {
		for i := range a.Materials {
			x, y := a.Materials[i], b.Materials[i]
			if x.Emissive.Sub(y.Emissive).Len() < 1e-6*(1+x.Emissive.Len()) {
				y.Emissive = x.Emissive
			}
			equal("materials", x, y)
		}
	} else {
		equal("materials", len(a.Materials), len(b.Materials))
	}
	meshes := slices.DeleteFunc(slices.Clone(a.Meshes), func(m assets.Mesh) bool { return len(m.Primitives) == 0 })
	if len(meshes) != len(b.Meshes) {
		t.Errorf("%s: %d meshes of %d", path, len(b.Meshes), len(meshes))
		return
	}
	for i := range meshes {
		equal("morph weights", meshes[i].Weights, b.Meshes[i].Weights)
		for k := range meshes[i].Primitives {
			p, q := &meshes[i].Primitives[k], &b.Meshes[i].Primitives[k]
			equal("positions", p.Positions, q.Positions)
			equal("topologies", p.Topology, q.Topology)
			if len(p.Indices) > 0 {
				equal("indices", p.Indices, q.Indices)
			}
			equal("influences", len(p.Joints), len(q.Joints))
			if len(q.UV) < len(p.UV) {
				t.Errorf("%s: %d sets of UV of %d", path, len(q.UV), len(p.UV))
			}
			equal("targets", len(p.Targets), len(q.Targets))
			for v := range p.Normals {
				if p.Normals[v].Sub(q.Normals[v]).Len() > 1e-6 {
					t.Errorf("%s: normal %d: %v and %v", path, v, p.Normals[v], q.Normals[v])
					break
				}
			}
		}
	}
	poses := func(m *assets.Model, clip *animation.Clip, at float32) assets.Bounds {
		pose := animation.NewPose(m.Skeleton)
		if clip != nil {
			job := animation.SamplingJob{Clip: clip, Skeleton: m.Skeleton, Time: at, Cursors: make([]int32, len(clip.Tracks)), Out: pose}
			if err := job.Run(); err != nil {
				t.Fatal(err)
			}
		}
		bounds, err := m.Bounds(pose)
		if err != nil {
			t.Fatal(err)
		}
		return bounds
	}
	near := func(what string, x, y assets.Bounds) {
		tol := 1e-5 * max(1, x.Max.Sub(x.Min).Len())
		if d := max(x.Min.Sub(y.Min).Len(), x.Max.Sub(y.Max).Len(), x.Mean.Sub(y.Mean).Len()); !(d <= tol) || x.Vertices != y.Vertices {
			t.Errorf("%s: %s: %+v and %+v", path, what, x, y)
		}
	}
	a = a.NormalizeWeights() // as the writer does
	near("rest", poses(a, nil, 0), poses(b, nil, 0))
	clips := slices.DeleteFunc(slices.Clone(a.Clips), func(c *animation.Clip) bool { return len(c.Tracks) == 0 })
	if len(clips) != len(b.Clips) {
		t.Errorf("%s: %d clips of %d", path, len(b.Clips), len(clips))
		return
	}
	for i, c := range clips[:min(len(clips), 4)] {
		equal("clip names", c.Name, b.Clips[i].Name)
		equal("speeds", c.Speed, b.Clips[i].Speed)
		at := c.Duration * 0.37
		near(c.Name, poses(a, c, at), poses(b, b.Clips[i], at))
	}
}

// The Khronos validator finds no error in what is written, where the file that
// was read had none that is kept on purpose. BINDPOSE_VALIDATOR is a folder in
// which npm installed gltf-validator.
func TestWrittenIsValid(t *testing.T) {
	validator := os.Getenv("BINDPOSE_VALIDATOR")
	if cache, err := os.UserCacheDir(); err == nil && validator == "" { // where tools/setup.sh puts it
		validator = filepath.Join(cache, "bindpose", "gltf-validator")
	}
	if _, err := os.Stat(filepath.Join(validator, "node_modules", "gltf-validator")); err != nil {
		corpus.Missing(t, fmt.Errorf("the Khronos validator is missing: run tools/setup.sh test, or set BINDPOSE_VALIDATOR to a folder with the npm package gltf-validator: %w", err))
	}
	var before map[string]struct{ ErrorCodes []string }
	if text, err := os.ReadFile(corpus.Path(t, "oracle/gltf-validator.json")); err != nil {
		t.Fatal(err)
	} else if err := json.Unmarshal(text, &before); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	names := map[string]string{}
	for _, set := range []string{"gltf", "gltf-derived", "asset-generator", "gltf-magnum", "vrm"} {
		for _, path := range modelFiles(t, set) {
			m, err := gltf.Load(path)
			if err != nil {
				continue
			}
			var out bytes.Buffer
			if err := gltf.Write(m, &out); err != nil {
				t.Error(err)
				continue
			}
			name := filepath.Join(dir, fmt.Sprintf("%d.glb", len(names)))
			names[name] = path
			if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	script := filepath.Join(dir, "validate.cjs")
	if err := os.WriteFile(script, []byte(`const fs=require('fs'),v=require(process.argv[2]+'/node_modules/gltf-validator');(async()=>{
for(const f of fs.readdirSync(process.argv[3]))if(f.endsWith('.glb')){const r=await v.validateBytes(new Uint8Array(fs.readFileSync(process.argv[3]+'/'+f)),{maxIssues:50});
const e=r.issues.messages.filter(m=>m.severity===0).map(m=>m.code+' '+m.pointer+' '+m.message);if(e.length)console.log(JSON.stringify({File:process.argv[3]+'/'+f,Errors:e}));}})()`), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", script, validator, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var e struct {
			File   string
			Errors []string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(line)
		}
		rel, err := filepath.Rel(corpus.Path(t, ""), names[e.File])
		if err != nil {
			t.Fatal(err)
		}
		// Faults of the hierarchy are the file's own and are kept.
		e.Errors = slices.DeleteFunc(e.Errors, func(message string) bool {
			code, _, _ := strings.Cut(message, " ")
			return slices.Contains(before[filepath.ToSlash(rel)].ErrorCodes, code)
		})
		if len(e.Errors) == 0 {
			continue
		}
		t.Errorf("%s: %q", names[e.File], e.Errors[:min(3, len(e.Errors))])
	}
	t.Logf("%d files", len(names))
}

// Weights that glTF forbids are written as ones that it allows and that move the
// vertex alike.
func TestWritingMendsInfluences(t *testing.T) {
	m := &assets.Model{
		Skeleton: &animation.Skeleton{Names: []string{"a", "b", "m"}, Parents: []int32{-1, 0, -1}, Rest: []animation.Transform{animation.Identity(), animation.Identity(), animation.Identity()}},
		Nodes:    []assets.Node{{Mesh: -1, Skin: -1, Camera: -1, Light: -1}, {Mesh: -1, Skin: -1, Camera: -1, Light: -1}, {Mesh: 0, Skin: 0, Camera: -1, Light: -1}},
		Scene:    -1,
		Skins:    []animation.Skin{{Joints: []int32{0, 1}, InverseBind: []mgl32.Mat4{mgl32.Ident4(), mgl32.Ident4()}}},
		Meshes: []assets.Mesh{{Primitives: []assets.Primitive{{
			Material: -1, Positions: make([]mgl32.Vec3, 3),
			Joints:  [][][4]uint16{{{0, 1, 1, 0}, {1, 0, 0, 0}, {1, 0, 1, 1}}},
			Weights: [][][4]float32{{{0.5, 0.5, 0.5, 0.5}, {0, 0, 0, 0}, {-0.5, 0, 0.25, 0}}},
		}}}},
	}
	var out bytes.Buffer
	if err := gltf.Write(m, &out); err != nil {
		t.Fatal(err)
	}
	again, err := gltf.Decode("mended.glb", out.Bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := again.Meshes[0].Primitives[0]
	if want := [][4]uint16{{0, 1, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}; !slices.Equal(p.Joints[0], want) {
		t.Errorf("joints %v, want %v", p.Joints[0], want)
	}
	if want := [][4]float32{{0.5, 0.5, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}; !slices.Equal(p.Weights[0], want) {
		t.Errorf("weights %v, want %v", p.Weights[0], want)
	}
}

// What glTF cannot hold is an error, not a file that nobody reads.
func TestWritingNotANumber(t *testing.T) {
	m := &assets.Model{Name: "m", Skeleton: &animation.Skeleton{}, Scene: -1, Meshes: []assets.Mesh{{Primitives: []assets.Primitive{{
		Material: -1, Positions: []mgl32.Vec3{{0, 0, 0}, {0, float32(math.NaN()), 0}, {1, 0, 0}}}}}}}
	if err := gltf.Write(m, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("got %v", err)
	}
}
