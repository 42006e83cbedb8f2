package gltf

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

func (g *writer) meshes() {
	var out []obj
	g.meshAt = make([]int, len(g.m.Meshes))
	g.skinned = make([]bool, len(g.m.Meshes))
	for i := range g.m.Meshes {
		mesh := &g.m.Meshes[i]
		g.meshAt[i] = -1
		if len(mesh.Primitives) == 0 {
			continue
		}
		// A skin belongs to all primitives of a mesh or to none.
		g.skinned[i] = true
		for k := range mesh.Primitives {
			g.skinned[i] = g.skinned[i] && len(mesh.Primitives[k].Joints) > 0
		}
		var primitives []obj
		for k := range mesh.Primitives {
			primitives = append(primitives, g.primitive(&mesh.Primitives[k]))
		}
		o := named(obj{"primitives": primitives}, mesh.Name)
		if len(mesh.Weights) > 0 {
			o["weights"] = mesh.Weights
			names, known := make([]string, len(mesh.Weights)), false
			for t, target := range mesh.Primitives[0].Targets {
				names[t] = target.Name
				known = known || target.Name != ""
			}
			if known {
				o["extras"] = obj{"targetNames": names}
			}
		}
		g.meshAt[i] = len(out)
		out = append(out, o)
	}
	list(g, "meshes", out)
}

var modes = map[assets.Topology]int{assets.Triangles: modeTriangles, assets.Lines: modeLines, assets.Points: modePoints}

func (g *writer) primitive(p *assets.Primitive) obj {
	n := len(p.Positions)
	attributes := obj{}
	put := func(name string, f []float32, width int, bounds bool) {
		if len(f) > 0 {
			attributes[name] = once(g, f, name, func() int { return g.floats(f, width, arrayBuffer, bounds) })
		}
	}
	put("POSITION", flat(p.Positions), 3, true)
	put("NORMAL", flat(p.Normals), 3, false)
	put("TANGENT", flat(p.Tangents), 4, false)
	put("COLOR_0", flat(g.colors(p.Colors)), 4, false)
	for s, c := range p.MoreColors {
		if p.Colors != nil && c != nil {
			put("COLOR_"+strconv.Itoa(s+1), flat(g.colors(c)), 4, false)
		}
	}
	sets := max(len(p.UV), g.setsOf(p.Material))
	for s := range sets {
		var uv []mgl32.Vec2
		if s < len(p.UV) {
			uv = p.UV[s]
		}
		if uv == nil { // the sets' numbers must be without gaps, and all that the material reads
			uv = make([]mgl32.Vec2, n)
		}
		put("TEXCOORD_"+strconv.Itoa(s), flat(uv), 2, false)
	}
	if len(p.Joints) > 0 {
		joints, weights := influences(p)
		for s := range joints {
			set := strconv.Itoa(s)
			attributes["JOINTS_"+set] = once(g, joints[s], "JOINTS_"+set, func() int { return g.joints(joints[s]) })
			put("WEIGHTS_"+set, flat(weights[s]), 4, false)
		}
	}
	o := obj{"attributes": attributes}
	if p.Topology != assets.Triangles {
		o["mode"] = modes[p.Topology]
	}
	if p.Material >= 0 {
		o["material"] = p.Material
	}
	if len(p.Indices) > 0 {
		o["indices"] = once(g, p.Indices, "indices", func() int { return g.indices(p.Indices) })
	}
	if len(p.Targets) > 0 {
		o["targets"] = g.targets(p)
	}
	return o
}

// setsOf is how many sets of texture coordinates a material reads.
func (g *writer) setsOf(material int32) int {
	if material < 0 {
		return 0
	}
	m := &g.m.Materials[material]
	refs := []assets.TextureRef{m.BaseColorMap, m.MetalRoughMap, m.NormalMap, m.OcclusionMap, m.EmissiveMap}
	if c := m.Clearcoat; c != nil {
		refs = append(refs, c.Map, c.RoughMap, c.NormalMap)
	}
	n := 0
	for _, r := range refs {
		if r.Texture >= 0 && r.UVSet < maxSets {
			n = max(n, int(r.UVSet)+1)
		}
	}
	return n
}

// colors keeps colours within what glTF allows, 0 to 1.
func (g *writer) colors(c []mgl32.Vec4) []mgl32.Vec4 {
	bad := func(v mgl32.Vec4) bool {
		return min(v[0], v[1], v[2], v[3]) < 0 || max(v[0], v[1], v[2], v[3]) > 1
	}
	if !slices.ContainsFunc(c, bad) {
		return c
	}
	c = slices.Clone(c)
	for i := range c {
		for k := range 4 {
			c[i][k] = min(max(c[i][k], 0), 1)
		}
	}
	return c
}

