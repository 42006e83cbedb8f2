package verify

import (
	"fmt"
	"math"
)

// turning tells of joints that leave the source's rotation: only of those at which
// it begins.
func (v *Verifier) turning(t *Take) (out []Finding) {
	flat := 0 // joints that have no rotation in some frames
	var most struct {
		missing int
		joint   string
	}
	for p, pair := range v.pairs {
		j := &t.joints[p]
		joint, bone := nameOf(v.target, pair.Target), pair.Bone
		f := Finding{Level: Error, Clip: t.name, Joint: joint, Bone: bone, Frame: j.worst, Time: at(t, j.worst), Measured: j.max, Limit: v.options.Drift, Unit: "°"}
		if missing := len(t.times) - j.measured; missing > 0 && !v.carrier[p] {
			if flat++; missing > most.missing {
				most.missing, most.joint = missing, joint
			}
		}
		if j.max <= v.options.Drift || v.carrier[p] || !j.begins {
			continue
		}
		over := 0
		for _, d := range j.drift {
			if float64(d) > v.options.Drift {
				over++
			}
		}
		f.Message = fmt.Sprintf("turns %.3g° away from the source's %s, in %d of %d frames more than %.3g°", j.max, nameOf(v.source, pair.Source), over, len(t.times), v.options.Drift)
		switch {
		case j.still && (isFinger(joint) || isFinger(bone)):
			f.Code = FingersDropped
			f.Message = fmt.Sprintf("the source's %s turns by up to %.1f° in its parent, and the target's finger lies still", nameOf(v.source, pair.Source), j.moves)
			f.Means = "the fingers were dropped from the map when the clip was brought over"
			f.Fix = "add the fingers to the map, joint by joint, and retarget again"
		case j.still:
			f.Code = JointStill
			f.Message = fmt.Sprintf("the source's %s turns by up to %.1f° in its parent, and this one lies still", nameOf(v.source, pair.Source), j.moves)
			f.Means = "the joint was dropped from the map, or its track was lost on the way"
			f.Fix = "see that the map pairs it (bindpose retarget --map-out) and that the clip has a rotation track for it"
		case over <= 3 && len(t.times) > 8:
			f.Code = Drift
			f.Means = "a key is missing or wrong there, or the clip was baked at fewer keys a second than the motion needs"
			f.Fix = fmt.Sprintf("look at the keys of this joint about %.3f s; bake at %d keys a second", at(t, j.worst), Hz)
		default:
			f.Code = Drift
			f.Means = "it is paired with a joint that does something else, or rotations were copied without regard to how the two joints were bound"
			f.Fix = "see in the map what it is paired with (bindpose retarget --map-out); else bring rotations over as turns in model space from a common reference pose, not as they are"
		}
		out = append(out, f)
	}
	if flat > 0 {
		out = append(out, Finding{
			Code: NotMeasured, Level: Warning, Clip: t.name, Measured: float64(most.missing), Unit: " frames",
			Message: fmt.Sprintf("a scale of 0 flattens %d joints, %s in %d of %d frames, so that they have no rotation", flat, most.joint, most.missing, len(t.times)),
			Means:   "the clip hides something by a scale of 0",
			Fix:     "nothing, where that is meant",
		})
	}
	return out
}

// bent is by how much the direction of a finger that is not driven differs, degrees.
const bent = 8

// idle tells of each pair whether the target's joint is at rest in every frame of
// every clip.
func (v *Verifier) idle(takes []*Take) []bool {
	out := make([]bool, len(v.pairs))
	for p := range out {
		out[p] = true
		for _, t := range takes {
			out[p] = out[p] && t.joints[p].left < lies
		}
	}
	return out
}

// pointing tells of limbs that point elsewhere than the source's.
func (v *Verifier) pointing(t *Take, idle []bool) (out []Finding) {
	for i, l := range v.limbs {
		m := t.limbs[i]
		if l.finger {
			if m.middle > bent && idle[l.from] && t.joints[l.from].leaves > leavesDegrees {
				out = append(out, Finding{
					Code: FingersDropped, Level: Error, Clip: t.name, Joint: nameOf(v.target, v.pairs[l.from].Target), Bone: l.name,
					Frame: m.frame, Time: at(t, m.frame), Measured: m.middle, Limit: bent, Unit: "°",
					Message: fmt.Sprintf("the source's finger is bent, by %.1f° from its rest; the target's lies at rest in every clip, and points %.1f° elsewhere", t.joints[l.from].leaves, m.middle),
					Means:   "the fingers were dropped from the map when the clips were brought over",
					Fix:     "add the fingers to the map, joint by joint, and retarget again",
				})
			}
			continue
		}
		if m.middle <= v.options.Limb || t.joints[l.from].still {
			continue // lying still, it points elsewhere for that, which turning tells
		}
		to := v.pairs[l.to].Target
		out = append(out, Finding{
			Code: Alignment, Level: Error, Clip: t.name, Joint: nameOf(v.target, v.pairs[l.from].Target), Bone: l.name,
			Frame: m.frame, Time: at(t, m.frame), Measured: m.middle, Limit: v.options.Limb, Unit: "°",
			Message: fmt.Sprintf("the bone to %s points %.1f° away from where the source's points, at half of the frames or more", nameOf(v.target, to), m.middle),
			Means:   "the two rest in different poses, as an A-pose and a T-pose, and were not brought to a common one before the clip was",
			Fix:     "align both to one reference pose first, as bindpose retarget does; for a file that rests in the middle of a motion, give it one of the same joints at rest by --reference",
		})
	}
	return out
}

