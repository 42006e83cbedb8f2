package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Printed by go test -bench, with two processors.
const printed = `goos: linux
goarch: amd64
pkg: example.org/x
cpu: Some Processor @ 3.0GHz
BenchmarkCompile
BenchmarkCompile-2            	   35514	      9943 ns/op	       0 B/op	       3 allocs/op
BenchmarkScale
BenchmarkScale/100
BenchmarkScale/100-2          	    5167	     68302 ns/op
BenchmarkScale/500
BenchmarkScale/500-2          	    1144	    341510 ns/op
BenchmarkPose-2 	      20	  50.5 ns/op	 21.5e6 joints/s
BenchmarkLoad/Fox
    bench_test.go:20: by the way
    bench_test.go:21: skipped: the file is not there
--- SKIP: BenchmarkLoad/Fox
BenchmarkOdd-2 5 7 ns/op 8
PASS
`

func TestParseGo(t *testing.T) {
	r, err := parseGo(printed)
	if err != nil {
		t.Fatal(err)
	}
	want := map[metric]float64{
		{"BenchmarkCompile", "ns/op"}:     9943,
		{"BenchmarkCompile", "B/op"}:      0,
		{"BenchmarkCompile", "allocs/op"}: 3,
		{"BenchmarkScale/100", "ns/op"}:   68302,
		{"BenchmarkScale/500", "ns/op"}:   341510,
		{"BenchmarkPose", "ns/op"}:        50.5,
		{"BenchmarkPose", "joints/s"}:     21.5e6,
	}
	if !maps.Equal(r.values, want) {
		t.Errorf("got %v, want %v", r.values, want)
	}
	if want := map[string]string{"BenchmarkLoad/Fox": "the file is not there"}; !maps.Equal(r.skipped, want) {
		t.Errorf("skipped %v, want %v", r.skipped, want)
	}
}

