package main

import (
	"strconv"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/demo"
	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/mgl32"
	"github.com/bindpose/bindpose/engine/profile"
	"github.com/bindpose/bindpose/engine/scene"
)

// panels are the windows over the picture: the pass table, the scene tree, the
// animator of the chosen entity, and the switches.
type panels struct {
	engine *engine.Engine
	effects
	shown bool
	names bool // joint names beside the joints

	demo     *demo.Demo  // where the scene is the demo's
	hills    *demo.Hills // or this
	selected *scene.Entity
	paused   bool
	profiler profiler
	machine  machinePanel
	arranged
}

// arranged says when the panels are put in their places: at first and, since what is
// smaller than they are pushes them over one another and out of sight, when a window
// is large enough again. What the user moved stays otherwise.
type arranged struct{ crushed bool }

// when is the condition for a window of that size, in window units.
func (a *arranged) when(width, height, scale float32) gui.Cond {
	fits := width >= 620*scale && height >= 340*scale // Frame and Scene beside one another, Animator in part
	if fits && a.crushed {
		a.crushed = false
		return gui.Always
	}
	a.crushed = !fits
	return gui.FirstUse
}

func (p *panels) build(g *gui.Context) {
	if p.names {
		p.jointNames(g)
	}
	if !p.shown && !p.profiler.open && !p.machine.open {
		return
	}
	s := g.Scale()
	w, h := p.engine.Size()
	scale := float32(1)
	if p.engine.Window != nil {
		scale = p.engine.Window.FramebufferScale()
	}
	width, height := float32(w)/scale, float32(h)/scale
	when := p.when(width, height, s)
	p.profiler.build(g, width, height, when)
	if p.machine.open {
		p.buildMachine(g, height, when)
	}
	if !p.shown {
		return
	}
	g.SetNextWindowPos(12*s, 12*s, when)
	g.SetNextWindowSize(330*s, min(546*s, height-24*s), when)
	if g.Begin("Frame", nil, 0) {
		p.frameTable(g)
	}
	g.End()
	g.SetNextWindowPos(width-262*s, 12*s, when)
	g.SetNextWindowSize(250*s, min(300*s, height-24*s), when)
	if g.Begin("Scene", nil, 0) {
		p.crowd(g)
		p.legs(g)
		p.sceneTree(g)
	}
	g.End()
	g.SetNextWindowPos(width-262*s, 320*s, when)
	g.SetNextWindowSize(250*s, 216*s, when)
	if g.Begin("Animator", nil, 0) {
		p.animator(g)
	}
	g.End()
}

// frameTable shows what each phase and pass took: the median of the last
// frames, milliseconds.
func (p *panels) frameTable(g *gui.Context) {
	e := p.engine
	g.Checkbox("colliders", &e.Show.Colliders)
	g.SameLine()
	g.Checkbox("skeleton", &e.Show.Skeleton)
	g.SameLine()
	g.Checkbox("names", &p.names)
	smooth := !e.Show.NoAntialias
	if g.Checkbox("antialias", &smooth) {
		e.Show.NoAntialias = !smooth
	}
	rows := e.Profile.Rows()
	for _, r := range rows {
		if r.Kind == profile.Whole {
			g.SameLine()
			g.Number(r.Stats().P50, 1, " ms a frame")
		}
	}
	p.effects.switches(g)
	if ok, why := e.Executor().Trusted(); !ok {
		g.TextColored(gui.Warn, "times not to be trusted")
		if g.IsItemHovered() {
			g.Tooltip(why)
		}
	}
	if !g.BeginTable("passes", 4, gui.TableStripes|gui.TableScrollY, 0, 0) {
		return
	}
	g.SetupColumn("phase or pass", -1, 0)
	g.SetupColumn("CPU ms", 54*g.Scale(), gui.Numeric)
	g.SetupColumn("GPU ms", 54*g.Scale(), gui.Numeric)
	g.SetupColumn("draws", 44*g.Scale(), gui.Numeric)
	g.FreezeRows(1, 0)
	g.HeadersRow()
	for i, r := range rows {
		switch {
		case r.Kind == profile.GPU:
			g.NextRow()
			g.CellText(r.Name)
			if c := recording(rows[:i], r.Name); c != nil {
				g.CellNumber(c.Stats().P50, 2)
			} else {
				g.CellText("")
			}
			g.CellNumber(r.Stats().P50, 2)
			g.CellInt(r.Draws)
		case r.Kind == profile.Whole, r.Kind == profile.CPU && !isRecording(r.Name):
			g.NextRow()
			g.CellText(r.Name)
			g.CellNumber(r.Stats().P50, 2)
			g.CellText("")
			g.CellText("")
		}
	}
	g.EndTable()
}

const recordPrefix = "record "

func isRecording(name string) bool {
	return len(name) > len(recordPrefix) && name[:len(recordPrefix)] == recordPrefix
}

// recording finds the row of a pass's recording, which stands before the pass.
func recording(rows []*profile.Row, pass string) *profile.Row {
	for _, r := range rows {
		if isRecording(r.Name) && r.Name[len(recordPrefix):] == pass {
			return r
		}
	}
	return nil
}

func (p *panels) sceneTree(g *gui.Context) {
	for e := range p.engine.Scene.All() {
		if e.Parent() == nil {
			p.treeNode(g, e)
		}
	}
}

// legs stretches the legs of those who walk over the hills.
func (p *panels) legs(g *gui.Context) {
	if p.hills == nil {
		return
	}
	for _, w := range p.hills.Walkers() {
		g.SetNextItemWidth(-110 * g.Scale())
		g.SliderFloat(w.Slider, &w.Legs, demo.MinLegs, demo.MaxLegs, 2)
	}
	g.Separator()
}

