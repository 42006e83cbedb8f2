package machine

import (
	"errors"
	"fmt"

	"github.com/bindpose/bindpose/animation"
	"github.com/bindpose/bindpose/animation/blendspace"
)

// ErrParameter is wrapped by the error of a parameter that is not there or not of
// the type asked for.
var ErrParameter = errors.New("machine: bad parameter")

// ErrState is wrapped by the error of going to a state that is not there.
var ErrState = errors.New("machine: no such state")

// Instance is one entity's run of a Definition: its parameters, the states that
// play, and the fades under way. Make one with New. Instances of one definition
// share nothing else and may be updated at once on different goroutines, each with
// a Scratch of its own.
type Instance struct {
	def    *Definition
	values []float64
	layers []play
	motion animation.Motion
	record *Recording
	open   Step // of the recording: what was set since the last Update
}

// play is one layer at work.
type play struct {
	now, last voice
	queued    int // state to go to at the next Update, or -1
	queuedAs  Fade

	// A fade goes from last, which plays on, or from a held pose. An inertial
	// transition adds offset, which dies away.
	fading, held, inertial bool
	solid                  bool
	curve                  curve
	fade, faded            float64 // seconds
	from                   *animation.Pose
	offset                 *offset
	shown                  *animation.Pose  // of the last Update, where a transition is inertial
	seen                   bool             // shown holds one
	dt                     float64          // of this Update
	entered                int              // transitions of the last Update
	name                   string           // of the last transition
	carried                animation.Motion // of the step in which a transition began
	carries                bool
	events                 []Passed
	curves, fromCurves     []float32
}

// voice is one state that plays.
type voice struct {
	state    int
	phase    float64 // in [0, count], or to 2·count on the way back of a ping-pong
	before   float64 // unrolled: where the last step began and ended
	after    float64
	progress float64 // rounds since it was entered
	passed   float64 // progress before the last step
	fresh    bool    // it did not move yet
	starts   bool    // the last step was its first
	weights  [3]blendspace.Weight
	n        int
	cursors  [3][]int32
}

// New returns an instance in its start states, at their beginnings.
func New(d *Definition) *Instance {
	m := &Instance{def: d, values: make([]float64, len(d.params)), layers: make([]play, len(d.layers))}
	for i, p := range d.params {
		m.values[i] = p.Default
	}
	for i := range m.layers {
		p, l := &m.layers[i], &d.layers[i]
		most := 0
		for k := range l.states {
			for _, c := range l.states[k].clips {
				most = max(most, len(c.Tracks))
			}
		}
		for k := range 3 {
			p.now.cursors[k], p.last.cursors[k] = make([]int32, most), make([]int32, most)
		}
		p.from = animation.NewPose(d.skeleton)
		if l.inertial {
			p.offset, p.shown = newOffset(d.skeleton), animation.NewPose(d.skeleton)
		}
		p.curves, p.fromCurves = make([]float32, len(d.curves)), make([]float32, len(d.curves))
		p.queued = -1
		p.events = make([]Passed, 0, 8)
		p.now.enter(m, &l.states[l.start], l.start, -1)
	}
	return m
}

// Definition is what the instance runs.
func (m *Instance) Definition() *Definition { return m.def }

// set changes a parameter of one of some kinds.
func (m *Instance) set(name string, x float64, kinds ...kind) error {
	i, ok := m.def.byName[name]
	if !ok {
		return fmt.Errorf("%w: there is no %q", ErrParameter, name)
	}
	k := m.def.kinds[i]
	fits := len(kinds) == 0
	for _, want := range kinds {
		fits = fits || k == want
	}
	if !fits {
		return fmt.Errorf("%w: %q is a %s", ErrParameter, name, m.def.params[i].Type)
	}
	if err := k.check(x); err != nil {
		return fmt.Errorf("%w: %q: %v", ErrParameter, name, err)
	}
	m.values[i] = x
	if m.record != nil {
		m.open.Set = append(m.open.Set, Set{name, x})
	}
	return nil
}

// SetFloat sets a float parameter. NaN and infinity are errors.
func (m *Instance) SetFloat(name string, x float32) error { return m.set(name, float64(x), floatKind) }

