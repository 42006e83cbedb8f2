package verify

import (
	"fmt"
	"math"
	"strings"

	"github.com/bindpose/bindpose/animation"
)

// Take is what was measured of one clip. Report judges takes together, since the
// ratios and the bind differences of all clips are the same.
type Take struct {
	name     string
	duration float64
	lasts    float64 // the target's clip
	rate     float64 // by which the target's time was scaled to be compared; 1: it was not
	times    []float32
	joints   []jointTake
	limbs    []limbTake
	// The pelvis in each body's own axes: left, up, ahead. Source in the source's
	// units, target in the target's.
	src, dst []vec
	findings []Finding
}

// jointTake is what a pair does in a clip.
type jointTake struct {
	offset    quat
	measured  int       // frames in which both rotations are there
	drift     []float32 // degrees, by frame
	worst     int       // frame
	max       float64   // degrees
	begins    bool      // the drift is the joint's own, not one that it has from the pair above
	still     bool      // the target's joint lies still in the pair above, the source's moves
	moves     float64   // degrees that the source's joint moves in the pair above
	leaves    float64   // degrees that the source's joint leaves its own rest
	left      float64   // the same of the target's
	stretch   float64   // metres that the bone from the pair above changes its length by
	stretched int       // frame
	like      int       // the pair whose source joint the target's does follow, where it drifts from its own; or -1
	likeBy    float64   // degrees that it drifts from that one
}

type limbTake struct {
	middle float64 // degrees between the directions
	frame  int
}

// Measure samples a clip of the source and what the target does for it.
func (v *Verifier) Measure(clip *animation.Clip, target Motion) (*Take, error) {
	if err := checkClip("source", v.source, clip); err != nil {
		return nil, err
	}
	if target.clip != nil {
		if err := checkClip("target", v.target, target.clip); err != nil {
			return nil, err
		}
	}
	if clip.Duration > longest {
		return nil, fmt.Errorf("%w: clip %q lasts %.0f s, and at most %d s are measured: cut it", ErrInput, clip.Name, clip.Duration, longest)
	}
	source := Play(v.source, clip)
	if target.Duration > 0 && !lastAlike(clip.Duration, target.Duration) {
		return v.measureUnlike(source, target)
	}
	return v.measure(source, target)
}

// measure samples for as long as the source lasts.
func (v *Verifier) measure(source, target Motion) (*Take, error) {
	s, err := v.sample(source, target)
	if err != nil {
		return nil, err
	}
	t := &Take{name: source.Name, duration: float64(source.Duration), lasts: float64(target.Duration), rate: 1, times: s.times, joints: make([]jointTake, len(v.pairs))}
	for p := range v.pairs {
		v.turn(t, s, p)
	}
	for p := range v.pairs {
		v.partner(t, s, p)
	}
	for p, pair := range v.pairs {
		t.joints[p].leaves, t.joints[p].left = s.leaveS[pair.Source], s.leaveT[pair.Target]
		v.origin(t, s, p)
		v.length(t, s, p)
	}
	v.direct(t, s)
	v.path(t, s)
	v.unpaired(t, s)
	return t, nil
}

// lastAlike tells whether two clips last alike, seconds: to a frame at 30 Hz.
func lastAlike(a, b float32) bool { return math.Abs(float64(a-b)) <= 1.0/30+1e-3 }

// measureUnlike is of clips that do not last alike. Of one that was cut, the moments
// that both have are compared; one that was slowed or hastened is compared with its
// time scaled back. It is taken for whichever makes it drift less, so that what is
// wrong besides shows, and nothing that only comes of comparing unlike moments.
func (v *Verifier) measureUnlike(source, target Motion) (*Take, error) {
	cut := source
	cut.Duration = min(source.Duration, target.Duration)
	first, err := v.measure(cut, target)
	if err != nil {
		return nil, err
	}
	scaled := target
	rate := float64(target.Duration) / float64(source.Duration)
	scaled.Sample = func(t float32, out *animation.Pose) error {
		return target.Sample(min(float32(float64(t)*rate), target.Duration), out)
	}
	second, err := v.measure(source, scaled)
	if err != nil {
		return nil, err
	}
	if first.duration, second.rate = float64(source.Duration), rate; second.worst(v) < first.worst(v) {
		return second, nil
	}
	return first, nil
}

