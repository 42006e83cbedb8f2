package profile_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/profile"
)

// measured is a report of frames of two rows that scatter by one percent.
func measured(frames int, shadow, geometry float64) profile.Report {
	table := profile.Keeping(frames)
	for i := range frames {
		w := 1 + 0.01*float64(i%3-1)
		table.Add([]profile.Sample{
			{Name: "shadow", Kind: profile.GPU, Seconds: shadow * w, Counts: profile.Counts{Draws: 4, Triangles: 1000}},
			{Name: "geometry", Kind: profile.GPU, Seconds: geometry * w, Counts: profile.Counts{Draws: 4, Triangles: 1000}},
			{Name: "frame", Kind: profile.Whole, Seconds: (shadow + geometry) * w},
		})
	}
	r := table.Report()
	r.Scene, r.Size = "a box", [2]int{64, 64}
	r.Judge(profile.Device{Name: "a device", Driver: "1.0", Type: "cpu"}, true, true, "")
	r.Plan = &profile.Plan{Passes: []profile.PlanPass{
		{Name: "shadow", Kind: "graphics"}, {Name: "geometry", Kind: "graphics", Merged: true, Stores: []string{"depth"}},
	}, Barriers: 3}
	return r
}

// A row that grew is marked where the growth is beyond the noise, and fails where
// it is beyond the bound; the others are left alone.
func TestCompare(t *testing.T) {
	old, now := measured(40, 0.010, 0.020), measured(40, 0.010, 0.024)
	if regressed := now.Compare(&old, "old.json", 25); regressed {
		t.Error("20 % more exceeds a bound of 25 %")
	}
	if regressed := now.Compare(&old, "old.json", 15); !regressed {
		t.Error("20 % more does not exceed a bound of 15 %")
	}
	rows := now.Comparison.Rows
	if rows[0].Beyond || rows[0].Regressed || !rows[1].Beyond || !rows[1].Regressed || rows[1].Percent != 20 || !now.Comparison.Frame.Beyond {
		t.Errorf("geometry alone grew, by 20 %%: %+v", rows)
	}
	if regressed := now.Compare(&old, "old.json", 0); regressed {
		t.Error("no bound was exceeded")
	}
	less := measured(40, 0.010, 0.016)
	if regressed := less.Compare(&old, "old.json", 5); regressed || !less.Comparison.Rows[1].Beyond {
		t.Errorf("a row that shrank regressed %v: %+v", regressed, less.Comparison.Rows[1])
	}
	// Where one run is noisy, the same growth says nothing.
	noisy := measured(40, 0.010, 0.024)
	noisy.Rows[1].MS.Noise = 6
	if noisy.Compare(&old, "old.json", 15); noisy.Comparison.Rows[1].Beyond {
		t.Error("a change within the noise was marked")
	}
	// Nor does it where other programs had a third of the machine.
	busy := measured(40, 0.010, 0.024)
	busy.Noise.Load = 1.0 / 3
	if busy.Compare(&old, "old.json", 15); busy.Comparison.Rows[1].Beyond {
		t.Error("a change on a busy machine was marked")
	}
}

// Beside a change stands what changed in the plan.
func TestComparePlans(t *testing.T) {
	old, now := measured(10, 0.010, 0.020), measured(10, 0.010, 0.020)
	now.Rows[1].Triangles = 1500
	now.Rows[1].Loaded = 4096
	now.Plan.Passes[1].Merged, now.Plan.Passes[1].Loads = false, []string{"depth"}
	now.Plan.Passes[1].Barriers = []string{"depth (late-depth → fragment)"}
	now.Plan.Passes = append(now.Plan.Passes, profile.PlanPass{Name: "outline"})
	now.Plan.Barriers = 4
	now.Compare(&old, "old.json", 0)
	got := strings.Join(now.Comparison.Rows[1].Plan, "; ")
	for _, want := range []string{"+500 triangles (1,500)", "+4.1 kB loaded", "new: load of depth", "new: barrier on depth", "no longer merged"} {
		if !strings.Contains(got, want) {
			t.Errorf("of geometry it says %q, not %q", got, want)
		}
	}
	if len(now.Comparison.Rows[0].Plan) > 0 {
		t.Errorf("shadow's plan is the same: %q", now.Comparison.Rows[0].Plan)
	}
	if all := strings.Join(now.Comparison.Plan, "; "); !strings.Contains(all, "barriers: 4, were 3") || !strings.Contains(all, "new: pass outline") {
		t.Errorf("of the plan it says %q", all)
	}
}