// crowd is how many mannequins the demo shows.
func (p *panels) crowd(g *gui.Context) {
	if p.demo == nil {
		return
	}
	n := len(p.demo.Mannequins)
	g.SetNextItemWidth(-84 * g.Scale())
	if g.SliderInt("mannequins", &n, 1, demo.MaxCrowd) {
		if err := p.demo.SetCrowd(min(max(n, 1), demo.MaxCrowd)); err != nil {
			say(err.Error())
		}
		p.selected = nil // it may have left
	}
	g.Separator()
}

func (p *panels) treeNode(g *gui.Context, e *scene.Entity) {
	flags := gui.TreeOpenOnArrow | gui.TreeSpanWidth
	if !p.hasChildren(e) {
		flags |= gui.TreeLeaf
	}
	if e == p.chosen() {
		flags |= gui.TreeSelected
	}
	g.PushIDInt(int(e.ID()))
	open := g.TreeNode(e.Name, flags)
	if g.IsItemClicked(0) {
		p.selected = e
	}
	if open {
		for c := range p.engine.Scene.All() {
			if c.Parent() == e {
				p.treeNode(g, c)
			}
		}
		g.TreePop()
	}
	g.PopID()
}

func (p *panels) hasChildren(e *scene.Entity) bool {
	for c := range p.engine.Scene.All() {
		if c.Parent() == e {
			return true
		}
	}
	return false
}

// chosen is the entity that was clicked, or the first with an animator.
func (p *panels) chosen() *scene.Entity {
	if p.selected != nil {
		return p.selected
	}
	for e := range p.engine.Scene.All() {
		if e.Animator != nil {
			return e
		}
	}
	return nil
}

func (p *panels) animator(g *gui.Context) {
	e := p.chosen()
	if e == nil {
		g.TextDisabled("nothing here is animated")
		return
	}
	g.Text(e.Name)
	at := e.WorldPosition()
	g.SameLine()
	g.TextDisabled("at")
	for _, v := range at {
		g.SameLine()
		g.Number(float64(v), 2, "")
	}
	a := e.Animator
	if a == nil {
		g.TextDisabled("it has no animator")
		return
	}
	if m := e.Machine(); m != nil {
		g.Text(m.Status(0).State)
		g.SameLine()
		g.TextDisabled("by its state machine")
		if g.Button("show it") {
			p.machine.open = true
		}
		g.SameLine()
		g.Checkbox("paused", &a.Paused)
		return
	}
	g.SetNextItemWidth(-44 * g.Scale()) // room for the labels
	name := "rest pose"
	if a.Clip() != nil {
		name = clipName(a.Clip())
	}
	if g.BeginCombo("clip", name) {
		if g.Selectable("rest pose", a.Clip() == nil, 0) {
			_ = a.Play(nil, 0.25) // the rest pose always plays
		}
		for i, c := range a.Clips() {
			g.PushIDInt(i)
			if g.Selectable(clipName(c), c == a.Clip(), 0) {
				_ = a.Play(c, 0.25) // a clip of its own was checked when loaded
			}
			g.PopID()
		}
		g.EndCombo()
	}
	if c := a.Clip(); c != nil && c.Duration > 0 {
		t := a.Time()
		g.SetNextItemWidth(-44 * g.Scale())
		if g.SliderFloat("time", &t, 0, c.Duration, 2) {
			_ = a.Seek(t) // the slider gives finite times
		}
	}
	g.SetNextItemWidth(-44 * g.Scale())
	g.SliderFloat("speed", &a.Speed, -2, 2, 2)
	loop := int(a.Loop)
	g.SetNextItemWidth(-44 * g.Scale())
	if g.Combo("loop", &loop, loopNames) {
		a.Loop = animation.Loop(loop)
	}
	g.Checkbox("paused", &a.Paused)
	g.SameLine()
	g.TextDisabled("joints")
	g.SameLine()
	g.Int(a.Skeleton().Len(), "")
}

func clipName(c *animation.Clip) string {
	if c.Name == "" {
		return "(unnamed)"
	}
	return c.Name
}

var loopNames = []string{"repeat", "once", "ping-pong"}

// togglePause pauses every animator, or lets all go on.
func (p *panels) togglePause() {
	p.paused = !p.paused
	for e := range p.engine.Scene.All() {
		if e.Animator != nil {
			e.Animator.Paused = p.paused
		}
	}
}

// jointNames writes each joint's name beside it, or its index.
func (p *panels) jointNames(g *gui.Context) {
	scale := float32(1)
	if p.engine.Window != nil {
		scale = p.engine.Window.FramebufferScale()
	}
	layer := g.Background()
	globals := &p.engine.Draw.Globals
	w, h := globals.Viewport[0], globals.Viewport[1]
	e := p.chosen()
	if e == nil || e.Animator == nil {
		return
	}
	model := e.Animator.Model()
	for _, skin := range e.Animator.Skins() {
		for _, j := range skin.Joints {
			world := mgl32.TransformCoordinate(model[j].Col(3).Vec3(), e.World())
			clip := globals.ViewProjection.Mul4x1(world.Vec4(1))
			if clip[3] <= 0 {
				continue
			}
			x, y := (clip[0]/clip[3]+1)/2*w/scale, (clip[1]/clip[3]+1)/2*h/scale
			name := e.Animator.Skeleton().Names[j]
			if name == "" {
				name = strconv.Itoa(int(j))
			}
			layer.AddCircleFilled(x, y, 2, gui.Accent)
			layer.AddText(x+5, y-7, gui.Hex(0x10141a).Alpha(0.8), name)
			layer.AddText(x+4, y-8, gui.Hex(0xffffff), name)
		}
	}
}
