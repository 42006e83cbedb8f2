package main

import (
	"github.com/bindpose/bindpose/animation/machine"
	"github.com/bindpose/bindpose/engine/gui"
	"github.com/bindpose/bindpose/engine/scene"
	"github.com/bindpose/bindpose/engine/script"
)

// machinePanel shows what the chosen entity's state machine does, and lets the
// user set its parameters and the lengths of its transitions.
type machinePanel struct {
	open bool

	// What is shown of a definition, kept so that a frame makes no garbage.
	def     *machine.Definition
	states  [][]string // by layer
	rows    [][]transitionRow
	editing *transitionRow // whose duration is being dragged
	seconds float32
	playing []machine.Playing
}

// transitionRow is a transition of a layer's machine or of one within.
type transitionRow struct {
	name   string
	number int // in the order of eachTransition
	length float32
}

// eachTransition calls yield for the transitions of a machine and of those within.
func eachTransition(m *machine.Machine, yield func(*machine.Transition)) {
	for i := range m.Transitions {
		yield(&m.Transitions[i])
	}
	for i := range m.States {
		if inner := m.States[i].Machine; inner != nil {
			eachTransition(inner, yield)
		}
	}
}

// read lists what there is to show of a definition.
func (p *machinePanel) read(d *machine.Definition) {
	p.def, p.states, p.rows, p.editing = d, nil, nil, nil
	g := d.Graph()
	for i := range g.Layers {
		p.states = append(p.states, d.States(i))
		var rows []transitionRow
		eachTransition(&g.Layers[i].Machine, func(t *machine.Transition) {
			rows = append(rows, transitionRow{t.From + " → " + t.To, len(rows), float32(t.Duration)})
		})
		p.rows = append(p.rows, rows)
	}
}

// machineOf is the chosen entity, or where that has no machine the first that has.
func (p *panels) machineOf() *scene.Entity {
	if e := p.chosen(); e != nil && e.Machine() != nil {
		return e
	}
	for e := range p.engine.Scene.All() {
		if e.Machine() != nil {
			return e
		}
	}
	return nil
}

func (p *panels) buildMachine(g *gui.Context, height float32, when gui.Cond) {
	s := g.Scale()
	x := 12 * s
	if p.shown { // beside the panel Frame
		x = 354 * s
	}
	g.SetNextWindowPos(x, 12*s, when)
	g.SetNextWindowSize(372*s, min(600*s, height-24*s), when)
	if g.Begin("State machine", &p.machine.open, 0) {
		if e := p.machineOf(); e == nil {
			g.TextDisabled("nothing here is driven by a state machine")
		} else {
			m := e.Machine()
			if m.Definition() != p.machine.def {
				p.machine.read(m.Definition())
			}
			g.AlignText()
			g.Text(e.Name)
			p.parameters(g, e, m)
			for layer := range m.Definition().Layers() {
				g.PushIDInt(layer)
				p.machineLayer(g, e, m, layer)
				g.PopID()
			}
		}
	}
	g.End()
}

// holder is a script behind an entity's others that keeps parameters where the
// user put them.
type holder struct {
	machine func() *machine.Instance
	values  map[string]float64
}

// Update sets the parameters again, since the scripts before set theirs.
func (h *holder) Update(*script.Context, float32) error {
	m := h.machine()
	if m == nil {
		return nil
	}
	for name, x := range h.values {
		if err := m.Set(name, x); err != nil {
			return err
		}
	}
	return nil
}

func holderOf(e *scene.Entity) *holder {
	for _, s := range e.Scripts {
		if h, ok := s.(*holder); ok {
			return h
		}
	}
	return nil
}

// parameters are the machine's, to watch and to set. What the user sets is held
// against the entity's scripts until "hold" is taken away.
func (p *panels) parameters(g *gui.Context, e *scene.Entity, m *machine.Instance) {
	h := holderOf(e)
	held := h != nil
	g.SameLine()
	if g.Checkbox("hold parameters", &held) {
		if held {
			h = &holder{machine: e.Machine, values: map[string]float64{}}
			e.Scripts = append(e.Scripts, h)
		} else {
			e.Scripts = e.Scripts[: len(e.Scripts)-1 : len(e.Scripts)-1] // it is the last
			h = nil
		}
	}
	if g.IsItemHovered() {
		g.Tooltip("what you set stays, whatever the entity's scripts say")
	}
	set := func(name string, x float64) {
		if err := m.Set(name, x); err == nil && h != nil {
			h.values[name] = x
		}
	}
	list := m.Definition().Parameters()
	for i := range list {
		d := &list[i]
		x := m.Value(d.Name)
		g.PushIDInt(i)
		g.SetNextItemWidth(-96 * g.Scale())
		lo, hi := d.Min, d.Max
		if lo == hi {
			lo, hi = min(x, 0), max(x, 1)
		}
		switch d.Type {
		case "bool":
			if on := x != 0; g.Checkbox(d.Name, &on) {
				set(d.Name, number(on))
			}
		case "trigger":
			if g.Button(d.Name) {
				_ = m.Fire(d.Name) // it is a trigger
			}
			if x != 0 {
				g.SameLine()
				g.TextColored(gui.Warn, "set")
			}
		case "int":
			if n := int(x); g.SliderInt(d.Name, &n, int(lo), int(hi)) {
				set(d.Name, float64(n))
			}
		default:
			if v := float32(x); g.SliderFloat(d.Name, &v, float32(lo), float32(hi), 2) {
				set(d.Name, float64(v))
			}
		}
		g.PopID()
	}
}