func (g *writer) indices(indices []uint32) int {
	most := slices.Max(indices)
	a := obj{"count": len(indices), "type": "SCALAR"}
	var data []byte
	if most < math.MaxUint16 { // 65535 means something else to a GPU
		a["componentType"] = u16
		data = make([]byte, 0, 2*len(indices))
		for _, x := range indices {
			data = binary.LittleEndian.AppendUint16(data, uint16(x))
		}
	} else {
		a["componentType"] = u32
		data = make([]byte, 0, 4*len(indices))
		for _, x := range indices {
			data = binary.LittleEndian.AppendUint32(data, x)
		}
	}
	a["bufferView"] = g.view(data, elementArrayBuffer)
	return g.accessor(a)
}

func (g *writer) joints(joints [][4]uint16) int {
	most := uint16(0)
	for _, j := range joints {
		most = max(most, j[0], j[1], j[2], j[3])
	}
	a := obj{"count": len(joints), "type": "VEC4", "componentType": u16}
	data := make([]byte, 0, 8*len(joints))
	for _, j := range joints {
		for _, x := range j {
			if most > math.MaxUint8 {
				data = binary.LittleEndian.AppendUint16(data, x)
			} else {
				data = append(data, byte(x))
			}
		}
	}
	if most <= math.MaxUint8 {
		a["componentType"] = u8
	}
	a["bufferView"] = g.view(data, arrayBuffer)
	return g.accessor(a)
}

func (g *writer) targets(p *assets.Primitive) []obj {
	n := len(p.Positions)
	out := make([]obj, len(p.Targets))
	for t, target := range p.Targets {
		o := obj{}
		if target.Positions != nil {
			o["POSITION"] = once(g, target.Positions, "target", func() int { return g.floats(flat(target.Positions), 3, arrayBuffer, true) })
		} else { // zeros, which take no bytes
			o["POSITION"] = g.accessor(obj{"componentType": f32, "count": n, "type": "VEC3", "min": [3]float32{}, "max": [3]float32{}})
		}
		// A difference needs what it differs from.
		if target.Normals != nil && p.Normals != nil {
			o["NORMAL"] = once(g, target.Normals, "target", func() int { return g.floats(flat(target.Normals), 3, arrayBuffer, false) })
		}
		if target.Tangents != nil && p.Tangents != nil {
			o["TANGENT"] = once(g, target.Tangents, "target", func() int { return g.floats(flat(target.Tangents), 3, arrayBuffer, false) })
		}
		out[t] = o
	}
	return out
}

// influences returns the primitive's joints and weights as glTF wants them: each
// joint once a vertex, no weight below 0, all of a vertex summing to 1. What is
// right is returned itself.
func influences(p *assets.Primitive) (joints [][][4]uint16, weights [][][4]float32) {
	joints, weights = p.Joints, p.Weights
	copied := false
	for v := range p.Positions {
		if vertexIsValid(p, v) {
			continue
		}
		if !copied {
			copied = true
			joints, weights = slices.Clone(joints), slices.Clone(weights)
			for s := range joints {
				joints[s], weights[s] = slices.Clone(joints[s]), slices.Clone(weights[s])
			}
		}
		mendVertex(joints, weights, v)
	}
	return joints, weights
}

func vertexIsValid(p *assets.Primitive, v int) bool {
	sum, used := 0.0, 0
	for s := range p.Joints {
		j, w := &p.Joints[s][v], &p.Weights[s][v]
		for c := range 4 {
			sum += float64(w[c])
			switch {
			case w[c] == 0:
				if j[c] != 0 {
					return false
				}
				continue
			case !(w[c] > 0):
				return false
			}
			used++
			for o := range s*4 + c { // the same joint before
				if p.Weights[o/4][v][o%4] != 0 && p.Joints[o/4][v][o%4] == j[c] {
					return false
				}
			}
		}
	}
	return math.Abs(sum-1) <= 5e-8*float64(max(used, 1))
}

func mendVertex(joints [][][4]uint16, weights [][][4]float32, v int) {
	type influence struct {
		joint  uint16
		weight float64
	}
	var all []influence
	sum := 0.0
	for s := range joints {
		for c, w := range weights[s][v] {
			if !(w > 0) || math.IsInf(float64(w), 0) {
				continue
			}
			sum += float64(w)
			at := slices.IndexFunc(all, func(i influence) bool { return i.joint == joints[s][v][c] })
			if at < 0 {
				all = append(all, influence{joint: joints[s][v][c]})
				at = len(all) - 1
			}
			all[at].weight += float64(w)
		}
	}
	if len(all) == 0 {
		all, sum = []influence{{joints[0][v][0], 1}}, 1
	}
	// Rounding's rest goes to the largest, which it changes least.
	rest, most := 1.0, 0
	for i := range all {
		all[i].weight = float64(float32(all[i].weight / sum))
		if rest -= all[i].weight; all[i].weight > all[most].weight {
			most = i
		}
	}
	all[most].weight += rest
	for s := range joints {
		for c := range 4 {
			joints[s][v][c], weights[s][v][c] = 0, 0
			if i := 4*s + c; i < len(all) && float32(all[i].weight) > 0 {
				joints[s][v][c], weights[s][v][c] = all[i].joint, float32(all[i].weight)
			}
		}
	}
}
