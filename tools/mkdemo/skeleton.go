package main

// joint is one joint of the mannequin in its rest pose, a T-pose. All rest
// rotations are identity, so a joint's place is the sum of the offsets above it.
type joint struct {
	name   string
	parent int
	pos    vec // model space
}

// digit is one finger of the left hand: its knuckle, where it points in the
// rest pose, the lengths of its three bones, and its radius at knuckle and tip.
type digit struct {
	name   string
	base   vec
	dir    vec
	bones  [3]float64
	r0, r1 float64
}

// The left hand's knuckles lie ahead of the wrist along +X; the palm faces down.
var digits = []digit{
	{"thumb", vec{0.748, 1.431, 0.026}, vec{0.74, -0.16, 0.66}, [3]float64{0.040, 0.032, 0.026}, 0.0125, 0.0088},
	{"index", vec{0.817, 1.440, 0.0265}, vec{1, 0, 0.10}, [3]float64{0.041, 0.024, 0.020}, 0.0093, 0.0074},
	{"middle", vec{0.822, 1.441, 0.0045}, vec{1, 0, 0.015}, [3]float64{0.045, 0.028, 0.021}, 0.0096, 0.0076},
	{"ring", vec{0.816, 1.440, -0.0170}, vec{1, 0, -0.075}, [3]float64{0.041, 0.026, 0.020}, 0.0092, 0.0073},
	{"pinky", vec{0.805, 1.438, -0.0365}, vec{1, 0, -0.17}, [3]float64{0.032, 0.019, 0.017}, 0.0082, 0.0066},
}

// Places of the left side's joints, metres.
var (
	hipAt      = vec{0.094, 0.925, 0.000}
	kneeAt     = vec{0.100, 0.505, 0.010}
	ankleAt    = vec{0.104, 0.085, -0.022}
	toeAt      = vec{0.108, 0.024, 0.112}
	toeTipAt   = vec{0.109, 0.018, 0.178}
	clavicleAt = vec{0.022, 1.445, 0.010}
	shoulderAt = vec{0.182, 1.442, -0.016}
	elbowAt    = vec{0.468, 1.442, -0.022}
	wristAt    = vec{0.722, 1.440, -0.010}
)

// mannequinJoints lists all 65 joints, parents before children.
func mannequinJoints() []joint {
	js := []joint{
		{"root", -1, vec{}},
		{"hips", 0, vec{0, 0.975, 0}},
		{"spine_01", 1, vec{0, 1.060, -0.004}},
		{"spine_02", 2, vec{0, 1.180, -0.012}},
		{"spine_03", 3, vec{0, 1.305, -0.020}},
		{"neck", 4, vec{0, 1.490, -0.026}},
		{"head", 5, vec{0, 1.580, -0.010}},
	}
	side := func(suffix string, at func(vec) vec) {
		add := func(name string, parent int, p vec) int {
			js = append(js, joint{name + suffix, parent, at(p)})
			return len(js) - 1
		}
		arm := add("clavicle", 4, clavicleAt)
		arm = add("upperarm", arm, shoulderAt)
		arm = add("lowerarm", arm, elbowAt)
		hand := add("hand", arm, wristAt)
		for _, d := range digits {
			p, u, parent := d.base, d.dir.unit(), hand
			for b, l := range d.bones {
				parent = add(d.name+[]string{"_01", "_02", "_03"}[b], parent, p)
				p = p.add(u.mul(l))
			}
			add(d.name+"_tip", parent, p.sub(u.mul(0.006)))
		}
		leg := add("thigh", 1, hipAt)
		leg = add("calf", leg, kneeAt)
		leg = add("foot", leg, ankleAt)
		leg = add("toe", leg, toeAt)
		add("toe_tip", leg, toeTipAt)
	}
	side("_l", func(p vec) vec { return p })
	side("_r", vec.mirror)
	return js
}

func jointIndex(js []joint) map[string]int {
	m := make(map[string]int, len(js))
	for i, j := range js {
		m[j.name] = i
	}
	return m
}
