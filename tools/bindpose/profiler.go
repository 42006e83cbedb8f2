package main

import (
	"time"

	"github.com/bindpose/bindpose/engine"
	"github.com/bindpose/bindpose/engine/gpu"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/profile"
)

// profiler is the panel that F2 opens: how long the last frames took, what ran
// when in the last one, and the table of its phases and passes.
type profiler struct {
	engine *engine.Engine
	open   bool

	plot    gui.Plot
	history [plotted]float32
	names   map[string]int // colours of passes, by name
	cost    float64        // of building this panel, milliseconds: a mean that follows
	took    int            // frames that the table had when a step was asked for
	steps   bool
}

// plotted is how many frames the history shows.
const plotted = 120

func (p *profiler) toggle() { p.open = !p.open }

// build shows the panel, and measures what that costs.
func (p *profiler) build(g *gui.Context, width, height float32, when gui.Cond) {
	if !p.open {
		return
	}
	began := time.Now()
	s := g.Scale()
	t := p.engine.Profile
	if p.steps && t.Frames() > p.took {
		p.steps, t.Paused = false, true
	}
	w, h := min(width-24*s, 1100*s), min(300*s, height-24*s)
	g.SetNextWindowPos((width-w)/2, height-h-12*s, when)
	g.SetNextWindowSize(w, h, when)
	if g.Begin("Profiler", &p.open, 0) {
		p.head(g)
		room, _ := g.ContentAvail()
		if g.BeginChild("pictures", room*0.46, 0, false, 0) {
			p.frames(g)
			p.flame(g)
		}
		g.EndChild()
		g.SameLine()
		if g.BeginChild("rows", 0, 0, false, 0) {
			p.table(g)
		}
		g.EndChild()
	}
	g.End()
	p.cost += (time.Since(began).Seconds()*1e3 - p.cost) * 0.1
}

// head is pause and step, what the frame waits for, and this panel's own cost.
func (p *profiler) head(g *gui.Context) {
	e := p.engine
	label := "pause"
	if e.Paused {
		label = "go on"
	}
	if g.SmallButton(label) {
		p.pause(!e.Paused)
	}
	g.SameLine()
	if g.SmallButton("step") {
		p.step()
	}
	g.SameLine()
	if whole := e.Profile.Whole(); whole != nil {
		g.Number(whole.Last()*1e3, 2, " ms; median")
		g.SameLine()
		g.Number(whole.Stats().P50, 2, " ms")
		g.SameLine()
	}
	switch {
	case e.Executor().Mode() == gpu.Serialised:
		g.TextDisabled("processor and device in turn: all is on the critical path")
	case p.deviceBound():
		g.TextDisabled("waits for the device")
	default:
		g.TextDisabled("waits for the processor")
	}
	if ok, why := e.Executor().Trusted(); !ok {
		g.SameLine()
		g.TextColored(gui.Warn, "gpu times are not to be trusted")
		if g.IsItemHovered() {
			g.Tooltip(why)
		}
	}
	g.SameLine()
	g.TextDisabled("· this panel")
	g.SameLine()
	g.Number(p.cost, 2, " ms")
	if r := rowOf(e.Profile.Rows(), "gui", profile.GPU); r != nil {
		g.SameLine()
		g.TextDisabled("and the gui pass")
		g.SameLine()
		g.Number(r.Stats().P50, 2, " ms")
	}
}

// pause holds the scene and the table, or lets both go on.
func (p *profiler) pause(on bool) {
	p.engine.Paused, p.engine.Profile.Paused, p.steps = on, on, false
}

// step moves a held scene on by one frame and measures that.
func (p *profiler) step() {
	if !p.engine.Paused {
		p.pause(true)
	}
	p.engine.Step()
	p.steps, p.took = true, p.engine.Profile.Frames()
	p.engine.Profile.Paused = false
}

// deviceBound says whether the processor waited for the device in the median
// frame, as profile.Report.Bound does.
func (p *profiler) deviceBound() bool {
	t := p.engine.Profile
	whole := t.Whole()
	if whole == nil {
		return false
	}
	waits := 0.0
	for _, name := range [...]string{"wait", "read times"} {
		if r := rowOf(t.Rows(), name, profile.CPU); r != nil {
			waits += r.Stats().P50
		}
	}
	return waits > whole.Stats().P50/20
}

func rowOf(rows []*profile.Row, name string, kind profile.Kind) *profile.Row {
	for _, r := range rows {
		if r.Name == name && r.Kind == kind {
			return r
		}
	}
	return nil
}

// frames is the history: a bar a frame, the last at the right.
func (p *profiler) frames(g *gui.Context) {
	whole := p.engine.Profile.Whole()
	if whole == nil {
		g.TextDisabled("nothing is measured yet")
		return
	}
	top := float32(0)
	for i := range p.history {
		_, seconds, ok := whole.Ago(len(p.history) - 1 - i)
		if !ok {
			seconds = 0
		}
		p.history[i] = float32(seconds * 1e3)
		top = max(top, p.history[i])
	}
	g.TextDisabled("frames, 0 to")
	g.SameLine()
	g.Number(float64(top*1.1), 1, " ms")
	p.plot = gui.Plot{Values: p.history[:], Hi: top * 1.1, W: -1, H: 64 * g.Scale()}
	g.PlotBars("##frames", &p.plot)
}

