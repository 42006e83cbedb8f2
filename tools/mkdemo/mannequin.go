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

// skinned is the mannequin: its mesh by material, and its joints.
type skinned struct {
	joints []joint
	index  map[string]int
	order  []string // materials
	verts  map[string][]vertex
	tris   map[string][][3]int
	soles  map[string][]vertex // by side, for standing
}

func buildMannequin() *skinned {
	out := sheets{}
	body, head, palm := bodyField(), headField(), palmField()
	for _, m := range []struct {
		f      field
		lo, hi vec
		h      float64
		half   bool
		zones  []zone
		part   string
	}{
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

	s := &skinned{joints: mannequinJoints(), verts: map[string][]vertex{}, tris: map[string][][3]int{}}
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
	s.soles = map[string][]vertex{"_l": s.soleVertices("_l"), "_r": s.soleVertices("_r")}
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

func (s *skinned) write(clips []clip) ([]byte, error) {
	g := &glb{}
	var prims []obj
	for _, material := range s.order {
		var pos, nrm []vec
		var colour, joints [][4]uint8
		var weights []float32
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
		}
		var idx []int
		for _, t := range s.tris[material] {
			idx = append(idx, t[0], t[1], t[2])
		}
		g.materials = append(g.materials, mannequinMaterials[material])
		prims = append(prims, obj{
			"attributes": obj{
				"POSITION":  g.floats(flat(pos), "VEC3", 3, targetVertices, true),
				"NORMAL":    g.floats(flat(nrm), "VEC3", 3, targetVertices, false),
				"COLOR_0":   g.bytes4(colour, true),
				"JOINTS_0":  g.bytes4(joints, false),
				"WEIGHTS_0": g.floats(weights, "VEC4", 4, targetVertices, false),
			},
			"indices": g.indices(idx), "material": len(g.materials) - 1,
		})
	}
	g.meshes = []obj{{"name": "mannequin", "primitives": prims}}
	g.node(obj{"name": "mannequin", "mesh": 0, "skin": 0}, true)
	first := len(g.nodes)
	var bind []float32
	var list []int
	for i, j := range s.joints {
		o := obj{"name": j.name}
		p := j.pos
		if j.parent >= 0 {
			p = p.sub(s.joints[j.parent].pos)
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
		bind = append(bind, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0,
			float32(-j.pos[0]), float32(-j.pos[1]), float32(-j.pos[2]), 1)
	}
	g.skins = []obj{{"name": "mannequin", "joints": list, "skeleton": first,
		"inverseBindMatrices": g.floats(bind, "MAT4", 16, 0, false)}}
	for _, c := range clips {
		g.animations = append(g.animations, c.write(g, s, first))
	}
	return g.encode()
}
