package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// profiled runs profile on Fox, small, and reads its JSON.
func profiled(t *testing.T, args ...string) profile.Report {
	t.Helper()
	return profiledFile(t, fox(t), args...)
}

func profiledFile(t *testing.T, file string, args ...string) profile.Report {
	t.Helper()
	out := succeed(t, append([]string{"profile", file, "--size", "96x64", "--frames", "4", "--warmup", "2", "--json"}, args...)...)
	var r profile.Report
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}

// Serialised, every millisecond of the frame is in one row, the passes' rows
// stand in frame order, and what no row names is little.
func TestProfileSerialised(t *testing.T) {
	device(t)
	r := profiled(t, "--serialised", "--validate")
	if !r.Serialised || !r.Trusted || r.Frames != 4 || r.Warmup != 2 || r.Incomplete || r.Size != [2]int{96, 64} {
		t.Errorf("the head is %+v", r)
	}
	if r.Device.Name == "" || r.Device.Driver == "" || r.Device.Type == "" {
		t.Errorf("the device is not named: %+v", r.Device)
	}
	if f := r.Frame; f.MS.Mean <= 0 || math.Abs(f.RowsMS-f.MS.Mean) > 1e-4 {
		t.Errorf("rows add up to %v ms, the mean frame is %v", f.RowsMS, f.MS.Mean)
	}
	var order []string
	other, gpu := 0.0, 0.0
	for _, row := range r.Rows {
		order = append(order, row.Name)
		if m := row.MS; m.Min < 0 || m.Min > m.P50 || m.P50 > m.P95 || m.P95 > m.P99 || m.P99 > m.Max || m.Max > r.Frame.MS.Max {
			t.Errorf("%s has figures out of order: %+v", row.Name, m)
		}
		switch {
		case row.Name == "other":
			other = row.MS.Mean
		case row.Kind == profile.GPU:
			gpu += row.MS.Mean
		}
		if row.Name == "geometry" && row.Kind == profile.GPU && (row.Draws != 1 || row.Triangles != 576) {
			t.Errorf("geometry has %d draws of %d triangles, want Fox's 1 and 576", row.Draws, row.Triangles)
		}
	}
	last := -1
	for _, name := range []string{"wait", "graph compile", "scripts", "physics", "animation", "palette upload", "background", "shadow",
		"geometry", "lighting", "antialias", "present", "submit", "other"} {
		at := slices.Index(order, name)
		if at <= last {
			t.Errorf("%s stands at %d, behind row %d: %q", name, at, last, order)
		}
		last = at
	}
	if other > 0.1*r.Frame.MS.Mean {
		t.Errorf("%v ms of a frame of %v are in no row", other, r.Frame.MS.Mean)
	}
	if gpu <= 0 || gpu >= r.Frame.MS.Mean {
		t.Errorf("passes take %v ms of a frame of %v", gpu, r.Frame.MS.Mean)
	}
}

// Overlapped, the processor's rows add up to the frame; a device whose
// timestamps are wrong is not to be trusted, and that is said.
func TestProfileOverlapped(t *testing.T) {
	device(t)
	r := profiled(t, "--overlapped")
	if r.Serialised || r.Frames != 4 {
		t.Errorf("serialised %v, %d frames; want overlapped, 4", r.Serialised, r.Frames)
	}
	if r.Device.Type == "cpu" && (r.Trusted || r.Why == "") {
		t.Errorf("a cpu device's timestamps were trusted (%v), or not said why: %q", r.Trusted, r.Why)
	}
	if f := r.Frame; math.Abs(f.RowsMS-f.MS.Mean) > 1e-4 {
		t.Errorf("cpu rows add up to %v ms, the mean frame is %v", f.RowsMS, f.MS.Mean)
	}
}