// flame is what ran when in the last frame: a lane of the processor, one of the
// device. The critical path is underlined.
func (p *profiler) flame(g *gui.Context) {
	rows := p.engine.Profile.Rows()
	s := g.Scale()
	serialised := p.engine.Executor().Mode() == gpu.Serialised
	first, last := 0.0, 1e-6
	for _, r := range rows {
		if start, seconds, ok := r.Ago(0); ok && timed(r, serialised) {
			first, last = min(first, start), max(last, start+seconds)
		}
	}
	g.TextDisabled("last frame")
	g.SameLine()
	g.Number((last-first)*1e3, 2, " ms")
	x, y := g.CursorScreenPos()
	w, _ := g.ContentAvail()
	const lane = 24
	g.InvisibleButton("flame", max(w, 1), 2*(lane+6)*s)
	hovered := g.IsItemHovered()
	draw := g.WindowDrawList()
	device := p.deviceBound()
	scale := w / float32(last-first)
	mouse := float32(-1)
	lower := false
	if hovered {
		mouse, lower = p.mouse(y + (lane+6)*s)
	}
	var under *profile.Row
	for _, r := range rows {
		start, seconds, ok := r.Ago(0)
		if !ok || !timed(r, serialised) {
			continue
		}
		top := y
		if r.Kind != profile.CPU {
			top += (lane + 6) * s
		}
		x0 := x + float32(start-first)*scale
		x1 := max(x0+float32(seconds)*scale, x0+1)
		draw.AddRectFilled(x0, top, x1, top+lane*s, p.color(r), 0)
		if waits := r.Name == "wait" || r.Name == "read times"; !waits && (serialised || (r.Kind != profile.CPU) == device) {
			draw.AddRectFilled(x0, top+(lane+1)*s, x1, top+(lane+3)*s, gui.Bad, 0)
		}
		if tw, th := g.TextSize(r.Name); tw+8*s < x1-x0 {
			draw.AddText(x0+4*s, top+(lane*s-th)/2, gui.Hex(0x10141a), r.Name)
		}
		if mouse >= x0 && mouse < x1 && lower == (r.Kind != profile.CPU) {
			under = r
		}
	}
	if under != nil {
		g.BeginTooltip()
		g.Text(under.Name)
		g.Number(under.Last()*1e3, 3, " ms")
		g.EndTooltip()
	}
}

// mouse is the mouse's x in window units, and whether it is below y.
func (p *profiler) mouse(y float32) (x float32, below bool) {
	in := p.engine.Input()
	if in == nil {
		return -1, false
	}
	return in.MouseX, in.MouseY >= y
}

// timed says whether a row's start means something: what no other row names has
// none, nor have the gaps of passes that were waited for one by one.
func timed(r *profile.Row, serialised bool) bool {
	return r.Kind != profile.Whole && (r.Kind != profile.CPU || r.Name != "other") && (r.Kind != profile.Gap || !serialised)
}

// color of a row: passes are told apart, the processor's phases are not.
func (p *profiler) color(r *profile.Row) gui.Color {
	switch r.Kind {
	case profile.GPU:
		if p.names == nil {
			p.names = map[string]int{}
		}
		n, ok := p.names[r.Name]
		if !ok {
			n = len(p.names)
			p.names[r.Name] = n
		}
		return gui.Series[n%len(gui.Series)]
	case profile.Gap:
		return gui.Hex(0x3b444e)
	}
	return gui.Muted
}

// table is each phase and pass: its last and median time, its worst twentieth,
// and what it drew.
func (p *profiler) table(g *gui.Context) {
	s := g.Scale()
	room, _ := g.ContentAvail()
	wide := room > 500*s // else the names would have no room
	columns := 5
	if wide {
		columns = 7
	}
	if !g.BeginTable("rows", columns, gui.TableStripes|gui.TableScrollY, 0, 0) {
		return
	}
	g.SetupColumn("phase or pass", -1, 0)
	for _, title := range [...]string{"last", "p50", "p95"} {
		g.SetupColumn(title, 54*s, gui.Numeric)
	}
	g.SetupColumn("draws", 44*s, gui.Numeric)
	if wide {
		g.SetupColumn("triangles", 66*s, gui.Numeric)
		g.SetupColumn("", 70*s, 0)
	}
	g.FreezeRows(1, 0)
	g.HeadersRow()
	whole := 0.0
	if w := p.engine.Profile.Whole(); w != nil {
		whole = w.Stats().P50
	}
	for _, r := range p.engine.Profile.Rows() {
		if r.Frames() == 0 {
			continue
		}
		stats := r.Stats()
		g.NextRow()
		g.CellText(r.Name)
		g.CellNumber(r.Last()*1e3, 3)
		g.CellNumber(stats.P50, 3)
		g.CellNumber(stats.P95, 3)
		if r.Kind == profile.GPU {
			g.CellInt(r.Draws)
		} else {
			g.CellText("")
		}
		if !wide {
			continue
		}
		if r.Kind == profile.GPU {
			g.CellInt(r.Triangles)
		} else {
			g.CellText("")
		}
		g.NextColumn()
		if whole > 0 && r.Kind != profile.Whole {
			x, y := g.CursorScreenPos()
			share := float32(min(stats.P50/whole, 1))
			g.WindowDrawList().AddRectFilled(x, y+4*s, x+max(share*64*s, 0), y+11*s, p.color(r), 0)
		}
	}
	g.EndTable()
}