// SetInt sets an int parameter.
func (m *Instance) SetInt(name string, x int) error { return m.set(name, float64(x), intKind) }

// SetBool sets a bool parameter.
func (m *Instance) SetBool(name string, x bool) error {
	if x {
		return m.set(name, 1, boolKind)
	}
	return m.set(name, 0, boolKind)
}

// Fire sets a trigger. It stays set until an Update takes a transition that asks
// for it, or Calm.
func (m *Instance) Fire(name string) error { return m.set(name, 1, triggerKind) }

// Calm takes a trigger back.
func (m *Instance) Calm(name string) error { return m.set(name, 0, triggerKind) }

// Set sets a parameter of any type by its number: a bool is 0 or 1, and so is a
// trigger. It is for sliders and recordings.
func (m *Instance) Set(name string, x float64) error { return m.set(name, x) }

// Value is a parameter's number, 0 where there is none of that name.
func (m *Instance) Value(name string) float64 {
	if i, ok := m.def.byName[name]; ok {
		return m.values[i]
	}
	return 0
}

// Fade is how a state is gone to: Duration in seconds, and whether inertially.
type Fade struct {
	Duration float64 `json:"duration"`
	Inertial bool    `json:"inertial,omitempty"`
}

// Go goes to a state of a layer at the next Update, before any transition is
// asked, whatever its conditions and even in mid-fade. Of several calls before one
// Update the last counts: a state is entered once an Update.
func (m *Instance) Go(layer int, path string, fade Fade) error {
	if layer < 0 || layer >= len(m.layers) {
		return fmt.Errorf("%w: layer %d of %d", ErrState, layer, len(m.layers))
	}
	i, ok := m.def.layers[layer].byPath[path]
	if !ok {
		return fmt.Errorf("%w: %q%s", ErrState, path, near(path, m.def.States(layer)))
	}
	if !(fade.Duration >= 0 && fade.Duration <= animation.MaxTimeStep) {
		return fmt.Errorf("%w: a fade of %v s to %q", ErrState, fade.Duration, path)
	}
	p := &m.layers[layer]
	if fade.Inertial && p.offset == nil {
		p.offset, p.shown = newOffset(m.def.skeleton), animation.NewPose(m.def.skeleton)
		p.seen = false
	}
	p.queued, p.queuedAs = i, fade
	if m.record != nil {
		m.open.Go = append(m.open.Go, Going{layer, path, fade})
	}
	return nil
}

// enter starts a state; phase is where in its round, in [0, 1), or -1 at the
// beginning of what plays most.
func (v *voice) enter(m *Instance, s *state, at int, phase float64) {
	v.state, v.progress, v.passed, v.fresh, v.starts = at, 0, 0, true, false
	v.weigh(m, s)
	n := float64(s.sync.Count())
	most := v.weights[0]
	for _, w := range v.weights[1:v.n] {
		if w.W > most.W {
			most = w
		}
	}
	switch {
	case phase >= 0:
		v.phase = min(phase, 1) * n
	case m.speed(s) < 0:
		v.phase = n
		if n > 1 {
			v.phase = wrap(s.sync.Phase(most.At, float64(s.clips[most.At].Duration)), n)
		}
	default:
		v.phase = wrap(s.sync.Phase(most.At, 0), n)
	}
	v.before, v.after = v.phase, v.phase
	for k := range v.cursors {
		clear(v.cursors[k])
	}
}

// weigh reads what plays how much from the parameters.
func (v *voice) weigh(m *Instance, s *state) {
	var list []blendspace.Weight
	switch {
	case s.line != nil:
		list = s.line.Weights(float32(m.values[s.x]), v.weights[:0])
	case s.plane != nil:
		list = s.plane.Weights(blendspace.Point{float32(m.values[s.x]), float32(m.values[s.y])}, v.weights[:0])
	default:
		v.weights[0], v.n = blendspace.Weight{W: 1}, 1
		return
	}
	v.n = len(list)
}

func (m *Instance) speed(s *state) float64 {
	x := s.speed
	if s.param >= 0 {
		x *= m.values[s.param]
	}
	return x
}
