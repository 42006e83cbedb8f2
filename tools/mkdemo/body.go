package main

import "math"

// The mannequin is one smooth body under panels: every part below is a field of
// rounded lumps in model space, written for the left half (x ≥ 0).

// jointDepth is how far the body's joints lie under its panels, metres.
const jointDepth = 0.0045

// bodyField is the torso, the left arm down to the wrist and the left leg.
func bodyField() field {
	torso := blend(
		lump{ball(vec{0, 1.305, -0.012}, vec{0.152, 0.195, 0.108}), 0},
		lump{ball(vec{0.064, 1.372, 0.046}, vec{0.092, 0.062, 0.050}), 0.075}, // breast
		lump{ball(vec{0.088, 1.325, -0.062}, vec{0.072, 0.135, 0.052}), 0.06}, // back
		lump{ball(vec{0.128, 1.275, -0.028}, vec{0.040, 0.120, 0.062}), 0.05}, // flank
		lump{cone(vec{0.025, 1.450, -0.022}, vec{0.168, 1.440, -0.020}, 0.056, 0.052), 0.06},
		lump{cone(vec{0.018, 1.520, -0.030}, vec{0.135, 1.462, -0.030}, 0.042, 0.034), 0.06}, // trapezius
		lump{ball(vec{0, 1.115, -0.002}, vec{0.135, 0.170, 0.094}), 0.07},
		lump{ball(vec{0, 0.965, -0.004}, vec{0.160, 0.105, 0.100}), 0.07},
		lump{ball(vec{0.074, 0.918, -0.062}, vec{0.082, 0.086, 0.068}), 0.04}, // seat
		lump{ball(vec{0, 0.880, 0.010}, vec{0.055, 0.062, 0.062}), 0.04},
	)
	leg := blend(
		lump{cone(vec{0.100, 0.890, -0.004}, vec{0.101, 0.540, 0.006}, 0.086, 0.054), 0},
		lump{ball(vec{0.108, 0.720, 0.026}, vec{0.064, 0.190, 0.060}), 0.04},
		lump{ball(vec{0.098, 0.700, -0.030}, vec{0.056, 0.150, 0.052}), 0.04},
		lump{ball(vec{0.100, 0.508, 0.006}, vec{0.053, 0.060, 0.055}), 0.05},
		lump{ball(vec{0.100, 0.512, 0.042}, vec{0.034, 0.040, 0.027}), 0.03}, // kneecap
		lump{cone(vec{0.101, 0.450, 0.000}, vec{0.104, 0.120, -0.018}, 0.047, 0.033), 0.05},
		lump{ball(vec{0.107, 0.365, -0.026}, vec{0.049, 0.115, 0.047}), 0.05}, // calf
		lump{ball(vec{0.097, 0.350, -0.014}, vec{0.042, 0.100, 0.044}), 0.04},
		lump{ball(vec{0.104, 0.098, -0.024}, vec{0.040, 0.040, 0.044}), 0.03},
		lump{ball(vec{0.104, 0.036, -0.048}, vec{0.036, 0.046, 0.040}), 0.03}, // heel
		lump{cone(vec{0.104, 0.082, -0.008}, vec{0.108, 0.034, 0.100}, 0.042, 0.034), 0.04},
		lump{cone(vec{0.104, 0.028, -0.045}, vec{0.106, 0.026, 0.090}, 0.036, 0.038), 0.03}, // midfoot
		lump{ball(vec{0.104, 0.020, 0.092}, vec{0.047, 0.034, 0.052}), 0.03},                // ball of the foot
		lump{ball(vec{0.109, 0.016, 0.142}, vec{0.044, 0.032, 0.054}), 0.02},                // toe box
	)
	// The sole is a sunk zone: cut as far below the ground as it will be sunk.
	sole := func(p vec) float64 { return smax(leg(p), -jointDepth-p[1], 0.012) }
	arm := blend(
		lump{cone(vec{0.190, 1.442, -0.016}, vec{0.455, 1.442, -0.022}, 0.051, 0.038), 0},
		lump{ball(vec{0.214, 1.446, -0.014}, vec{0.078, 0.062, 0.064}), 0.04}, // deltoid
		lump{ball(vec{0.345, 1.442, 0.002}, vec{0.085, 0.038, 0.038}), 0.03},  // biceps
		lump{ball(vec{0.330, 1.441, -0.036}, vec{0.095, 0.038, 0.034}), 0.03}, // triceps
		lump{ball(vec{0.468, 1.442, -0.022}, vec{0.044, 0.038, 0.040}), 0.03},
		lump{cone(vec{0.490, 1.442, -0.020}, vec{0.712, 1.440, -0.010}, 0.038, 0.027), 0.03},
		lump{ball(vec{0.545, 1.444, -0.012}, vec{0.085, 0.039, 0.044}), 0.04}, // forearm
	)
	cuff := func(p vec) float64 { return smax(arm(p), p[0]-0.709, 0.010) }
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		d := smin(torso(p), cuff(p), 0.045)
		return smin(d, sole(p), 0.035)
	}
}