// A row that came or went is told as that, and is no regression.
func TestCompareRowsThatComeAndGo(t *testing.T) {
	old, now := measured(10, 0.010, 0.020), measured(10, 0.010, 0.020)
	now.Rows = slices.Delete(now.Rows, 0, 1)
	if now.Compare(&old, "old.json", 1) || !now.Comparison.Rows[1].Gone || now.Comparison.Rows[1].Name != "shadow" {
		t.Errorf("shadow is gone: %+v", now.Comparison.Rows)
	}
	old, now = now, old
	if now.Compare(&old, "old.json", 1) || !now.Comparison.Rows[0].Fresh {
		t.Errorf("shadow is new: %+v", now.Comparison.Rows)
	}
}

func TestIncomparable(t *testing.T) {
	a, b := measured(3, 0.01, 0.01), measured(3, 0.01, 0.01)
	if why := a.Incomparable(&b); len(why) > 0 {
		t.Errorf("two like runs: %q", why)
	}
	b.Device.Name, b.Size = "another device", [2]int{128, 64}
	b.Serialised = false
	got := strings.Join(a.Incomparable(&b), "; ")
	for _, want := range []string{"another device", "a device", "128×64", "overlapped"} {
		if !strings.Contains(got, want) {
			t.Errorf("the reasons %q lack %q", got, want)
		}
	}
}

// A report is read back as it was written; what is no report is refused.
func TestReadReport(t *testing.T) {
	r := measured(5, 0.01, 0.02)
	var out bytes.Buffer
	if err := r.JSON(&out); err != nil {
		t.Fatal(err)
	}
	back, err := profile.ReadReport(&out)
	if err != nil || len(back.Rows) != 2 || back.Rows[1].MS != r.Rows[1].MS || back.Rows[1].Counts != r.Rows[1].Counts {
		t.Errorf("read back %+v, %v", back, err)
	}
	for _, text := range []string{"", "{", "[]", "{}", `{"rows":[]}`, `{"format":99}`} {
		if _, err := profile.ReadReport(strings.NewReader(text)); err == nil {
			t.Errorf("%q was read as a report", text)
		}
	}
}

// The figures not to believe are named, each with the reason.
func TestDoubts(t *testing.T) {
	r := measured(40, 0.010, 0.020)
	r.Noise.SubmitMS = 8
	others := 0.6
	r.Noise.Others = &others
	r.Measures.Statistics = false
	r.Judge(r.Device, true, true, "")
	var got []string
	for _, d := range r.Doubts {
		got = append(got, d.Row+" "+d.Figure+": "+d.Why)
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{" p99: of 40 frames", " invocations:", " every time: other programs kept 0.6", "shadow gpu time: most of it is its submission"} {
		if !strings.Contains(all, want) {
			t.Errorf("the doubts lack %q:\n%s", want, all)
		}
	}
	if strings.Contains(all, "geometry gpu time") || strings.Contains(all, "steady") {
		t.Errorf("these are sound:\n%s", all)
	}
	if r.Noise.Level != "noisy" {
		t.Errorf("the run is called %q", r.Noise.Level)
	}
	r.Judge(r.Device, false, false, "its clock is broken")
	if d := r.Doubts[0]; d.Why != "its clock is broken" {
		t.Errorf("the first doubt is %+v", d)
	}
}
