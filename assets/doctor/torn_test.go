package doctor_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/assets/fbx"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/tools/mktorn/torn"
)

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func find(r doctor.Report, code string) *doctor.Finding {
	for i := range r.Findings {
		if r.Findings[i].Code == code {
			return &r.Findings[i]
		}
	}
	return nil
}

// The case that the doctor was built for: it names the mesh, the turn and the
// metres, and mending brings the box back.
func TestTornCharacter(t *testing.T) {
	healthy, sick, err := torn.Pair()
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "torn.glb", sick)
	report, m, err := doctor.Examine(path, gltf.Load, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := find(report, "bind-mismatch")
	if f == nil || f.Level != doctor.Error || report.Level != doctor.Error || !f.Mendable {
		t.Fatalf("no bind mismatch among %+v", report.Findings)
	}
	if !strings.Contains(f.Message, "−90° about X") || !strings.Contains(f.Message, "1.56 m") || !strings.Contains(f.Where, "nodes[") {
		t.Errorf("%s: %s", f.Where, f.Message)
	}
	if e := f.Measured["error"].(float64); math.Abs(e-1.56) > 1e-3 {
		t.Errorf("bind error %v, want 1.56", e)
	}
	if d := f.Measured["rotation_deg"].(float64); math.Abs(d+90) > 0.01 {
		t.Errorf("turned by %v, want -90", d)
	}

	out := filepath.Join(t.TempDir(), "mended.glb")
	done, err := doctor.Mend(path, out, report, m, gltf.Load, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(done.Changed) == 0 || find(done.Report, "bind-mismatch") != nil || done.Report.Level >= doctor.Warning {
		t.Errorf("changed %v; left %+v", done.Changed, done.Report.Findings)
	}
	whole, err := gltf.Decode("healthy.glb", healthy, nil)
	if err != nil {
		t.Fatal(err)
	}
	mended, err := gltf.Load(out)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole.Skins {
		for j, want := range whole.Skins[i].InverseBind {
			for c := range want {
				if got := mended.Skins[i].InverseBind[j][c]; math.Abs(float64(got-want[c])) > 1e-4 {
					t.Fatalf("skin %d joint %d: %v, want %v", i, j, mended.Skins[i].InverseBind[j], want)
				}
			}
		}
	}
	t.Log(f.Message)
	t.Log("before:", done.Before)
	t.Log("after: ", done.After)
	for c := range 3 {
		if done.After.Motion[c] > 2.5 || done.Before.Motion[c] < 0.1 {
			t.Errorf("the box went from %v to %v", done.Before, done.After)
		}
	}
	// Nothing but the matrices changed.
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for i := range data {
		if data[i] != sick[i] {
			differ++
		}
	}
	most := 0
	for _, k := range whole.Skins {
		most += 64 * len(k.Joints)
	}
	if len(data) != len(sick) || differ == 0 || differ > most {
		t.Errorf("%d of %d bytes differ, of %d; at most %d belong to matrices", differ, len(data), len(sick), most)
	}
}

// The same as FBX: mended into a GLB, since FBX is not written.
func TestTornFBX(t *testing.T) {
	_, sick, err := torn.PairFBX()
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "torn.fbx", sick)
	report, m, err := doctor.Examine(path, load, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := find(report, "bind-mismatch")
	if f == nil || !strings.Contains(f.Message, "−90° about X and 1.56 m") || !strings.Contains(f.Where, "mannequin") {
		t.Fatalf("%+v", report.Findings)
	}
	if _, err := doctor.Mend(path, filepath.Join(t.TempDir(), "out.fbx"), report, m, load, nil); err == nil {
		t.Error("a GLB was written under the name of an FBX")
	}
	done, err := doctor.Mend(path, filepath.Join(t.TempDir(), "out.glb"), report, m, load, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("before:", done.Before)
	t.Log("after: ", done.After)
	if s := done.After.Rest; done.Report.Level > doctor.Info || s[1] < 1.7 || s[2] > 0.4 || done.Before.Rest[1] > 0.4 {
		t.Errorf("from %v to %v: %+v", done.Before, done.After, done.Report.Findings)
	}
}

// Where the rest pose is not that of binding, the joints tell nothing, but an FBX
// tells the matrix itself.
func TestTornWithAnotherRest(t *testing.T) {
	healthy, sick, err := torn.BentFBX()
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "bent.fbx", sick)
	report, m, err := doctor.Examine(path, load, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := find(report, "bind-mismatch")
	if f == nil || find(report, "rest-not-bind") == nil || !strings.Contains(f.Message, "−90° about X and 1.56 m") {
		t.Fatalf("%+v", report.Findings)
	}
	whole, err := fbx.Load(write(t, "healthy.fbx", healthy))
	if err != nil {
		t.Fatal(err)
	}
	want, err := whole.Bounds(animation.NewPose(whole.Skeleton))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.glb")
	if _, err := doctor.Mend(path, out, report, m, load, nil); err != nil {
		t.Fatal(err)
	}
	mended, err := load(out)
	if err != nil {
		t.Fatal(err)
	}
	got, err := mended.Bounds(animation.NewPose(mended.Skeleton))
	if err != nil || got.Min.Sub(want.Min).Len() > 1e-3 || got.Max.Sub(want.Max).Len() > 1e-3 {
		t.Errorf("%v: the box is %v to %v, want %v to %v", err, got.Min, got.Max, want.Min, want.Max)
	}
	if r, _, err := doctor.Examine(write(t, "healthy.fbx", healthy), load, nil); err != nil || find(r, "bind-mismatch") != nil || r.Mendable() {
		t.Errorf("%v: the healthy one: %+v", err, r.Findings)
	}
}

func load(path string) (*assets.Model, error) {
	if filepath.Ext(path) == ".fbx" {
		return fbx.Load(path)
	}
	return gltf.Load(path)
}

// The healthy twins are not touched.
func TestHealthyTwin(t *testing.T) {
	glb, _, err := torn.Pair()
	if err != nil {
		t.Fatal(err)
	}
	ascii, _, err := torn.PairFBX()
	if err != nil {
		t.Fatal(err)
	}
	untouched(t, "healthy.glb", glb)
	untouched(t, "healthy.fbx", ascii)
}

func untouched(t *testing.T, name string, healthy []byte) {
	t.Helper()
	path := write(t, name, healthy)
	report, m, err := doctor.Examine(path, load, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Level >= doctor.Warning || report.Mendable() {
		t.Errorf("%+v", report.Findings)
	}
	out := filepath.Join(t.TempDir(), "copy"+filepath.Ext(name))
	done, err := doctor.Mend(path, out, report, m, load, nil)
	if err != nil || len(done.Changed) > 0 {
		t.Fatal(done, err)
	}
	if data, err := os.ReadFile(out); err != nil || !bytes.Equal(data, healthy) {
		t.Errorf("the copy differs: %v", err)
	}
}
