package main

import "math"

// gait describes one way of going forward in place. Phase runs from one contact
// of the left foot to the next; the right foot follows half a cycle later.
type gait struct {
	speed    float64 // m/s
	keys     int     // a cycle is keys/30 s
	stance   float64 // share of the cycle that a foot stands; whole keys, so that it leaves on one
	lead     float64 // m the ankle is ahead of the hips when a flat foot would land
	strike   float64 // degrees the toes are up at contact
	flatAt   float64 // share of stance at which the foot is flat
	heelOff  float64 // share of stance at which the heel rises
	toeOff   float64 // degrees the heel is up as the toes leave
	width    float64 // m from the middle to each ankle
	toeOut   float64 // degrees
	via      []via   // ankle in swing
	bob      float64 // m the hips rise and fall, either way
	bobPhase float64 // phase at which they are lowest
	crouch   float64 // the leg's length used at most
	sway     float64 // m sideways to the standing leg
	yaw      float64 // degrees the pelvis turns either way
	list     float64 // degrees the pelvis drops to the swinging leg
	lean     float64 // degrees forward
	counter  float64 // degrees the chest turns against the pelvis
	arm      float64 // degrees the upper arm swings either way
	armBack  float64 // degrees the middle of that swing is behind the body
	elbow    float64 // degrees of bend in the middle of the swing
	elbowAdd float64 // degrees more in front, less behind
	curl     float64 // degrees of the fingers' first joint
	spread   float64 // degrees the arms stand off
}

// via is a point that the ankle passes in swing: when, as a share of swing;
// where, relative to the hips' ground point; and how far the heel is up.
type via struct{ t, z, y, pitch float64 }

var walking = gait{
	speed: 1.4, keys: 30, stance: 18.0 / 30, lead: 0.290, strike: 20, flatAt: 0.17, heelOff: 0.42, toeOff: 58,
	width: 0.068, toeOut: 5,
	via: []via{{0.34, -0.20, 0.225, 42}, {0.68, 0.17, 0.150, -2}},
	bob: 0.0135, bobPhase: 0.060, crouch: 0.995, sway: 0.017, yaw: 5.5, list: 3.2, lean: 2.0, counter: 6,
	arm: 22, armBack: 3, elbow: 20, elbowAdd: 11, curl: 20, spread: 9,
}

var running = gait{
	speed: 3.75, keys: 22, stance: 7.0 / 22, lead: 0.325, strike: 6, flatAt: 0.20, heelOff: 0.44, toeOff: 52,
	width: 0.050, toeOut: 3,
	via: []via{{0.30, -0.52, 0.440, 84}, {0.56, -0.05, 0.400, 40}, {0.80, 0.335, 0.185, -6}},
	bob: 0.021, bobPhase: 0.150, crouch: 0.990, sway: 0.008, yaw: 8, list: 3.5, lean: 6.5, counter: 12,
	arm: 36, armBack: 12, elbow: 84, elbowAdd: 14, curl: 38, spread: 9,
}

func (g gait) duration() float64 { return float64(g.keys) / keysPerSecond }

// sole is where one foot is at a time: its ankle in model space were the ground
// flat under it, its pitch, and the pitch its toes keep against the foot.
type sole struct {
	ankle      vec
	pitch, toe float64 // degrees; heel up is positive
	standing   bool
	clear      float64 // m the lowest vertex is kept above the ground in swing
}

// stand is the left foot at share u of its stance. A little outside [0, 1] it
// goes on, which gives the slopes that swing must meet.
func (g gait) stand(u float64) sole {
	flat := vec{g.width, ankleAt[1], g.lead - g.speed*g.duration()*g.stance*u}
	s := sole{standing: true}
	heel := vec{0, -ankleAt[1], -0.052 - ankleAt[2]}
	ball := toeAt.sub(ankleAt)
	out := rotY(g.toeOut)
	switch {
	case u < g.flatAt:
		v := 1 - u/g.flatAt
		s.pitch = -g.strike * v * v
		s.ankle = flat.add(out.rotate(heel.sub(rotX(s.pitch).rotate(heel))))
	case u < g.heelOff:
		s.ankle = flat
	default:
		v := (u - g.heelOff) / (1 - g.heelOff)
		s.pitch = g.toeOff * math.Pow(v, 1.9)
		s.toe = -s.pitch
		s.ankle = flat.add(out.rotate(ball.sub(rotX(s.pitch).rotate(ball))))
	}
	return s
}

