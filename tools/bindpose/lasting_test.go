package main

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/bindpose/bindpose/internal/golden"
)

// What lasts is what the user set: camera, panels and switches are found again
// in the program that goes on, and it draws the same picture.
func TestWhatLasts(t *testing.T) {
	open := func() *app {
		return opened(t, &demoFlags{drawFlags: drawFlags{headless: true, size: "64x48", time: 1}, crowd: 2})
	}
	a := open()
	a.camera.yaw, a.camera.pitch, a.camera.distance, a.camera.flying = 2, 0.4, 21, true
	a.camera.apply(a.engine.Scene.Camera)
	a.panels.names, a.panels.profiler.open, a.panels.machine.open, a.help = true, true, true, true
	a.effects.ssao.Off, a.effects.bloom.Off = false, false
	a.panels.selected = a.engine.Scene.Find("walker")
	a.panels.togglePause()
	was := a.lasting()
	text, err := json.Marshal(was)
	if err != nil {
		t.Fatal(err)
	}

	b := open()
	var l lasting
	if err := json.Unmarshal(text, &l); err != nil {
		t.Fatal(err)
	}
	if err := b.goOn(&l); err != nil {
		t.Fatal(err)
	}
	if got := b.lasting(); !reflect.DeepEqual(got, was) {
		t.Errorf("what goes on is\n%+v, it was\n%+v", got, was)
	}
	if b.panels.selected == a.panels.selected || b.panels.selected == nil {
		t.Error("the entity selected is not the new scene's")
	}
	for _, x := range []*app{a, b} { // their figures differ
		x.panels.profiler.open, x.panels.shown, x.panels.machine.open, x.help = false, false, false, false
	}
	drawFrames(t, a, 1)
	drawFrames(t, b, 1)
	want, err := a.engine.Picture()
	if err != nil {
		t.Fatal(err)
	}
	got, err := b.engine.Picture()
	if err != nil {
		t.Fatal(err)
	}
	golden.Same(t, got, want)
}
