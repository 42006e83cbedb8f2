package main

import (
	"math"
	"strings"
)

var carrierMaterials = map[string]obj{
	"shell":   pbr("shell", [3]float64{0.56, 0.57, 0.575}, 0.42, 0),
	"joint":   pbr("joint", [3]float64{0.040, 0.042, 0.047}, 0.62, 0),
	"accent":  pbr("accent", [3]float64{0.70, 0.175, 0.022}, 0.38, 0),
	"visor":   pbr("visor", [3]float64{0.018, 0.022, 0.028}, 0.14, 0),
	"linen":   pbr("linen", [3]float64{0.52, 0.44, 0.31}, 0.95, 0),
	"leather": pbr("leather", [3]float64{0.185, 0.092, 0.045}, 0.66, 0),
	"brass":   pbr("brass", [3]float64{0.74, 0.50, 0.20}, 0.34, 1),
	"board":   pbr("board", [3]float64{0.42, 0.27, 0.15}, 0.80, 0),
	"timber":  pbr("timber", [3]float64{0.20, 0.125, 0.075}, 0.80, 0),
	"canvas":  pbr("canvas", [3]float64{0.16, 0.21, 0.15}, 0.95, 0),
}

// carrierLegs are the legs' names in the order of their steps, a quarter of a cycle
// apart: a lateral sequence walk.
var carrierLegs = []string{"hind_l", "front_l", "hind_r", "front_r"}

func carrierJoints() []joint {
	js := []joint{
		{"root", -1, vec{}},
		{"body", 0, vec{0, 0.960, 0}},
		{"neck", 1, vec{0, 1.080, 0.770}},
		{"head", 2, vec{0, 1.235, 0.930}},
		{"load", 1, vec{0, 1.120, 0}},
	}
	for _, leg := range []struct {
		name string
		at   func(vec) vec
	}{
		{"front_l", func(p vec) vec { return p }},
		{"front_r", vec.mirror},
		{"hind_l", hindmost},
		{"hind_r", func(p vec) vec { return hindmost(p).mirror() }},
	} {
		pair, side := sideless(leg.name)
		up := 1
		for i, p := range []vec{carrierHip, carrierKnee, carrierAnkle} {
			js = append(js, joint{pair + []string{"_thigh", "_calf", "_foot"}[i] + side, up, leg.at(p)})
			up = len(js) - 1
		}
	}
	return js
}

// hindmost takes a point of the fore leg to the hind leg.
func hindmost(p vec) vec { return vec{p[0], p[1], p[2] - legApart} }

func buildCarrier() *skinned {
	out := sheets{}
	a := carrierAnkle
	for _, m := range []sculpted{
		{carrierTorso(), vec{0, 0.70, -1.0}, vec{0.36, 1.25, 0.95}, 0.0450, true, carrierTorsoZones(), "body"},
		{carrierHead(), vec{0, 0.95, 0.66}, vec{0.14, 1.46, 1.20}, 0.0230, true, carrierHeadZones(), "head"},
		{carrierUpper(), vec{0.18, 0.36, 0.35}, vec{0.38, 1.00, 0.78}, 0.0300, false, carrierUpperZones(), "front_thigh_l"},
		{carrierLower(), vec{0.20, 0.02, 0.36}, vec{0.37, 0.54, 0.70}, 0.0260, false, carrierLowerZones(), "front_calf_l"},
		{carrierFoot(), vec{0.19, -0.03, a[2] - 0.12}, vec{0.38, 0.14, a[2] + 0.14}, 0.0210, false, carrierFootZones(), "front_foot_l"},
	} {
		carve(m.f, polygonise(m.f, m.lo, m.hi, m.h, m.half), m.zones, m.h, m.part, out)
	}
	for _, sh := range out {
		sh.hindLegs()
	}
	carrierLoad(out)
	for _, sh := range out {
		sh.weld()
	}
	torso, head, upper, lower := carrierTorso(), carrierHead(), carrierUpper(), carrierLower()
	saddle := slab(vec{0, 1.2, 0}, vec{0.43, 0.25, 0.34}, 0.05)
	all := func(p vec) float64 {
		q := vec{math.Abs(p[0]), p[1], p[2]}
		r := q.sub(vec{0, 0, -legApart})
		return min(torso(p), head(p), min(upper(q), lower(q)), min(upper(r), lower(r)), saddle(p)+0.02)
	}
	s := assemble("carrier", carrierJoints(), carrierMaterials, out, all, func(part string, p vec, index map[string]int) [4]influence {
		w := map[string]float64{part: 1}
		if part == "head" {
			up := ramp(1.150, 1.215, p[1]+0.5*(p[2]-0.93))
			low := ramp(1.060, 1.110, p[1]+0.5*(p[2]-0.80))
			w = map[string]float64{"head": up, "neck": (1 - up) * low, "body": (1 - up) * (1 - low)}
		}
		return top4(w, index)
	})
	s.small = true
	s.soles = map[string][]vertex{}
	for _, leg := range carrierLegs {
		pair, side := sideless(leg)
		for _, m := range s.order {
			for _, v := range s.verts[m] {
				if v.on[0].joint == s.index[pair+"_foot"+side] && v.pos[1] < 0.03 {
					s.soles[leg] = append(s.soles[leg], v)
				}
			}
		}
	}
	return s
}