func TestParseGoTellsOneProcessorFromANumberedName(t *testing.T) {
	r, err := parseGo("BenchmarkScale/500 \t 10 \t 7 ns/op\n")
	if err != nil || r.values[metric{"BenchmarkScale/500", "ns/op"}] != 7 {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestParseGoRefusesFailures(t *testing.T) {
	for _, out := range []string{
		"BenchmarkX\n    x_test.go:9: no device\n--- FAIL: BenchmarkX\nFAIL\n",
		"panic: no device\n\ngoroutine 1 [running]:\n",
		"BenchmarkX-2 5 seven ns/op no device\n",
	} {
		_, err := parseGo(out)
		if err == nil || !strings.Contains(err.Error(), "no device") {
			t.Errorf("%q gives the error %v, which must tell of no device", out, err)
		}
	}
}

func TestParseThree(t *testing.T) {
	r := newReadings()
	err := parseThree(`{"file":"/a/Fox.glb","loads":4,"ms":1.5}`+"\n"+`{"file":"/b/MorphStressTest.gltf","loads":2,"ms":30}`+"\n", r)
	want := map[metric]float64{{"GLTFLoader/Fox", "ns/op"}: 1.5e6, {"GLTFLoader/MorphStressTest", "ns/op"}: 30e6}
	if err != nil || !maps.Equal(r.values, want) {
		t.Errorf("got %v, %v, want %v", r.values, err, want)
	}
	for _, bad := range []string{"Error: no\n", `{"file":"/a/Fox.glb"}` + "\n"} {
		if parseThree(bad, newReadings()) == nil {
			t.Errorf("%q is taken for a time", bad)
		}
	}
}

// roundsOf has one reading of a metric a round.
func roundsOf(m metric, values ...float64) []readings {
	var out []readings
	for _, v := range values {
		r := newReadings()
		r.values[m] = v
		out = append(out, r)
	}
	return out
}

func TestVerdicts(t *testing.T) {
	m := metric{"BenchmarkX", "ns/op"}
	most := row{unit: "µs", target: 10, value: m, scale: 1e-3}
	least := row{unit: "×", target: 3, atLeast: true, value: m}
	none := row{unit: "allocations", value: m}
	for _, c := range []struct {
		what     string
		row      row
		runs     []float64
		verdict  verdict
		measured float64
		met      int
	}{
		{"at the target", most, []float64{10000, 10000, 10000}, met, 10, 3},
		{"above a most", most, []float64{10001}, missed, 10.001, 0},
		{"one slow run", most, []float64{9000, 90000, 8000}, met, 9, 2},
		{"one quick run", most, []float64{11000, 1000, 12000}, missed, 11, 1},
		{"an even number", most, []float64{8000, 9000, 11000, 14000}, met, 10, 2},
		{"at a least", least, []float64{3}, met, 3, 1},
		{"below a least", least, []float64{2.99, 2.5, 4}, missed, 2.99, 1},
		{"no allocation", none, []float64{0, 0}, met, 0, 2},
		{"a part of an allocation", none, []float64{0.01}, missed, 0.01, 0},
	} {
		o := judge("x", c.row, roundsOf(m, c.runs...), nil)
		if o.Verdict != c.verdict || o.Met != c.met || o.Measured == nil || math.Abs(*o.Measured-c.measured) > 1e-9 {
			t.Errorf("%s: got %+v, want %s by %v, met by %d", c.what, o, c.verdict, c.measured, c.met)
		}
	}
	o := judge("x", most, roundsOf(m, 9000, 21000, 20000), nil)
	if *o.Ratio != 2 || *o.Min != 9 || *o.Max != 21 {
		t.Errorf("ratio %v, min %v, max %v; want 2, 9, 21", *o.Ratio, *o.Min, *o.Max)
	}
	if o := judge("x", none, roundsOf(m, 0), nil); o.Ratio != nil {
		t.Errorf("a target of nothing has the ratio %v", *o.Ratio)
	}
}

// Rounds are divided one by one, and then the median is taken, not the other
// way round.
func TestRatioIsTakenWithinARound(t *testing.T) {
	a, b := metric{"A", "ns/op"}, metric{"B", "ns/op"}
	rounds := roundsOf(a, 10, 100, 40)
	for i, v := range []float64{1, 50, 20} {
		rounds[i].values[b] = v
	}
	o := judge("x", row{target: 3, atLeast: true, value: a, over: b}, rounds, nil)
	if !slices.Equal(o.Runs, []float64{10, 2, 2}) || *o.Measured != 2 || o.Verdict != missed {
		t.Errorf("got %+v", o)
	}
}

func TestWhatIsMissingIsNeitherMetNorMissed(t *testing.T) {
	r := loadRow("Fox")
	own := roundsOf(metric{"BenchmarkLoad/Fox", "ns/op"}, 5e5)
	own[0].skipped[threeName] = "three.js needs Node"
	o := judge("gltf-load", r, own, nil)
	if o.Verdict != notMeasured || o.Measured != nil || !strings.Contains(o.Note, "three.js needs Node") || !strings.Contains(o.Note, "Bindpose 0.500 ms") {
		t.Errorf("without Node: %+v", o)
	}
	o = judge("gltf-load", r, []readings{newReadings()}, nil)
	if o.Verdict != failed || !strings.Contains(o.Note, "BenchmarkLoad/Fox") {
		t.Errorf("a benchmark that prints nothing: %+v", o)
	}
	o = judge("gltf-load", r, own, errors.New("no compiler"))
	if o.Verdict != failed || o.Note != "no compiler" {
		t.Errorf("a broken benchmark: %+v", o)
	}
}

func TestTableSaysAll(t *testing.T) {
	m := metric{"BenchmarkX", "ns/op"}
	busy := 1.5
	r := report{Machine: machine{Processors: 2, Others: &busy}, Rounds: 3, Asked: 5, Rows: []outcome{
		judge("first", row{what: "this", unit: "ns", target: 10, value: m}, roundsOf(m, 12, 9, 14), nil),
		judge("first", row{what: "that", unit: "ns", target: 10, value: m}, nil, errors.New("broken")),
		judge("second", row{what: "the other", unit: "×", target: 2, atLeast: true, value: m}, roundsOf(m, 2.5), nil),
	}}
	var b bytes.Buffer
	if err := r.writeTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"medians of 3 rounds (of 5: ", "1.5 of the processors", "times are too high",
		"first   this       ≤ 10 ns  12 ns     9 … 14       1.20   missed (1 of 3)",
		"        that       ≤ 10 ns  –                             failed           broken",
		"second  the other  ≥ 2 ×    2.50 ×    2.50 … 2.50  1.25   met",
		"1 met, 1 missed, 1 failed of 3",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, b.String())
		}
	}
	b.Reset()
	if err := r.writeJSON(&b); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Rows []struct {
			Name, Verdict, Better string
			Measured              *float64
			Runs                  []float64
		}
	}
	if err := json.Unmarshal(b.Bytes(), &back); err != nil || len(back.Rows) != 3 {
		t.Fatalf("%v: %s", err, b.String())
	}
	if x := back.Rows[1]; x.Measured != nil || x.Runs == nil || x.Verdict != "failed" {
		t.Errorf("a failed row is %+v", x)
	}
	if x := back.Rows[2]; *x.Measured != 2.5 || x.Better != "higher" || x.Verdict != "met" {
		t.Errorf("a met row is %+v", x)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args string
		says string
	}{
		{"--onyl pose", "-onyl"},
		{"--only poes", `no target "poes": there are graph-compile`},
		{"pose", "--only pose"},
		{"--count 0", "at least 1"},
		{"--count many", "many"},
	} {
		var out, log bytes.Buffer
		if status := run(t.Context(), strings.Fields(c.args), &out, &log); status != statusFailed || out.Len() > 0 {
			t.Errorf("%s: status %d, output %q", c.args, status, out.String())
		}
		if !strings.Contains(log.String(), c.says) {
			t.Errorf("%s: the error does not say %q: %s", c.args, c.says, log.String())
		}
	}
	ts, err := choose(targets(false), []string{"record", "graph-scale"})
	if err != nil || len(ts) != 2 || ts[0].name != "graph-scale" || ts[1].name != "record" {
		t.Errorf("chose %v, %v", ts, err)
	}
}

