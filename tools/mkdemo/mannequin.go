package main

import (
	"maps"
	"math"
	"slices"
)

// vertex is a finished vertex of the mannequin in its rest pose.
type vertex struct {
	pos, nrm vec
	light    float64 // baked shade, 1 where nothing is near
	on       [4]influence
}

// skinned is a figure: its mesh by material, and its joints.
type skinned struct {
	name   string
	looks  map[string]obj // materials
	small  bool           // weights are written as bytes, a quarter of floats
	joints []joint
	turns  []quat // each joint's rest rotation in model space; nil where none is turned
	index  map[string]int
	order  []string // materials
	verts  map[string][]vertex
	tris   map[string][][3]int
	soles  map[string][]vertex // by side, for standing
}

// sculpted is one body of a figure: a field, the box and cell size it is meshed
// with, and its panels. With half only x ≥ 0 is meshed.
type sculpted struct {
	f      field
	lo, hi vec
	h      float64
	half   bool
	zones  []zone
	part   string
}

func buildMannequin() *skinned {
	out := sheets{}
	body, head, palm := bodyField(), headField(), palmField()
	for _, m := range []sculpted{
		{body, vec{0, -0.03, -0.22}, vec{0.75, 1.60, 0.26}, 0.0235, true, bodyZones(), "body"},
		{head, vec{0, 1.42, -0.16}, vec{0.13, 1.82, 0.18}, 0.0160, true, headZones(), "head"},
		{palm, vec{0.66, 1.40, -0.07}, vec{0.86, 1.48, 0.07}, 0.0090, false, palmZones(), "palm"},
	} {
		carve(m.f, polygonise(m.f, m.lo, m.hi, m.h, m.half), m.zones, m.h, m.part, out)
	}
	for _, d := range digits {
		lofted(d, out)
	}
	all := func(p vec) float64 { return min(body(p), head(p), palm(vec{math.Abs(p[0]), p[1], p[2]})) }
	s := assemble("mannequin", mannequinJoints(), mannequinMaterials, out, all, weigh)
	s.soles = map[string][]vertex{"_l": s.soleVertices("_l"), "_r": s.soleVertices("_r")}
	return s
}

// assemble binds the sheets of a figure's left half to its joints, shades them by
// what is near, and adds the right half.
func assemble(name string, joints []joint, looks map[string]obj, out sheets, all field,
	weigh func(part string, p vec, index map[string]int) [4]influence) *skinned {
	s := &skinned{name: name, looks: looks, joints: joints, verts: map[string][]vertex{}, tris: map[string][][3]int{}}
	s.index = jointIndex(s.joints)
	other := otherSide(s.joints)
	s.order = slices.Sorted(maps.Keys(out))
	for _, material := range s.order {
		sh := out[material]
		// Hands are left as they are: the field of a whole body is not theirs.
		var vs []vertex
		for _, c := range sh.at {
			v := vertex{pos: c.pos, nrm: c.nrm, light: c.light, on: weigh(c.part, c.rest, s.index)}
			v.light *= occlusion(all, c.rest, c.nrm)
			if c.pos[0] == 0 {
				v.on = centred(v.on, other)
			}
			vs = append(vs, v)
		}
		tris := windOut(vs, sh.tri)
		twin := make([]int, len(vs))
		for i := range len(vs) {
			v := vs[i]
			if v.pos[0] == 0 {
				twin[i] = i
				continue
			}
			twin[i] = len(vs)
			v.pos, v.nrm = v.pos.mirror(), v.nrm.mirror()
			for k := range v.on {
				if v.on[k].weight > 0 {
					v.on[k].joint = other[v.on[k].joint]
				}
			}
			vs = append(vs, v)
		}
		for _, t := range tris[:len(tris):len(tris)] {
			tris = append(tris, [3]int{twin[t[0]], twin[t[2]], twin[t[1]]})
		}
		s.verts[material], s.tris[material] = vs, tris
	}
	return s
}

// centred shares a middle vertex's weights evenly between left and right.
func centred(on [4]influence, other []int) [4]influence {
	for _, i := range on {
		if i.weight > 0 && other[i.joint] != i.joint {
			w := map[string]float64{}
			index := map[string]int{}
			for _, i := range on {
				for _, j := range [2]int{i.joint, other[i.joint]} {
					name := string(rune(j))
					index[name] = j
					w[name] += i.weight / 2
				}
			}
			return top4(w, index)
		}
	}
	return on
}

// windOut turns each triangle so that it faces the way its normals point, and
// drops those without area.
func windOut(vs []vertex, tris [][3]int) [][3]int {
	var out [][3]int
	for _, t := range tris {
		a, b, c := vs[t[0]], vs[t[1]], vs[t[2]]
		n := b.pos.sub(a.pos).cross(c.pos.sub(a.pos))
		if n.len() < 1e-9 {
			continue
		}
		if n.dot(a.nrm.add(b.nrm).add(c.nrm)) < 0 {
			t[1], t[2] = t[2], t[1]
		}
		out = append(out, t)
	}
	return out
}

