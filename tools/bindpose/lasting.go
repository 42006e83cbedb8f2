package main

import (
	"errors"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// lasting is what goes on when the program is built anew while it runs: where
// the camera is, what is open and switched on.
type lasting struct {
	Target     mgl32.Vec3
	Distance   float32
	Yaw, Pitch float32
	Flying     bool
	Speed      float32

	Panels, Names, Profiler, Machine, Help bool
	Paused                                 bool
	SSAO, Bloom                            bool
	Selected                               string // an entity

	Files   []string `json:",omitempty"` // that view shows
	Crowd   int      `json:",omitempty"` // of the demo
	Source  bool     `json:",omitempty"` // the porter's is shown
	Evening bool     `json:",omitempty"` // of the demo
	Time    float64  `json:",omitempty"` // of the demo's scene, seconds
}

// last has --watch build the program anew when it changes. save adds to what
// goes on, and restore is told of it where this program goes on from another.
func (a *app) last(entities bool, save func(*lasting), restore func(*lasting) error) error {
	if !a.flags.watch || a.flags.headless {
		return nil
	}
	var l lasting
	continued, err := a.engine.WatchProgram(engine.Program{
		Entities: entities, State: &l,
		Save: func() {
			l = a.lasting()
			save(&l)
		},
	})
	if err != nil || !continued {
		return err
	}
	return errors.Join(restore(&l), a.goOn(&l))
}

func (a *app) lasting() lasting {
	c, p := &a.camera, &a.panels
	l := lasting{
		Target: c.target, Distance: c.distance, Yaw: c.yaw, Pitch: c.pitch, Flying: c.flying, Speed: c.speed,
		Panels: p.shown, Names: p.names, Profiler: p.profiler.open, Machine: p.machine.open, Help: a.help,
		Paused: p.paused,
		SSAO:   !a.effects.ssao.Off, Bloom: !a.effects.bloom.Off,
	}
	if p.selected != nil {
		l.Selected = p.selected.Name
	}
	return l
}

// goOn sets what lasted. R still goes back to the view that the flags ask for.
func (a *app) goOn(l *lasting) error {
	c, p := &a.camera, &a.panels
	c.target, c.distance, c.yaw, c.pitch, c.flying, c.speed = l.Target, l.Distance, l.Yaw, l.Pitch, l.Flying, l.Speed
	p.shown, p.names, p.profiler.open, p.machine.open, a.help = l.Panels, l.Names, l.Profiler, l.Machine, l.Help
	a.effects.ssao.Off, a.effects.bloom.Off = !l.SSAO, !l.Bloom
	if l.Selected != "" {
		p.selected = a.engine.Scene.Find(l.Selected)
	}
	if l.Paused {
		p.togglePause()
	}
	c.apply(a.engine.Scene.Camera)
	a.engine.Scene.UpdateWorld()
	a.watch()
	return nil
}
