package profile_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/bindpose/bindpose/engine/profile"
)

// three frames, of which the second has no shadow. They begin at 1 s.
func three() *profile.Table {
	table := profile.Keeping(8)
	for i := range 3 {
		f := []profile.Sample{
			{Name: "scripts", Kind: profile.CPU, Seconds: 0.001},
			{Name: "shadow", Kind: profile.GPU, Start: 0.001, Seconds: 0.004, Counts: profile.Counts{Draws: 3, Triangles: 12}},
			{Name: "before geometry", Kind: profile.Gap, Start: 0.005, Seconds: 0.001},
			{Name: "geometry", Kind: profile.GPU, Start: 0.006, Seconds: 0.002},
			{Name: "other", Kind: profile.CPU, Start: 0.008, Seconds: 0.001},
			{Name: "frame", Kind: profile.Whole, Start: 1 + 0.010*float64(i), Seconds: 0.009},
		}
		if i == 1 {
			f = slices.Delete(f, 1, 2)
		}
		table.Add(f)
	}
	return table
}

func TestRowsByFrame(t *testing.T) {
	shadow := three().Rows()[1]
	if shadow.Name != "shadow" || shadow.Frames() != 2 {
		t.Fatalf("%s is part of %d frames, want shadow, of 2", shadow.Name, shadow.Frames())
	}
	for ago, want := range []bool{true, false, true, false} {
		if start, seconds, ok := shadow.Ago(ago); ok != want || ok && (start != 0.001 || seconds != 0.004) {
			t.Errorf("%d frames ago shadow began at %v and took %v s, there: %v", ago, start, seconds, ok)
		}
	}
	if h := shadow.History(nil); !slices.Equal(h, []float32{4, 0, 4}) {
		t.Errorf("its history is %v", h)
	}
}

// A ring that is full forgets the oldest frame, of a row that it had and of one
// that it had not.
func TestRowsForgetTheOldest(t *testing.T) {
	table := profile.Keeping(2)
	for i := range 5 {
		f := []profile.Sample{{Name: "frame", Kind: profile.Whole, Seconds: 1}}
		if i == 2 {
			f = append(f, profile.Sample{Name: "x", Kind: profile.CPU, Seconds: 1})
		}
		table.Add(f)
		if rows := table.Rows(); i >= 2 {
			x := rows[len(rows)-1]
			if here := i < 4; here != (x.Frames() == 1) {
				t.Errorf("after frame %d, x is part of %d kept frames", i, x.Frames())
			}
		}
	}
	if r := table.Report(); len(r.Rows) != 0 {
		t.Errorf("no kept frame has x, and it is reported: %+v", r.Rows)
	}
}

func TestPausedTableAddsNothing(t *testing.T) {
	table := three()
	table.Paused = true
	table.Add(frame(1, 1))
	if table.Frames() != 3 {
		t.Error("a paused table took a frame")
	}
}

