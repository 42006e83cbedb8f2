package main

// The porter is a second person: 213 joints under the names and with the helpers
// that character generators give theirs, short and broad, standing in an A-pose.
// It has no clips: its motion is the mannequin's, retargeted.

// porterSizes is how much each of the mannequin's joints stretches what follows it,
// along X, Y and Z of the T-pose.
var porterSizes = map[string]vec{
	"root": {1, 1, 1}, "hips": {1.16, 1.00, 1.16}, "spine_01": {1.18, 0.95, 1.18}, "spine_02": {1.20, 0.92, 1.20},
	"spine_03": {1.22, 0.95, 1.20}, "neck": {1.16, 0.80, 1.16}, "head": {1.14, 1.08, 1.14},
	"clavicle": {1.22, 0.97, 1.20}, "upperarm": {0.94, 1.20, 1.20}, "lowerarm": {0.92, 1.20, 1.20}, "hand": {1.18, 1.18, 1.18},
	"thigh": {1.14, 0.80, 1.14}, "calf": {1.14, 0.79, 1.14}, "foot": {1.10, 0.95, 0.86},
}

// porterStance turns the left side's joints from the T-pose to the A-pose.
var porterStance = map[string]quat{
	"clavicle": rotZ(-5), "upperarm": rotZ(-41), "lowerarm": rotY(-9), "hand": rotZ(-2),
	"thigh": rotZ(4), "foot": rotZ(-4),
}

// shaped is where the sculpt's joints come to stand: the place of joint i, the turn
// of what follows it, and how it is stretched before.
type shaped struct {
	at   []vec
	turn []quat
	size []vec
}

func shapePorter(js []joint) shaped {
	n := len(js)
	s := shaped{make([]vec, n), make([]quat, n), make([]vec, n)}
	for i, j := range js {
		name, side := sideless(j.name)
		size, ok := porterSizes[name]
		if !ok { // fingers as the hand, toes as the foot
			size = s.size[j.parent]
		}
		q, ok := porterStance[name]
		if !ok {
			q = noTurn
		}
		if side == "_r" {
			q = q.mirror()
		}
		s.size[i] = size
		if j.parent < 0 {
			s.at[i], s.turn[i] = j.pos, q
			continue
		}
		s.at[i] = s.place(js, j.parent, j.pos)
		s.turn[i] = s.turn[j.parent].mul(q).unit()
	}
	// The soles stand on the ground, y = 0 of the sculpt.
	for _, foot := range js {
		if foot.name == "foot_l" {
			down := s.place(js, indexOf(js, "foot_l"), vec{foot.pos[0], 0, foot.pos[2]})[1]
			for i := range s.at {
				if i > 0 {
					s.at[i][1] -= down
				}
			}
		}
	}
	return s
}

// place takes a point of the sculpt along with a joint.
func (s shaped) place(js []joint, j int, p vec) vec {
	return s.at[j].add(s.turn[j].rotate(p.sub(js[j].pos).scale(s.size[j])))
}

func indexOf(js []joint, name string) int {
	for i, j := range js {
		if j.name == name {
			return i
		}
	}
	panic("no joint " + name)
}

// sideless splits a joint's name from its side.
func sideless(name string) (string, string) {
	if n := len(name) - 2; n > 0 && (name[n:] == "_l" || name[n:] == "_r") {
		return name[:n], name[n:]
	}
	return name, ""
}

var porterMaterials = map[string]obj{
	"shell":   pbr("shell", [3]float64{0.060, 0.165, 0.180}, 0.46, 0),
	"joint":   pbr("joint", [3]float64{0.036, 0.036, 0.040}, 0.62, 0),
	"leather": pbr("leather", [3]float64{0.185, 0.092, 0.045}, 0.66, 0),
	"brass":   pbr("brass", [3]float64{0.74, 0.50, 0.20}, 0.34, 1),
	"linen":   pbr("linen", [3]float64{0.58, 0.49, 0.35}, 0.95, 0),
	"lens":    pbr("lens", [3]float64{0.78, 0.36, 0.05}, 0.10, 0),
}

