package main

import "fmt"

// target is a name of the design's table, and how it is measured.
type target struct {
	name   string
	suites []suite
	rows   []row
}

// suite is a set of benchmarks that run in one go. Its pattern is go test's;
// where pkg is empty, it is three.js's loader in Node.
type suite struct {
	pkg, pattern string
	benchtime    string
	most         int // rounds; 0: as many as are asked for
}

const quick = "300ms"

// targets is the design's table. full adds what takes minutes.
func targets(full bool) []target {
	return []target{
		{
			"graph-compile", []suite{{"framegraph", "^BenchmarkGraphCompile(Unified|Unchanged)?$", quick, 0}}, []row{
				least("demo graph, all steps", "BenchmarkGraphCompile", 10),
				{what: "the same, garbage", unit: "allocations", target: 0, value: metric{"BenchmarkGraphCompile", "allocs/op"}},
				least("the same, where layouts don't matter", "BenchmarkGraphCompileUnified", 10),
				{what: "unchanged structure", unit: "µs", target: 1, value: metric{"BenchmarkGraphCompileUnchanged", "ns/op"}, scale: 1e-3},
			},
		},
		{
			"graph-scale", []suite{{"framegraph", "^BenchmarkGraphScale$", "1s", 0}}, []row{
				{
					what: "500 passes / 100 passes", unit: "×", target: 6,
					value: metric{"BenchmarkGraphScale", "times"},
					aside: []aside{
						{"100 passes", metric{"BenchmarkGraphScale", "ns-of-100"}, 1e-3, "µs"},
						{"500", metric{"BenchmarkGraphScale", "ns-of-500"}, 1e-3, "µs"},
					},
				},
			},
		},
		graphSavings(),
		{
			"record", []suite{{"engine/vk", "^BenchmarkRecord$", quick, 0}}, []row{
				{what: "one streamed command", unit: "ns", target: 15, value: metric{"BenchmarkRecord", "ns/command"}},
			},
		},
		{
			"pose", []suite{{"animation", "^BenchmarkPose$", quick, 0}}, []row{
				{what: "1,000 characters, one thread", unit: "M joints/s", target: 21, atLeast: true, value: metric{"BenchmarkPose", "joints/s"}, scale: 1e-6},
			},
		},
		{
			"pose-scale", []suite{{"animation", "^BenchmarkPoseScale$", quick, 0}}, []row{
				{what: "two threads / one", unit: "×", target: 1.8, atLeast: true, value: metric{"BenchmarkPoseScale", "times"}},
			},
		},
		{
			"frame-garbage", []suite{{"engine", "^BenchmarkSteadyFrame$", quick, 0}}, []row{
				{what: "steady frame", unit: "allocations", target: 0, value: metric{"BenchmarkSteadyFrame", "allocs/frame"}},
			},
		},
		{
			"gltf-load",
			[]suite{{"assets/gltf", "^BenchmarkLoad$", quick, 0}, {benchtime: quick}},
			[]row{loadRow("Fox"), loadRow("CesiumMan"), loadRow("MorphStressTest")},
		},
		{
			"verify", []suite{{"animation/retarget/verify", "^BenchmarkVerify$", "1x", 1}}, []row{
				{
					what: "262 clips of 65 joints at 60 Hz", unit: "s", target: 10, value: metric{"BenchmarkVerify", "s/library"},
					aside: []aside{{"", metric{"BenchmarkVerify", "frames"}, 1, "frames"}},
				},
			},
		},
		crowd(full),
	}
}

// leastUnit is a mean over the quickest run of some calls: what else the machine
// does, which only makes runs slower, falls on few of them.
const leastUnit = "least-ns/op"

func least(what, benchmark string, most float64) row {
	return row{
		what: what, unit: "µs", target: most, value: metric{benchmark, leastUnit}, scale: 1e-3,
		aside: []aside{{"mean", metric{benchmark, "ns/op"}, 1e-3, "µs"}},
	}
}

// graphSavings is what the demo's plan does with, against the naive one: a full
// barrier before each pass on all that it uses, and no shared memory.
func graphSavings() target {
	t := target{name: "graph-savings", suites: []suite{{"demo", "^BenchmarkDemoPlan$", "1x", 1}}}
	for _, c := range []struct{ what, name string }{{"demo", "plain"}, {"demo with ssao and bloom", "effects"}} {
		of := func(unit string) metric { return metric{"BenchmarkDemoPlan/" + c.name, unit} }
		t.rows = append(t.rows, row{
			what: c.what + ", fewer barriers", unit: "%", target: 60, atLeast: true, value: of("fewer-barriers-%"),
			aside: []aside{{"", of("barriers"), 0, "barriers"}, {"in", of("batches"), 0, "batches"}, {"where layouts matter", of("exact-barriers"), 0, ""}, {"naive", of("naive-barriers"), 0, ""}},
		}, row{
			what: c.what + ", fewer transient bytes", unit: "%", target: 30, atLeast: true, value: of("fewer-bytes-%"),
			aside: []aside{
				{"", of("transient-B"), 1.0 / (1 << 20), "MiB of transients"}, {"in", of("aliased-B"), 1.0 / (1 << 20), "MiB"}, {"alive at once", of("live-B"), 1.0 / (1 << 20), "MiB"},
				{"naive", of("naive-B"), 1.0 / (1 << 20), "MiB"},
			},
		})
	}
	return t
}

// loadRow is how many times faster Bindpose loads a model than three.js does in
// the same round.
func loadRow(model string) row {
	own, three := metric{"BenchmarkLoad/" + model, "ns/op"}, metric{threeName + "/" + model, "ns/op"}
	return row{
		what: model + ", three.js / Bindpose", unit: "×", target: 3, atLeast: true, value: three, over: own,
		aside: []aside{{"Bindpose", own, 1e-6, "ms"}, {"three.js", three, 1e-6, "ms"}},
	}
}

// The best of Filament 1.9 and three.js r187 for so many characters, in
// milliseconds a frame, seen on a machine of two cores with lavapipe and its
// like: the design's figures.
var crowdBest = []struct {
	model, size string
	best        map[int]float64
}{
	{"CesiumMan", "1280x720", map[int]float64{10: 69, 100: 375, 500: 1046, 1000: 1821}},
	{"CesiumMan", "320x180", map[int]float64{10: 36, 100: 245, 500: 895, 1000: 2051}},
	{"Fox", "1280x720", map[int]float64{10: 33, 100: 101, 500: 243, 1000: 457}},
	{"Fox", "320x180", map[int]float64{10: 12, 100: 51, 500: 181, 1000: 314}},
}

func crowd(full bool) target {
	t := target{name: "crowd", suites: []suite{{"engine", "^BenchmarkCrowd$/^(CesiumMan|Fox)$/^(1280x720|320x180)$/^(10|100)$", "5x", 1}}}
	counts := []int{10, 100}
	if full {
		counts = append(counts, 500, 1000)
		t.suites = append(t.suites, suite{"engine", "^BenchmarkCrowd$/^(CesiumMan|Fox)$/^(1280x720|320x180)$/^(500|1000)$", "3x", 1})
	}
	for _, c := range crowdBest {
		for _, n := range counts {
			t.rows = append(t.rows, row{
				what: fmt.Sprintf("%s × %d, %s", c.model, n, c.size), unit: "ms", target: c.best[n],
				value: metric{fmt.Sprintf("BenchmarkCrowd/%s/%s/%d", c.model, c.size, n), "ns/op"}, scale: 1e-6,
			})
		}
	}
	return t
}