// worst is the largest drift, degrees.
func (t *Take) worst(v *Verifier) float64 {
	out := 0.0
	for p := range t.joints {
		if !v.carrier[p] {
			out = max(out, t.joints[p].max)
		}
	}
	return out
}

// turn measures offset and drift of a pair.
func (v *Verifier) turn(t *Take, s *samples, p int) {
	j, n := &t.joints[p], len(v.pairs)
	frames := len(s.times)
	j.drift = make([]float32, frames)
	var all []quat
	for k := range frames {
		if q := s.offset[k*n+p]; q != (quat{}) {
			all = append(all, q)
		}
	}
	j.measured = len(all)
	j.offset = middle(all)
	for k := range frames {
		q := s.offset[k*n+p]
		if q == (quat{}) {
			continue
		}
		d := between(j.offset, q)
		j.drift[k] = float32(d)
		if d > j.max {
			j.max, j.worst = d, k
		}
	}
}

// origin tells whether a pair drifts by itself. The world error at its worst frame
// is Rt·inverse(F·Rs·offset); where the pair above has the same error, it is that
// one's. It also tells whether the target's joint lies still.
func (v *Verifier) origin(t *Take, s *samples, p int) {
	j, n := &t.joints[p], len(v.pairs)
	up := int(v.parent[p])
	wrong := func(p, k int) (quat, bool) {
		i := k*n + p
		if s.offset[i] == (quat{}) {
			return identity, false
		}
		return s.rs[i].mul(s.offset[i]).mul(t.joints[p].offset.conj()).mul(s.rs[i].conj()), true
	}
	j.begins = true
	for up >= 0 && v.carrier[up] {
		up = -1
	}
	if up < 0 {
		return
	}
	own, ok1 := wrong(p, j.worst)
	above, ok2 := wrong(up, j.worst)
	if ok1 && ok2 && t.joints[up].max > v.options.Drift {
		j.begins = between(own, above) > max(v.options.Drift, 0.2*j.max)
	}
	var firstS, firstT quat
	begun, lies := false, 0.0
	for k := range s.times {
		a, b := k*n+up, k*n+p
		if s.offset[a] == (quat{}) || s.offset[b] == (quat{}) {
			continue
		}
		rs := s.rs[a].conj().mul(s.rs[b])
		rt := s.rs[a].mul(s.offset[a]).conj().mul(s.rs[b].mul(s.offset[b]))
		if !begun {
			firstS, firstT, begun = rs, rt, true
			continue
		}
		j.moves, lies = max(j.moves, between(firstS, rs)), max(lies, between(firstT, rt))
	}
	j.still = lies < 0.05 && j.moves > v.options.Drift
}

// length measures how much the bone that ends in a joint changes its length, less
// what the source's does of itself. Both, a bone that keeps its length and one that
// stretches as the source's, are right.
func (v *Verifier) length(t *Take, s *samples, p int) {
	if v.parent[p] < 0 || p == v.pelvis || v.carrier[p] || v.carrier[v.parent[p]] {
		return
	}
	j, n, frames := &t.joints[p], len(v.pairs), len(s.times)
	column := func(of []float64) ([]float64, float64) {
		x := make([]float64, frames)
		for k := range x {
			x[k] = of[k*n+p]
		}
		return x, median(append([]float64(nil), x...))
	}
	dst, usual := column(s.boneT)
	off := make([]float64, frames)
	for k := range off {
		off[k] = math.Abs(dst[k] - usual)
	}
	src, m := column(s.boneS)
	for k := range off {
		switch {
		case s.scaled[k*n+p]: // for the moment, most often unevenly: no ruler
			off[k] = 0
		case m > 0:
			off[k] = min(off[k], math.Abs(dst[k]-usual*src[k]/m))
		}
	}
	for k, d := range off {
		if d *= v.dst.unit; d > j.stretch {
			j.stretch, j.stretched = d, k
		}
	}
}

