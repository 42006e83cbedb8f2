package doctor

import (
	"fmt"
	"math"
	"slices"

	"github.com/bindpose/bindpose/assets"
	"github.com/bindpose/bindpose/engine/mgl32"
)

// weightTolerance is how far a vertex's weights may be from 1 in sum before it
// shows: a millimetre a metre.
const weightTolerance = 1e-3

// drawnInfluences is how many influences a vertex is drawn with; further ones are
// left out.
const drawnInfluences = 8

func (x *examination) weights() {
	bound := map[int32]bool{} // weights matter where a skin reads them
	for _, n := range x.m.Nodes {
		if n.Skin >= 0 {
			bound[n.Mesh] = true
		}
	}
	for i := range x.m.Meshes {
		for k := range x.m.Meshes[i].Primitives {
			p := &x.m.Meshes[i].Primitives[k]
			if len(p.Weights) > 0 && bound[int32(i)] {
				x.weightsOf(p, named(fmt.Sprintf("meshes[%d].primitives[%d]", i, k), x.m.Meshes[i].Name))
			}
		}
	}
}

func (x *examination) weightsOf(p *assets.Primitive, where string) {
	off, none, negative, many, twice := 0, 0, 0, 0, 0
	worst, most := 1.0, 0
	for v := range p.Positions {
		sum, used, bad, again := 0.0, 0, false, false
		for s := range p.Weights {
			for c, w := range p.Weights[s][v] {
				sum += float64(w)
				bad = bad || w < 0
				if w == 0 {
					continue
				}
				used++
				for o := range 4*s + c {
					again = again || p.Weights[o/4][v][o%4] != 0 && p.Joints[o/4][v][o%4] == p.Joints[s][v][c]
				}
			}
		}
		most = max(most, used)
		switch {
		case bad:
			negative++
		case used == 0:
			none++
		case math.Abs(sum-1) > weightTolerance:
			off++
			if math.Abs(sum-1) > math.Abs(worst-1) {
				worst = sum
			}
		}
		if again {
			twice++
		}
		if used > drawnInfluences {
			many++
		}
	}
	n := len(p.Positions)
	const mend = "--fix scales them to sum to 1"
	if none > 0 {
		level := Error
		if none == n && zeros(p) {
			level = Warning // the file has no bytes for it, and nothing would be seen
		}
		x.find("weights-none", level, where, "--fix binds them to the first joint they name; better paint weights where it was made", Figures{"vertices": none, "of": n},
			"%d of %d vertices have no weight, and are drawn at the origin", none, n).Mendable = true
	}
	if off > 0 {
		x.find("weights-sum", Error, where, mend, Figures{"vertices": off, "of": n, "worst_sum": round(worst)},
			"the weights of %d of %d vertices do not sum to 1 (%.4g at worst); each is drawn that share of the way from the origin", off, n, worst).Mendable = true
	}
	if negative > 0 {
		x.find("weights-negative", Error, where, "--fix leaves them out and scales the others to sum to 1", Figures{"vertices": negative, "of": n},
			"%d of %d vertices have weights below 0", negative, n).Mendable = true
	}
	if twice > 0 {
		x.find("weights-joint-twice", Warning, where, "--fix makes one weight of the two", Figures{"vertices": twice, "of": n},
			"%d of %d vertices name a joint twice", twice, n).Mendable = true
	}
	if many > 0 {
		x.find("weights-many", Warning, where, fmt.Sprintf("limit influences to %d when exporting", drawnInfluences), Figures{"vertices": many, "of": n, "most": most},
			"%d of %d vertices have more than the %d influences that are drawn, %d at most", many, n, drawnInfluences, most)
	}
}

func (x *examination) joints() {
	s := x.m.Skeleton
	used := make([][]bool, len(x.m.Skins))
	for i := range used {
		used[i] = make([]bool, len(x.m.Skins[i].Joints))
	}
	for n := range x.m.Nodes {
		node := &x.m.Nodes[n]
		if node.Skin < 0 || node.Mesh < 0 {
			continue
		}
		for k := range x.m.Meshes[node.Mesh].Primitives {
			p := &x.m.Meshes[node.Mesh].Primitives[k]
			for set := range p.Joints {
				for v, joints := range p.Joints[set] {
					for c, j := range joints {
						if p.Weights[set][v][c] > 0 && int(j) < len(used[node.Skin]) {
							used[node.Skin][j] = true
						}
					}
				}
			}
		}
	}
	for i := range x.m.Skins {
		k := &x.m.Skins[i]
		slots := map[int32]int{}
		twice, idle, outside := 0, 0, []string{}
		for slot, j := range k.Joints {
			if first, ok := slots[j]; ok && offIdentity(k.InverseBind[first].Inv().Mul4(k.InverseBind[slot])) < bindTolerance {
				twice++
			} else if !ok {
				slots[j] = slot
			}
			if !used[i][slot] {
				idle++
			}
			if x.m.Scene >= 0 && !x.m.Nodes[j].InScene {
				outside = append(outside, s.Names[j])
			}
		}
		if twice > 0 {
			x.find("joints-twice", Warning, x.skinName(i), "--fix lists each once", Figures{"joints": twice}, "%d joints are listed twice with the same matrix", twice).Mendable = true
		}
		if idle > 0 && idle < len(k.Joints) {
			x.find("joints-unused", Info, x.skinName(i), "", Figures{"joints": idle, "of": len(k.Joints)}, "%d of %d joints move no vertex", idle, len(k.Joints))
		}
		if len(outside) > 0 {
			x.find("joints-outside", Warning, x.skinName(i), "put the joints into the scene that the mesh is in", Figures{"joints": len(outside)},
				"%d joints are outside the default scene, such as %q", len(outside), outside[0])
		}
	}
	x.duplicateNames()
	x.scales()
}