func number(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// machineLayer shows one layer: which states play how much, the transition under
// way, the clips, and all transitions.
func (p *panels) machineLayer(g *gui.Context, e *scene.Entity, m *machine.Instance, layer int) {
	q := &p.machine
	st := m.Status(layer)
	g.Separator()
	g.Heading(m.Definition().LayerName(layer))
	g.SameLine()
	g.TextDisabled("weight")
	g.SameLine()
	g.Number(float64(st.Weight), 2, "")
	if st.Transition == "" {
		g.TextDisabled("no transition yet")
	} else {
		text := st.Transition
		switch {
		case st.Fading == 1:
		case st.Inertial:
			text += " (inertial)"
		case st.Held:
			text += " (from a held pose)"
		}
		g.ProgressBar(st.Fading, 0, 0, text)
	}
	q.playing = m.Playing(layer, q.playing[:0])
	if g.BeginTable("states", 3, gui.TableStripes, 0, 0) {
		g.SetupColumn("state", -1, 0)
		g.SetupColumn("weight", 120*g.Scale(), 0)
		g.SetupColumn("round", 56*g.Scale(), gui.Numeric)
		g.HeadersRow()
		for _, state := range q.states[layer] {
			w := float32(0)
			for i := range q.playing {
				if q.playing[i].State == state {
					w += q.playing[i].Weight
				}
			}
			g.NextRow()
			g.NextColumn()
			if state == st.State {
				g.TextColored(gui.Accent, state)
			} else {
				g.Text(state)
			}
			g.NextColumn()
			g.ProgressBar(w, 0, 0, " ")
			if state == st.State {
				g.CellNumber(float64(st.Phase), 2)
			} else {
				g.CellText("")
			}
		}
		g.EndTable()
	}
	if g.BeginTable("clips", 3, gui.TableStripes, 0, 0) {
		g.SetupColumn("clip", -1, 0)
		g.SetupColumn("weight", 56*g.Scale(), gui.Numeric)
		g.SetupColumn("s", 56*g.Scale(), gui.Numeric)
		g.HeadersRow()
		for i := range q.playing {
			x := &q.playing[i]
			g.NextRow()
			g.CellText(x.Clip.Name)
			g.CellNumber(float64(x.Weight), 2)
			g.CellNumber(float64(x.Time), 2)
		}
		g.EndTable()
	}
	p.transitions(g, e, layer, &st)
}

// transitions lists a layer's transitions. A duration that was dragged is applied
// when it is let go, to every entity with the same machine, without a stop.
func (p *panels) transitions(g *gui.Context, e *scene.Entity, layer int, st *machine.Status) {
	q := &p.machine
	if !g.BeginTable("transitions", 2, gui.TableStripes, 0, 0) {
		return
	}
	g.SetupColumn("transition", -1, 0)
	g.SetupColumn("seconds", 96*g.Scale(), 0)
	g.HeadersRow()
	var edited *transitionRow
	rows := q.rows[layer]
	for i := range rows {
		r := &rows[i]
		g.NextRow()
		if st.Fading < 1 && r.name == st.Transition {
			g.RowColor(gui.Accent.Alpha(0.25))
		}
		g.CellText(r.name)
		g.NextColumn()
		g.PushIDInt(r.number)
		v := r.length
		if q.editing == r {
			v = q.seconds
		}
		g.SetNextItemWidth(-1)
		if g.DragFloat("##seconds", &v, 0.005, 0, 5, 2) {
			q.editing, q.seconds = r, v
		}
		if q.editing == r && g.IsItemEdited() {
			edited = r
		}
		g.PopID()
	}
	g.EndTable()
	if edited != nil {
		q.editing = nil
		if err := p.setDuration(e, layer, edited.number, q.seconds); err != nil {
			say(err.Error())
		}
	}
}

// setDuration edits a copy of the machine's graph and lets all that run the
// machine go on by that.
func (p *panels) setDuration(e *scene.Entity, layer, transition int, seconds float32) error {
	old := e.Machine().Definition()
	graph := old.Graph().Clone()
	n := 0
	eachTransition(&graph.Layers[layer].Machine, func(t *machine.Transition) {
		if n == transition {
			t.Duration = float64(max(seconds, 0))
		}
		n++
	})
	d, err := machine.Compile(graph, old.Skeleton(), e.Animator.Clips())
	if err != nil {
		return err
	}
	for x := range p.engine.Scene.All() {
		if m := x.Machine(); m != nil && m.Definition() == old {
			if err := x.Adopt(d); err != nil {
				return err
			}
		}
	}
	if p.demo != nil && p.demo.Soul == old {
		p.demo.Soul = d // of those who come later
	}
	return nil
}