// headField is the head with the neck that stands in the torso's collar.
func headField() field {
	skull := blend(
		lump{ball(vec{0, 1.680, -0.008}, vec{0.078, 0.100, 0.099}), 0},
		lump{ball(vec{0, 1.640, 0.018}, vec{0.066, 0.088, 0.076}), 0.04},
		lump{ball(vec{0, 1.598, 0.046}, vec{0.044, 0.042, 0.048}), 0.05}, // chin
	)
	neck := blend(
		lump{cone(vec{0, 1.440, -0.032}, vec{0, 1.620, -0.016}, 0.060, 0.054), 0},
		lump{ball(vec{0.030, 1.540, 0.000}, vec{0.024, 0.080, 0.030}), 0.03},
	)
	face := ball(vec{0, 1.655, -0.120}, vec{0.190, 0.240, 0.214}) // the plain of the face
	return func(p vec) float64 {
		p[0] = math.Abs(p[0])
		d := smax(skull(p), face(p), 0.020)
		return smin(d, smax(neck(p), 1.436-p[1], 0.01), 0.022)
	}
}

// palmField is the left hand without its fingers.
func palmField() field {
	f := blend(
		lump{squash(cone(vec{0.698, 1.440, -0.010}, vec{0.748, 1.4395, -0.007}, 0.0275, 0.0280), vec{0, 1.440, 0}, 1, 0.80), 0},
		lump{slab(vec{0.780, 1.4390, -0.0055}, vec{0.043, 0.0140, 0.0405}, 0.0135), 0.022},
		lump{cone(vec{0.744, 1.434, 0.010}, vec{0.766, 1.430, 0.036}, 0.0165, 0.0145), 0.014}, // ball of the thumb
		lump{ball(vec{0.765, 1.432, -0.030}, vec{0.034, 0.012, 0.014}), 0.012},
		lump{ball(vec{0.817, 1.442, 0.0265}, vec{0.011, 0.012, 0.0105}), 0.008},
		lump{ball(vec{0.822, 1.443, 0.0045}, vec{0.011, 0.012, 0.0105}), 0.008},
		lump{ball(vec{0.816, 1.442, -0.0170}, vec{0.011, 0.012, 0.0100}), 0.008},
		lump{ball(vec{0.805, 1.440, -0.0365}, vec{0.011, 0.011, 0.0095}), 0.008},
	)
	return f
}

// zone gives the part of a surface where in is positive a material of its own
// and sinks it by depth metres, so that panels stand proud of what joins them.
type zone struct {
	in       field
	material string
	depth    float64
}

// between is positive within half of the middle, in the unit of x.
func between(x, middle, half float64) float64 { return half - math.Abs(x-middle) }

func bodyZones() []zone {
	joints := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		d := -1.0
		if y > 1.25 {
			elbow := between(x, 0.468, 0.024+0.25*clamp(z+0.022, -0.03, 0.05))
			shoulder := between(x+0.30*(y-1.44), 0.146, 0.012)
			if y < 1.33 {
				shoulder = max(shoulder-(1.33-y), -1)
			}
			armpit := 0.046 - vec{x, y, z}.sub(vec{0.160, 1.362, -0.012}).len()
			collar := 0.072 - math.Hypot(x, (z+0.028)*1.05)
			collar = min(collar, (y-1.455)*0.8)
			d = max(d, elbow, shoulder, armpit, collar, x-0.698)
		}
		if x < 0.3 {
			front := ramp(-0.05, 0.05, z)
			top := mix(1.150, 1.195, front*ramp(0.13, 0.0, x))
			bottom := mix(1.085, 1.052, ramp(0.14, 0.0, x))
			waist := min(top-y, y-bottom)
			crease := mix(0.838+0.10*x, 0.842+0.80*x, ramp(-0.04, 0.05, z))
			groin := between(y, crease, 0.012)
			crotch := min(0.026-x, 0.905-y, (y-0.815)*0.7)
			d = max(d, waist, groin, crotch)
			half := mix(0.040, 0.056, ramp(-0.02, 0.03, z))
			knee := between(y, 0.508, half)
			cap := 0.036 - math.Hypot(x-0.100, (y-0.512)*0.85)
			if z > 0.01 {
				knee = min(knee, -cap)
			}
			ankle := between(y-0.55*z, 0.121, 0.016)
			if z > 0.05 {
				ankle = -1
			}
			toes := min(between(z, 0.106, 0.0075), 0.12-y)
			d = max(d, knee, ankle, toes, 0.021-y)
		}
		return d
	}
	accent := func(p vec) float64 {
		x, y, z := math.Abs(p[0]), p[1], p[2]
		band := min(between(x, 0.322, 0.008), y-1.25)
		chest := min(0.0085-math.Hypot(x, max(math.Abs(y-1.362)-0.020, 0)), z)
		calf := min(between(y, 0.438, 0.006), 0.3-x)
		return max(band, chest, calf)
	}
	return []zone{{joints, "joint", jointDepth}, {accent, "accent", 0.0008}}
}

func headZones() []zone {
	neck := func(p vec) float64 { return 1.588 - 0.36*p[2] - p[1] }
	visor := func(p vec) float64 {
		x, y := math.Abs(p[0]), p[1]-1.662
		w := 0.056 - 0.10*max(-y, 0)
		return min(0.012+(1-math.Pow(math.Pow(x/w, 2.6)+math.Pow(math.Abs(y)/0.064, 2.6), 1/2.6))*0.05-0.012, p[2]-0.02)
	}
	ear := func(p vec) float64 {
		return min(0.019-math.Hypot(p[1]-1.660, p[2]+0.008), math.Abs(p[0])-0.05)
	}
	return []zone{{neck, "joint", 0.003}, {visor, "visor", 0.0022}, {ear, "accent", 0.0015}}
}

func palmZones() []zone {
	grip := func(p vec) float64 {
		knuckle := p[0] - (0.812 - 3.2*(p[2]-0.004)*(p[2]-0.004))
		return max(0.735-p[0], knuckle, 1.4325-p[1])
	}
	return []zone{{grip, "joint", 0.0016}}
}
