package main

import (
	"runtime"
	"testing"

	"github.com/bindpose/bindpose/engine/gpu"
)

// machined opens the demo with the state machine's panel.
func machined(t *testing.T, crowd int) *app {
	t.Helper()
	return opened(t, &demoFlags{drawFlags: drawFlags{size: "320x400", headless: true, overlay: []string{"machine"}}, crowd: crowd})
}

// A duration that is edited applies to everybody who runs the machine, in the
// state where they are, and to those who come later.
func TestEditingATransitionIsLive(t *testing.T) {
	a := machined(t, 12)
	drawFrames(t, a, 2)
	e := a.panels.machineOf()
	state := e.Machine().Status(0).State
	rows := a.panels.machine.rows[0]
	for i, r := range rows {
		if r.name != "walk → idle" {
			continue
		}
		if err := a.panels.setDuration(e, 0, i, 1.25); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.panels.demo.SetCrowd(14); err != nil {
		t.Fatal(err)
	}
	drawFrames(t, a, 2)
	if got := e.Machine().Status(0).State; got != state {
		t.Errorf("it went from %s to %s", state, got)
	}
	for _, m := range a.panels.demo.Mannequins {
		found := false
		for _, tr := range m.Machine().Definition().Graph().Layers[0].Machine.Transitions {
			found = found || tr.From == "walk" && tr.To == "idle" && tr.Duration == 1.25
		}
		if !found {
			t.Errorf("%s runs the machine as it was", m.Name)
		}
	}
}

// What the user holds stays against the entity's scripts, until it is let go.
func TestHeldParametersStay(t *testing.T) {
	a := machined(t, 1)
	e := a.panels.machineOf()
	drawFrames(t, a, 2)
	if e.Machine().Value("speed") == 0 {
		t.Fatal("the walker does not walk")
	}
	e.Scripts = append(e.Scripts, &holder{machine: e.Machine, values: map[string]float64{"speed": 0}})
	drawFrames(t, a, 40)
	if s := e.Machine().Status(0); s.State != "idle" {
		t.Errorf("it is held at speed 0 and in state %s", s.State)
	}
	if holderOf(e) == nil {
		t.Error("the panel does not find what holds the parameters")
	}
}

// A steady frame of the demo with a crowd makes no garbage, with the panel open.
func TestTheCrowdAndItsPanelMakeNoGarbage(t *testing.T) {
	a := machined(t, 40)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a.engine.Executor().SetMode(gpu.Overlapped)
	drawFrames(t, a, 60)
	least := ^uint64(0)
	for range 6 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		drawFrames(t, a, 5)
		runtime.ReadMemStats(&after)
		least = min(least, after.Mallocs-before.Mallocs)
	}
	if least > 0 {
		t.Errorf("5 frames allocate %d times", least)
	}
}
