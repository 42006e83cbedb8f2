package main

import "fmt"

// planned is a preview and what to fill it with.
type planned struct {
	shot shot
	make func() ([]triangle, error)
}

// shots lists the previews: the mannequin from several sides and moments, then
// the house and the props.
func shots(files map[string][]byte) []planned {
	var out []planned
	read := func(name string) *document {
		d, err := readGLB(files[name])
		if err != nil {
			return nil
		}
		return d
	}
	figure := read("mannequin.glb")
	// A row of the figure at moments of a clip, turned by degrees.
	row := func(anim int, moments int, degrees, pitch float64) func() ([]triangle, error) {
		return func() ([]triangle, error) {
			all := floorTriangles(0, 0.5)
			for i := range moments {
				t := 0.0
				if anim >= 0 {
					s := figure.Animations[anim].Samplers[0]
					times, _, err := figure.read(s.Input)
					if err != nil {
						return nil, err
					}
					t = times[len(times)-1] * float64(i) / float64(moments)
				}
				x := pitch * (float64(i) - float64(moments-1)/2)
				tris, err := figure.triangles(anim, t, nil, rotY(degrees), vec{x, 0, 0})
				if err != nil {
					return nil, err
				}
				all = append(all, tris...)
			}
			return all, nil
		}
	}
	if figure != nil {
		out = append(out,
			planned{shot{name: "rest-front", eye: vec{0, 1.2, 4.2}, look: vec{0, 0.9, 0}, fov: 27, width: 1000, height: 1000}, row(-1, 1, 0, 0)},
			planned{shot{name: "rest-back", eye: vec{0, 1.2, 4.2}, look: vec{0, 0.9, 0}, fov: 27, width: 1000, height: 1000}, row(-1, 1, 155, 0)},
			planned{shot{name: "hand", eye: vec{0.95, 1.75, 0.42}, look: vec{0.77, 1.44, 0}, fov: 27, width: 700, height: 600}, row(-1, 1, 0, 0)},
			planned{shot{name: "head", eye: vec{0.35, 1.72, 1.3}, look: vec{0, 1.56, 0}, fov: 28, width: 700, height: 700}, row(-1, 1, 0, 0)},
			planned{shot{name: "foot", eye: vec{0.55, 0.40, 0.75}, look: vec{0.1, 0.15, 0.02}, fov: 36, width: 700, height: 600}, row(-1, 1, 0, 0)},
		)
		for a, name := range []string{"idle", "walk", "run"} {
			n, gap := 6, 1.25
			if a == 0 {
				n, gap = 2, 1.0
			}
			w := 1500
			out = append(out,
				planned{shot{name: name + "-side", eye: vec{0, 1.0, 13}, look: vec{0, 0.88, 0}, fov: 9.5, width: w, height: 430}, row(a, n, 90, gap)},
				planned{shot{name: name + "-front", eye: vec{0, 1.1, 13}, look: vec{0, 0.88, 0}, fov: 9.5, width: w, height: 430}, row(a, n, 18, gap*0.85)},
			)
		}
		out = append(out, planned{shot{name: "run-close", eye: vec{1.5, 1.2, 2.4}, look: vec{0, 0.95, 0}, fov: 40, width: 640, height: 800}, row(2, 1, 0, 0)}, planned{shot{name: "hand-idle", eye: vec{0.75, 0.95, 0.55}, look: vec{0.24, 0.82, 0.02}, fov: 34, width: 640, height: 600}, row(0, 1, 0, 0)}, planned{shot{name: "idle-close", eye: vec{0.7, 1.35, 2.6}, look: vec{0, 0.98, 0}, fov: 40, width: 800, height: 1000}, row(0, 1, 0, 0)})
		for i := range 3 {
			t := float64(i) / 3
			out = append(out, planned{shot{name: fmt.Sprintf("walk-close-%d", i), eye: vec{1.3, 1.2, 2.3}, look: vec{0, 0.92, 0}, fov: 40, width: 640, height: 800},
				func() ([]triangle, error) {
					tris, err := figure.triangles(1, t, nil, noTurn, vec{})
					return append(tris, floorTriangles(0, 0.5)...), err
				}})
		}
	}
	house, props := read("house.glb"), read("props.glb")
	if house == nil || props == nil {
		return out
	}
	type put struct {
		d    *document
		name string
		turn float64
		at   vec
	}
	stage := func(puts ...put) func() ([]triangle, error) {
		return func() ([]triangle, error) {
			var all []triangle
			for _, p := range puts {
				tris, err := p.d.triangles(-1, 0, func(n string) bool { return p.name == "" || n == p.name }, rotY(p.turn), p.at)
				if err != nil {
					return nil, err
				}
				all = append(all, tris...)
			}
			return all, nil
		}
	}
	var yard []put
	yard = append(yard, put{props, "ground", 0, vec{}}, put{house, "house", 0, vec{}}, put{house, "door", 0, vec{}},
		put{props, "path", 0, vec{doorLeft + doorWide/2, 0, houseFront + 0.62}},
		put{props, "tree", 0, vec{-4.6, 0, -0.8}}, put{props, "tree_small", 40, vec{4.4, 0, 1.4}}, put{props, "tree", 130, vec{6.2, 0, -5}},
		put{props, "bush", 0, vec{-2.0, 0, 3.05}}, put{props, "bush", 100, vec{-0.9, 0, 3.0}}, put{props, "bush", 30, vec{2.0, 0, 3.1}},
		put{props, "lantern", 20, vec{1.62, 0.0, 3.55}}, put{props, "bench", 0, vec{-1.1, 0, 4.0}},
		put{props, "flowers", 0, vec{-0.2, 0, 2.9}}, put{props, "rock", 0, vec{2.6, 0, 4.4}},
		put{props, "crate", 0, vec{3.0, 0.25, 3.0}}, put{props, "crate", 25, vec{3.1, 0.75, 3.05}}, put{props, "crate", -12, vec{3.65, 0.25, 3.3}})
	for i := range 3 {
		yard = append(yard, put{props, "fence", 0, vec{1.6 + 2*float64(i), 0, 6.2}}, put{props, "fence", 0, vec{-0.4 - 2*float64(i+1), 0, 6.2}})
	}
	for i := range 60 {
		x, z := -7+14*hash2(i, 3, 3), 2.8+5*hash2(i, 4, 3)
		if x > -0.2 && x < 1.6 {
			continue
		}
		yard = append(yard, put{props, "grass", 360 * hash2(i, 5, 3), vec{x, 0, z}})
	}
	scenes := []planned{
		{shot{name: "yard", eye: vec{4.8, 2.3, 11.0}, look: vec{0.3, 1.75, 0}, fov: 42, width: 1280, height: 800}, stage(yard...)},
		{shot{name: "house-front", eye: vec{2.2, 1.9, 8.6}, look: vec{0.2, 2.3, 0}, fov: 42, width: 1100, height: 900}, stage(yard...)},
		{shot{name: "house-door", eye: vec{1.6, 1.6, 5.6}, look: vec{0.5, 1.25, 2.2}, fov: 42, width: 900, height: 800}, stage(append(yard[:2:2], yard[3:]...)...)},
		{shot{name: "house-back", eye: vec{-7.5, 3.2, -7.0}, look: vec{0, 2.2, 0}, fov: 42, width: 1000, height: 800}, stage(yard[0], yard[1])},
		{shot{name: "props", eye: vec{0, 1.6, 4.2}, look: vec{0.2, 0.4, 0}, fov: 40, width: 1280, height: 700},
			stage(yard[0], put{props, "crate", 20, vec{-1.5, 0.25, 0}}, put{props, "fence", 0, vec{-1, 0, -1}}, put{props, "lantern", 15, vec{-0.6, 0, 0.8}}, put{props, "bench", -15, vec{0.5, 0, -0.2}},
				put{props, "rock", 0, vec{-0.9, 0, 0.1}}, put{props, "flowers", 0, vec{0.4, 0, 0.9}}, put{props, "grass", 0, vec{1.3, 0, 0.9}}, put{props, "bush", 0, vec{1.9, 0, -0.3}})},
	}
	return append(out, scenes...)
}
