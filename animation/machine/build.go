package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/blendspace"
)

// builder compiles one layer.
type builder struct {
	*compiler
	layer     *layer
	reference *animation.Pose // of additive layers; nil: the rest pose
}

// place is a state of the graph: a leaf, or one that holds a machine.
type place struct {
	name     string
	at       int // in layer.states; -1 where it holds a machine
	children []*place
	start    *place
}

// leaf is the state that is entered with the place, or -1.
func (p *place) leaf() int {
	for p != nil && p.at < 0 {
		p = p.start
	}
	if p == nil {
		return -1
	}
	return p.at
}

// leaves appends all states at or below the place.
func (p *place) leaves(out []int) []int {
	if p.at >= 0 {
		return append(out, p.at)
	}
	for _, c := range p.children {
		out = c.leaves(out)
	}
	return out
}

func (p *place) find(path string) *place {
	for name := range strings.SplitSeq(path, "/") {
		if p == nil {
			return nil
		}
		i := slices.IndexFunc(p.children, func(c *place) bool { return c.name == name })
		if i < 0 {
			return nil
		}
		p = p.children[i]
	}
	return p
}

func (p *place) names() []string {
	var out []string
	for _, c := range p.children {
		out = append(out, c.name)
	}
	return out
}

// machine compiles the states of a machine, depth first.
func (b *builder) machine(g *Machine, path, prefix string, depth int) *place {
	m := &place{at: -1}
	if depth > maxDepth {
		b.at(path, "more than %d machines deep", maxDepth)
		return m
	}
	if len(g.States) == 0 {
		b.at(join(path, "states"), "at least one is needed")
	}
	taken := map[string]bool{}
	for i := range g.States {
		s := &g.States[i]
		at := fmt.Sprintf("%s.states[%d]", path, i)
		b.name(s.Name, join(at, "name"), taken)
		if strings.ContainsAny(s.Name, "/*") {
			b.at(join(at, "name"), "%q: a state's name has no / or *", s.Name)
		}
		p := &place{name: s.Name, at: -1}
		m.children = append(m.children, p)
		full := prefix + s.Name
		given := 0
		for _, is := range []bool{s.Clip != "", s.Blend != nil, s.Machine != nil} {
			if is {
				given++
			}
		}
		if given != 1 {
			b.at(at, "it needs one of clip, blend and machine, and has %d", given)
		}
		if s.Machine != nil {
			if s.Speed != nil || s.SpeedParameter != "" || s.Loop != "" {
				b.at(at, "a state with a machine has no speed or loop")
			}
			inner := b.machine(s.Machine, join(at, "machine"), full+"/", depth+1)
			p.children, p.start = inner.children, inner.start
			continue
		}
		p.at = len(b.layer.states)
		b.layer.byPath[full] = p.at
		b.layer.states = append(b.layer.states, b.state(s, at, full))
	}
	switch m.start = m.find(g.Start); {
	case g.Start == "":
		b.at(join(path, "start"), "the name of the state to start in is needed%s", near("", m.names()))
		m.start = nil
	case m.start == nil:
		b.at(join(path, "start"), "no state %q%s", g.Start, near(g.Start, m.names()))
	}
	return m
}

func (b *builder) state(g *State, path, full string) state {
	s := state{path: full, speed: 1, x: -1, y: -1}
	if g.Speed != nil {
		b.finite(*g.Speed, join(path, "speed"))
		s.speed = *g.Speed
	}
	s.param = b.parameter(g.SpeedParameter, join(path, "speedParameter"), floatKind, intKind, boolKind)
	s.loop = animation.Loop(b.choose(g.Loop, join(path, "loop"), "repeat", "once", "pingpong"))
	if g.Blend != nil {
		b.blend(&s, g.Blend, join(path, "blend"))
		return s
	}
	if g.Clip != "" {
		if clip := b.clip(g.Clip, join(path, "clip")); clip != nil {
			b.take(&s, clip, join(path, "clip"))
			b.phases(&s, nil, path)
		}
	}
	return s
}