func TestCSV(t *testing.T) {
	var out bytes.Buffer
	if err := three().CSV(&out); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 1+6+5+6 {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	if got := strings.Join(lines[0], " "); got != "frame name kind start_ms ms" {
		t.Errorf("the head is %s", got)
	}
	if got := strings.Join(lines[2], " "); got != "0 shadow gpu 1 4" {
		t.Errorf("the second row is %s", got)
	}
	if got := strings.Join(lines[len(lines)-1], " "); got != "2 frame frame 20 9" {
		t.Errorf("the last row is %s", got)
	}
}

// The trace has the shape that Perfetto and chrome://tracing read: complete
// events with name, microseconds and track; metadata that names the tracks; no
// two events of a track that cross.
func TestTrace(t *testing.T) {
	table := three()
	r := table.Report()
	r.Scene = `a "box"`
	r.Judge(profile.Device{Name: "a device"}, false, true, "")
	var out bytes.Buffer
	if err := table.Trace(&out, &r); err != nil {
		t.Fatal(err)
	}
	var trace struct {
		TraceEvents []struct {
			Name, Ph, Cat string
			TS, Dur       *float64
			PID, TID      *int
			Args          map[string]any
		}
		DisplayTimeUnit string
		OtherData       map[string]any
	}
	if err := json.Unmarshal(out.Bytes(), &trace); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if trace.DisplayTimeUnit != "ms" || trace.OtherData["device"] != "a device" {
		t.Errorf("the head is %q, %v", trace.DisplayTimeUnit, trace.OtherData)
	}
	named, count := map[int]string{}, map[string]int{}
	type span struct{ from, to float64 }
	tracks := map[int][]span{}
	for _, e := range trace.TraceEvents {
		if e.Name == "" || e.PID == nil || e.TID == nil || e.TS == nil {
			t.Fatalf("an event lacks what each has: %+v", e)
		}
		switch e.Ph {
		case "M":
			if e.Name == "thread_name" {
				named[*e.TID], _ = e.Args["name"].(string)
			}
		case "X":
			if e.Dur == nil || *e.Dur < 0 || e.Cat == "" {
				t.Fatalf("a complete event without length or category: %+v", e)
			}
			count[e.Name]++
			tracks[*e.TID] = append(tracks[*e.TID], span{*e.TS, *e.TS + *e.Dur})
			if e.Name == "shadow" && (e.Args["draws"] != 3.0 || e.Args["triangles"] != 12.0) {
				t.Errorf("shadow's arguments are %v", e.Args)
			}
		default:
			t.Errorf("an event of kind %q", e.Ph)
		}
	}
	for tid, spans := range tracks {
		if named[tid] == "" {
			t.Errorf("track %d has no name", tid)
		}
		slices.SortFunc(spans, func(a, b span) int { return int(math.Copysign(1, a.from-b.from)) })
		for i := 1; i < len(spans); i++ {
			if spans[i].from < spans[i-1].to-1e-3 {
				t.Errorf("%s: %v begins before %v ends", named[tid], spans[i], spans[i-1])
			}
		}
	}
	if count["scripts"] != 3 || count["shadow"] != 2 || count["before geometry"] != 3 || count["frame 2"] != 1 || count["other"] != 0 {
		t.Errorf("the events are %v", count)
	}
}

// The page holds its data whole, needs nothing from elsewhere, and no name in it
// ends its script.
func TestHTML(t *testing.T) {
	table := three()
	r := table.Report()
	r.Scene = `</script><b>&"box`
	var out bytes.Buffer
	if err := table.HTML(&out, &r); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	if strings.Count(page, "</script>") != 2 {
		t.Errorf("%d scripts end, want the data's and the page's", strings.Count(page, "</script>"))
	}
	for _, not := range []string{"src=", "http://", "https://", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), not) {
			t.Errorf("the page has %q: it must need nothing else", not)
		}
	}
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var data struct {
		Report profile.Report
		Rows   []struct{ Name string }
		Frames []struct {
			MS   float64
			Rows [][3]float64
		}
	}
	if err := json.Unmarshal([]byte(text), &data); err != nil {
		t.Fatal(err)
	}
	if data.Report.Scene != r.Scene || len(data.Rows) != 5 || len(data.Frames) != 3 || len(data.Frames[1].Rows) != 4 || data.Frames[0].MS != 9 {
		t.Errorf("the page's data are %+v", data)
	}
}

func TestExportsOfNothing(t *testing.T) {
	table := profile.New()
	r := table.Report()
	for name, write := range map[string]func(*bytes.Buffer) error{
		"csv": func(b *bytes.Buffer) error { return table.CSV(b) }, "html": func(b *bytes.Buffer) error { return table.HTML(b, &r) },
		"trace": func(b *bytes.Buffer) error { return table.Trace(b, &r) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil || out.Len() == 0 {
			t.Errorf("%s of no frame: %d bytes, %v", name, out.Len(), err)
		}
	}
}
