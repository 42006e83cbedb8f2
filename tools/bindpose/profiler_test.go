package main

import (
	"runtime"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/profile"
)

// profiling opens Fox with the profiler's panel.
func profiling(t *testing.T, overlay ...string) *app {
	t.Helper()
	file := fox(t)
	device(t)
	f := &drawFlags{size: "480x270", headless: true, overlay: overlay}
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	a, _, err := openProfileScene(&demoFlags{drawFlags: *f, crowd: demoCrowd}, []string{file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(nil); err != nil {
			t.Error(err)
		}
	})
	return a
}

func drawFrames(t *testing.T, a *app, frames int) {
	t.Helper()
	for range frames {
		if err := a.engine.Frame(1.0 / 60); err != nil {
			t.Fatal(err)
		}
		if err := a.engine.GUI.Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// The panel shows in both modes, makes no garbage once it is open, and says what
// it costs.
func TestProfilerPanel(t *testing.T) {
	a := profiling(t, "profiler")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, mode := range []gpu.Mode{gpu.Serialised, gpu.Overlapped} {
		a.engine.Executor().SetMode(mode)
		drawFrames(t, a, 40)
		least := ^uint64(0)
		for range 5 {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			drawFrames(t, a, 5)
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		if least > 0 {
			t.Errorf("%v: 5 frames with the panel allocate %d times", mode, least)
		}
	}
	gui := rowOf(a.engine.Profile.Rows(), "gui", profile.GPU)
	if gui == nil || gui.Draws == 0 {
		t.Fatal("the panel is not drawn")
	}
	if a.panels.profiler.cost <= 0 {
		t.Error("the panel does not know what it costs")
	}
}

// Frames are measured while somebody looks, and not otherwise.
func TestProfilerIsOffUnlessOpen(t *testing.T) {
	a := profiling(t)
	drawFrames(t, a, 3)
	if n := a.engine.Profile.Frames(); n > 0 {
		t.Errorf("%d frames were measured for nobody", n)
	}
	a.panels.profiler.toggle()
	a.watch()
	drawFrames(t, a, 3)
	if n := a.engine.Profile.Frames(); n == 0 {
		t.Error("the panel is open, and no frame is measured")
	}
}

// Paused, the table holds; a step adds one frame to it.
func TestProfilerPauses(t *testing.T) {
	a := profiling(t, "profiler")
	e, p := a.engine, &a.panels.profiler
	drawFrames(t, a, 3)
	p.pause(true)
	n := e.Profile.Frames()
	drawFrames(t, a, 3)
	if !e.Paused || e.Profile.Frames() != n {
		t.Errorf("paused, %d frames were added", e.Profile.Frames()-n)
	}
	p.step()
	drawFrames(t, a, 4)
	if got := e.Profile.Frames() - n; got != 1 {
		t.Errorf("a step added %d frames", got)
	}
	p.pause(false)
	drawFrames(t, a, 2)
	if e.Paused || e.Profile.Frames() < n+2 {
		t.Error("it does not go on")
	}
}