// step is the left foot at a phase of the whole cycle.
func (g gait) step(phase float64) sole {
	phase -= math.Floor(phase)
	if phase < g.stance {
		return g.stand(phase / g.stance)
	}
	t := (phase - g.stance) / (1 - g.stance)
	// Swing is a spline through its via points that meets stance with its slopes.
	type knot struct{ t, x, z, y, pitch float64 }
	of := func(t float64, s sole) knot { return knot{t, s.ankle[0], s.ankle[2], s.ankle[1], s.pitch} }
	rate := g.stance / (1 - g.stance)
	const e = 0.01
	ks := []knot{of(0, g.stand(1))}
	for _, v := range g.via {
		ks = append(ks, knot{v.t, g.width, v.z, v.y, v.pitch})
	}
	ks = append(ks, of(1, g.stand(0)))
	before, after := of(-e*g.stance/(1-g.stance), g.stand(1-e)), of(1+e*rate, g.stand(e))
	slope := func(a, b knot) knot {
		d := b.t - a.t
		return knot{0, (b.x - a.x) / d, (b.z - a.z) / d, (b.y - a.y) / d, (b.pitch - a.pitch) / d}
	}
	tangent := func(i int) knot {
		switch i {
		case 0:
			return slope(before, ks[0])
		case len(ks) - 1:
			// The foot comes down, rather than skim the ground until it stands.
			end := slope(ks[i], after)
			end.y = 0.5 * slope(ks[i-1], ks[i]).y
			return end
		}
		return slope(ks[i-1], ks[i+1])
	}
	i := 0
	for i < len(ks)-2 && t > ks[i+1].t {
		i++
	}
	a, b := ks[i], ks[i+1]
	ta, tb := tangent(i), tangent(i+1)
	d := b.t - a.t
	x := (t - a.t) / d
	hermite := func(p, m, q, n float64) float64 {
		x2, x3 := x*x, x*x*x
		return (2*x3-3*x2+1)*p + (x3-2*x2+x)*d*m + (3*x2-2*x3)*q + (x3-x2)*d*n
	}
	return sole{
		ankle: vec{hermite(a.x, ta.x, b.x, tb.x), hermite(a.y, ta.y, b.y, tb.y), hermite(a.z, ta.z, b.z, tb.z)},
		pitch: hermite(a.pitch, ta.pitch, b.pitch, tb.pitch),
		clear: 0.002 + 0.015*ramp(0, 0.07, t)*ramp(1, 0.9, t),
		toe:   -g.toeOff*ramp(0.30, 0, t)*0.999 + -8*ramp(0.45, 0.75, t)*ramp(1.0, 0.78, t),
	}
}

// pose is the whole body at a phase. height is the hips' mean height.
func (g gait) pose(s *skinned, phase, height float64) (pose, float64) {
	p := s.rest()
	wave := func(harmonic, peak float64) float64 { return math.Cos(2 * math.Pi * harmonic * (phase - peak)) }
	set := func(name string, q quat) { p.turn[s.index[name]] = q }

	mid := g.stance * 0.42 // the left foot passes under the body
	p.hips = vec{g.sway * wave(1, mid), height - g.bob*wave(2, g.bobPhase), 0.006 * wave(2, g.bobPhase+0.12)}
	yaw, list := -g.yaw*wave(1, 0.02), g.list*wave(1, mid-0.06)
	pelvis := rotY(yaw).mul(rotX(g.lean * 0.8)).mul(rotZ(list))
	set("hips", pelvis)
	// The chest turns against the pelvis and stays level; the head looks ahead.
	chest := g.counter * wave(1, 0.03)
	third := func(share float64) quat {
		return rotY((chest - yaw) * share).mul(rotZ(-list * share * 1.1)).mul(rotX(g.lean * 0.5 * share))
	}
	set("spine_01", third(0.26))
	set("spine_02", third(0.36))
	set("spine_03", third(0.38))
	level := rotX(-g.lean*1.05 + 1.2*wave(2, g.bobPhase+0.1))
	set("neck", rotY(-chest*0.45).mul(level).mul(rotX(g.lean*0.1)))
	set("head", rotY(-chest*0.50))

	s.arm(&p, "_l", g, wave(1, 0.49))
	s.arm(&p, "_r", g, wave(1, -0.01))

	most := 0.0
	for i, side := range []string{"_l", "_r"} {
		f := g.step(phase + 0.5*float64(i))
		out := 1 - 2*float64(i)
		f.ankle[0] *= out
		foot := rotY(out * g.toeOut).mul(rotX(f.pitch))
		set("toe"+side, rotX(f.toe))
		knee := rotY(out * g.toeOut * 1.2).rotate(vec{0, 0, 1})
		goal := f.ankle
		for range 3 {
			used := s.reach(&p, side, goal, knee, foot)
			// Stand on the skinned sole, not on a formula: lift or lower until its
			// lowest vertex touches the ground.
			low := s.lowest(p, side)
			if f.standing || low < f.clear {
				goal[1] += f.clear - low
				continue
			}
			most = max(most, used)
			break
		}
		most = max(most, s.reach(&p, side, goal, knee, foot))
	}
	return p, most
}

// arm hangs one arm and swings it: forward is 1 in front, -1 behind.
func (s *skinned) arm(p *pose, side string, g gait, forward float64) {
	set := func(name string, q quat) {
		if side == "_r" {
			q = q.mirror()
		}
		p.turn[s.index[name+side]] = q
	}
	swing := g.armBack - g.arm*forward
	set("clavicle", rotY(-3.5*forward).mul(rotZ(-5)))
	set("upperarm", rotX(swing).mul(rotZ(-85+g.spread)).mul(rotX(-5)))
	set("lowerarm", rotY(-(g.elbow + g.elbowAdd*forward)).mul(rotX(16)))
	set("hand", rotX(7).mul(rotZ(-5)).mul(rotY(4)))
	s.fingers(p, side, g.curl)
}