// A device that is a processor is measured serialised unless told otherwise.
func TestProfileText(t *testing.T) {
	device(t)
	picture := filepath.Join(t.TempDir(), "last.png")
	out := succeed(t, "profile", fox(t), "--size", "96x64", "--frames", "2", "--warmup", "0", "--out", picture)
	for _, want := range []string{"device  ", "Fox.glb, 96×64", "2 after 0 to warm up", "mode  ", "trusted  ", "p95", "geometry", "frame", "add up to"} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	data, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := png.Decode(bytes.NewReader(data)); err != nil || p.Bounds().Dx() != 96 {
		t.Errorf("the last frame's picture: %v", err)
	}
}

// Interrupted, it prints what it has; interrupted while it warms up, it says that
// there is nothing.
func TestProfileInterrupted(t *testing.T) {
	device(t)
	for _, c := range []struct{ warmup, frames int }{{1, 2}, {5, 0}} {
		f := &profileFlags{demoFlags: demoFlags{drawFlags: drawFlags{size: "96x64", headless: true, frames: 100}, crowd: demoCrowd}, warmup: c.warmup, serialised: true, json: true}
		if err := f.check(); err != nil {
			t.Fatal(err)
		}
		a, name, err := openProfileScene(&f.demoFlags, []string{fox(t)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		drawn := 0
		a.engine.Panels = func(*gui.Context) {
			if drawn++; drawn == 3 {
				cancel()
			}
		}
		out := captured(t, func() { err = f.profile(ctx, a, name, nil) })
		if err := a.close(nil); err != nil {
			t.Fatal(err)
		}
		if c.frames == 0 {
			if err == nil || !strings.Contains(err.Error(), "before a frame") {
				t.Errorf("interrupted in warming up: %v", err)
			}
			continue
		}
		var r profile.Report
		if err := errors.Join(err, json.Unmarshal([]byte(out), &r)); err != nil {
			t.Fatal(err)
		}
		if r.Frames != c.frames || !r.Incomplete {
			t.Errorf("%d frames, interrupted %v; want %d, and that it says so", r.Frames, r.Incomplete, c.frames)
		}
	}
}

// In a window the frame includes presenting, and nothing else changes.
func TestProfileWindow(t *testing.T) {
	device(t)
	fox := fox(t)
	xvfb.Start(t)
	r := profiledFile(t, fox, "--headless=false", "--validate")
	if f := r.Frame; r.Frames != 4 || math.Abs(f.RowsMS-f.MS.Mean) > 1e-4 {
		t.Errorf("%d frames of %v ms, whose rows add up to %v", r.Frames, f.MS.Mean, f.RowsMS)
	}
}

// Without a file the demo scene is measured.
func TestProfileDemo(t *testing.T) {
	device(t)
	out := succeed(t, "profile", "--size", "64x36", "--frames", "1", "--warmup", "0", "--json")
	var r profile.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Scene != "the demo scene" || r.Frames != 1 {
		t.Errorf("measured %q over %d frames, want the demo scene over 1", r.Scene, r.Frames)
	}
}

// The plan in JSON has the documented shape, and its order is that of the steps.
func TestGraphJSON(t *testing.T) {
	device(t)
	var plan struct {
		Passes []struct {
			Name, Kind, Why, Declared string
			Order                     int
			Culled                    bool
			Reads, Writes             []string
			Barriers                  []any
		}
		Resources []struct {
			Name  string
			Bytes *float64
			First *int
			Last  *int
		}
		Totals struct {
			Passes, Barriers int
			TransientBytes   float64 `json:"transient_bytes"`
			AliasedBytes     float64 `json:"aliased_bytes"`
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, "graph", fox(t), "--size", "64x64", "--json", "--validate")), &plan); err != nil {
		t.Fatal(err)
	}
	places := map[string]int{}
	for _, p := range plan.Passes {
		places[p.Name] = p.Order
		if p.Why == "" || p.Declared == "" || p.Reads == nil || p.Writes == nil || p.Barriers == nil {
			t.Errorf("pass %s lacks a field: %+v", p.Name, p)
		}
	}
	before := -1
	for _, name := range []string{"scripts", "physics", "animation", "geometry", "lighting", "present"} {
		at, ok := places[name]
		if !ok || at <= before {
			t.Errorf("%s is at place %d (there: %v), want behind %d", name, at, ok, before)
		}
		before = at
	}
	if plan.Totals.Passes == 0 || plan.Totals.Barriers == 0 || plan.Totals.TransientBytes < plan.Totals.AliasedBytes || len(plan.Resources) == 0 {
		t.Errorf("totals are %+v of %d resources", plan.Totals, len(plan.Resources))
	}
}

func TestGraphTextAndExplain(t *testing.T) {
	device(t)
	text := succeed(t, "graph", fox(t), "--size", "64x64")
	for _, want := range []string{"geometry", "shadow map", "barriers"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan lacks %q:\n%s", want, text)
		}
	}
	why := succeed(t, "graph", "explain", "shadow map", fox(t), "--size", "64x64")
	if !strings.Contains(why, "shadow map") {
		t.Errorf("the explanation is %q", why)
	}
	status, out, errs := command(t, "graph", "explain", "shadwo", fox(t), "--size", "64x64")
	if status != statusFailed || out != "" || !strings.Contains(errs, `did you mean "shadow"?`) {
		t.Errorf("an unknown pass: exit status %d, %q, %q", status, out, errs)
	}
}

