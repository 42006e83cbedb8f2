package main

import "math"

// The carrier is a walking machine for loads, in the mannequin's style: rigid
// shells over dark joints. What follows is its left half, facing +Z, standing.

// Places of the left fore leg's joints, metres. The hind leg is the same, legApart
// behind it.
var (
	carrierHip   = vec{0.275, 0.840, 0.620}
	carrierKnee  = vec{0.285, 0.455, 0.452}
	carrierAnkle = vec{0.285, 0.072, 0.620}
)

const legApart = 1.24

func carrierTorso() field {
	torso := blend(
		lump{ball(vec{0, 1.000, 0}, vec{0.235, 0.170, 0.860}), 0},
		lump{ball(vec{0, 1.000, 0.560}, vec{0.235, 0.195, 0.270}), 0.10},
		lump{ball(vec{0, 1.000, -0.560}, vec{0.235, 0.190, 0.270}), 0.10},
		lump{slab(vec{0, 0.985, 0}, vec{0.215, 0.120, 0.520}, 0.09), 0.06},
	)
	pod := func(z float64) field {
		return cone(vec{0.150, 0.900, z}, vec{0.215, 0.845, z}, 0.125, 0.105)
	}
	fore, hind := pod(carrierHip[2]), pod(carrierHip[2]-legApart)
	tail := ball(vec{0, 1.02, -0.86}, vec{0.075, 0.060, 0.075})
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		d := smin(torso(p), tail(p), 0.05)
		return smin(smin(d, fore(p), 0.04), hind(p), 0.04)
	}
}

func carrierTorsoZones() []zone {
	dark := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		// The belly, the seams before and behind the load, and the hips' sockets.
		belly := 0.868 + 0.10*math.Abs(x) - y
		seam := max(between(z, 0.385, 0.012), between(z, -0.385, 0.012))
		socket := -1.0
		for _, c := range []float64{carrierHip[2], carrierHip[2] - legApart} {
			socket = max(socket, min(0.128-math.Hypot(y-0.845, z-c), x-0.20))
		}
		collar := 0.098 - vec{x, y, z}.sub(vec{0, 1.085, 0.790}).len()
		return max(belly, seam, socket, collar)
	}
	accent := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		stripe := min(between(y-0.12*z, 0.985, 0.010), x-0.12)
		if math.Abs(z) < 0.42 || z > 0.70 {
			stripe = -1
		}
		lamp := min(0.028-math.Hypot(x, y-1.02), -z-0.88)
		return max(stripe, lamp)
	}
	return []zone{{accent, "accent", 0.0012}, {dark, "joint", 0.0060}}
}

// carrierHead is the neck and the head that looks where it goes.
func carrierHead() field {
	neck := cone(vec{0, 1.070, 0.760}, vec{0, 1.235, 0.930}, 0.082, 0.062)
	head := blend(
		lump{ball(vec{0, 1.272, 0.975}, vec{0.094, 0.084, 0.128}), 0},
		lump{ball(vec{0, 1.264, 1.035}, vec{0.082, 0.070, 0.096}), 0.05},
		lump{cone(vec{0.052, 1.330, 0.925}, vec{0.088, 1.432, 0.880}, 0.026, 0.012), 0.02}, // ears
	)
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		return smin(neck(p), head(p), 0.02)
	}
}

func carrierHeadZones() []zone {
	visor := func(p vec) float64 {
		x, y := math.Abs(p[0]), p[1]-1.278
		return min((1-math.Pow(math.Pow(x/0.082, 2.6)+math.Pow(math.Abs(y)/0.044, 2.6), 1/2.6))*0.04, p[2]-1.015)
	}
	neck := func(p vec) float64 { return 1.215 - p[1] + 0.9*(0.93-p[2]) - 0.035 }
	ear := func(p vec) float64 { return min(p[1]-1.395, math.Abs(p[0])-0.05) }
	return []zone{{visor, "visor", 0.0025}, {ear, "accent", 0.0010}, {neck, "joint", 0.0045}}
}

func carrierUpper() field {
	h, k := carrierHip, carrierKnee
	return blend(
		lump{cone(h, k, 0.088, 0.055), 0},
		lump{ball(h, vec{0.064, 0.118, 0.118}), 0.03},
		lump{ball(h.lerp(k, 0.36).add(vec{0, 0, 0.022}), vec{0.058, 0.165, 0.092}), 0.04},
		lump{ball(k, vec{0.050, 0.066, 0.066}), 0.03},
	)
}

func carrierUpperZones() []zone {
	axis := carrierKnee.sub(carrierHip)
	hub := func(p vec) float64 {
		r := math.Hypot(p[1]-carrierHip[1], p[2]-carrierHip[2])
		return min(between(r, 0.070, 0.010), p[0]-carrierHip[0])
	}
	dark := func(p vec) float64 {
		t := p.sub(carrierHip).dot(axis) / axis.dot(axis)
		r := math.Hypot(p[1]-carrierHip[1], p[2]-carrierHip[2])
		return max(t-0.82, min(0.060-r, p[0]-carrierHip[0]), min(carrierHip[0]-0.012-p[0], 0.12-r))
	}
	return []zone{{hub, "accent", 0.0010}, {dark, "joint", 0.0040}}
}

func carrierLower() field {
	k, a := carrierKnee, carrierAnkle
	return blend(
		lump{cone(k, a, 0.050, 0.034), 0},
		lump{ball(k, vec{0.056, 0.058, 0.058}), 0.02},
		lump{ball(k.lerp(a, 0.34).add(vec{0, 0, -0.014}), vec{0.048, 0.130, 0.062}), 0.04},
		lump{ball(a, vec{0.040, 0.040, 0.040}), 0.02},
	)
}