// A budget that is used up still lets the first round run; a suite with most
// does not run again.
func TestRounds(t *testing.T) {
	for _, c := range []struct {
		deadline time.Time
		want     int
	}{{time.Time{}, 3}, {time.Now().Add(time.Hour), 3}, {time.Now(), 1}} {
		var log bytes.Buffer
		s := &session{log: &log, three: &threeJS{missing: errors.New("not here")}}
		ts := []target{{name: "often", suites: []suite{{}}, rows: []row{loadRow("Fox")}}, {name: "once", suites: []suite{{most: 1}}}}
		rows, n := s.measure(t.Context(), ts, 3, c.deadline, make([]error, 2))
		if n != c.want || strings.Count(log.String(), "often") != n || strings.Count(log.String(), "once") != 1 {
			t.Errorf("%d rounds, want %d: %s", n, c.want, log.String())
		}
		if rows[0].Verdict != notMeasured || !strings.Contains(rows[0].Note, "not here") {
			t.Errorf("got %+v", rows[0])
		}
	}
}

// The design's names, each once, and the crowd's size by the flag.
func TestTargets(t *testing.T) {
	want := []string{"graph-compile", "graph-scale", "graph-savings", "record", "pose", "pose-scale", "frame-garbage", "gltf-load", "verify", "crowd"}
	var got []string
	for _, x := range targets(false) {
		got = append(got, x.name)
		if len(x.suites) == 0 || len(x.rows) == 0 {
			t.Errorf("%s measures nothing", x.name)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("targets are %v, want %v", got, want)
	}
	if q, f := len(crowd(false).rows), len(crowd(true).rows); q != 8 || f != 16 {
		t.Errorf("crowds of %d and, in full, %d sorts; want 8 and 16", q, f)
	}
	for _, r := range crowd(true).rows {
		if r.target <= 0 {
			t.Errorf("%s has no target", r.what)
		}
	}
}

// A benchmark that is renamed, or prints another unit, is noticed here rather
// than as a failed row.
func TestBenchmarksAreThere(t *testing.T) {
	builtIn := []string{"ns/op", "B/op", "allocs/op"}
	for _, x := range targets(true) {
		source := ""
		for _, u := range x.suites {
			if u.pkg == "" {
				continue
			}
			files, err := filepath.Glob(filepath.Join("..", "..", u.pkg, "*_test.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("%s has no tests: %v", u.pkg, err)
			}
			for _, f := range files {
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				source += string(b)
			}
		}
		for _, r := range x.rows {
			for _, m := range []metric{r.value, r.over} {
				name, _, _ := strings.Cut(m.benchmark, "/")
				if name == "" || name == threeName {
					continue
				}
				if !strings.Contains(source, "func "+name+"(") {
					t.Errorf("%s: there is no %s", x.name, name)
				}
				matched := false
				for _, u := range x.suites {
					top, _, _ := strings.Cut(u.pattern, "/")
					matched = matched || u.pkg != "" && regexp.MustCompile(top).MatchString(name)
				}
				if !matched {
					t.Errorf("%s: no suite runs %s", x.name, name)
				}
				if !slices.Contains(builtIn, m.unit) && !strings.Contains(source, strconv.Quote(m.unit)) {
					t.Errorf("%s: %s does not print %s", x.name, name, m.unit)
				}
			}
		}
	}
}
