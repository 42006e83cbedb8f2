package machine

import (
	"github.com/bindpose/bindpose/animation"
)

// Scratch is the poses that an Update works in. It holds nothing from one Update
// to the next, so that instances of one definition share one a goroutine.
type Scratch struct {
	def *Definition
	// to is a fade's target, layer a layer's result, screen what a transition
	// leaves, ahead a target a step on; mix is a blend space's.
	to, layer, screen, ahead *animation.Pose
	mix                      [2]*animation.Pose
	blend                    [3]animation.Layer
	entered                  []bool // by state
	used, spent              []bool // by parameter: triggers, of this layer and of all
	clip, curves             []float32
}

// NewScratch returns what an Update of the definition's instances works in.
func NewScratch(d *Definition) *Scratch {
	pose := func() *animation.Pose { return animation.NewPose(d.skeleton) }
	most := 0
	for i := range d.layers {
		for k := range d.layers[i].states {
			for _, c := range d.layers[i].states[k].clips {
				most = max(most, len(c.Curves))
			}
		}
	}
	return &Scratch{
		def: d, to: pose(), layer: pose(), screen: pose(), ahead: pose(),
		mix:     [2]*animation.Pose{pose(), pose()},
		entered: make([]bool, d.widest), used: make([]bool, len(d.params)), spent: make([]bool, len(d.params)),
		clip: make([]float32, most), curves: make([]float32, len(d.curves)),
	}
}

// share is how much of the pose is the active state's.
func (p *play) share() float32 {
	if !p.fading || p.inertial {
		return 1
	}
	return p.curve.at(p.faded / p.fade)
}

// evaluate writes the layer's pose and curves of this moment.
func (p *play) evaluate(m *Instance, l *layer, scratch *Scratch, out *animation.Pose) error {
	s := &l.states[p.now.state]
	if !p.fading || p.inertial {
		if err := p.now.sample(m, s, scratch, out, p.curves); err != nil {
			return err
		}
		if p.fading {
			p.offset.apply(out, p.from, p.faded, p.fade)
			u := p.curve.at(p.faded / p.fade)
			for i := range p.curves {
				p.curves[i] = p.fromCurves[i] + u*(p.curves[i]-p.fromCurves[i])
			}
		}
		return nil
	}
	if err := p.now.sample(m, s, scratch, scratch.to, p.curves); err != nil {
		return err
	}
	origin, curves := p.from, p.fromCurves
	if !p.held {
		origin, curves = out, scratch.curves
		if err := p.last.sample(m, &l.states[p.last.state], scratch, out, curves); err != nil {
			return err
		}
	}
	u := p.share()
	animation.Lerp(origin, scratch.to, u, out)
	for i := range p.curves {
		p.curves[i] = curves[i] + u*(p.curves[i]-curves[i])
	}
	return nil
}

// sample writes the voice's pose and curves.
func (v *voice) sample(m *Instance, s *state, scratch *Scratch, out *animation.Pose, curves []float32) error {
	clear(curves)
	for k, w := range v.weights[:v.n] {
		c := s.clips[w.At]
		job := animation.SamplingJob{
			Clip: c, Skeleton: m.def.skeleton, Time: v.time(s, w.At),
			Cursors: v.cursors[k][:len(c.Tracks)], Out: out,
		}
		if k > 0 {
			job.Out = scratch.mix[k-1]
		}
		if len(c.Curves) > 0 {
			job.Curves = scratch.clip[:len(c.Curves)]
		}
		if err := job.Run(); err != nil {
			return err
		}
		for i, x := range job.Curves {
			curves[s.curves[w.At][i]] += w.W * x
		}
	}
	switch v.n {
	case 2:
		animation.Lerp(out, scratch.mix[0], v.weights[1].W, out)
	case 3:
		for k, p := range [3]*animation.Pose{out, scratch.mix[0], scratch.mix[1]} {
			scratch.blend[k] = animation.Layer{Pose: p, Weight: v.weights[k].W}
		}
		job := animation.BlendJob{Skeleton: m.def.skeleton, Layers: scratch.blend[:], Out: out}
		return job.Run()
	}
	return nil
}

// time is where clip i of the state is, in seconds.
func (v *voice) time(s *state, i int) float32 {
	n, phase := float64(s.sync.Count()), v.phase
	if s.loop == animation.PingPong && phase > n {
		phase = 2*n - phase
	}
	t, d := s.sync.Time(i, phase), float64(s.clips[i].Duration)
	if s.loop == animation.Repeat && d > 0 {
		t = wrap(t, d)
	}
	return float32(min(max(t, 0), d))
}

// span is the last step of clip i.
func (v *voice) span(s *state, i int) animation.Span {
	if s.clips[i].Duration == 0 {
		return animation.Span{Fresh: v.starts}
	}
	return animation.Span{From: s.sync.Time(i, v.before), To: s.sync.Time(i, v.after), Loop: s.loop, Fresh: v.starts}
}

// motion is the root motion of the last step, and whether there is any at all.
func (v *voice) motion(m *Instance, s *state) (animation.Motion, bool) {
	var sum animation.Motion
	if !s.roots {
		return sum, false
	}
	for _, w := range v.weights[:v.n] {
		sum = sum.Add(v.span(s, w.At).Motion(m.def.skeleton, s.clips[w.At]).Scale(w.W))
	}
	return sum, true
}

// motion is the layer's root motion in the last Update.
func (p *play) motion(m *Instance, l *layer) (animation.Motion, bool) {
	if p.entered > 0 {
		return p.carried, p.carries
	}
	now, has := p.now.motion(m, &l.states[p.now.state])
	if !p.fading || p.inertial {
		return now, has
	}
	var last animation.Motion
	if !p.held {
		var had bool
		last, had = p.last.motion(m, &l.states[p.last.state])
		has = has || had
	}
	return last.Mix(now, p.share()), has
}

// Motion is how far root motion moved the entity in the last Update: mixed within
// a layer as its poses are, and between override layers by their weight and their
// mask at the joint that it is of. Layers that play clips without root motion, and
// additive ones, leave it as it is. A pose that an interrupted fade holds has none.
func (m *Instance) Motion() animation.Motion { return m.motion }

// Passed is an event of a clip that an Update passed.
type Passed struct {
	animation.Event
	Weight float32 // of the clip within its layer
}

// Events are the events that a layer's clips passed in the last Update, in order,
// those of a state that is faded out first. It is overwritten by the next.
func (m *Instance) Events(layer int) []Passed { return m.layers[layer].events }

// Curve is a curve's value after the last Update, mixed as the poses are; clips
// without it count as 0. An override layer whose state has no such curve leaves it
// as it is, an additive one adds its own. Masks do not count.
func (m *Instance) Curve(name string) float32 {
	at := -1
	for i, n := range m.def.curves {
		if n == name {
			at = i
		}
	}
	if at < 0 {
		return 0
	}
	var x float32
	for i := range m.layers {
		p, l := &m.layers[i], &m.def.layers[i]
		switch w := m.weight(l); {
		case i == 0:
			x = p.curves[at]
		case l.additive:
			x += w * p.curves[at]
		case l.states[p.now.state].has(int32(at)):
			x += min(max(w, 0), 1) * (p.curves[at] - x)
		}
	}
	return x
}

func (s *state) has(curve int32) bool {
	for _, list := range s.curves {
		for _, c := range list {
			if c == curve {
				return true
			}
		}
	}
	return false
}
