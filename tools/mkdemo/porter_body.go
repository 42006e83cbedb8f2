package main

import (
	"maps"
	"math"
	"slices"
)

// The porter is sculpted in the mannequin's proportions and T-pose, so that the
// mannequin's weights fit it; porter.go then makes it short, broad and at ease.

// porterField is the mannequin's body with a barrel chest, a belly, pauldrons,
// gauntlets and boots.
func porterField() field {
	body := bodyField()
	torso := blend(
		lump{ball(vec{0, 1.330, 0.004}, vec{0.150, 0.150, 0.126}), 0},
		lump{ball(vec{0, 1.120, 0.034}, vec{0.132, 0.150, 0.108}), 0.07}, // belly
		lump{ball(vec{0.080, 1.330, -0.070}, vec{0.088, 0.150, 0.058}), 0.06},
	)
	pauldron := ball(vec{0.222, 1.462, -0.016}, vec{0.082, 0.066, 0.082})
	lower := func(p vec) float64 { return smax(pauldron(p), 1.436-p[1]-0.25*(p[0]-0.22), 0.012) }
	gauntlet := cone(vec{0.545, 1.442, -0.017}, vec{0.692, 1.440, -0.010}, 0.0480, 0.0440)
	cuffed := func(p vec) float64 { return smax(gauntlet(p), max(0.520-p[0], p[0]-0.700), 0.010) }
	boot := cone(vec{0.1045, 0.330, -0.018}, vec{0.104, 0.130, -0.018}, 0.0640, 0.0500)
	shaft := func(p vec) float64 { return smax(boot(p), p[1]-0.318, 0.012) }
	foot := blend(
		lump{cone(vec{0.104, 0.058, -0.040}, vec{0.108, 0.050, 0.105}, 0.050, 0.049), 0},
		lump{ball(vec{0.109, 0.036, 0.140}, vec{0.051, 0.043, 0.056}), 0.03},
		lump{ball(vec{0.104, 0.034, -0.052}, vec{0.043, 0.050, 0.045}), 0.03},
	)
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		d := smin(body(p), torso(p), 0.05)
		d = smin(d, lower(p), 0.012)
		d = smin(d, cuffed(p), 0.008)
		d = smin(smin(d, shaft(p), 0.010), foot(p), 0.024)
		return smax(d, -jointDepth-p[1], 0.010)
	}
}

// porterHead is a broad face with goggles under a cap with a brim.
func porterHead() field {
	face := blend(
		lump{ball(vec{0, 1.672, -0.006}, vec{0.084, 0.092, 0.098}), 0},
		lump{ball(vec{0, 1.622, 0.022}, vec{0.074, 0.070, 0.074}), 0.04},
		lump{ball(vec{0.026, 1.592, 0.046}, vec{0.044, 0.034, 0.044}), 0.03}, // jaw
	)
	neck := blend(
		lump{cone(vec{0, 1.440, -0.030}, vec{0, 1.620, -0.014}, 0.068, 0.062), 0},
		lump{ball(vec{0.030, 1.530, 0.000}, vec{0.030, 0.080, 0.034}), 0.03},
	)
	cap := ball(vec{0, 1.694, -0.010}, vec{0.097, 0.092, 0.111})
	dome := func(p vec) float64 { return smax(cap(p), 1.690-p[1], 0.008) }
	brim := ball(vec{0, 1.697, 0.052}, vec{0.099, 0.0165, 0.108})
	goggle := cone(vec{0.036, 1.654, 0.050}, vec{0.0385, 1.654, 0.104}, 0.0310, 0.0285)
	lens := func(p vec) float64 { return smax(goggle(p), p[2]+0.10*p[0]-0.112, 0.006) }
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		d := smin(face(p), smax(neck(p), 1.436-p[1], 0.01), 0.022)
		d = smin(d, dome(p), 0.006)
		return smin(smin(d, brim(p), 0.008), lens(p), 0.008)
	}
}

func porterZones() []zone {
	dark := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		d := -1.0
		if y > 1.25 {
			elbow := between(x, 0.474, 0.026+0.25*clamp(z+0.022, -0.03, 0.05))
			armpit := 0.056 - vec{x, y, z}.sub(vec{0.166, 1.362, -0.010}).len()
			collar := 0.078 - math.Hypot(x, (z+0.026)*1.05)
			collar = min(collar, (y-1.455)*0.8)
			d = max(d, elbow, armpit, collar, x-0.699)
		}
		if x < 0.3 {
			crease := mix(0.838+0.10*x, 0.842+0.80*x, ramp(-0.04, 0.05, z))
			groin := between(y, crease, 0.010)
			crotch := min(0.034-x, 0.915-y, (y-0.815)*0.7)
			knee := between(y, 0.508, mix(0.044, 0.058, ramp(-0.02, 0.03, z)))
			if cap := 0.040 - math.Hypot(x-0.100, (y-0.512)*0.8); z > 0.01 {
				knee = min(knee, -cap)
			}
			d = max(d, groin, crotch, knee, min(0.026-y, 0.4-x))
		}
		return d
	}
	hide := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		if x > 0.4 {
			return min(x-0.521, 0.6985-x)
		}
		boot := min(0.3165-y, 0.3-x)
		belt := min(between(y, 1.030+0.020*ramp(0.08, -0.06, z), 0.024), 0.25-x)
		strap := min(between(x, 0.098-0.06*max(y-1.36, 0), 0.015), 1.60-y, y-1.10)
		if x > 0.16 {
			strap = -1
		}
		return max(boot, belt, strap)
	}
	trim := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		band := min(between(x, 0.262, 0.009), y-1.44)
		cuff := between(x, 0.545, 0.007)
		buckle := min(0.026-x, between(y, 1.030, 0.017), z)
		shin := min(between(y, 0.292, 0.008), 0.3-x)
		toe := min(z-0.148, 0.075-y, y-0.028)
		return max(band, cuff, buckle, shin, toe)
	}
	return []zone{{trim, "brass", 0.0008}, {dark, "joint", jointDepth}, {hide, "leather", 0.0016}}
}

