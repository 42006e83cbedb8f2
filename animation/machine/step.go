package machine

import (
	"fmt"
	"math"

	"github.com/bindpose/bindpose/animation"
)

// Update moves the machine by dt seconds and writes the pose. In this order, layer
// by layer:
//
//  1. What plays moves on by dt; a fade that is over ends.
//  2. A state that Go asked for is entered.
//  3. The active state's transitions are asked, those of higher priority first,
//     then those of outer machines, then those from a named state, then by the
//     target's name. The first whose conditions hold is taken, and then the new
//     state's are asked, so that a state may be passed through. No state is
//     entered twice in one Update: a transition to one that was waits for the next.
//  4. The pose is sampled. A state just entered begins with this pose.
//
// After all layers, triggers that a transition asked for are taken back: layers do
// not hide them from one another. Of several states entered in one Update only the
// last fades in, from the pose on screen.
//
// A bad step is an error (animation.ErrTimeStep) that changes nothing. Nothing is
// allocated.
func (m *Instance) Update(dt float32, scratch *Scratch, out *animation.Pose) error {
	if !(dt >= 0 && dt <= animation.MaxTimeStep) {
		return fmt.Errorf("%w: %v s", animation.ErrTimeStep, dt)
	}
	if scratch == nil || scratch.def != m.def {
		return fmt.Errorf("%w: the scratch is of another definition", animation.ErrJob)
	}
	if err := out.Fits(m.def.skeleton); err != nil {
		return err
	}
	if m.record != nil {
		m.open.Dt = dt
		m.record.Steps = append(m.record.Steps, m.open)
		m.open = Step{}
	}
	clear(scratch.spent)
	for i := range m.layers {
		p, l := &m.layers[i], &m.def.layers[i]
		p.advance(m, l, float64(dt))
		if err := p.change(m, l, scratch); err != nil {
			return err
		}
		target := out
		if i > 0 {
			target = scratch.layer
		}
		if err := p.evaluate(m, l, scratch, target); err != nil {
			return err
		}
		if p.shown != nil {
			p.shown.Copy(target)
			p.seen = true
		}
		m.lay(i, p, l, target, out)
	}
	for i, spent := range scratch.spent {
		if spent {
			m.values[i] = 0
		}
	}
	return nil
}

// lay puts a layer on those before it.
func (m *Instance) lay(i int, p *play, l *layer, pose, out *animation.Pose) {
	motion, has := p.motion(m, l)
	if i == 0 {
		m.motion = motion
		return
	}
	w := m.weight(l)
	if l.additive {
		out.Add(m.def.skeleton, animation.Layer{Pose: pose, Weight: w, Mask: l.mask})
		return
	}
	w = min(max(w, 0), 1)
	out.Overlay(m.def.skeleton, pose, w, l.mask)
	if has {
		s := &l.states[p.now.state]
		for _, c := range s.clips {
			if c.Root != nil {
				if l.mask != nil {
					w *= l.mask[c.Root.Joint]
				}
				break
			}
		}
		m.motion = m.motion.Mix(motion, w)
	}
}

// weight is the layer's share; 0 where a parameter made it no number.
func (m *Instance) weight(l *layer) float32 {
	w := l.weight
	if l.param >= 0 {
		w *= float32(m.values[l.param])
	}
	if w != w || math.IsInf(float64(w), 0) {
		return 0
	}
	return w
}

func (p *play) advance(m *Instance, l *layer, dt float64) {
	p.entered, p.dt = 0, dt
	p.now.advance(m, &l.states[p.now.state], dt)
	live := p.fading && !p.held
	if live {
		p.last.advance(m, &l.states[p.last.state], dt)
	}
	if p.fading {
		if p.faded += dt; p.faded >= p.fade {
			p.fading, p.solid, p.inertial = false, false, false
		}
	}
	p.events = p.events[:0]
	u := p.share()
	if live {
		p.gather(&p.last, &l.states[p.last.state], 1-u)
	}
	p.gather(&p.now, &l.states[p.now.state], u)
}

// gather keeps the events that a voice passed.
func (p *play) gather(v *voice, s *state, share float32) {
	for _, w := range v.weights[:v.n] {
		for e := range v.span(s, w.At).Events(s.clips[w.At]) {
			p.events = append(p.events, Passed{e, share * w.W})
		}
	}
}

// wrap brings x into [0, m).
func wrap(x, m float64) float64 {
	if x >= 0 && x < m {
		return x
	}
	if x = math.Mod(x, m); x < 0 {
		x += m
	}
	if x >= m {
		x = 0
	}
	return x
}