// direct measures the directions of limbs against the source's.
func (v *Verifier) direct(t *Take, s *samples) {
	n := len(v.pairs)
	t.limbs = make([]limbTake, len(v.limbs))
	for i, l := range v.limbs {
		angles := make([]float64, len(s.times))
		worst := 0.0
		for k := range s.times {
			a := v.facing.rotate(s.ps[k*n+l.to].sub(s.ps[k*n+l.from]))
			b := s.pt[k*n+l.to].sub(s.pt[k*n+l.from])
			if a.len() < 1e-6*v.src.height || b.len() < 1e-6*v.dst.height {
				continue
			}
			if angles[k] = a.degreesTo(b); angles[k] > worst {
				worst, t.limbs[i].frame = angles[k], k
			}
		}
		t.limbs[i].middle = median(angles)
	}
}

// path keeps where the pelvis is: the point between the hip joints, carried by the
// hips. It is the same point of every body, where the joint called hips is not.
func (v *Verifier) path(t *Take, s *samples) {
	toS, toT := v.src.turn(), v.dst.turn()
	for k := range s.pelvisS {
		t.src = append(t.src, toS.rotate(s.pelvisS[k]))
		t.dst = append(t.dst, toT.rotate(s.pelvisT[k]))
	}
}

// Motion of a joint that counts as more than the noise of how clips are stored, how
// far it may be from its rest without that being a pose, and what counts as none.
const (
	movesDegrees  = 2
	leavesDegrees = 5
	lies          = 0.15 // degrees
)

// unpaired finds what the source moves, the target has and does not move, since no
// pair names it.
func (v *Verifier) unpaired(t *Take, s *samples) {
	for _, h := range v.fingers {
		var moving, lying []string
		most := 0.0
		for _, j := range h.source {
			if x := max(s.turnS[j], s.leaveS[j]-leavesDegrees); x > movesDegrees {
				moving = append(moving, nameOf(v.source, j))
				most = max(most, s.turnS[j], s.leaveS[j])
			}
		}
		for _, j := range h.target {
			if s.leaveT[j] < lies {
				lying = append(lying, nameOf(v.target, j))
			}
		}
		if len(moving) == 0 || len(lying) == 0 {
			continue
		}
		level, means, fix := Error, "the fingers were dropped from the map: no pair names them", "add the fingers to the map, joint by joint, and retarget again"
		if h.mitten {
			level, means = Warning, "the source's hand is a mitten: its few joints stand for no finger, so that nothing pairs them by itself"
			fix = "nothing, where still fingers will do; else pair each of the joints with one of a finger in the map, and retarget again"
		}
		t.findings = append(t.findings, Finding{
			Code: FingersDropped, Level: level, Clip: t.name, Joint: lying[0], Bone: v.pairs[h.pair].Bone, Measured: most, Limit: movesDegrees, Unit: "°",
			Message: fmt.Sprintf("the source moves %d finger joints (%s) by up to %.1f°; the target has %d (%s) that lie still", len(moving), some(moving), most, len(lying), some(lying)),
			Means:   means, Fix: fix,
		})
	}
	for j, k := range v.same {
		if k < 0 || s.turnS[j] < movesDegrees || s.turnT[k] > 0.1 || v.handled(int32(j)) {
			continue
		}
		level := Warning // a thing that hangs there and has the same name, perhaps
		if v.between(int32(j), k) {
			level = Error
		}
		t.findings = append(t.findings, Finding{
			Code: JointDropped, Level: level, Clip: t.name, Joint: nameOf(v.target, k), Measured: s.turnS[j], Limit: movesDegrees, Unit: "°",
			Message: fmt.Sprintf("the source's joint of that name turns by up to %.1f°, and the target's lies still", s.turnS[j]),
			Means:   "no pair of the map names it",
			Fix:     "add the joint to the map and retarget again",
		})
	}
}

// between tells whether joints that are paired hang on both of two joints.
func (v *Verifier) between(source, target int32) bool {
	a, b := false, false
	for _, p := range v.pairs {
		a = a || under(v.source, p.Source, source)
		b = b || under(v.target, p.Target, target)
	}
	return a && b
}

// handled tells whether a source joint is among the fingers that are told apart.
func (v *Verifier) handled(j int32) bool {
	for _, h := range v.fingers {
		for _, k := range h.source {
			if k == j {
				return true
			}
		}
	}
	return false
}

// some are names for a message, as many as can be taken in.
func some(names []string) string {
	const most = 4
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}
