package machine

import (
	"github.com/bindpose/bindpose/animation"
)

// Status is what a layer does, for people to watch.
type Status struct {
	State string  // path of the active state
	Phase float32 // where it is in its round, in [0, 1]
	// Rounds is how many rounds it has played since it was entered.
	Rounds float32
	// From is the state that is faded out and plays on; empty where there is none,
	// or where an interrupted fade holds its pose (Held) or a transition is
	// inertial.
	From     string
	Held     bool
	Inertial bool
	// Transition is the last that was taken, as it was declared: from → to.
	Transition string
	Fading     float32 // how far it is, in [0, 1]; 1 where none is under way
	Seconds    float32 // how long it takes
	Weight     float32 // of the layer
}

// Status tells what a layer does.
func (m *Instance) Status(layer int) Status {
	p, l := &m.layers[layer], &m.def.layers[layer]
	s := &l.states[p.now.state]
	n := float64(s.sync.Count())
	out := Status{
		State: s.path, Rounds: float32(p.now.progress), Transition: p.name, Fading: 1, Weight: m.weight(l),
	}
	phase := p.now.phase
	if phase > n {
		phase = 2*n - phase
	}
	out.Phase = float32(phase / n)
	if p.fading {
		out.Fading, out.Seconds = float32(p.faded/p.fade), float32(p.fade)
		out.Held, out.Inertial = p.held && !p.inertial, p.inertial
		if !p.held {
			out.From = l.states[p.last.state].path
		}
	}
	return out
}

// Playing is a clip that takes part in a layer's pose.
type Playing struct {
	State  string
	Clip   *animation.Clip
	Weight float32 // within the layer
	Time   float32 // seconds
}

// Playing appends the clips that take part in a layer's pose to out, those of a
// state that is faded out first. A held pose's share belongs to none.
func (m *Instance) Playing(layer int, out []Playing) []Playing {
	p, l := &m.layers[layer], &m.def.layers[layer]
	u := p.share()
	list := func(v *voice, share float32) {
		s := &l.states[v.state]
		for _, w := range v.weights[:v.n] {
			out = append(out, Playing{s.path, s.clips[w.At], share * w.W, v.time(s, w.At)})
		}
	}
	if p.fading && !p.held {
		list(&p.last, 1-u)
	}
	list(&p.now, u)
	return out
}

// Adopt returns an instance of another definition, of an edited graph say, that
// goes on where this one is: parameters of the same name and type keep their
// values, and layers of the same name stay in the state of the same path at the
// same phase. Fades under way end.
func (m *Instance) Adopt(d *Definition) *Instance {
	out := New(d)
	for i, p := range d.params {
		if at, ok := m.def.byName[p.Name]; ok && m.def.kinds[at] == d.kinds[i] {
			out.values[i] = m.values[at]
		}
	}
	for i := range out.layers {
		l := &d.layers[i]
		for k := range m.layers {
			if m.def.layers[k].name != l.name {
				continue
			}
			v, s := &m.layers[k].now, &m.def.layers[k].states[m.layers[k].now.state]
			if at, ok := l.byPath[s.path]; ok {
				n := float64(s.sync.Count())
				p := &out.layers[i]
				p.now.enter(out, &l.states[at], at, wrap(v.phase, n)/n)
				if l.states[at].loop == animation.Once && v.phase >= n {
					p.now.phase = float64(l.states[at].sync.Count())
				}
				p.now.progress, p.now.passed, p.now.fresh = v.progress, v.progress, false
			}
		}
	}
	return out
}

// Driver runs an instance for an animation.Animator (Animator.Drive). Without a
// Scratch it borrows one of its definition's, so that drivers may be updated at
// once (animation.Pool.UpdateAll).
type Driver struct {
	*Instance
	Scratch *Scratch
}

// Drive is Instance.Update.
func (d Driver) Drive(dt float32, out *animation.Pose) error {
	if d.Scratch != nil {
		return d.Update(dt, d.Scratch, out)
	}
	scratch, ok := d.def.scratches.Get().(*Scratch)
	if !ok {
		scratch = NewScratch(d.def)
	}
	defer d.def.scratches.Put(scratch)
	return d.Update(dt, scratch, out)
}