// The plan's pictures are written where they were asked for.
func TestGraphPictures(t *testing.T) {
	device(t)
	if dot := succeed(t, "graph", "--size", "64x64", "--dot"); !strings.HasPrefix(dot, "digraph") || !strings.Contains(dot, "lighting") {
		t.Errorf("the DOT is:\n%s", dot)
	}
	dir := t.TempDir()
	for form, begins := range map[string]string{"svg": "<svg", "html": "<!doctype html>"} {
		file := filepath.Join(dir, "graph."+form)
		if said := succeed(t, "graph", "--size", "64x64", "--"+form, file); strings.TrimSpace(said) != file {
			t.Errorf("--%s says %q", form, said)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), begins) || !strings.Contains(string(text), `data-name="shadow map"`) {
			t.Errorf("%s begins %.60q", file, text)
		}
	}
	status, _, errs := command(t, "graph", "--size", "64x64", "--svg", filepath.Join(dir, "no", "graph.svg"))
	if status != statusFailed || !strings.Contains(errs, "graph.svg") {
		t.Errorf("a folder that is not there: exit status %d, %q", status, errs)
	}
}

// With --queues the plan is for several, whatever the device has: each pass
// says where it runs and what it waits for.
func TestGraphOfSeveralQueues(t *testing.T) {
	var plan struct {
		Passes []struct {
			Name, Queue string
			Waits       []struct{ Queue, Pass string }
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, "graph", "--queues", "--effects", "ssao", "--size", "64x64", "--json", "--validate")), &plan); err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, p := range plan.Passes {
		for _, w := range p.Waits {
			found[p.Name+" waits for"] += w.Pass + " on " + w.Queue
		}
		found[p.Name] = p.Queue
	}
	for name, want := range map[string]string{
		"scripts": "", "geometry": "graphics", "ssao": "compute", "ssao apply": "compute", "lighting": "graphics",
		"ssao waits for": "geometry on graphics", "lamp 1 waits for": "ssao apply on compute", // of the material it reads
	} {
		if found[name] != want {
			t.Errorf("%s: %q, want %q", name, found[name], want)
		}
	}
	text := succeed(t, "graph", "--queues", "--effects", "ssao", "--size", "64x64")
	for _, want := range []string{"queue", "2 on the compute queue; 2 waits between queues"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	why := succeed(t, "graph", "explain", "ssao", "--queues", "--effects", "ssao", "--size", "64x64")
	for _, want := range []string{"runs on the compute queue", `waits for "geometry" on the graphics queue`} {
		if !strings.Contains(why, want) {
			t.Errorf("no %q in\n%s", want, why)
		}
	}
}
