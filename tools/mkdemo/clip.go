package main

// clip is a loop sampled at keysPerSecond; its last key equals its first.
type clip struct {
	name  string
	speed float64 // m/s at which the root must move for the feet to stand
	keys  []pose
}

const keysPerSecond = 30

// sampled builds a clip of n intervals from a pose as a function of phase in [0, 1).
func sampled(name string, speed float64, n int, at func(phase float64) pose) clip {
	c := clip{name: name, speed: speed}
	for i := range n {
		c.keys = append(c.keys, at(float64(i)/float64(n)))
	}
	first := c.keys[0]
	c.keys = append(c.keys, pose{turn: append([]quat{}, first.turn...), hips: first.hips})
	// Neighbouring keys on the same half of the sphere, so that plain lerp works too.
	for j := range first.turn {
		for i := range c.keys {
			q := c.keys[i].turn[j]
			if (i == 0 && q[3] < 0) || (i > 0 && q.dot(c.keys[i-1].turn[j]) < 0) {
				c.keys[i].turn[j] = quat{-q[0], -q[1], -q[2], -q[3]}
			}
		}
	}
	return c
}

// turns says whether the clip ever turns a joint.
func (c clip) turns(joint int) bool {
	for _, k := range c.keys {
		if k.turn[joint] != noTurn {
			return true
		}
	}
	return false
}

// write adds the clip as a glTF animation: rotations of every joint that has a
// child to turn or is turned itself, and the hips' translation.
func (c clip) write(g *glb, s *skinned, firstNode int) obj {
	times := make([]float32, len(c.keys))
	for i := range times {
		times[i] = float32(float64(i) / keysPerSecond)
	}
	input := g.floats(times, "SCALAR", 1, 0, true)
	var samplers, channels []obj
	add := func(node int, path string, output int) {
		samplers = append(samplers, obj{"input": input, "output": output, "interpolation": "LINEAR"})
		channels = append(channels, obj{"sampler": len(samplers) - 1, "target": obj{"node": node, "path": path}})
	}
	var hips []vec
	for _, k := range c.keys {
		hips = append(hips, k.hips)
	}
	add(firstNode+1, "translation", g.floats(flat(hips), "VEC3", 3, 0, false))
	leaf := make([]bool, len(s.joints))
	for i := range leaf {
		leaf[i] = true
	}
	for _, j := range s.joints {
		if j.parent >= 0 {
			leaf[j.parent] = false
		}
	}
	for j := 1; j < len(s.joints); j++ {
		if leaf[j] && !c.turns(j) {
			continue
		}
		var out []float32
		for _, k := range c.keys {
			q := k.turn[j]
			out = append(out, float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3]))
		}
		add(firstNode+j, "rotation", g.floats(out, "VEC4", 4, 0, false))
	}
	return obj{"name": c.name, "samplers": samplers, "channels": channels, "extras": obj{"speed_m_s": c.speed}}
}
