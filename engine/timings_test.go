package engine

import (
	"math"
	"testing"
	"time"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
)

// at makes a clock of a frame whose parts take so many milliseconds: waiting,
// compiling, executing, submitting.
func at(frame uint64, serialised bool, wait, compile, execute, submit float64) clock {
	ms := func(v float64) time.Duration { return time.Duration(v * float64(time.Millisecond)) }
	c := clock{frame: frame, serialised: serialised, start: time.Unix(1, 0)}
	c.begun = c.start.Add(ms(wait))
	c.compiled = c.begun.Add(ms(compile))
	c.executed = c.compiled.Add(ms(execute))
	c.ended = c.executed.Add(ms(submit))
	return c
}

func sampled(t *testing.T, samples []profile.Sample) (rows map[string]float64, order []string) {
	t.Helper()
	rows = map[string]float64{}
	for _, s := range samples {
		rows[string(s.Kind)+" "+s.Name] += s.Seconds * 1e3
		order = append(order, s.Name)
	}
	return rows, order
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

// Serialised, each millisecond of the frame is in one row, and what no row names
// is in "other".
func TestSerialisedRowsAddUp(t *testing.T) {
	var s sampler
	c := at(0, true, 1, 2, 30, 4)
	c.collecting = 500 * time.Microsecond
	s.note(c)
	samples, ok := s.frame(0, []gpu.Timing{
		{Name: "animation", Kind: gpu.CPUTime, Duration: 0.003},
		{Name: "geometry", Kind: gpu.GPUTime, Duration: 0.020, Record: 0.001, Draws: 5, Triangles: 70},
		{Name: "gap", Kind: gpu.GapTime, Duration: 0.0045},
	})
	if !ok {
		t.Fatal("the frame has no samples")
	}
	rows, _ := sampled(t, samples)
	sum := 0.0
	for name, ms := range rows {
		if name != "frame frame" {
			sum += ms
		}
	}
	if !near(sum, rows["frame frame"]) || !near(sum, 37) {
		t.Errorf("rows add up to %v ms, the frame is %v, want 37 both: %v", sum, rows["frame frame"], rows)
	}
	if !near(rows["cpu other"], 1) {
		t.Errorf("other is %v ms, want the 1 that no row names", rows["cpu other"])
	}
}

// Overlapped, the device's time is no part of the frame, and a frame's rows wait
// until its own timings are known.
func TestOverlappedRowsAreOfOneFrame(t *testing.T) {
	var s sampler
	s.note(at(0, false, 1, 1, 10, 1))
	s.note(at(1, false, 5, 5, 50, 5))
	s.note(at(2, false, 7, 7, 70, 7))
	timings := []gpu.Timing{
		{Name: "animation", Kind: gpu.CPUTime, Duration: 0.006},
		{Name: "shadow", Kind: gpu.GPUTime, Duration: 0.100, Record: 0.001},
		{Name: "gap", Kind: gpu.GapTime, Duration: 0.002},
		{Name: "geometry", Kind: gpu.GPUTime, Duration: 0.200, Record: 0.002},
	}
	samples, ok := s.frame(0, timings)
	if !ok {
		t.Fatal("frame 0 has no samples")
	}
	rows, order := sampled(t, samples)
	if !near(rows["frame frame"], 13) || !near(rows["cpu other"], 1) {
		t.Errorf("the frame is %v ms and other %v, want 13 and 1: %v", rows["frame frame"], rows["cpu other"], rows)
	}
	want := []string{"wait", "graph compile", "animation", "record shadow", "shadow", "before geometry",
		"record geometry", "geometry", "read times", "submit", "other", "frame"}
	for i, name := range want {
		if i >= len(order) || order[i] != name {
			t.Fatalf("rows are %q, want %q", order, want)
		}
	}
	if _, again := s.frame(0, timings); again {
		t.Error("frame 0 was sampled twice")
	}
	if _, unknown := s.frame(9, timings); unknown {
		t.Error("a frame that was never drawn has samples")
	}
}

// A held scene stands still, but for the one frame of a step.
func TestHeldScene(t *testing.T) {
	e := &Engine{Paused: true}
	if dt := e.held(0.5); dt != 0 {
		t.Errorf("a held scene moves on by %v", dt)
	}
	e.Step()
	if a, b := e.held(0.5), e.held(0.5); a != 1.0/60 || b != 0 {
		t.Errorf("a step moves on by %v, then %v", a, b)
	}
	e.Paused = false
	e.Step()
	if dt := e.held(0.5); dt != 0.5 {
		t.Errorf("a scene that is not held moves on by %v", dt)
	}
}