// advance moves the voice by dt seconds.
func (v *voice) advance(m *Instance, s *state, dt float64) {
	v.weigh(m, s)
	v.passed, v.starts = v.progress, false
	v.before, v.after = v.phase, v.phase
	seconds := dt * m.speed(s)
	if seconds == 0 || math.IsNaN(seconds) || math.IsInf(seconds, 0) {
		return
	}
	n := float64(s.sync.Count())
	next := s.sync.Advance(v.phase, seconds, v.weights[:v.n])
	switch s.loop {
	case animation.Once:
		next = min(max(next, 0), n)
		v.phase = next
	case animation.PingPong:
		v.phase = wrap(next, 2*n)
	default:
		v.phase = wrap(next, n)
	}
	v.after = next
	v.starts, v.fresh = v.fresh, false
	v.progress += math.Abs(next-v.before) / n
	if s.loop == animation.Once && (seconds > 0 && next >= n || seconds < 0 && next <= 0) {
		v.progress = max(v.progress, 1)
	}
}

// due reports whether the last step passed the exit time, in rounds.
func (v *voice) due(s *state, exit float64) bool {
	if exit >= 1 || s.loop == animation.Once {
		return v.progress >= exit
	}
	return math.Floor(v.progress-exit) > math.Floor(v.passed-exit) || exit == 0 && v.passed == 0
}

// change asks the transitions.
func (p *play) change(m *Instance, l *layer, scratch *Scratch) error {
	clear(scratch.entered)
	clear(scratch.used)
	solid := p.fading && p.solid
	if p.queued >= 0 {
		went := transition{to: p.queued, duration: p.queuedAs.Duration, inertial: p.queuedAs.Inertial, name: "go"}
		p.queued = -1
		scratch.entered[p.now.state] = true
		if err := p.leave(m, l, scratch, &went); err != nil {
			return err
		}
		scratch.entered[went.to], solid = true, false
	}
	for !solid {
		t := p.next(m, l, scratch)
		if t == nil {
			return nil
		}
		for i := range t.conditions {
			if c := t.conditions[i].param; m.def.kinds[c] == triggerKind {
				scratch.used[c], scratch.spent[c] = true, true
			}
		}
		scratch.entered[p.now.state] = true
		if err := p.leave(m, l, scratch, t); err != nil {
			return err
		}
		scratch.entered[t.to] = true
		solid = t.solid && t.duration > 0
	}
	return nil
}

// next is the transition to take from the active state, or nil.
func (p *play) next(m *Instance, l *layer, scratch *Scratch) *transition {
	s := &l.states[p.now.state]
	for i := range s.transitions {
		t := &s.transitions[i]
		if scratch.entered[t.to] || t.to == p.now.state && !t.self || t.exits && !p.now.due(s, t.exit) {
			continue
		}
		holds := true
		for k := range t.conditions {
			c := &t.conditions[k]
			if m.def.kinds[c.param] == triggerKind && scratch.used[c.param] || !c.holds(m.values[c.param]) {
				holds = false
				break
			}
		}
		if holds {
			return t
		}
	}
	return nil
}

// leave begins a transition from what is on screen. Of several in one Update the
// first takes hold of what is on screen, the others only change where to.
func (p *play) leave(m *Instance, l *layer, scratch *Scratch, t *transition) error {
	phase := -1.0
	if s := &l.states[p.now.state]; t.phase {
		n := float64(s.sync.Count())
		phase = wrap(p.now.phase, n) / n
	}
	first := p.entered == 0
	inertial := t.inertial && t.duration > 0
	if first {
		p.carried, p.carries = p.motion(m, l)
		if p.fading || inertial {
			if err := p.evaluate(m, l, scratch, scratch.screen); err != nil {
				return err
			}
			p.from.Copy(scratch.screen)
			copy(p.fromCurves, p.curves)
			p.held = true
		} else {
			p.now, p.last = p.last, p.now
			p.held = false
		}
	}
	p.entered++
	p.name, p.solid, p.curve = t.name, t.solid, t.curve
	p.now.enter(m, &l.states[t.to], t.to, phase)
	p.fading, p.fade, p.faded, p.inertial = t.duration > 0, t.duration, 0, inertial
	if !inertial {
		return nil
	}
	if !p.held { // the first transition of this Update kept the old state playing
		if err := p.last.sample(m, &l.states[p.last.state], scratch, p.from, p.fromCurves); err != nil {
			return err
		}
		p.held = true
	}
	return p.inert(m, l, scratch)
}
