package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/assets/gltf"
	"github.com/bindpose/bindpose/internal/corpus"
)

// manikin is the project's own character.
const manikin = "../../demo/assets/mannequin.glb"

// The command's JSON has what its design says, under those names.
func TestStrideJSON(t *testing.T) {
	var r struct {
		Clip     string
		Duration float64
		Stride   float64 `json:"stride_m"`
		Speed    float64 `json:"speed_m_s"`
		Feet     []struct {
			Name   string
			Stance [][2]float64
			Slide  *float64 `json:"slide_m"`
		}
		Min   *float64 `json:"sole_min_m"`
		Range *float64 `json:"sole_range_m"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "stride", manikin, "--clip", "walk", "--json")), &r); err != nil {
		t.Fatal(err)
	}
	if r.Clip != "walk" || r.Duration != 1 || math.Abs(r.Speed-1.4) > 0.01 || math.Abs(r.Stride-1.4) > 0.01 || r.Min == nil || r.Range == nil || len(r.Feet) != 2 {
		t.Errorf("%+v", r)
	}
	for _, f := range r.Feet {
		if f.Name == "" || len(f.Stance) != 1 || f.Slide == nil || *f.Slide > 0.005 {
			t.Errorf("%+v", f)
		}
	}
	var all []struct {
		Clip  string
		Steps bool
		Why   string
		Feet  []struct{ Stance [][2]float64 }
	}
	if err := json.Unmarshal([]byte(succeed(t, "stride", manikin, "--json")), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 3 || all[0].Clip != "idle" || all[0].Steps || all[0].Why == "" || all[0].Feet[0].Stance == nil || !all[2].Steps {
		t.Errorf("%+v", all)
	}
}

// A person reads a table, and of one clip its feet; what has no steps says why.
func TestStrideText(t *testing.T) {
	all := succeed(t, "stride", manikin)
	for _, want := range []string{"idle", "no steps: ", "1.40", "3.75", "%), the clip's own speed_m_s"} {
		if !strings.Contains(all, want) {
			t.Errorf("the table lacks %q:\n%s", want, all)
		}
	}
	one := succeed(t, "stride", manikin, "--clip", "run")
	for _, want := range []string{"left", "right", "stands from s to s", "in place", "in the order right, left"} {
		if !strings.Contains(one, want) {
			t.Errorf("the run lacks %q:\n%s", want, one)
		}
	}
}

// A file of clips alone is measured on the character that is named, whatever the
// formats, and what the character lacks is told.
func TestStrideOnACharacter(t *testing.T) {
	clips, body := corpus.Path(t, "gltf/KayKit/Med_MovementBasic.glb"), corpus.Path(t, "gltf/KayKit/mannequin/manny_med_mod.gltf")
	status, out, errs := command(t, "stride", clips, "--character", body, "--clip", "Walking_A")
	if status != statusGood || !strings.Contains(out, "0.77") || !strings.Contains(errs, "left out") {
		t.Errorf("status %d:\n%s\n%s", status, out, errs)
	}
	pab := succeed(t, "stride", corpus.Path(t, "fbx/ozz/pab/walk.fbx"), "--character", corpus.Path(t, "fbx/ozz/pab/arnaud.fbx"))
	if !strings.Contains(pab, "root motion") || !strings.Contains(pab, "1.069") {
		t.Errorf("pab:\n%s", pab)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"stride", clips}, "--character"},
		{[]string{"stride", clips, "--character", manikin}, "retarget it first"},
		{[]string{"stride", manikin, "--clip", "swim"}, "no such clip"},
		{[]string{"stride", manikin, "--clip", "none"}, "no clip"},
		{[]string{"stride", corpus.Path(t, "gltf/RiggedSimple/glTF-Binary/RiggedSimple.glb")}, "no feet found"},
		{[]string{"stride", corpus.Path(t, "gltf/Box/glTF-Binary/Box.glb")}, "has no clips"},
		{[]string{"stride"}, "needs a FILE"},
	} {
		status, _, errs := command(t, c.args...)
		if status != statusFailed || !strings.Contains(errs, c.says) {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
}

// changed writes the mannequin with its walk's tracks changed.
func changed(t *testing.T, change func([]animation.Track) []animation.Track) string {
	t.Helper()
	m, err := gltf.Load(manikin)
	if err != nil {
		t.Fatal(err)
	}
	m.Clips = slices.Clone(m.Clips)
	m.Clips[1] = m.Clips[1].With(change(m.Clips[1].Tracks))
	path := filepath.Join(t.TempDir(), "mannequin.glb")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := gltf.Write(m, f); err != nil {
		t.Fatal(err)
	}
	return path
}

// A record passes what is as it was, written again by another exporter too, and fails
// a rig of fewer channels with the old figure and the new one.
func TestMeasure(t *testing.T) {
	record := filepath.Join(t.TempDir(), "record.json")
	succeed(t, "measure", manikin, "-o", record)
	if out := succeed(t, "measure", manikin, "--check", record); !strings.Contains(out, "as it was") {
		t.Error(out)
	}
	same := changed(t, func(tracks []animation.Track) []animation.Track { return tracks })
	// Where the writer adds a node or not is its own affair.
	status, out, _ := command(t, "measure", same, "--check", record)
	if status != statusGood && strings.Contains(out, "channels") {
		t.Errorf("status %d: %s", status, out)
	}
	less := changed(t, func(tracks []animation.Track) []animation.Track { return tracks[:30] })
	status, out, _ = command(t, "measure", less, "--check", record)
	if status != statusFindings || !strings.Contains(out, `clip "walk": channels 30, was 53`) {
		t.Errorf("status %d: %s", status, out)
	}
	status, out, _ = command(t, "measure", less, "--check", record, "--json")
	var results []struct {
		Name    string
		Changes []struct{ Where, What, Old, New string }
	}
	if err := json.Unmarshal([]byte(out), &results); err != nil || status != statusFindings || len(results) != 1 || len(results[0].Changes) == 0 {
		t.Errorf("status %d, %v: %s", status, err, out)
	}
	other := filepath.Join(t.TempDir(), "other.glb")
	data, err := os.ReadFile(manikin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := command(t, "measure", other, "--check", record); status != statusFindings || !strings.Contains(out, "does not have it") {
		t.Errorf("status %d: %s", status, out)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"measure", manikin, "-o", record, "--check", record}, "one of them"},
		{[]string{"measure", manikin, "--check", manikin}, "no record of measures"},
		{[]string{"measure", manikin, "--check", "nothing.json"}, "no such file"},
		{[]string{"measure", manikin, "--check", "/dev/zero"}, "ordinary"},
		{[]string{"measure", manikin, manikin}, "the same name"},
		{[]string{"measure"}, "needs a FILE"},
	} {
		status, _, errs := command(t, c.args...)
		if status != statusFailed || !strings.Contains(errs, c.says) {
			t.Errorf("%v: status %d: %s", c.args, status, errs)
		}
	}
}

// A clip that a conversion leaves out, or that comes back with fewer channels, is told.
func TestConvertTellsWhatItLoses(t *testing.T) {
	out := filepath.Join(t.TempDir(), "man.glb")
	_, _, errs := command(t, "convert", corpus.Path(t, "fbx/ozz/pab/arnaud.fbx"), out)
	if !strings.Contains(errs, `the clip "Take 001" is left out`) {
		t.Errorf("a clip without channels: %s", errs)
	}
	m, err := gltf.Load(manikin)
	if err != nil {
		t.Fatal(err)
	}
	less := *m
	less.Clips = slices.Clone(m.Clips)
	less.Clips[1] = m.Clips[1].With(m.Clips[1].Tracks[:42])
	if said := lostChannels(m, &less); len(said) != 1 || !strings.Contains(said[0], "42 channels of 53") {
		t.Errorf("%q", said)
	}
	if said := lostChannels(m, m); len(said) != 0 {
		t.Errorf("%q", said)
	}
}

// What is read is not written over, and a record that is a pipe or tells of a
// character twice is refused at once.
func TestMeasureMistakes(t *testing.T) {
	own, dir := ownMannequin(t, "own.glb", nil), t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	twice := filepath.Join(dir, "twice.json")
	if err := os.WriteFile(twice, []byte(`{"version":1,"characters":[{"name":"own.glb"},{"name":"own.glb"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"measure", own, "-o", own}, "written over"},
		{[]string{"measure", own, "--check", pipe}, "ordinary file"},
		{[]string{"measure", own, "--check", twice}, "twice"},
		{[]string{"verify", own, own, "--html", own}, "written over"},
	} {
		if status, _, said := command(t, c.args...); status != statusFailed || !strings.Contains(said, c.says) {
			t.Errorf("%v: status %d: %s", c.args, status, said)
		}
	}
	if after, err := os.ReadFile(own); err != nil || !bytes.Equal(before, after) {
		t.Error("the character was written over")
	}
}