// take adds a clip to a state.
func (b *builder) take(s *state, clip *animation.Clip, path string) {
	switch {
	case b.layer.additive && !clip.Additive:
		if b.reference == nil {
			b.reference = animation.NewPose(b.d.skeleton)
		}
		add, err := animation.MakeAdditive(clip, b.d.skeleton, b.reference)
		if err != nil {
			b.at(path, "%v", err)
			return
		}
		clip = add
	case !b.layer.additive && clip.Additive:
		b.at(path, "clip %q is additive, the layer is not", clip.Name)
	}
	s.clips = append(s.clips, clip.Pack())
	s.roots = s.roots || clip.Root != nil
	var at []int32
	for _, x := range clip.Curves {
		at = append(at, int32(b.curveAt[x.Name]))
	}
	s.curves = append(s.curves, at)
}

// phases makes the state's sync.
func (b *builder) phases(s *state, marks [][]blendspace.Mark, path string) {
	durations := make([]float32, len(s.clips))
	var longest float32
	for i, c := range s.clips {
		durations[i] = c.Duration
		longest = max(longest, c.Duration)
	}
	for i := range durations {
		if durations[i] == 0 { // a pose takes part in any round
			if durations[i] = longest; longest == 0 {
				durations[i] = 1
			}
		}
	}
	var err error
	if s.sync, err = blendspace.NewSync(durations, marks); err != nil {
		b.at(path, "%v", err)
	}
}

func (b *builder) blend(s *state, g *Blend, path string) {
	if g.X == "" {
		b.at(join(path, "x"), "the name of a parameter is needed")
	}
	s.x = b.parameter(g.X, join(path, "x"), floatKind, intKind)
	s.y = b.parameter(g.Y, join(path, "y"), floatKind, intKind)
	events := b.choose(g.Sync, join(path, "sync"), "time", "events") == 1
	if events && s.loop != animation.Repeat {
		b.at(join(path, "sync"), "clips in phase by events repeat")
	}
	if len(g.Marks) > 0 && !events {
		b.at(join(path, "marks"), "marks are for sync events")
	}
	if len(g.Points) == 0 {
		b.at(join(path, "points"), "at least one is needed")
		return
	}
	before := len(b.mistakes)
	var at []float32
	var points []blendspace.Point
	var marks [][]blendspace.Mark
	for i, p := range g.Points {
		here := fmt.Sprintf("%s.points[%d]", path, i)
		b.finite(p.X, join(here, "x"))
		b.finite(p.Y, join(here, "y"))
		if g.Y == "" && p.Y != 0 {
			b.at(join(here, "y"), "the blend has no y parameter")
		}
		at = append(at, float32(p.X))
		points = append(points, blendspace.Point{float32(p.X), float32(p.Y)})
		clip := b.clip(p.Clip, join(here, "clip"))
		if clip == nil {
			continue
		}
		b.take(s, clip, join(here, "clip"))
		var list []blendspace.Mark
		for _, e := range clip.Events {
			if len(g.Marks) == 0 || slices.Contains(g.Marks, e.Name) {
				list = append(list, blendspace.Mark{Name: e.Name, Time: wrapped(e.Time, clip.Duration)})
			}
		}
		marks = append(marks, list)
	}
	if len(b.mistakes) > before {
		return
	}
	var err error
	if g.Y == "" {
		s.line, err = blendspace.NewLine(at)
	} else {
		s.plane, err = blendspace.NewPlane(points)
	}
	if err != nil {
		b.at(join(path, "points"), "%v", err)
	}
	if !events {
		marks = nil
	}
	b.phases(s, marks, join(path, "sync"))
}

// wrapped is the time of an event as a mark: one at the end is at the start.
func wrapped(t, duration float32) float32 {
	if t >= duration {
		return 0
	}
	return t
}

// link compiles the transitions of a machine into its leaves.
func (b *builder) link(g *Machine, m *place, path string, outer []*place) {
	if len(m.children) < len(g.States) { // too deep, as was said
		return
	}
	depth := len(outer)
	scopes := append(slices.Clone(outer), m)
	for i := range g.Transitions {
		t := &g.Transitions[i]
		at := fmt.Sprintf("%s.transitions[%d]", path, i)
		x, ok := b.transition(t, at, m, scopes[0])
		if !ok {
			continue
		}
		x.depth = depth
		from := m
		if t.From != "*" {
			if from = m.find(t.From); from == nil {
				b.at(join(at, "from"), "no state %q%s", t.From, near(t.From, m.names()))
				continue
			}
		}
		if x.self = t.Self || from.at >= 0; t.Self && from.at >= 0 {
			b.at(join(at, "self"), "only a transition from several states has it")
		}
		for _, leaf := range from.leaves(nil) {
			s := &b.layer.states[leaf]
			if slices.ContainsFunc(s.transitions, func(y transition) bool {
				return y.key == x.key && y.priority == x.priority && y.depth == x.depth && y.any == x.any
			}) {
				b.at(at, "the same transition is there twice, so which one is meant is unclear")
				break
			}
			s.transitions = append(s.transitions, x)
		}
		b.layer.inertial = b.layer.inertial || x.inertial
	}
	for i := range g.States {
		if inner := g.States[i].Machine; inner != nil {
			b.link(inner, m.children[i], fmt.Sprintf("%s.states[%d].machine", path, i), scopes)
		}
	}
}