// fingers curls a hand: degrees at the first joints, more at the next.
func (s *skinned) fingers(p *pose, side string, curl float64) {
	for i, d := range digits {
		share := 0.8 + 0.1*float64(i)
		axis := d.dir.unit().cross(vec{0, -1, 0}).unit()
		a := [3]float64{curl * share, curl * 1.25 * share, curl * 0.7 * share}
		if d.name == "thumb" {
			axis = vec{0.30, -0.78, -0.45}.unit()
			axis = axis.sub(d.dir.unit().mul(axis.dot(d.dir.unit()))).unit().mul(-1)
			a = [3]float64{-4 - curl*0.15, curl * 0.35, curl * 0.5}
		}
		for b, deg := range a {
			q := turn(axis, deg)
			if side == "_r" {
				q = q.mirror()
			}
			p.turn[s.index[d.name+[]string{"_01", "_02", "_03"}[b]+side]] = q
		}
	}
}

// soleVertices are those of one foot near the ground in the rest pose.
func (s *skinned) soleVertices(side string) []vertex {
	var out []vertex
	for _, m := range s.order {
		for _, v := range s.verts[m] {
			if v.pos[1] < 0.03 && (v.pos[0] > 0) == (side == "_l") {
				out = append(out, v)
			}
		}
	}
	return out
}

func (s *skinned) lowest(p pose, side string) float64 {
	rot, at := s.model(p)
	low := math.Inf(1)
	for _, v := range s.soles[side] {
		low = min(low, s.place(v, rot, at)[1])
	}
	return low
}

// clip samples the gait. The hips ride as high as the legs allow.
func (g gait) clip(s *skinned, name string) clip {
	lo, hi := 0.70, 1.0
	for range 18 {
		h := (lo + hi) / 2
		most := 0.0
		for i := range g.keys {
			_, used := g.pose(s, float64(i)/float64(g.keys), h)
			most = max(most, used)
		}
		if most > g.crouch {
			hi = h
		} else {
			lo = h
		}
	}
	return sampled(name, g.speed, g.keys, func(phase float64) pose {
		p, _ := g.pose(s, phase, lo)
		return p
	})
}

// idle stands, breathes, and shifts its weight once in four seconds.
func (s *skinned) idle() clip {
	g := gait{arm: 0, elbow: 14, curl: 22, spread: 9, armBack: 2}
	at := func(phase, height float64) (pose, float64) {
		p := s.rest()
		w := func(h, peak float64) float64 { return math.Cos(2 * math.Pi * h * (phase - peak)) }
		set := func(name string, q quat) { p.turn[s.index[name]] = q }
		shift, breath := w(1, 0.25), w(1, 0.5)
		p.hips = vec{0.013 * shift, height + 0.0015*breath, 0.004 * w(1, 0.6)}
		set("hips", rotZ(1.1*shift).mul(rotY(1.2*w(1, 0.1))))
		set("spine_01", rotZ(-0.6*shift).mul(rotX(0.4)))
		set("spine_02", rotZ(-0.4*shift).mul(rotX(-0.6*breath)))
		set("spine_03", rotX(-1.0*breath).mul(rotY(-0.9*w(1, 0.1))))
		set("neck", rotX(0.8*breath+1))
		set("head", rotX(0.6*breath).mul(rotY(2.4*w(1, 0.85))).mul(rotZ(-0.6*shift)))
		for i, side := range []string{"_l", "_r"} {
			s.arm(&p, side, g, 0.03*w(1, 0.4+0.1*float64(i)))
			q := rotZ(1.1 * breath)
			if side == "_r" {
				q = q.mirror()
			}
			j := s.index["clavicle"+side]
			p.turn[j] = p.turn[j].mul(q)
		}
		most := 0.0
		for i, side := range []string{"_l", "_r"} {
			out := 1 - 2*float64(i)
			foot := rotY(out * 9)
			goal := vec{out * 0.105, ankleAt[1], ankleAt[2] + 0.008 - 0.016*float64(i)}
			for range 3 {
				s.reach(&p, side, goal, rotY(out*11).rotate(vec{0, 0, 1}), foot)
				goal[1] -= s.lowest(p, side)
			}
			most = max(most, s.reach(&p, side, goal, rotY(out*11).rotate(vec{0, 0, 1}), foot))
		}
		return p, most
	}
	const n = 4 * keysPerSecond
	lo, hi := 0.8, 1.0
	for range 18 {
		h, most := (lo+hi)/2, 0.0
		for i := range n / 4 {
			_, used := at(float64(i)*4/n, h)
			most = max(most, used)
		}
		if most > 0.992 {
			hi = h
		} else {
			lo = h
		}
	}
	return sampled("idle", 0, n, func(phase float64) pose {
		p, _ := at(phase, lo)
		return p
	})
}