// hindLegs copies the fore leg's parts to the hind leg.
func (sh *sheet) hindLegs() {
	to := map[int]int{}
	for _, t := range sh.tri[:len(sh.tri):len(sh.tri)] {
		if !strings.HasPrefix(sh.at[t[0]].part, "front_") {
			continue
		}
		var u [3]int
		for k, i := range t {
			j, ok := to[i]
			if !ok {
				j = len(sh.at)
				to[i] = j
				c := sh.at[i]
				c.pos, c.rest = hindmost(c.pos), hindmost(c.rest)
				c.part = "hind_" + strings.TrimPrefix(c.part, "front_")
				sh.at = append(sh.at, c)
			}
			u[k] = j
		}
		sh.tri = append(sh.tri, u)
	}
}

// The carrier's walk.
const (
	carrierSpeed  = 1.15 // m/s
	carrierKeys   = 30   // a cycle is a second
	carrierStance = 20.0 / 30
	carrierLift   = 0.150 // m a foot is raised by
	carrierHeight = 0.048 // m the hips ride below where they rest
)

// carrierStep is where a foot is at a phase of its own cycle, from where it rests:
// how far ahead and up, and how far its toe hangs, degrees.
func carrierStep(phase float64) (z, y, hang float64) {
	phase -= math.Floor(phase)
	half := carrierSpeed * carrierStance * carrierKeys / keysPerSecond / 2
	if phase < carrierStance {
		return half - 2*half*phase/carrierStance, 0, 0
	}
	t := (phase - carrierStance) / (1 - carrierStance)
	// A quintic that leaves and meets the ground at the ground's speed, without
	// acceleration: about the middle of the swing an odd polynomial of u in -1…1.
	u := 2*t - 1
	u2 := u * u
	m := -half * (1 - carrierStance) / carrierStance // its slope by u at both ends
	z = u * (half*(15-10*u2+3*u2*u2) - m*(7-10*u2+3*u2*u2)) / 8
	rise := math.Pow(math.Sin(math.Pi*math.Pow(t, 0.85)), 1.7)
	return z, carrierLift * rise, 26 * rise * (1 - t)
}

func (s *skinned) carrierWalk() clip {
	return sampled("walk", carrierSpeed, carrierKeys, func(phase float64) pose {
		p := s.rest()
		wave := func(harmonic, peak float64) float64 { return math.Cos(2 * math.Pi * harmonic * (phase - peak)) }
		set := func(name string, q quat) { p.turn[s.index[name]] = q }
		p.hips = s.joints[1].pos.add(vec{0.014 * wave(1, 0.33), -carrierHeight + 0.009*wave(2, 0.20), 0})
		set("body", rotY(1.6*wave(1, 0.10)).mul(rotZ(1.7*wave(1, 0.36))).mul(rotX(1.1*wave(2, 0.05))))
		set("load", rotZ(-0.9*wave(1, 0.44)).mul(rotX(0.6*wave(2, 0.18))))
		set("neck", rotX(3.0*wave(2, 0.12)).mul(rotY(-1.0*wave(1, 0.10))))
		set("head", rotX(-3.4*wave(2, 0.08)).mul(rotZ(-1.4*wave(1, 0.36))).mul(rotY(-1.2*wave(1, 0.10))))
		for i, leg := range carrierLegs {
			pair, side := sideless(leg)
			z, y, hang := carrierStep(phase - 0.25*float64(i))
			foot := s.index[pair+"_foot"+side]
			goal := s.joints[foot].pos.add(vec{0, y, z})
			q := rotX(hang)
			for range 3 {
				s.reachLeg(&p, s.index[pair+"_thigh"+side], s.index[pair+"_calf"+side], foot, goal, vec{0, 0, -1}, q)
				if low := s.lowest(p, leg); y == 0 || low < 0 {
					goal[1] -= low
				}
			}
		}
		return p
	})
}

// carrierIdle stands and looks about, once in four seconds.
func (s *skinned) carrierIdle() clip {
	return sampled("idle", 0, 4*keysPerSecond, func(phase float64) pose {
		p := s.rest()
		wave := func(harmonic, peak float64) float64 { return math.Cos(2 * math.Pi * harmonic * (phase - peak)) }
		p.hips = s.joints[1].pos.add(vec{0.004 * wave(1, 0.2), -0.030 + 0.004*wave(2, 0), 0})
		p.turn[s.index["neck"]] = rotX(2 + 2*wave(1, 0.3)).mul(rotY(7 * wave(1, 0.55)))
		p.turn[s.index["head"]] = rotY(12 * wave(1, 0.60)).mul(rotX(-2 + 2*wave(2, 0.1)))
		for _, leg := range carrierLegs {
			pair, side := sideless(leg)
			foot := s.index[pair+"_foot"+side]
			goal := s.joints[foot].pos
			for range 3 {
				s.reachLeg(&p, s.index[pair+"_thigh"+side], s.index[pair+"_calf"+side], foot, goal, vec{0, 0, -1}, noTurn)
				goal[1] -= s.lowest(p, leg)
			}
		}
		return p
	})
}