func (x *examination) duplicateNames() {
	count := map[string]int{}
	for _, j := range x.skinJoints() {
		if name := x.m.Skeleton.Names[j]; name != "" {
			count[name]++
		}
	}
	var twice []string
	for name, n := range count {
		if n > 1 {
			twice = append(twice, name)
		}
	}
	if len(twice) > 0 {
		slices.Sort(twice)
		x.find("joint-names-twice", Info, "", "rename them if clips are to be bound by name", Figures{"names": len(twice)},
			"%d names are borne by several joints, such as %q; a clip bound by name moves the first", len(twice), twice[0])
	}
}

// scales finds joints whose rest is scaled unevenly or mirrored.
func (x *examination) scales() {
	uneven, mirrored := []string{}, []string{}
	worst := 1.0
	for _, j := range x.skinJoints() {
		_, _, s := x.world[j].Decompose()
		least, most := math.Inf(1), 0.0
		for _, c := range s {
			least, most = min(least, math.Abs(float64(c))), max(most, math.Abs(float64(c)))
		}
		if most > least*1.01 {
			uneven = append(uneven, x.m.Skeleton.Names[j])
			worst = max(worst, most/max(least, 1e-9))
		}
		if x.world[j].Mat3().Det() < 0 {
			mirrored = append(mirrored, x.m.Skeleton.Names[j])
		}
	}
	if len(uneven) > 0 {
		x.find("joints-scaled-unevenly", Info, "", "apply the scale where the character was made, or parts shear when joints turn", Figures{"joints": len(uneven), "worst_ratio": round(worst)},
			"%d joints are scaled unevenly at rest (%.3g to 1 at worst), such as %q", len(uneven), worst, uneven[0])
	}
	if len(mirrored) > 0 {
		x.find("joints-mirrored", Info, "", "apply the scale where the character was made", Figures{"joints": len(mirrored)},
			"%d joints are mirrored by a negative scale, such as %q", len(mirrored), mirrored[0])
	}
}

// tracks finds channels that move nothing that is seen.
func (x *examination) tracks() {
	s := x.m.Skeleton
	matters := make([]bool, s.Len())
	for n, node := range x.m.Nodes {
		matters[n] = node.Mesh >= 0 || node.Camera >= 0 || node.Light >= 0
	}
	for _, j := range x.skinJoints() {
		matters[j] = true
	}
	if !slices.Contains(matters, true) {
		return // clips alone, to be bound to another file's character
	}
	for j := s.Len() - 1; j >= 0; j-- {
		if p := s.Parents[j]; p >= 0 && matters[j] {
			matters[p] = true
		}
	}
	for i, c := range x.m.Clips {
		idle, first := 0, ""
		for _, t := range c.Tracks {
			if !matters[t.Joint] {
				if idle++; first == "" {
					first = s.Names[t.Joint]
				}
			}
		}
		where := named(fmt.Sprintf("animations[%d]", i), c.Name)
		if len(c.Tracks) == 0 && len(c.Properties) == 0 {
			x.find("tracks-none", Warning, where, "see whether the clip's targets were lost in exporting", nil, "no track is bound to anything: the clip moves nothing")
		} else if idle > 0 {
			level := Info
			if idle == len(c.Tracks) {
				level = Warning
			}
			x.find("tracks-idle", level, where, "", Figures{"tracks": idle, "of": len(c.Tracks)}, "%d of %d tracks move nothing that is seen, such as those of %q", idle, len(c.Tracks), first)
		}
		if c.Validate(s) != nil {
			x.find("clip-wrong", Error, where, "export the clip again", nil, "%v", c.Validate(s))
		}
	}
}

// zeros tells of a primitive whose vertices all lie at the origin.
func zeros(p *assets.Primitive) bool {
	for _, v := range p.Positions {
		if v != (mgl32.Vec3{}) {
			return false
		}
	}
	return true
}