func buildPorter() *skinned {
	out := sheets{}
	body, head, palm := porterField(), porterHead(), palmField()
	for _, m := range []sculpted{
		{body, vec{0, -0.03, -0.24}, vec{0.75, 1.60, 0.28}, 0.0255, true, porterZones(), "body"},
		{head, vec{0, 1.42, -0.16}, vec{0.13, 1.82, 0.20}, 0.0150, true, porterHeadZones(), "head"},
		{palm, vec{0.66, 1.40, -0.07}, vec{0.86, 1.48, 0.07}, 0.0105, false, palmZones(), "palm"},
	} {
		carve(m.f, polygonise(m.f, m.lo, m.hi, m.h, m.half), m.zones, m.h, m.part, out)
	}
	for _, d := range digits {
		lofted(d, out)
	}
	porterPack(out)
	for _, sh := range out {
		sh.weld()
	}
	all := func(p vec) float64 { return min(body(p), head(p), palm(vec{max(p[0], -p[0]), p[1], p[2]})) }
	old := mannequinJoints()
	s := assemble("porter", old, porterMaterials, out, all, func(part string, p vec, index map[string]int) [4]influence {
		if part == "pack" {
			return top4(map[string]float64{"spine_03": 1}, index)
		}
		return weigh(part, p, index)
	})
	s.small = true
	shape := shapePorter(old)
	rig := porterRig(old, shape)
	index := jointIndex(rig.joints)
	for _, vs := range s.verts {
		for i, v := range vs {
			var p, n vec
			w := map[string]float64{}
			for _, f := range v.on {
				if f.weight == 0 {
					continue
				}
				p = p.add(shape.place(old, f.joint, v.pos).mul(f.weight))
				size := shape.size[f.joint]
				n = n.add(shape.turn[f.joint].rotate(vec{v.nrm[0] / size[0], v.nrm[1] / size[1], v.nrm[2] / size[2]}).mul(f.weight))
				for name, x := range spread(old[f.joint].name, v.pos) {
					w[name] += x * f.weight
				}
			}
			vs[i] = vertex{pos: p, nrm: n.unit(), light: v.light, on: top4(w, index)}
			if v.pos[0] == 0 {
				vs[i].pos[0] = 0
			}
		}
	}
	s.joints, s.turns, s.index = rig.joints, rig.turns, index
	return s
}

// spread gives the share of one of the sculpt's joints to the porter's joints that
// stand in its place, by where along the limb the point p of the sculpt lies.
func spread(name string, p vec) map[string]float64 {
	base, side := sideless(name)
	x, y, z := p[0], p[1], p[2]
	lr := "L_"
	if side == "_r" {
		lr, x = "R_", -x
	}
	limb := func(first, from, to float64, joints ...string) map[string]float64 {
		t := (first - from) / (to - from)
		one, two := ramp(0.15, 0.45, t), ramp(0.55, 0.85, t)
		return map[string]float64{cc + lr + joints[0]: 1 - one, cc + lr + joints[1]: one * (1 - two), cc + lr + joints[2]: one * two}
	}
	switch base {
	case "upperarm":
		return limb(x, shoulderAt[0], elbowAt[0], "Upperarm", "UpperarmTwist01", "UpperarmTwist02")
	case "lowerarm":
		return limb(x, elbowAt[0], wristAt[0], "Forearm", "ForearmTwist01", "ForearmTwist02")
	case "thigh":
		return limb(y, hipAt[1], kneeAt[1], "Thigh", "ThighTwist01", "ThighTwist02")
	case "calf":
		return limb(y, kneeAt[1], ankleAt[1], "Calf", "CalfTwist01", "CalfTwist02")
	case "clavicle":
		return map[string]float64{cc + lr + "Clavicle": 1}
	case "foot":
		return map[string]float64{cc + lr + "Foot": 1}
	case "neck":
		up := ramp(1.47, 1.55, y)
		return map[string]float64{cc + "NeckTwist01": 1 - up, cc + "NeckTwist02": up}
	case "head":
		jaw := ramp(1.618, 1.598, y) * ramp(0.0, 0.04, z)
		return map[string]float64{cc + "Head": 1 - jaw, cc + "JawRoot": jaw}
	case "hand":
		palm := ramp(0.765, 0.795, x)
		w := map[string]float64{cc + lr + "Hand": 1 - palm}
		for i, d := range digits[1:] {
			lo, hi := -1.0, 1.0
			if i > 0 {
				lo = (d.base[2] + digits[i].base[2]) / 2
			}
			if i+2 < len(digits) {
				hi = (d.base[2] + digits[i+2].base[2]) / 2
			}
			// Knuckles stand in a row along -Z.
			above, below := 1.0, 1.0
			if lo != -1 {
				above = ramp(lo+0.004, lo-0.004, z)
			}
			if hi != 1 {
				below = ramp(hi-0.004, hi+0.004, z)
			}
			w[cc+lr+porterDigits[i+1]+"Metacarpal"] = palm * above * below
		}
		return w
	case "toe", "toe_tip":
		far := ramp(0.118, 0.150, z)
		w := map[string]float64{cc + lr + "ToeBase": 1 - far}
		for i, toe := range porterToes {
			from := 0.073 + 0.0145*float64(i)
			share := 1.0
			if i > 0 {
				share *= ramp(from-0.003, from+0.003, x)
			}
			if i+1 < len(porterToes) {
				share *= ramp(from+0.0175, from+0.0115, x)
			}
			w[cc+lr+toe+"1"] = far * share
		}
		return w
	}
	for i, d := range digits {
		for b, part := range []string{"_01", "_02", "_03", "_tip"} {
			if base == d.name+part {
				return map[string]float64{cc + lr + porterDigits[i] + string(rune('1'+b)): 1}
			}
		}
	}
	return map[string]float64{porterTrunk[base]: 1}
}

// porterTrunk is which of the porter's joints stand for the sculpt's.
var porterTrunk = map[string]string{
	"root": cc + "BoneRoot", "hips": cc + "Pelvis", "spine_01": cc + "Waist", "spine_02": cc + "Spine01", "spine_03": cc + "Spine02",
}
