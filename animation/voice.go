package animation

import "math"

// voice is one clip that a Player plays or fades out.
type voice struct {
	clip    *Clip // nil: the rest pose
	loop    Loop
	phase   float64 // seconds: in [0, duration], or to 2·duration on the way back of a PingPong
	cursors []int32 // kept from clip to clip, so that it is allocated seldom
	span    Span    // of the last step
	fresh   bool    // no step was made yet
}

// start puts the voice to the beginning of a clip.
func (v *voice) start(clip *Clip) {
	v.clip, v.phase, v.span, v.fresh = clip, 0, Span{}, true
	if clip == nil {
		return
	}
	n := len(clip.Tracks)
	if cap(v.cursors) < n {
		v.cursors = make([]int32, n)
	}
	v.cursors = v.cursors[:n]
	clear(v.cursors)
}

func (v *voice) returning() bool {
	return v.clip != nil && v.loop == PingPong && v.phase > float64(v.clip.Duration)
}

// time is in seconds from the clip's start.
func (v *voice) time() float32 {
	if v.clip == nil {
		return 0
	}
	d := float64(v.clip.Duration)
	if v.phase > d {
		return float32(2*d - v.phase)
	}
	return float32(v.phase)
}

// advance moves by step seconds of the clip, forward or backward. A step of 0
// leaves a time at the end there, which a Repeat would otherwise wrap.
func (v *voice) advance(step float64) {
	if v.clip == nil || step == 0 {
		return
	}
	d := float64(v.clip.Duration)
	if d <= 0 {
		v.phase = 0
		v.span, v.fresh = Span{Fresh: v.fresh}, false
		return
	}
	if v.phase > d && v.loop != PingPong {
		v.phase = 2*d - v.phase // the mode was changed on the way back
	}
	v.span = Span{From: v.phase, To: v.phase + step, Loop: v.loop, Fresh: v.fresh}
	v.fresh = false
	switch v.loop {
	case Once:
		v.phase = min(max(v.phase+step, 0), d)
		v.span.To = v.phase
	case PingPong:
		v.phase = wrap(v.phase+step, 2*d)
	default:
		v.phase = wrap(v.phase+step, d)
	}
}

// wrap brings x into [0, m).
func wrap(x, m float64) float64 {
	if x >= 0 && x < m {
		return x
	}
	x = math.Mod(x, m)
	if x < 0 {
		x += m
	}
	if x >= m { // a tiny negative x rounds up to m
		x = 0
	}
	return x
}

func (v *voice) sample(s *Skeleton, out *Pose) error {
	if v.clip == nil {
		if err := out.Fits(s); err != nil {
			return err
		}
		out.SetRest(s)
		return nil
	}
	job := SamplingJob{Clip: v.clip, Skeleton: s, Time: v.time(), Cursors: v.cursors, Out: out}
	return job.Run()
}
