package doctor_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/doctor"
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

// The healthy twin is not touched.
func TestHealthyTwin(t *testing.T) {
	healthy, _, err := torn.Pair()
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, "healthy.glb", healthy)
	report, m, err := doctor.Examine(path, gltf.Load, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Level >= doctor.Warning || report.Mendable() {
		t.Errorf("%+v", report.Findings)
	}
	out := filepath.Join(t.TempDir(), "copy.glb")
	done, err := doctor.Mend(path, out, report, m, gltf.Load, nil)
	if err != nil || len(done.Changed) > 0 {
		t.Fatal(done, err)
	}
	if data, err := os.ReadFile(out); err != nil || !bytes.Equal(data, healthy) {
		t.Errorf("the copy differs: %v", err)
	}
}
