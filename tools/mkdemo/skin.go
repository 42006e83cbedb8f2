package main

import (
	"math"
	"sort"
	"strings"
)

// influence is a joint's share of a vertex.
type influence struct {
	joint  int
	weight float64
}

// weigh returns the joints that move the left half's point p of a part, at most
// four, weights in steps of 2^-16 that sum to exactly 1 in float32.
func weigh(part string, p vec, index map[string]int) [4]influence {
	return top4(weights(part, p), index)
}

// weights are the shares by the joints' names, all of them.
func weights(part string, p vec) map[string]float64 {
	w := map[string]float64{}
	switch {
	case part == "head":
		// The jaw hangs lower than the nape, so what turns with the head does too.
		up := ramp(1.515, 1.590, p[1]+0.5*max(p[2], 0))
		low := ramp(1.440, 1.505, p[1])
		w["head"], w["neck"], w["spine_03"] = up, (1-up)*low, (1-up)*(1-low)
	case part == "palm":
		h := ramp(0.695, 0.738, p[0])
		w["hand_l"], w["lowerarm_l"] = h, 1-h
	case strings.HasPrefix(part, "finger "):
		weighFinger(strings.TrimPrefix(part, "finger "), p, w)
	default:
		weighBody(p, w)
	}
	return w
}

func weighFinger(name string, p vec, w map[string]float64) {
	for _, d := range digits {
		if d.name != name {
			continue
		}
		t := p.sub(d.base).dot(d.dir.unit())
		on := []string{"hand_l", name + "_01_l", name + "_02_l", name + "_03_l", name + "_tip_l"}
		at := []float64{0, d.bones[0], d.bones[0] + d.bones[1], d.bones[0] + d.bones[1] + d.bones[2] - 0.004}
		left := 1.0
		for i := len(at) - 1; i >= 0; i-- {
			width := 0.0055
			if i == 0 {
				width = 0.008
			}
			up := ramp(at[i]-width, at[i]+width, t)
			w[on[i+1]] = left * up
			left *= 1 - up
		}
		w[on[0]] = left
	}
}

func weighBody(p vec, w map[string]float64) {
	x, y, z := p[0], p[1], p[2]
	// The arm begins further in at the top of the shoulder than at the armpit.
	inner := mix(0.158, 0.125, ramp(1.38, 1.50, y))
	arm := ramp(inner, inner+0.105, x) * ramp(1.24, 1.36, y+0.9*(x-0.16))
	// The leg begins along the groin, and never crosses the middle of the body.
	crease := mix(0.845, 0.862+0.62*x, ramp(-0.08, 0.06, z))
	leg := ramp(0.060, -0.075, y-crease)
	leg *= mix(1, ramp(-0.004, 0.042, x), ramp(0.76, 0.83, y))
	torso := (1 - arm) * (1 - leg)

	elbow := ramp(elbowAt[0]-0.045, elbowAt[0]+0.045, x)
	w["upperarm_l"], w["lowerarm_l"] = arm*(1-elbow), arm*elbow

	knee := ramp(kneeAt[1]+0.060, kneeAt[1]-0.060, y)
	ankle := ramp(0.132, 0.066, y-0.35*max(z+0.01, 0))
	// The sole bends behind the toes' joint, so that what lies under it stays put.
	fold := 0.024 * ramp(0.045, 0.005, y)
	toe := ramp(0.096, 0.128, z+fold)
	tip := ramp(0.166, 0.192, z)
	if y > 0.3 {
		toe, tip = 0, 0
	}
	w["thigh_l"] = leg * (1 - knee)
	w["calf_l"] = leg * knee * (1 - ankle)
	w["foot_l"] = leg * knee * ankle * (1 - toe)
	w["toe_l"] = leg * knee * ankle * toe * (1 - tip)
	w["toe_tip_l"] = leg * knee * ankle * toe * tip

	clavicle := ramp(0.030, 0.150, x) * ramp(1.34, 1.43, y)
	s1, s2, s3 := ramp(1.005, 1.115, y), ramp(1.125, 1.235, y), ramp(1.245, 1.365, y)
	w["clavicle_l"] = torso * clavicle
	torso *= 1 - clavicle
	w["hips"] = torso * (1 - s1)
	w["spine_01"] = torso * s1 * (1 - s2)
	w["spine_02"] = torso * s2 * (1 - s3)
	w["spine_03"] = torso * s3
}

// top4 keeps the four greatest weights and rounds them to a sum of exactly 1.
func top4(w map[string]float64, index map[string]int) [4]influence {
	var all []influence
	for name, x := range w {
		if x > 1e-4 {
			j, ok := index[name]
			if !ok {
				panic("a vertex follows no joint: " + name)
			}
			all = append(all, influence{j, x})
		}
	}
	sort.Slice(all, func(a, b int) bool {
		if all[a].weight != all[b].weight {
			return all[a].weight > all[b].weight
		}
		return all[a].joint < all[b].joint
	})
	all = all[:min(len(all), 4)]
	sum := 0.0
	for _, i := range all {
		sum += i.weight
	}
	var out [4]influence
	left := 1.0
	for k, i := range all {
		q := math.Round(i.weight/sum*65536) / 65536
		out[k] = influence{i.joint, q}
		left -= q
	}
	out[0].weight += left
	return out
}

// otherSide gives each joint its counterpart across x = 0, itself in the middle.
func otherSide(js []joint) []int {
	index := jointIndex(js)
	out := make([]int, len(js))
	for i, j := range js {
		out[i] = i
		if n, ok := strings.CutSuffix(j.name, "_l"); ok {
			out[i] = index[n+"_r"]
		} else if n, ok := strings.CutSuffix(j.name, "_r"); ok {
			out[i] = index[n+"_l"]
		}
	}
	return out
}
