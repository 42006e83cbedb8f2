package animation

import (
	"errors"
	"fmt"
)

// ErrTimeStep is wrapped by the error of an Update whose step is NaN, infinite,
// negative or over MaxTimeStep. The player is left as it was.
var ErrTimeStep = errors.New("animation: bad time step")

// MaxTimeStep is the longest step that an Update takes, in seconds. A longer one
// is a clock's mistake; Seek goes anywhere.
const MaxTimeStep = 3600

// Loop is what a Player does at the clip's ends.
type Loop uint8

// The ways to loop.
const (
	Repeat   Loop = iota // begin again at the other end
	Once                 // stay at the end
	PingPong             // turn around
)

// Player plays clips for one entity. Clip and skeleton are shared; time, speed,
// loop mode, direction and fade are the player's own. It advances by Update and
// is read by Sample. Make one with NewPlayer.
type Player struct {
	// Speed is in clip seconds a second; negative plays backward. It may change
	// at any time without a jump.
	Speed float32
	// Loop is what happens at the clip's ends. A clip that is being faded out
	// keeps the mode that it was played with.
	Loop Loop
	// Paused stops the clip and a fade under way.
	Paused bool
	// Weight in [0, 1] mixes the rest pose in: 1 is the clip alone, 0 the rest.
	Weight float32

	skeleton  *Skeleton
	now, last voice
	// A fade goes from a pose to now. The pose is last's, which plays on, or
	// where a fade was interrupted the one on screen then, held in from.
	fading      bool
	held        bool
	fade, faded float64 // seconds: length, and how far it is
	from, to    *Pose   // nil before the first fade
	synced      bool    // the fade's two clips run in phase
	warp        warp
}

// NewPlayer returns a player of the rest pose at speed 1, weight 1.
func NewPlayer(s *Skeleton) *Player {
	return &Player{Speed: 1, Weight: 1, skeleton: s}
}

// Clip is the clip being played or faded in; nil is the rest pose.
func (p *Player) Clip() *Clip { return p.now.clip }

// Time is the clip's time in seconds, in [0, Clip.Duration].
func (p *Player) Time() float32 { return p.now.time() }

// Direction is +1 where the clip's time rises, -1 where it falls: the sign of
// Speed, turned around on the way back of a PingPong.
func (p *Player) Direction() float32 {
	d := float32(1)
	if p.Speed < 0 {
		d = -1
	}
	if p.now.returning() {
		d = -d
	}
	return d
}

// Done reports whether a clip played Once is at the end it plays toward. The
// rest pose is always done.
func (p *Player) Done() bool {
	if p.now.clip == nil {
		return true
	}
	if p.Loop != Once {
		return false
	}
	if p.Speed < 0 {
		return p.now.phase <= 0
	}
	return p.now.phase >= float64(p.now.clip.Duration)
}

// Fading is how far a fade is, in [0, 1]; 1 where none is under way.
func (p *Player) Fading() float32 {
	if !p.fading {
		return 1
	}
	return float32(p.faded / p.fade)
}

// Play starts a clip at its beginning, or at its end where Speed is negative,
// and fades to it in so many seconds from the pose now on screen: from the
// clip played until now, which plays on, or in the middle of a fade from that
// fade's pose, which is held. A fade of 0 switches at once. A nil clip is the
// rest pose. On an error nothing changes.
func (p *Player) Play(clip *Clip, fade float32) error {
	if !(fade >= 0) || !finite(fade) {
		return fmt.Errorf("%w: a fade of %v s", ErrJob, fade)
	}
	if clip != nil {
		if err := clip.Validate(p.skeleton); err != nil {
			return err
		}
		clip.Pack()
	}
	if fade > 0 && p.from == nil {
		p.from, p.to = NewPose(p.skeleton), NewPose(p.skeleton)
	}
	if p.fading && fade > 0 {
		if err := p.mix(p.from); err != nil {
			return err
		}
		p.held = true
	} else {
		p.now.loop = p.Loop
		p.now, p.last = p.last, p.now
		p.held = false
	}
	p.fading, p.fade, p.faded = fade > 0, float64(fade), 0
	p.now.start(clip)
	p.synced = false
	if p.Speed < 0 && clip != nil {
		p.now.phase = float64(clip.Duration)
	}
	return nil
}