// differing tells of clips whose bind difference is not that of the others: a pose
// that is wrong and does not move has no drift.
func (v *Verifier) differing(t *Take, offsets []quat) (out []Finding) {
	off := func(p int) (quat, bool) {
		j := &t.joints[p]
		if j.measured == 0 || offsets[p] == (quat{}) || j.max > v.options.Drift {
			return identity, false
		}
		return j.offset.mul(offsets[p].conj()), true
	}
	for p, pair := range v.pairs {
		q, ok := off(p)
		if !ok || v.carrier[p] || q.degrees() <= v.options.Drift {
			continue
		}
		if up := v.parent[p]; up >= 0 && !v.carrier[up] {
			if w, ok := off(int(up)); ok && w.degrees() > v.options.Drift {
				continue // as the one above
			}
		}
		out = append(out, Finding{
			Code: OffsetDiffers, Level: Error, Clip: t.name, Joint: nameOf(v.target, pair.Target), Bone: pair.Bone,
			Measured: q.degrees(), Limit: v.options.Drift, Unit: "°",
			Message: fmt.Sprintf("all through the clip it is turned %.2f° from how it stands to the source's %s in the other clips", q.degrees(), nameOf(v.source, pair.Source)),
			Means:   "its track is missing in this clip, or the clip was brought over with another map or pose than the others",
			Fix:     "retarget the clip again together with the others",
		})
	}
	return out
}

