package main

import "math"

// pose is one moment: local rotations of all joints, and where the hips are.
type pose struct {
	turn []quat
	hips vec // relative to root, as the hips joint's translation
}

func (s *skinned) rest() pose {
	p := pose{turn: make([]quat, len(s.joints)), hips: s.joints[1].pos}
	for i := range p.turn {
		p.turn[i] = noTurn
	}
	return p
}

// model returns each joint's rotation and place in model space.
func (s *skinned) model(p pose) ([]quat, []vec) {
	rot, at := make([]quat, len(s.joints)), make([]vec, len(s.joints))
	for i, j := range s.joints {
		if j.parent < 0 {
			rot[i], at[i] = p.turn[i], j.pos
			continue
		}
		offset := j.pos.sub(s.joints[j.parent].pos)
		if i == 1 {
			offset = p.hips
		}
		rot[i] = rot[j.parent].mul(p.turn[i]).unit()
		at[i] = at[j.parent].add(rot[j.parent].rotate(offset))
	}
	return rot, at
}

// place is where a vertex lies in a pose given in model space.
func (s *skinned) place(v vertex, rot []quat, at []vec) vec {
	var p vec
	for _, i := range v.on {
		if i.weight > 0 {
			p = p.add(rot[i.joint].rotate(v.pos.sub(s.joints[i.joint].pos)).add(at[i.joint]).mul(i.weight))
		}
	}
	return p
}

// aim is the rotation that takes the rest direction of a leg's bone, and the
// side its knee hinges about (+X), to a new direction and side.
func aim(restDir, dir, side vec) quat {
	basis := func(d, x vec) quat {
		y := d.unit().mul(-1)
		x = x.sub(y.mul(x.dot(y))).unit()
		return frameQuat(x, y, x.cross(y))
	}
	return basis(dir, side).mul(basis(restDir, vec{1, 0, 0}).inv()).unit()
}

// reach sets thigh and calf (side "_l" or "_r") so that the ankle comes to goal
// with the knee toward forward, and turns the foot to foot, both in model space.
// It returns how much of the leg's length is used; above 1 the goal is out of reach.
func (s *skinned) reach(p *pose, side string, goal, forward vec, foot quat) float64 {
	return s.reachLeg(p, s.index["thigh"+side], s.index["calf"+side], s.index["foot"+side], goal, forward, foot)
}

// reachLeg is reach by the leg's joints. A forward that looks back bends the knee
// backward.
func (s *skinned) reachLeg(p *pose, th, ca, fo int, goal, forward vec, foot quat) float64 {
	rot, at := s.model(*p)
	hip, hips := at[th], rot[s.joints[th].parent]
	rest := func(i int) vec { return s.joints[i].pos }
	upper, lower := rest(ca).sub(rest(th)), rest(fo).sub(rest(ca))
	a, b := upper.len(), lower.len()
	d := goal.sub(hip)
	used := d.len() / (a + b)
	l := clamp(d.len(), 0.2, (a+b)*0.9995)
	u := d.unit()
	f := forward.sub(u.mul(forward.dot(u))).unit()
	cos := (a*a + l*l - b*b) / (2 * a * l)
	knee := hip.add(u.mul(a * cos)).add(f.mul(a * math.Sqrt(max(0, 1-cos*cos))))
	ankle := hip.add(u.mul(l))
	hinge := f.cross(u) // both bones lie across it, however far the knee bends
	if forward[2] < 0 {
		hinge = hinge.mul(-1)
	}
	g := aim(upper, knee.sub(hip), hinge)
	c := aim(lower, ankle.sub(knee), hinge)
	p.turn[th] = hips.inv().mul(g).unit()
	p.turn[ca] = g.inv().mul(c).unit()
	p.turn[fo] = c.inv().mul(foot).unit()
	return used
}