func carrierLowerZones() []zone {
	axis := carrierAnkle.sub(carrierKnee)
	dark := func(p vec) float64 {
		t := p.sub(carrierKnee).dot(axis) / axis.dot(axis)
		r := math.Hypot(p[1]-carrierKnee[1], p[2]-carrierKnee[2])
		return max(t-0.84, min(0.036-r, p[0]-carrierKnee[0]))
	}
	band := func(p vec) float64 {
		t := p.sub(carrierKnee).dot(axis) / axis.dot(axis)
		return between(t, 0.74, 0.018)
	}
	return []zone{{band, "accent", 0.0010}, {dark, "joint", 0.0040}}
}

func carrierFoot() field {
	a := carrierAnkle
	foot := blend(
		lump{cone(vec{a[0], 0.044, a[2] - 0.020}, vec{a[0], 0.040, a[2] + 0.045}, 0.064, 0.058), 0},
		lump{ball(vec{a[0], 0.070, a[2]}, vec{0.046, 0.046, 0.050}), 0.03},
	)
	return func(p vec) float64 { return smax(foot(p), -0.004-p[1], 0.010) }
}

func carrierFootZones() []zone {
	return []zone{{func(p vec) float64 { return 0.024 - p[1] }, "joint", 0.004}}
}

// carrierLoad is what the carrier bears: a saddle of leather, panniers at its sides,
// crates and a canvas roll on top, and the straps that hold them.
func carrierLoad(out sheets) {
	s := solid{}
	put := func(material string, c, h vec, bevel, tint float64) {
		s.block(block{material: material, c: c, h: h, q: noTurn, bevel: bevel, tint: vec{tint, tint, tint}})
	}
	put("leather", vec{0, 1.150, 0}, vec{0.235, 0.030, 0.365}, 0.020, 1)
	put("leather", vec{0.242, 1.030, 0}, vec{0.014, 0.135, 0.330}, 0.008, 0.9)
	// Panniers of canvas with a flap.
	put("linen", vec{0.342, 1.015, 0}, vec{0.088, 0.150, 0.290}, 0.034, 0.80)
	put("linen", vec{0.342, 1.128, 0}, vec{0.098, 0.048, 0.302}, 0.024, 1)
	for _, z := range []float64{-0.15, 0.15} {
		put("leather", vec{0.344, 1.040, z}, vec{0.104, 0.145, 0.018}, 0.006, 1)
		put("brass", vec{0.449, 1.085, z}, vec{0.005, 0.020, 0.024}, 0.003, 1)
	}
	// A crate of boards on the hind part, a smaller one before it.
	crate := func(c, h vec) {
		put("board", c, h.sub(vec{0.010, 0.010, 0.010}), 0, 0.72)
		n := 4
		for i := range n {
			y := c[1] - h[1] + (float64(i)+0.5)*2*h[1]/float64(n)
			b := h[1]/float64(n) - 0.003
			shade := 0.84 + 0.16*hash2(i, int(1000*c[2]), 9)
			put("board", vec{c[0], y, c[2] + h[2] - 0.006}, vec{h[0] - 0.012, b, 0.006}, 0.002, shade)
			put("board", vec{c[0], y, c[2] - h[2] + 0.006}, vec{h[0] - 0.012, b, 0.006}, 0.002, shade)
			put("board", vec{h[0] - 0.006, y, c[2]}, vec{0.006, b, h[2] - 0.012}, 0.002, shade*0.96)
		}
		for i := range n {
			z := c[2] - h[2] + (float64(i)+0.5)*2*h[2]/float64(n)
			put("board", vec{0, c[1] + h[1] - 0.004, z}, vec{h[0] - 0.006, 0.008, h[2]/float64(n) - 0.003}, 0.002, 0.86+0.14*hash2(i, 5, 9))
		}
		for _, z := range []float64{-1, 1} {
			put("timber", vec{h[0] - 0.010, c[1], c[2] + z*(h[2]-0.010)}, vec{0.018, h[1] + 0.004, 0.018}, 0.004, 1)
		}
	}
	crate(vec{0, 1.315, -0.175}, vec{0.210, 0.135, 0.180})
	crate(vec{0, 1.265, 0.180}, vec{0.180, 0.085, 0.150})
	// The roll lies across the smaller crate.
	var at []vec
	var r []float64
	for _, e := range [][2]float64{{-0.29, 0}, {-0.29, 0.046}, {-0.278, 0.060}, {-0.15, 0.066}, {0, 0.067}, {0.15, 0.066}, {0.278, 0.060}, {0.29, 0.046}, {0.29, 0}} {
		at, r = append(at, vec{e[0], 1.414, 0.180}), append(r, e[1])
	}
	s.tube("rug", 16, white, at, r)
	// A strap over the crate, down to the saddle, and one at either side of the roll.
	put("leather", vec{0, 1.456, -0.175}, vec{0.220, 0.006, 0.022}, 0.003, 1)
	put("leather", vec{0.218, 1.310, -0.175}, vec{0.006, 0.150, 0.022}, 0.003, 1)
	const x = 0.12
	s.tube("leather", 16, white, []vec{{x - 0.017, 1.414, 0.18}, {x - 0.016, 1.414, 0.18}, {x + 0.016, 1.414, 0.18}, {x + 0.017, 1.414, 0.18}}, []float64{0.06, 0.0715, 0.0715, 0.06})
	put("leather", vec{x, 1.265, 0.334}, vec{0.016, 0.088, 0.005}, 0.003, 1)
	put("leather", vec{x, 1.352, 0.255}, vec{0.016, 0.005, 0.084}, 0.003, 1)
	out.carry(s, "load", map[string]string{"linen": "linen", "leather": "leather", "brass": "brass", "board": "board", "timber": "timber", "rug": "canvas"})
}