// moving tells of the pelvis, of bones' lengths and of how long the clip lasts.
func (v *Verifier) moving(r *Report, t *Take, c *Clip) (out []Finding) {
	joint, bone := "", ""
	if v.pelvis >= 0 {
		joint, bone = nameOf(v.target, v.pairs[v.pelvis].Target), v.pairs[v.pelvis].Bone
	}
	frame := 0
	add := func(code string, level Level, measured, limit float64, unit, message, means, fix string) {
		out = append(out, Finding{
			Code: code, Level: level, Clip: t.name, Joint: joint, Bone: bone, Frame: frame, Time: at(t, frame),
			Measured: measured, Limit: limit, Unit: unit, Message: message, Means: means, Fix: fix,
		})
	}
	limit := v.options.Height
	q := r.Ratios
	heightRight, travelRight := v.heightFits(&q), v.travelFits(&q)
	lost := c.TravelS > 0.05 && c.TravelT < 0.5*c.TravelS
	frame = c.curves.worstAlong
	if lost {
		add(RootLost, Error, c.TravelT, 0.5*c.TravelS, "m",
			fmt.Sprintf("the source travels %.3f m (scaled to the target), the target %.3f m", c.TravelS, c.TravelT),
			"the source's root joint carries the clip over the ground, and only the pelvis was brought over",
			"sum root and pelvis into one displacement before scaling it")
	}
	frame = c.curves.worstUp
	if bobS, bobT := c.bobS, c.bobT; c.HeightM > limit && bobS > 2*limit && bobT < 0.3*bobS {
		add(RootLost, Error, bobT, 0.3*bobS, "m",
			fmt.Sprintf("the source's pelvis goes %.1f mm up and down (scaled to the target), the target's %.1f mm", 1000*bobS, 1000*bobT),
			"the track that moves the pelvis was lost, or only rotations were brought over",
			"sum root and pelvis into one displacement and bring it over, scaled")
	} else if c.HeightM > limit {
		code, means, fix := PelvisHeight, "the height was not scaled by the hip's height over the floor, or something was added to it", "scale the pelvis' height by hips over floor, target through source"
		shown, of := q.HeightSeen, "the clips show"
		if k, ok := v.ownRatio(t, 1); ok && heightRight && k > 0 {
			shown, of = k, "this clip shows"
			means, fix = fmt.Sprintf("in this clip alone the pelvis' height was scaled by another %.3g", k/q.HeightSeen), "take the scale off the track that moves the pelvis, or retarget the clip again"
		}
		if !heightRight {
			code = WrongRatio
			if q.TravelSeen > 0 && math.Abs(q.HeightSeen/q.TravelSeen-1) < 0.01 || math.Abs(q.HeightSeen/q.Distance-1) < 0.02 {
				code, means = OneRatio, "the ratio of the limbs was used for the height too"
			}
		}
		add(code, Error, c.HeightM, limit, "m",
			fmt.Sprintf("the pelvis' height leaves the source's, scaled, by %.1f mm; %s a ratio of %.3f, the skeletons have %.3f", 1000*c.HeightM, of, shown, q.Height), means, fix)
	}
	frame = c.curves.worstAlong
	if c.TravelM > limit && !lost {
		code, means, fix := Travel, "the displacement was not scaled by one ratio, or part of it was lost", "sum root and pelvis, then scale by the size of the limbs, target through source"
		shown, of := q.TravelSeen, "the clips show"
		if k, ok := v.ownRatio(t, 0, 2); ok && travelRight && q.TravelSeen > 0 && k > 0 {
			shown, of = k, "this clip shows"
			means, fix = fmt.Sprintf("in this clip alone the displacement was scaled by another %.3g", k/q.TravelSeen), "take the scale off the track that moves the pelvis, or retarget the clip again"
		}
		if !travelRight {
			code = WrongRatio
			if q.HeightSeen > 0 && math.Abs(q.HeightSeen/q.TravelSeen-1) < 0.01 || math.Abs(q.TravelSeen/q.Height-1) < 0.02 {
				code, means = OneRatio, "the ratio of the hip's height was used for the distance too"
			}
		}
		add(code, Error, c.TravelM, limit, "m",
			fmt.Sprintf("along the ground the pelvis leaves the source's way, scaled, by %.1f mm; %s a ratio of %.3f, the skeletons have %.3f", 1000*c.TravelM, of, shown, q.Distance), means, fix)
	}
	for p, pair := range v.pairs {
		if j := &t.joints[p]; j.stretch > limit {
			out = append(out, Finding{
				Code: BoneLength, Level: Error, Clip: t.name, Joint: nameOf(v.target, pair.Target), Bone: pair.Bone,
				Frame: j.stretched, Time: at(t, j.stretched), Measured: j.stretch, Limit: limit, Unit: "m",
				Message: fmt.Sprintf("the bone to it from %s changes its length by %.1f mm, and not as the source's does", nameOf(v.target, v.target.Parents[pair.Target]), 1000*j.stretch),
				Means:   "the source's translations were copied onto bones of other lengths",
				Fix:     "bring only rotations over, and the pelvis' displacement",
			})
		}
	}
	frame = 0
	if !lastAlike(float32(t.lasts), float32(t.duration)) {
		means, fix := "it was cut when it was brought over or exported: up to there it was compared", "set the range of frames to the whole clip and export it again"
		switch {
		case t.rate != 1 && t.rate > 1:
			means, fix = fmt.Sprintf("the same motion, %.3g times as slow, as by another frame rate; with its time scaled back it was compared", t.rate), "set the source's frame rate in the program that wrote it, and export it again"
		case t.rate != 1:
			means, fix = fmt.Sprintf("the same motion, %.3g times as fast, as by another frame rate; with its time scaled back it was compared", 1/t.rate), "set the source's frame rate in the program that wrote it, and export it again"
		case t.lasts > t.duration:
			means, fix = "something was appended to it: as far as the source goes it was compared", "set the range of frames to the source's and export it again"
		}
		add(Duration, Error, math.Abs(t.lasts-t.duration), 1.0/30, "s", fmt.Sprintf("the source lasts %.3f s, the target %.3f s", t.duration, t.lasts), means, fix)
	}
	return out
}

// ownRatio is the ratio of the pelvis' motion that a clip shows by itself, where
// nothing but that ratio is wrong with it.
func (v *Verifier) ownRatio(t *Take, keep ...int) (float64, bool) {
	src, dst := axes(t.src, keep...), axes(t.dst, keep...)
	k, _ := slope(src, dst)
	off := make([]vec, len(src))
	for i := range src {
		off[i] = dst[i].sub(src[i].mul(k)).mul(v.dst.unit)
	}
	centred(off)
	for _, d := range off {
		if d.len() > v.options.Height {
			return 0, false
		}
	}
	return k, true
}

// bothRatios finds one ratio used for height and distance alike where the skeletons
// have two, though either would pass by itself.
func (v *Verifier) bothRatios(r *Report) []Finding {
	q := r.Ratios
	if q.HeightSeen == 0 || q.TravelSeen == 0 || q.Distance == 0 || math.Abs(q.HeightSeen/q.TravelSeen-1) > 0.001 || math.Abs(math.Log(q.Height/q.Distance)) < math.Log(1.08) {
		return nil
	}
	return []Finding{{
		Code: OneRatio, Level: Error, Joint: nameOf(v.target, v.pairs[v.pelvis].Target), Bone: "hips", Measured: q.HeightSeen / q.TravelSeen, Limit: q.Height / q.Distance, Unit: "×",
		Message: fmt.Sprintf("the clips show the ratio %.4f for the pelvis' height and %.4f along the ground; the skeletons have %.3f and %.3f", q.HeightSeen, q.TravelSeen, q.Height, q.Distance),
		Means:   "one ratio was used for both axes: feet sink or hover, or slide",
		Fix:     "scale height by hips over floor and distance by the size of the limbs",
	}}
}
