package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/internal/xvfb"
)

// small is profile on Fox, as little as measures something.
func small(t *testing.T, args ...string) []string {
	t.Helper()
	return append([]string{"profile", fox(t), "--size", "96x64", "--frames", "4", "--warmup", "1"}, args...)
}

// The files that were asked for are written, beside the text.
func TestProfileFiles(t *testing.T) {
	device(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	out := succeed(t, small(t, "--html", at("r.html"), "--trace", at("t.json"), "--csv", at("r.csv"), "--pprof", at("p"), "--go-trace", at("g"))...)
	if !strings.Contains(out, "Do not believe:") || !strings.Contains(out, "memory") {
		t.Errorf("the text lacks a part:\n%s", out)
	}
	for name, want := range map[string]string{"r.html": "Fox.glb", "t.json": `"traceEvents"`, "r.csv": "geometry,gpu,", "p": "\x1f\x8b", "g": "go 1."} {
		data, err := os.ReadFile(at(name))
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s of %d bytes lacks %q: %v", name, len(data), want, err)
		}
	}
	var trace struct{ TraceEvents []struct{ Name, Ph string } }
	data, err := os.ReadFile(at("t.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &trace); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range trace.TraceEvents {
		if e.Name == "geometry" && e.Ph == "X" {
			n++
		}
	}
	if n != 4 {
		t.Errorf("the trace has geometry %d times, want once a frame of 4", n)
	}
	if p, err := exec.Command("go", "tool", "trace", "-d=parsed", at("g")).CombinedOutput(); err == nil && !strings.Contains(string(p), "geometry") {
		t.Error("the runtime's trace has no region called geometry")
	}
}

// A browser runs the page and reads the trace.
func TestProfileInChromium(t *testing.T) {
	chromium := xvfb.Tool(t, "chromium", "chromium")
	device(t)
	dir := t.TempDir()
	page, trace := filepath.Join(dir, "r.html"), filepath.Join(dir, "t.json")
	succeed(t, small(t, "--html", page, "--trace", trace)...)
	dump := func(file string) string {
		c := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "user"),
			"--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom", "file://"+file)
		c.WaitDelay = time.Second
		out, err := c.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	dom := dump(page)
	for _, want := range []string{"<h1>Frame profile: Fox.glb</h1>", "Phases and passes", "Frame graph", "Device memory", "shadow map", "an empty submission"} {
		if !strings.Contains(dom, want) {
			t.Errorf("the page shows no %q", want)
		}
	}
	// What reads a trace needs of it, as the trace event format has it.
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	reader := filepath.Join(dir, "reader.html")
	script := `<p id=said></p><script type="application/json" id=t>` + strings.ReplaceAll(string(data), "</", "<\\/") + `</script><script>
const t = JSON.parse(document.getElementById("t").textContent), ends = {};
let said = "good";
for (const e of t.traceEvents) {
  if (e.ph === "M") continue;
  if (e.ph !== "X" || !(e.ts >= 0) || !(e.dur >= 0) || typeof e.pid !== "number" || typeof e.tid !== "number") said = "bad: " + JSON.stringify(e);
}
document.getElementById("said").textContent = said + ", " + t.traceEvents.length + " events";
</script>`
	if err := os.WriteFile(reader, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	if dom := dump(reader); !strings.Contains(dom, "good, ") {
		t.Errorf("the trace in a browser: %s", dom[strings.Index(dom, "<p"):][:200])
	}
}

// A baseline of the same machine is compared; one of another device is refused
// with the reason, unless it is forced. A row beyond the bound has a status of
// its own.
func TestProfileBaseline(t *testing.T) {
	device(t)
	out := succeed(t, small(t, "--json")...)
	var r profile.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	save := func(name string) string {
		data, err := json.Marshal(&r)
		if err != nil {
			t.Fatal(err)
		}
		return write(t, name, string(data))
	}
	same := save("same.json")
	text := succeed(t, small(t, "--baseline", same)...)
	if !strings.Contains(text, "since same.json") || !strings.Contains(text, "noise") {
		t.Errorf("nothing was compared:\n%s", text)
	}

	// As if every row had taken nearly nothing before.
	for i := range r.Rows {
		row := &r.Rows[i]
		row.MS.P50, row.MS.Noise = row.MS.P50/1000, 0
		if row.Name == "geometry" && row.Kind == profile.GPU {
			row.Triangles -= 100
		}
	}
	status, text, errs := command(t, small(t, "--baseline", save("fast.json"), "--max-regression", "50")...)
	if status != statusFindings || !strings.Contains(text, "▲ more than 50 %") || !strings.Contains(text, "+100 triangles") {
		t.Errorf("exit status %d, want 1 and what grew marked: %s%s", status, text, errs)
	}
	// Without a bound the same growth is told, and is no finding.
	succeed(t, small(t, "--baseline", save("fast.json"))...)

	r.Device.Name = "another device"
	other := save("other.json")
	status, text, errs = command(t, small(t, "--baseline", other)...)
	if status != statusFailed || text != "" || !strings.Contains(errs, "another device") || !strings.Contains(errs, "--force") {
		t.Errorf("a baseline of another device: exit status %d: %s%s", status, text, errs)
	}
	if text := succeed(t, small(t, "--baseline", other, "--force")...); !strings.Contains(text, "forced: the baseline's device is another device") {
		t.Errorf("a forced comparison does not say so:\n%s", text)
	}
}

// What is left out is gone from its row, and the frame is measured in turns.
func TestProfileWithout(t *testing.T) {
	device(t)
	r := profiled(t, "--without", "shadow", "--without", "collider,gui", "--without", "merging", "--without", "profiler")
	if len(r.Without) != 4 {
		t.Fatalf("%d differences, want 4: %+v", len(r.Without), r.Without)
	}
	for i, name := range []string{"shadow", "collider,gui", "merging", "profiler"} {
		d := &r.Without[i]
		if d.Without != name || d.Pairs < leastPairs || d.How == "" || d.Frame.With <= 0 || d.Frame.Without <= 0 || d.Frame.Least > d.Frame.Cost || d.Frame.Most < d.Frame.Cost {
			t.Errorf("without %s: %+v", name, d)
		}
	}
	at := slices.IndexFunc(r.Without[0].Rows, func(x profile.DifferenceRow) bool { return x.Name == "shadow" && x.Kind == profile.GPU })
	if at < 0 {
		t.Fatalf("no row of shadow: %+v", r.Without[0].Rows)
	}
	if x := r.Without[0].Rows[at]; x.Without != 0 || x.With <= 0 || x.Cost <= 0 {
		t.Errorf("shadow's row without it: %+v", x)
	}
	status, _, errs := command(t, small(t, "--without", "shadwo")...)
	if status != statusFailed || !strings.Contains(errs, `did you mean "shadow"?`) {
		t.Errorf("an unknown pass: exit status %d, %s", status, errs)
	}
}

// A device that cannot tell time, or count, is measured by the clock, and says
// what is missing.
func TestProfileWithoutQueries(t *testing.T) {
	device(t)
	r := profiled(t, "--hide", "timestamps,statistics", "--overlapped", "--validate")
	if r.Measures.Timestamps || r.Measures.Statistics || r.Trusted || r.Clocks.Comparable || r.Clocks.Why == "" {
		t.Errorf("it measures %+v, trusted %v, clocks %+v", r.Measures, r.Trusted, r.Clocks)
	}
	for _, row := range r.Rows {
		if row.FragmentInvocations > 0 || row.Kind == profile.Gap {
			t.Errorf("%s was counted or timed on a device that cannot: %+v", row.Name, row)
		}
	}
	text := succeed(t, small(t, "--hide", "timestamps,statistics,calibration", "--serialised", "--validate")...)
	for _, want := range []string{"–", "no pipeline statistics"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
}

// Nothing to draw, and a single frame, are profiled all the same.
func TestProfileOfNothing(t *testing.T) {
	device(t)
	empty := write(t, "empty.gltf", `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"nothing"}]}`)
	dir := t.TempDir()
	text := succeed(t, "profile", empty, "--size", "64x64", "--frames", "1", "--warmup", "0", "--html", filepath.Join(dir, "r.html"),
		"--trace", filepath.Join(dir, "t.json"), "--csv", filepath.Join(dir, "r.csv"), "--validate")
	if !strings.Contains(text, "too few frames") {
		t.Errorf("one frame is said to tell something:\n%s", text)
	}
}

// What cannot be written is refused before anything is measured.
func TestProfileUnwritable(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--html", filepath.Join(dir, "no", "r.html")}, "there is no folder"},
		{[]string{"--trace", dir}, "is a folder"},
		{[]string{"--csv", "/proc/r.csv"}, "--csv /proc/r.csv cannot be written"},
		{[]string{"--csv", filepath.Join(dir, "x"), "--trace", filepath.Join(dir, "x")}, "the same file"},
		{[]string{"--baseline", filepath.Join(dir, "none.json")}, "none.json"},
		{[]string{"--baseline", write(t, "b.json", "{}")}, "not the JSON of a profile"},
		{[]string{"--max-regression", "10"}, "--baseline"},
		{[]string{"--max-regression", "-1"}, "percentage"},
		{[]string{"--without", "shadow", "--headless=false"}, "headless"},
		{[]string{"--hide", "sun"}, `"sun"`},
	} {
		status, out, errs := command(t, append([]string{"profile", "x.glb"}, c.args...)...)
		if status != statusFailed || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit status %d, want 2 and %q: %s", c.args, status, c.want, errs)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it left %v behind, %v", left, err)
	}
}
