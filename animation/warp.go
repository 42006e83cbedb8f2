package animation

import "fmt"

// warp is a change of a player's speed that is under way.
type warp struct {
	from, to, set float32 // set: the Speed that the warp last set
	length, done  float64 // seconds; 0: none is under way
}

// Warp changes Speed to another in so many seconds, evenly. Afterwards Speed is
// exactly that, whatever fades there were; setting Speed meanwhile ends the warp.
func (p *Player) Warp(speed, seconds float32) error {
	if !finite(speed) || !(seconds >= 0) || !finite(seconds) {
		return fmt.Errorf("%w: warping to speed %v in %v s", ErrJob, speed, seconds)
	}
	if p.warp = (warp{}); seconds == 0 {
		p.Speed = speed
		return nil
	}
	p.warp = warp{from: p.Speed, to: speed, set: p.Speed, length: float64(seconds)}
	return nil
}

// step is how many seconds of the clip pass in dt seconds: the area under the
// speed, so that it does not depend on the frame rate.
func (w *warp) step(speed *float32, dt float64) float64 {
	if w.length == 0 || *speed != w.set {
		w.length = 0
		return dt * float64(*speed)
	}
	t := min(dt, w.length-w.done)
	if w.done += t; w.done >= w.length {
		*speed, w.length = w.to, 0
	} else {
		*speed = w.from + float32(w.done/w.length)*(w.to-w.from)
	}
	area := t*(float64(w.set)+float64(*speed))/2 + (dt-t)*float64(*speed)
	w.set = *speed
	return area
}

// PlaySynced is Play for clips of one cycle each, a walk and a run, whose feet
// fall at the same fractions of their lengths: the clip starts at the fraction
// where the one played until now is, and during the fade both run in phase at a
// length between theirs. When the fade is over the clip runs at Speed.
func (p *Player) PlaySynced(clip *Clip, fade float32) error {
	if p.now.clip == nil || clip == nil || p.now.clip.Duration <= 0 {
		return p.Play(clip, fade)
	}
	u := p.now.phase / float64(p.now.clip.Duration)
	if err := p.Play(clip, fade); err != nil {
		return err
	}
	p.now.phase = u * float64(clip.Duration)
	p.synced = p.fading && !p.held && clip.Duration > 0
	return nil
}

// advanceSynced moves both clips of a fade by step seconds of the mixed clip,
// what lies after the fade's end by the new clip's own.
func (p *Player) advanceSynced(step, dt float64) {
	t := min(dt, p.fade-p.faded)
	within := 1.0
	if dt > 0 {
		within = t / dt
	}
	last, now := float64(p.last.clip.Duration), float64(p.now.clip.Duration)
	u := eased((p.faded + t/2) / p.fade)
	cycles := step * within / (last + u*(now-last))
	p.last.advance(cycles * last)
	p.now.advance(cycles*now + step*(1-within))
}

// eased is smoothstep.
func eased(u float64) float64 { return u * u * (3 - 2*u) }
