package profile_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/profile"
)

func frame(cpu, gpu float64) []profile.Sample {
	return []profile.Sample{
		{Name: "scripts", Kind: profile.CPU, Seconds: cpu},
		{Name: "geometry", Kind: profile.GPU, Seconds: gpu, Counts: profile.Counts{Draws: 3, Triangles: 300}},
		{Name: "other", Kind: profile.CPU, Seconds: 0.001},
		{Name: "frame", Kind: profile.Whole, Seconds: cpu + gpu + 0.001},
	}
}

func Example() {
	table := profile.Keeping(100)
	table.Add(frame(0.001, 0.002))
	report := table.Report()
	report.Judge(profile.Device{Name: "a device", Driver: "a driver 1.0", Type: "cpu"}, true, true, "")
	report.Scene, report.Size = "a box", [2]int{640, 480}
	if err := report.Text(os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// device     a device, cpu
	// driver     a driver 1.0
	// scene      a box, 640×480
	// frames     1 after 0 to warm up; milliseconds
	// mode       serialised: each pass is submitted and waited for alone, and timed by the clock
	// trusted    yes; but processor and device do not overlap in this mode, so a frame takes longer than otherwise
	// clocks     all times are the processor's
	// noise      unknown: there are too few frames to tell
	// waits for  processor and device in turn: every row is on the critical path
	//
	// phase or pass         min    p50    p95    p99    max  ±   share
	// scripts        cpu  1.000  1.000  1.000  1.000  1.000  –  25.0 %  █████
	// geometry       gpu  2.000  2.000  2.000  2.000  2.000  –  50.0 %  ██████████
	// other          cpu  1.000  1.000  1.000  1.000  1.000  –  25.0 %  █████
	// frame               4.000  4.000  4.000  4.000  4.000  –
	//
	// The mean frame takes 4.000 ms, 250.0 a second; the rows add up to 4.000 ms, of which the device takes 2.000.
	//
	// pass      draws  dispatches  triangles  vertices  vertex inv.  fragment inv.  uploaded  barriers  loaded  stored
	// geometry      3           0        300         0            0              0       0 B         0     0 B     0 B
	//
	// Do not believe:
	// frame       processor and device wait for each other in this mode, so a frame takes longer than overlapped
	// p50, noise  too few frames to say how others go: 1
}

// Percentiles are the nearest ranks of the frames that are kept, the oldest being
// forgotten.
func TestStatsKeepTheLatest(t *testing.T) {
	table := profile.Keeping(100)
	for i := range 250 {
		table.Add([]profile.Sample{{Name: "x", Kind: profile.CPU, Seconds: float64(i) / 1000}})
	}
	got := table.Rows()[0].Stats()
	want := profile.Stats{Min: 150, P50: 199, P95: 244, P99: 248, Max: 249, Mean: 199.5}
	for _, c := range [][2]float64{{got.Min, want.Min}, {got.P50, want.P50}, {got.P95, want.P95}, {got.P99, want.P99}, {got.Max, want.Max}, {got.Mean, want.Mean}} {
		if math.Abs(c[0]-c[1]) > 1e-9 {
			t.Fatalf("figures of 150 to 249 ms: %+v, want %+v", got, want)
		}
	}
	if table.Frames() != 250 || table.Report().Frames != 100 {
		t.Errorf("%d frames added and %d reported, want 250 and 100", table.Frames(), table.Report().Frames)
	}
}

// A row that appears later stands where it stands in the frame, and counts only
// for the frames that it is part of.
func TestRowOfSomeFrames(t *testing.T) {
	table := profile.New()
	table.Add(frame(0.001, 0.002))
	extra := frame(0.001, 0.002)
	extra = append(extra[:1:1], append([]profile.Sample{{Name: "shadow", Kind: profile.GPU, Seconds: 0.004}}, extra[1:]...)...)
	extra[len(extra)-1].Seconds += 0.004
	table.Add(extra)
	r := table.Report()
	var names []string
	for _, row := range r.Rows {
		names = append(names, row.Name)
	}
	if got, want := strings.Join(names, " "), "scripts shadow geometry other"; got != want {
		t.Errorf("rows are %s, want %s", got, want)
	}
	if math.Abs(r.Frame.RowsMS-r.Frame.MS.Mean) > 1e-9 {
		t.Errorf("the rows add up to %v ms of a mean frame of %v ms", r.Frame.RowsMS, r.Frame.MS.Mean)
	}
}

// Overlapped, the device's time is beside the frame's, not part of it.
func TestOverlappedSum(t *testing.T) {
	table := profile.New()
	table.Add([]profile.Sample{
		{Name: "scripts", Kind: profile.CPU, Seconds: 0.003},
		{Name: "geometry", Kind: profile.GPU, Seconds: 0.007},
		{Name: "frame", Kind: profile.Whole, Seconds: 0.003},
	})
	r := table.Report()
	r.Judge(profile.Device{}, false, false, "its clock is broken")
	if math.Abs(r.Frame.RowsMS-3) > 1e-9 || math.Abs(r.Frame.DeviceMS-7) > 1e-9 {
		t.Errorf("rows %v ms and device %v ms, want 3 and 7", r.Frame.RowsMS, r.Frame.DeviceMS)
	}
	var text strings.Builder
	if err := r.Text(&text); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "not the gpu and gap rows: its clock is broken") {
		t.Errorf("the report does not say why it is not to be trusted:\n%s", text.String())
	}
}

func TestEmptyReport(t *testing.T) {
	r := profile.New().Report()
	var out strings.Builder
	if err := r.Text(&out); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"rows": []`) || !json.Valid([]byte(out.String())) {
		t.Errorf("no rows should be an empty list:\n%s", out.String())
	}
}

// A steady frame makes no garbage.
func TestAddAllocatesNothing(t *testing.T) {
	table, f := profile.New(), frame(0.001, 0.002)
	table.Add(f)
	if n := testing.AllocsPerRun(100, func() { table.Add(f) }); n > 0 {
		t.Errorf("adding a frame allocates %v times", n)
	}
}
