package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/assets/doctor"
	"github.com/bindpose/bindpose/internal/corpus"
	"github.com/bindpose/bindpose/tools/mktorn/torn"
)

// pair writes the healthy and the torn character into a folder.
func pair(t *testing.T) (folder, healthy, sick string) {
	t.Helper()
	a, b, err := torn.Pair()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	healthy, sick = filepath.Join(folder, "healthy.glb"), filepath.Join(folder, "torn.glb")
	for path, data := range map[string][]byte{healthy: a, sick: b} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder, healthy, sick
}

func TestDoctor(t *testing.T) {
	folder, healthy, sick := pair(t)
	status, out, _ := command(t, "doctor", sick)
	if status != statusFindings || !strings.Contains(out, "bind-mismatch") || !strings.Contains(strings.Join(strings.Fields(out), " "), "−90° about X and 1.56 m") {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, out, _ := command(t, "doctor", healthy); status != statusGood {
		t.Errorf("status %d:\n%s", status, out)
	}

	// One file is an object, several are an array.
	status, out, _ = command(t, "doctor", "--json", sick)
	var one doctor.Report
	if err := json.Unmarshal([]byte(out), &one); err != nil || one.Level != doctor.Error || one.File != sick || status != statusFindings {
		t.Errorf("status %d, %v: %+v", status, err, one)
	}
	_, out, _ = command(t, "doctor", "--json", folder)
	var both []doctor.Report
	if err := json.Unmarshal([]byte(out), &both); err != nil || len(both) != 2 || both[0].Level == doctor.Error || both[1].Level != doctor.Error {
		t.Errorf("%v: %+v", err, both)
	}

	// Mended, it is in order; the healthy one is copied.
	into := filepath.Join(folder, "mended")
	status, out, _ = command(t, "doctor", healthy, sick, "--fix", into)
	if status != statusGood || !strings.Contains(out, "bound again") || !strings.Contains(out, "nothing to mend") {
		t.Errorf("status %d:\n%s", status, out)
	}
	before, err1 := os.ReadFile(healthy)
	after, err2 := os.ReadFile(filepath.Join(into, "healthy.glb"))
	if err1 != nil || err2 != nil || !bytes.Equal(before, after) {
		t.Errorf("the healthy copy differs: %v %v", err1, err2)
	}
	if status, out, _ := command(t, "doctor", filepath.Join(into, "torn.glb")); status != statusGood {
		t.Errorf("status %d:\n%s", status, out)
	}
	if status, out, _ := command(t, "doctor", healthy, "--budget", "joints=10,clips=100"); status != statusFindings || !strings.Contains(out, "budget-joints") || strings.Contains(out, "budget-clips") {
		t.Errorf("status %d:\n%s", status, out)
	}
}

func TestDoctorMistakes(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"doctor"}, "needs a FILE"},
		{[]string{"doctor", "nothing.glb"}, "nothing.glb"},
		{[]string{"doctor", t.TempDir()}, "no model in this folder"},
		{[]string{"doctor", fox(t), "--budget", "noses=1"}, "noses"},
		{[]string{"doctor", fox(t), "--budget", "joints=few"}, "few"},
		{[]string{"doctor", fox(t), fox(t), "--fix", t.TempDir()}, "the same name"},
	} {
		status, _, err := command(t, c.args...)
		if status != statusFailed || !strings.Contains(err, c.says) {
			t.Errorf("%v: status %d: %s", c.args, status, err)
		}
	}
}

// The report stands alone and shows the torn one before, after, and what moved.
func TestDoctorPage(t *testing.T) {
	folder, _, sick := pair(t)
	page := filepath.Join(folder, "report.html")
	if status, _, err := command(t, "doctor", sick, "--html", page); status != statusFindings {
		t.Fatalf("status %d: %s", status, err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	html := string(text)
	for _, want := range []string{"bind-mismatch", "before, ", "after, ", "displacement"} {
		if !strings.Contains(html, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if n := strings.Count(html, "data:image/png;base64,"); n != 3 || strings.Contains(html, "http") {
		t.Errorf("%d pictures, or something from elsewhere", n)
	}
}

func TestConvert(t *testing.T) {
	folder, healthy, _ := pair(t)
	avatar := filepath.Join(folder, "a.vrm")
	if status, _, err := command(t, "convert", healthy, avatar); status != statusGood {
		t.Fatalf("status %d: %s", status, err)
	}
	if status, out, _ := command(t, "doctor", avatar); status != statusGood {
		t.Errorf("status %d:\n%s", status, out)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"convert", healthy}, "OUT.glb"},
		{[]string{"convert", healthy, filepath.Join(folder, "a.obj")}, "writes .glb and .vrm"},
		{[]string{"convert", corpus.Path(t, "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb"), filepath.Join(folder, "tube.vrm")}, "which a VRM must have"},
	} {
		status, _, err := command(t, c.args...)
		if status != statusFailed || !strings.Contains(err, c.says) {
			t.Errorf("%v: status %d: %s", c.args, status, err)
		}
	}
}