func porterHeadZones() []zone {
	lens := func(p vec) float64 {
		return min(0.0215-math.Hypot(math.Abs(p[0])-0.038, p[1]-1.654), p[2]-0.085)
	}
	rim := func(p vec) float64 {
		return min(0.0325-math.Hypot(math.Abs(p[0])-0.0375, p[1]-1.654), p[2]-0.074)
	}
	neck := func(p vec) float64 { return 1.586 - 0.36*p[2] - p[1] }
	grille := func(p vec) float64 {
		return min(between(p[1], 1.602+1.5*p[0]*p[0], 0.0075), 0.036-math.Abs(p[0]), p[2]-0.03)
	}
	cap := func(p vec) float64 { return p[1] - 1.6865 }
	band := func(p vec) float64 { return min(between(p[1], 1.714, 0.009), 0.083-p[2]) }
	return []zone{{lens, "lens", 0.0022}, {rim, "brass", 0.0004}, {grille, "joint", 0.0030},
		{band, "brass", 0.0006}, {cap, "leather", 0.0004}, {neck, "joint", 0.003}}
}

// porterPack is what the porter carries on its back: a bedroll over a box, and the
// buckles of its straps. It follows the chest.
func porterPack(out sheets) {
	s := solid{}
	// A roll of canvas lies across the shoulders, its ends showing the turns.
	var at []vec
	var r []float64
	for _, e := range [][2]float64{{-0.235, 0}, {-0.235, 0.040}, {-0.226, 0.050}, {-0.12, 0.0545}, {0, 0.0555}, {0.12, 0.0545}, {0.226, 0.050}, {0.235, 0.040}, {0.235, 0}} {
		at, r = append(at, vec{e[0], 1.425, -0.196}), append(r, e[1])
	}
	s.tube("linen", 16, white, at, r)
	for _, x := range []float64{-0.105, 0.105} {
		s.tube("leather", 16, white, []vec{{x - 0.014, 1.425, -0.196}, {x - 0.013, 1.425, -0.196}, {x + 0.013, 1.425, -0.196}, {x + 0.014, 1.425, -0.196}}, []float64{0.050, 0.0590, 0.0590, 0.050})
	}
	s.block(block{material: "steel", c: vec{0, 1.270, -0.190}, h: vec{0.125, 0.105, 0.058}, q: noTurn, bevel: 0.016, tint: white})
	s.block(block{material: "leather", c: vec{0, 1.270, -0.192}, h: vec{0.020, 0.108, 0.062}, q: noTurn, bevel: 0.004, tint: white})
	s.block(block{material: "brass", c: vec{0, 1.250, -0.255}, h: vec{0.026, 0.020, 0.005}, q: noTurn, bevel: 0.003, tint: white})
	out.carry(s, "pack", map[string]string{"linen": "linen", "leather": "leather", "steel": "shell", "brass": "brass"})
}

// carry adds the left half of a solid, cut at x = 0, to a figure's sheets, its
// materials under the figure's names. The right half is its mirror image.
func (out sheets) carry(s solid, part string, names map[string]string) {
	for _, material := range slices.Sorted(maps.Keys(s)) {
		m, sh := s[material], out.of(names[material])
		for k := 0; k+2 < len(m.idx); k += 3 {
			var kept []corner
			for e := range 3 {
				i, j := m.idx[k+e], m.idx[k+(e+1)%3]
				x, y := m.pos[i][0], m.pos[j][0]
				if x >= 0 {
					kept = append(kept, cornerOf(m, i, i, 0, part))
				}
				if x*y < 0 {
					kept = append(kept, cornerOf(m, i, j, x/(x-y), part))
				}
			}
			for e := 2; e < len(kept); e++ {
				n := len(sh.at)
				sh.at = append(sh.at, kept[0], kept[e-1], kept[e])
				sh.tri = append(sh.tri, [3]int{n, n + 1, n + 2})
			}
		}
	}
}

// cornerOf is the point at t from one corner of a solid to another.
func cornerOf(m *stuff, i, j int, t float64, part string) corner {
	p := m.pos[i].lerp(m.pos[j], t)
	n := m.nrm[i].lerp(m.nrm[j], t).unit()
	if math.Abs(p[0]) < 1e-9 {
		p[0], n[0] = 0, 0
		n = n.unit()
	}
	return corner{pos: p, nrm: n, rest: p, light: mix(m.tint[i][0], m.tint[j][0], t), part: part}
}

// weld joins corners that are alike.
func (sh *sheet) weld() {
	seen := map[corner]int{}
	var at []corner
	to := make([]int, len(sh.at))
	for i, c := range sh.at {
		k, ok := seen[c]
		if !ok {
			k = len(at)
			seen[c] = k
			at = append(at, c)
		}
		to[i] = k
	}
	sh.at = at
	for i, t := range sh.tri {
		sh.tri[i] = [3]int{to[t[0]], to[t[1]], to[t[2]]}
	}
}