// occlusion is how much sky a point of the surface sees near it, from the field
// along its normal (Evans 2006, "Fast approximations for global illumination").
func occlusion(f field, p, n vec) float64 {
	sum, scale := 0.0, 1.0
	for i := range 4 {
		d := 0.008 + 0.022*float64(i)
		sum += scale * clamp(d-f(p.add(n.mul(d))), 0, d)
		scale *= 0.7
	}
	return clamp(1-4.5*sum, 0.45, 1)
}

// Base colours are linear reflectances.
var mannequinMaterials = map[string]obj{
	"shell":  pbr("shell", [3]float64{0.56, 0.57, 0.575}, 0.42, 0),
	"joint":  pbr("joint", [3]float64{0.040, 0.042, 0.047}, 0.62, 0),
	"accent": pbr("accent", [3]float64{0.70, 0.175, 0.022}, 0.38, 0),
	"visor":  pbr("visor", [3]float64{0.018, 0.022, 0.028}, 0.14, 0),
}

// pbr is a metallic-roughness material without textures.
func pbr(name string, c [3]float64, rough, metal float64) obj {
	return obj{"name": name, "pbrMetallicRoughness": obj{
		"baseColorFactor": [4]float64{c[0], c[1], c[2], 1}, "roughnessFactor": rough, "metallicFactor": metal,
	}}
}

// turned is a joint's rest rotation in model space.
func (s *skinned) turned(joint int) quat {
	if s.turns == nil {
		return noTurn
	}
	return s.turns[joint]
}

// shares are weights in steps of 1/255 that sum to 1.
func shares(on [4]influence) [4]uint8 {
	var out [4]uint8
	left := 255
	for k, i := range on {
		out[k] = uint8(math.Round(i.weight * 255))
		left -= int(out[k])
	}
	out[0] = uint8(int(out[0]) + left) // the greatest takes the rounding
	return out
}

func (s *skinned) write(clips []clip) ([]byte, error) {
	g := &glb{}
	var prims []obj
	for _, material := range s.order {
		var pos, nrm []vec
		var colour, joints [][4]uint8
		var weights []float32
		var bytes [][4]uint8
		for _, v := range s.verts[material] {
			pos, nrm = append(pos, v.pos), append(nrm, v.nrm)
			l := uint8(math.Round(v.light * 255))
			colour = append(colour, [4]uint8{l, l, l, 255})
			var j [4]uint8
			for k, i := range v.on {
				if i.weight > 0 {
					j[k] = uint8(i.joint)
				}
				weights = append(weights, float32(i.weight))
			}
			joints = append(joints, j)
			bytes = append(bytes, shares(v.on))
		}
		var idx []int
		for _, t := range s.tris[material] {
			idx = append(idx, t[0], t[1], t[2])
		}
		g.materials = append(g.materials, s.looks[material])
		attributes := obj{
			"POSITION": g.floats(flat(pos), "VEC3", 3, targetVertices, true),
			"NORMAL":   g.floats(flat(nrm), "VEC3", 3, targetVertices, false),
			"COLOR_0":  g.bytes4(colour, true),
			"JOINTS_0": g.bytes4(joints, false),
		}
		if s.small {
			attributes["WEIGHTS_0"] = g.bytes4(bytes, true)
		} else {
			attributes["WEIGHTS_0"] = g.floats(weights, "VEC4", 4, targetVertices, false)
		}
		prims = append(prims, obj{"attributes": attributes, "indices": g.indices(idx), "material": len(g.materials) - 1})
	}
	g.meshes = []obj{{"name": s.name, "primitives": prims}}
	g.node(obj{"name": s.name, "mesh": 0, "skin": 0}, true)
	first := len(g.nodes)
	var bind []float32
	var list []int
	for i, j := range s.joints {
		o := obj{"name": j.name}
		p, q := j.pos, s.turned(i)
		back := q.inv()
		if j.parent >= 0 {
			up := s.turned(j.parent).inv()
			p, q = up.rotate(p.sub(s.joints[j.parent].pos)), up.mul(q).unit()
		}
		if s.turns != nil {
			o["rotation"] = [4]float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}
		}
		if p != (vec{}) {
			o["translation"] = flat([]vec{p})
		}
		var kids []int
		for k, c := range s.joints {
			if c.parent == i {
				kids = append(kids, first+k)
			}
		}
		if len(kids) > 0 {
			o["children"] = kids
		}
		g.node(o, j.parent < 0)
		list = append(list, first+i)
		origin := j.pos.mul(-1)
		if s.turns != nil {
			origin = back.rotate(origin)
		}
		for axis := range 3 {
			var e vec
			e[axis] = 1
			bind = append(append(bind, flat([]vec{back.rotate(e)})...), 0)
		}
		bind = append(append(bind, flat([]vec{origin})...), 1)
	}
	g.skins = []obj{{"name": s.name, "joints": list, "skeleton": first,
		"inverseBindMatrices": g.floats(bind, "MAT4", 16, 0, false)}}
	for _, c := range clips {
		g.animations = append(g.animations, c.write(g, s, first))
	}
	return g.encode()
}