func (b *builder) transition(g *Transition, path string, m, top *place) (transition, bool) {
	x := transition{
		name: g.From + " → " + g.To, to: -1, duration: g.Duration, priority: g.Priority,
		solid: g.Solid, phase: g.Phase, any: g.From == "*",
	}
	if g.From == "" {
		b.at(join(path, "from"), "the name of a state, or *, is needed")
	}
	to := m.find(g.To)
	if rest, absolute := strings.CutPrefix(g.To, "/"); absolute {
		to = top.find(rest)
	}
	switch {
	case g.To == "":
		b.at(join(path, "to"), "the name of a state is needed")
	case to == nil:
		b.at(join(path, "to"), "no state %q%s", g.To, near(g.To, m.names()))
	default:
		x.to = to.leaf()
	}
	if !(g.Duration >= 0 && g.Duration <= animation.MaxTimeStep) {
		b.at(join(path, "duration"), "%v s is out of range", g.Duration)
	}
	x.curve = curve(b.choose(g.Curve, join(path, "curve"), "smooth", "linear", "in", "out"))
	x.inertial = b.choose(g.Mode, join(path, "mode"), "fade", "inertial") == 1
	if x.inertial && g.Curve != "" {
		b.at(join(path, "curve"), "an inertial transition has none")
	}
	if g.Exit != nil {
		x.exits, x.exit = true, *g.Exit
		if !(x.exit >= 0 && x.exit <= 1e6) {
			b.at(join(path, "exit"), "%v rounds are out of range", x.exit)
		}
	}
	if len(g.When) == 0 && g.Exit == nil {
		b.at(path, "it needs a condition or an exit time")
	}
	var keys []string
	for i, w := range g.When {
		at := fmt.Sprintf("%s.when[%d]", path, i)
		c, ok := b.condition(w, at)
		if ok {
			x.conditions = append(x.conditions, c)
		}
		keys = append(keys, fmt.Sprint(w.Parameter, "\x00", c.is, c.value))
	}
	slices.Sort(keys)
	target := ""
	if x.to >= 0 {
		target = b.layer.states[x.to].path
	}
	x.key = fmt.Sprint(target, "\x00", x.exits, x.exit, "\x00", strings.Join(keys, "\x00"))
	return x, x.to >= 0
}

func (b *builder) condition(g Condition, path string) (condition, bool) {
	c := condition{param: b.parameter(g.Parameter, join(path, "parameter")), value: g.Value}
	if g.Parameter == "" {
		b.at(join(path, "parameter"), "the name of a parameter is needed")
	}
	ops := []string{">", "<", ">=", "<=", "==", "!="}
	c.is = op(b.choose(g.Is, join(path, "is"), ops...))
	if c.param < 0 {
		return c, false
	}
	switch k := b.d.kinds[c.param]; {
	case k == triggerKind && (g.Is != "" || g.Value != 0):
		b.at(path, "a trigger is not compared: it is set or not")
	case k == triggerKind || k == boolKind && g.Is == "":
		c.is, c.value = equal, 1
	case k == boolKind && g.Is != "==" && g.Is != "!=":
		b.at(join(path, "is"), "a bool is asked by == or !=")
	case g.Is == "":
		b.at(join(path, "is"), "one of %s is needed", strings.Join(ops, " "))
	}
	if b.d.kinds[c.param] != triggerKind {
		if err := b.d.kinds[c.param].check(c.value); err != nil && b.d.kinds[c.param] != intKind {
			b.at(join(path, "value"), "%v", err)
		} else if math.IsNaN(c.value) {
			b.at(join(path, "value"), "%v", c.value)
		}
	}
	return c, true
}