// Seek goes to a time of the clip, clamped to it; a PingPong goes forward from
// there. A fade under way goes on.
func (p *Player) Seek(t float32) error {
	if !finite(t) {
		return fmt.Errorf("%w: seeking to %v", ErrTimeStep, t)
	}
	if p.now.clip != nil {
		p.now.phase = min(max(float64(t), 0), float64(p.now.clip.Duration))
	}
	return nil
}

// Update advances by dt seconds. It allocates nothing.
func (p *Player) Update(dt float32) error {
	if !(dt >= 0 && dt <= MaxTimeStep) {
		return fmt.Errorf("%w: %v s", ErrTimeStep, dt)
	}
	if !finite(p.Speed) {
		return fmt.Errorf("%w: at speed %v", ErrTimeStep, p.Speed)
	}
	p.now.span, p.last.span = Span{}, Span{}
	if p.Paused {
		return nil
	}
	step := p.warp.step(&p.Speed, float64(dt))
	p.now.loop = p.Loop
	switch {
	case p.fading && p.synced && !p.held:
		p.advanceSynced(step, float64(dt))
	case p.fading && !p.held:
		p.last.advance(step)
		fallthrough
	default:
		p.now.advance(step)
	}
	if p.fading {
		if p.faded += float64(dt); p.faded >= p.fade {
			p.fading = false
		}
	}
	return nil
}

// Sample writes the pose of this moment. It allocates nothing.
func (p *Player) Sample(out *Pose) error {
	if err := p.mix(out); err != nil {
		return err
	}
	switch w := p.Weight; {
	case w == 1:
	case w >= 0 && w < 1:
		out.towardRest(p.skeleton, 1-w)
	default:
		return fmt.Errorf("%w: a player of weight %v", ErrJob, w)
	}
	return nil
}

// mix writes the pose of this moment before Weight. out may be p.from.
func (p *Player) mix(out *Pose) error {
	if !p.fading {
		return p.now.sample(p.skeleton, out)
	}
	if err := p.now.sample(p.skeleton, p.to); err != nil {
		return err
	}
	origin := p.from
	if !p.held {
		origin = out
		if err := p.last.sample(p.skeleton, out); err != nil {
			return err
		}
	}
	Lerp(origin, p.to, p.share(), out)
	return nil
}

// share is how much of the pose is now's, in [0, 1]: eased, so that a fade starts
// and ends without a jerk.
func (p *Player) share() float32 {
	if !p.fading {
		return 1
	}
	return float32(eased(p.faded / p.fade))
}

// Motion is how far root motion moved the entity in the last Update, mixed as the
// poses are: of a pose that a fade holds there is none, and a seek makes none.
func (p *Player) Motion() Motion {
	var m, n Motion
	if p.now.clip != nil {
		n = p.now.span.Motion(p.skeleton, p.now.clip)
	}
	if p.fading && !p.held && p.last.clip != nil {
		m = p.last.span.Motion(p.skeleton, p.last.clip)
	}
	return m.Mix(n, p.share()).Scale(p.Weight)
}

// Events calls yield for each event that the last Update passed, with the weight
// of the clip it is of: first those of the clip that is faded out, then those of
// the one played.
//
//	for e, weight := range player.Events { … }
func (p *Player) Events(yield func(e Event, weight float32) bool) {
	u := p.share()
	more := true
	of := func(v *voice, w float32) {
		if v.clip == nil || !more {
			return
		}
		for e := range v.span.Events(v.clip) {
			if more = yield(e, w*p.Weight); !more {
				return
			}
		}
	}
	if p.fading && !p.held {
		of(&p.last, 1-u)
	}
	of(&p.now, u)
}
